"""Pictures of rules that add up, as display objects in scikit-learn's manner; need matplotlib.

Each display holds plain data, is made by `from_estimator` (or by hand) and drawn by `plot`, on axes
that are given or on new ones, which it keeps as `ax_` (or `axes_`) and `figure_`.
"""

from unfis.additive.plots.curves import CurvesDisplay
from unfis.additive.plots.pair import PairDisplay
from unfis.additive.plots.path import PathDisplay
from unfis.additive.plots.rules import RuleBar, RulesDisplay
from unfis.additive.plots.waterfall import WaterfallDisplay

__all__ = [
    "CurvesDisplay",
    "PairDisplay",
    "PathDisplay",
    "RuleBar",
    "RulesDisplay",
    "WaterfallDisplay",
]
