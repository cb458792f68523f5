"""From every input in every rule to short rules: the elimination path, and the choice on it."""

from unfis.selection.choice import Wishes
from unfis.selection.decision import Decision, at_point, decide, point_on
from unfis.selection.elimination import Elimination, Stage
from unfis.selection.folds import merged

__all__ = ["Decision", "Elimination", "Stage", "Wishes", "at_point", "decide", "merged", "point_on"]
