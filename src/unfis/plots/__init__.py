"""Pictures of what was learned, as display objects in scikit-learn's manner; need matplotlib.

Each display holds plain data, is made by `from_estimator` (or by hand) and drawn by `plot`, on axes
that are given or on new ones, which it keeps as `ax_` (or `axes_`) and `figure_`.
"""

from unfis.plots.canvas import colour, line_style
from unfis.plots.decision_regions import DecisionRegionsDisplay
from unfis.plots.network import NetworkDisplay
from unfis.plots.path import PathDisplay
from unfis.plots.performance import PerformanceDisplay
from unfis.plots.rules import RulesDisplay
from unfis.plots.selection import SelectionEffectDisplay
from unfis.plots.selection_map import SelectionDisplay
from unfis.plots.training import TrainingDisplay
from unfis.plots.waterfall import WaterfallDisplay

__all__ = [
    "DecisionRegionsDisplay",
    "NetworkDisplay",
    "PathDisplay",
    "PerformanceDisplay",
    "RulesDisplay",
    "SelectionDisplay",
    "SelectionEffectDisplay",
    "TrainingDisplay",
    "WaterfallDisplay",
    "colour",
    "line_style",
]
