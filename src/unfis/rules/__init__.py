"""Rules as data that people and programs read: extraction, words, and predictions taken apart."""

from unfis.rules.data import Condition, Consequent, Rule, Variable
from unfis.rules.explain.explanations import Explanations, explain_rows
from unfis.rules.extract import extract_rules
from unfis.rules.rule_base import RuleBase
from unfis.rules.support import importances
from unfis.rules.text.explanation import Explanation

__all__ = [
    "Condition",
    "Consequent",
    "Explanation",
    "Explanations",
    "Rule",
    "RuleBase",
    "Variable",
    "explain_rows",
    "extract_rules",
    "importances",
]
