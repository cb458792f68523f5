"""One panel of RulesDisplay: a fuzzy set on one input, with the rows beneath it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.plots.canvas import DARK_GREY, GREY, LIGHT_GREY, colour, marker, matplotlib_module
from unfis.plots.membership import curve_points, selected_membership
from unfis.plots.names import shown
from unfis.plots.sources import known_range
from unfis.rules import Condition, Variable

# The rows lie in lanes beneath the sets, one for each class, which together are so high.
LANES = 0.45
# So many categories are named along an axis.
MOST_TICKS = 12
# So many steps between numbers, at most.
MOST_NUMBERS = 5
HELD_COLOUR = "#B5DCF3"


class InputAxis(NamedTuple):
    """An input as an axis, common to its panels."""

    name: str
    categories: tuple[Any, ...]  # () for a number
    limits: tuple[float, float]
    values: Array | None  # of the rows, categories by their place, NaN where missing


class FuzzySet(NamedTuple):
    """A rule's set on an input, as drawn."""

    points: Array  # where it is known: values of a number, places of categories
    degrees: Array  # how far it holds there
    held: Mask  # whether that is by more than half; of a category, than half of the best one's


def input_axis(variable: Variable, values: Array | None) -> InputAxis:
    """The axis of an input, wide enough for all its values."""
    if variable.categories:
        limits = -0.6, len(variable.categories) - 0.4
    else:
        limits = known_range(variable, values)
    return InputAxis(variable.name, tuple(variable.categories), limits, values)


def fuzzy_set(condition: Condition, axis: InputAxis) -> FuzzySet:
    """The set of a condition along an axis."""
    if axis.categories:
        accepted = [category in condition.accepted for category in axis.categories]
        places = np.arange(float(len(axis.categories)))
        return FuzzySet(places, np.array(condition.degrees), np.array(accepted))
    assert condition.centre is not None
    assert condition.width is not None
    points = curve_points(*axis.limits, condition.centre, condition.width)
    degrees = selected_membership(points, condition.centre, condition.width, condition.selection)
    return FuzzySet(points, degrees, degrees > 0.5)


def draw_panel(ax: Any, axis: InputAxis, drawn: FuzzySet | None) -> None:
    """Draw a set, or that there is none."""
    low, high = axis.limits
    margin = 0.0 if axis.categories else 0.03 * (high - low)
    ax.set_xlim(low - margin, high + margin)
    ax.set_yticks([0, 0.5, 1])
    if axis.categories:
        name_categories(ax, axis.categories)
    else:
        locator = matplotlib_module("ticker").MaxNLocator(MOST_NUMBERS, steps=[1, 2, 5, 10])
        ax.xaxis.set_major_locator(locator)
    if drawn is None:
        ax.text((low + high) / 2, 0.5, "not used", color=GREY, ha="center", va="center")
        ax.tick_params(colors=LIGHT_GREY)
        ax.spines[:].set_color(LIGHT_GREY)
    elif axis.categories:
        colours = np.where(drawn.held, HELD_COLOUR, "white")
        style = {"edgecolor": "black", "linewidth": 1, "zorder": 2}
        ax.bar(drawn.points, drawn.degrees, width=0.7, color=colours, **style)
    else:
        draw_curve(ax, drawn)


def draw_curve(ax: Any, drawn: FuzzySet) -> None:
    """The curve of a number's set, filled where it holds by more than half."""
    ax.fill_between(drawn.points, 0, drawn.degrees, where=drawn.held, color=HELD_COLOUR, lw=0)
    ax.plot(drawn.points, drawn.degrees, color="black", linewidth=1.5)


def name_categories(ax: Any, categories: tuple[Any, ...]) -> None:
    """Ticks for categories, slanted where they would run into each other."""
    step = -(-len(categories) // MOST_TICKS)
    names = [shown(category, 14) for category in categories[::step]]
    crowded = sum(map(len, names)) > 20
    slanted = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    ax.set_xticks(range(0, len(categories), step), names, **slanted)


def draw_rows(ax: Any, axis: InputAxis, codes: NDArray[np.intp] | None, classes: int) -> None:
    """Rows as dots beneath the set, each class in a lane of its own."""
    if axis.values is None:
        ax.set_ylim(-0.03, 1.08)
        return
    lanes = classes if codes is not None else 1
    height = LANES / lanes
    ax.set_ylim(-0.06 - LANES, 1.08)
    ax.axhline(0.0, color=DARK_GREY, linewidth=0.6)
    generator = np.random.RandomState(0)  # the same rows always lie the same
    for lane in range(lanes):
        values = axis.values if codes is None else axis.values[codes == lane]
        known = values[np.isfinite(values)]
        across = generator.uniform(-0.35, 0.35, len(known))
        along = generator.uniform(-0.3, 0.3, len(known)) if axis.categories else 0.0
        ax.plot(
            known + along,
            -0.05 - height * (lane + 0.5 + across),
            color=GREY if codes is None else colour(lane),
            marker=marker(lane),
            markersize=3,
            markeredgewidth=0,
            alpha=0.6,
            linestyle="none",
        )
