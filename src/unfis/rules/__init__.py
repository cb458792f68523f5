"""The model: conditions, rules and RuleModel, plain data that predicts."""

from unfis.rules.condition import Condition, Kinds, Trapezoid, Unknown
from unfis.rules.model import Rule, RuleModel

__all__ = ["Condition", "Kinds", "Rule", "RuleModel", "Trapezoid", "Unknown"]
