"""Predictions taken apart: contributions, counterfactuals and training rows that are alike."""

from unfis.additive.explain.contributions import contributions, importances
from unfis.additive.explain.explanations import Explanations
from unfis.additive.explain.goal import Goal
from unfis.additive.explain.parts import Explanation

__all__ = ["Explanation", "Explanations", "Goal", "contributions", "importances"]
