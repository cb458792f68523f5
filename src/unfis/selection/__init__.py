"""From every input in every rule to short rules: the elimination path, and the choice on it."""

from unfis.selection.choice import SearchSpace
from unfis.selection.decision import Decision, at_point, decide, point_on
from unfis.selection.elimination import Elimination, Stage
from unfis.selection.folds import deduplicated

__all__ = [
    "Decision",
    "Elimination",
    "SearchSpace",
    "Stage",
    "at_point",
    "decide",
    "deduplicated",
    "point_on",
]
