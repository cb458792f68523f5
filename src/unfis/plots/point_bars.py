"""What the THEN of a rule counts, as bars: a line for the start and for each effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.network.combination import AVERAGED
from unfis.plots.canvas import (
    DARK_GREY,
    colour,
    hatch,
    matplotlib_module,
    shown,
    whole_number_ticks,
)
from unfis.rules import Rule, RuleBase
from unfis.rules.points import other_classes, reference_class
from unfis.rules.text.points import PointsRow, points_words
from unfis.rules.text.words import class_name

# Names of lines are broken into lines of so many characters.
NAME_WIDTH = 28
# So many characters of a class are shown below the bars.
LONGEST_CLASS = 20
# Height in inches of a line of text, and of a bar.
TEXT_HEIGHT, BAR_HEIGHT = 0.17, 0.2
# The bars of a line take so much of its height.
THICKNESS = 0.8


class PointBars(NamedTuple):
    """The points of a rule, as drawn."""

    lines: Sequence[str]  # what each line is of, from the top
    sizes: Array  # points as they are printed, (lines, classes that have some)
    texts: Sequence[Sequence[str]]  # the same to write beside the bars
    codes: Sequence[int]  # the classes that have points
    label: str  # what the points are

    @property
    def height(self) -> float:
        """How many inches they need."""
        tallest = max(line.count("\n") + 1 for line in self.lines)
        return len(self.lines) * max(TEXT_HEIGHT * tallest, BAR_HEIGHT * len(self.codes))


def point_bars(rule: Rule, base: RuleBase) -> PointBars | None:
    """The points of a rule, None if its THEN counts nothing.

    Rules whose outputs are mixed say nothing by themselves, and the paper draws their sets alone.
    """
    if not rule.effects or base.combination != AVERAGED.name:
        return None
    points, reference = points_words(rule, base), reference_class(base)
    measure, codes = "points" if rule.unit else "log-odds", other_classes(base, reference)
    label = f"{measure} for {shown(points.classes[0], LONGEST_CLASS)}"
    if len(codes) > 1:
        label = f"{measure} ({shown(class_name(base.classes[reference]), LONGEST_CLASS)} has 0)"
    sizes = np.array([row.sizes for row in points.rows])
    texts = [row.points for row in points.rows]
    return PointBars([line_name(row) for row in points.rows], sizes, texts, codes, label)


def line_name(row: PointsRow) -> str:
    """What a line is of, and below it for how much of it."""
    name = shown(row.name, width=NAME_WIDTH)
    return f"{name}\n{shown(row.per, width=NAME_WIDTH)}" if row.per else name


def draw_point_bars(ax: Any, bars: PointBars) -> None:
    """Draw the lines of a rule from the top, in each a bar for every class that has points."""
    positions, sizes = np.arange(len(bars.lines)), bars.sizes.copy()
    sizes[0] = 0.0  # the start is only written: beside it the bars would be short
    height = THICKNESS / len(bars.codes)
    for k, code in enumerate(bars.codes):
        middles = positions - THICKNESS / 2 + (k + 0.5) * height
        drawn = ax.barh(middles, sizes[:, k], height, **bar_look(code))
        ax.bar_label(drawn, [texts[k] for texts in bars.texts], padding=2, fontsize="x-small")
    ax.axvline(0.0, color=DARK_GREY, linewidth=0.8)
    ax.set_yticks(positions, bars.lines, fontsize="small")
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(bars.lines) - 0.4, -0.6)
    low, high = min(sizes.min(), 0.0), max(sizes.max(), 0.0)
    room = 0.2 * (high - low or 1.0)  # for the numbers
    ax.set_xlim(low - room, high + room)
    whole_number_ticks(ax)
    ax.set_xlabel(bars.label)


def bar_look(code: int) -> dict[str, Any]:
    """Colour and hatching of a class's bars."""
    return {"facecolor": colour(code), "hatch": hatch(code), "edgecolor": "white", "linewidth": 0}


def bar_handle(code: int) -> Any:
    """A class's bar, for a legend."""
    return matplotlib_module("patches").Patch(**bar_look(code))
