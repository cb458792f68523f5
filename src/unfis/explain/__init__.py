"""Predictions taken apart: contributions, counterfactuals and training rows that are alike."""

from unfis.explain.contributions import contributions, importances
from unfis.explain.explanations import Explanations
from unfis.explain.goal import Goal
from unfis.explain.parts import Explanation

__all__ = ["Explanation", "Explanations", "Goal", "contributions", "importances"]
