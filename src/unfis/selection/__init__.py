"""From nothing, and from every input in every rule, to short rules: paths, and a choice."""

from unfis.selection.beginning import SearchSpace
from unfis.selection.decision import Decision, at_point, decide, point_on
from unfis.selection.folds import deduplicated
from unfis.selection.stage import Stage

__all__ = ["Decision", "SearchSpace", "Stage", "at_point", "decide", "deduplicated", "point_on"]
