"""Rules as data that people and programs read: extraction, words, and predictions taken apart."""

from unfis.rules.data import Condition, Effect, Rule, Scorecard, Variable
from unfis.rules.explain.explanations import Explanations, explain_rows
from unfis.rules.extract import extract_rules
from unfis.rules.reading import Reading, read_rules
from unfis.rules.rule_base import RuleBase
from unfis.rules.support import importances
from unfis.rules.text.explanation import Explanation

__all__ = [
    "Condition",
    "Effect",
    "Explanation",
    "Explanations",
    "Reading",
    "Rule",
    "RuleBase",
    "Scorecard",
    "Variable",
    "explain_rows",
    "extract_rules",
    "importances",
    "read_rules",
]
