"""One rule's fuzzy set on one input as a panel, and the rows of the data beneath it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.plots.canvas import GREY, LIGHT_GREY, matplotlib_module
from unfis.plots.rows import MOST_NUMBERS, InputAxis, name_categories
from unfis.plots.sources import condition_curve, condition_on, known_range
from unfis.rules import Rule, Variable

HELD_COLOUR = "#B5DCF3"


class FuzzySet(NamedTuple):
    """A rule's set on an input, as drawn."""

    points: Array  # where it is known: values of a number, indices of categories
    degrees: Array  # how far it holds there
    held: Mask  # whether that is by more than half; of a category, than half of the best one's


def input_axis(variable: Variable, values: Array | None) -> InputAxis:
    """The axis of an input, wide enough for all its values."""
    count = len(variable.categories)
    limits = (-0.6, count - 0.4) if count else known_range(variable, values)
    return InputAxis(variable.name, tuple(variable.categories), limits, values)


def fuzzy_set(rule: Rule, axis: InputAxis) -> FuzzySet | None:
    """A rule's set on an input along its axis, None if its IF has none."""
    condition = condition_on(rule, axis.name)
    if condition is None:
        return None
    if axis.categories:
        accepted = [category in condition.accepted for category in axis.categories]
        indices = np.arange(float(len(axis.categories)))
        return FuzzySet(indices, np.array(condition.degrees), np.array(accepted))
    points, degrees = condition_curve(condition, *axis.limits)
    return FuzzySet(points, degrees, degrees > 0.5)


def draw_panel(ax: Any, axis: InputAxis, drawn: FuzzySet | None) -> None:
    """Draw a set, filled where it holds by more than half, or that there is none."""
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
        ax.text((low + high) / 2, 0.5, "not in IF", color=GREY, ha="center", va="center")
        ax.tick_params(colors=LIGHT_GREY)
        ax.spines[:].set_color(LIGHT_GREY)
    elif axis.categories:
        colours = np.where(drawn.held, HELD_COLOUR, "white")
        style = {"edgecolor": "black", "linewidth": 1, "zorder": 2}
        ax.bar(drawn.points, drawn.degrees, width=0.7, color=colours, **style)
    else:
        ax.fill_between(drawn.points, 0, drawn.degrees, where=drawn.held, color=HELD_COLOUR, lw=0)
        ax.plot(drawn.points, drawn.degrees, color="black", linewidth=1.5)
