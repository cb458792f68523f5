"""Pictures of what was learned, as display objects in scikit-learn's manner; need matplotlib.

Each display holds plain data, is made by `from_estimator` (or by hand) and drawn by `plot`, on axes
that are given or on new ones, which it keeps as `ax_` (or `axes_`) and `figure_`.
"""

from unfis.plots.canvas import colour, line_style
from unfis.plots.curves import CurvesDisplay
from unfis.plots.decision_regions import DecisionRegionsDisplay
from unfis.plots.network import NetworkDisplay
from unfis.plots.pair import PairDisplay
from unfis.plots.path import PathDisplay
from unfis.plots.performance import PerformanceDisplay
from unfis.plots.rules import RuleBar, RulesDisplay
from unfis.plots.selection import SelectionEffectDisplay
from unfis.plots.training import TrainingDisplay
from unfis.plots.waterfall import WaterfallDisplay

__all__ = [
    "CurvesDisplay",
    "DecisionRegionsDisplay",
    "NetworkDisplay",
    "PairDisplay",
    "PathDisplay",
    "PerformanceDisplay",
    "RuleBar",
    "RulesDisplay",
    "SelectionEffectDisplay",
    "TrainingDisplay",
    "WaterfallDisplay",
    "colour",
    "line_style",
]
