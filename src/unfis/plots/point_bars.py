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
from unfis.rules.points import classes_spoken_for, reference_class
from unfis.rules.text.counted import PointsRow
from unfis.rules.text.points import PointsWords, points_words
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
    listed: bool = False  # whether each line is of one class alone

    @property
    def height(self) -> float:
        """How many inches they need."""
        tallest = max(line.count("\n") + 1 for line in self.lines)
        bars = 1 if self.listed else len(self.codes)
        return len(self.lines) * max(TEXT_HEIGHT * tallest, BAR_HEIGHT * bars)


def point_bars(rule: Rule, base: RuleBase) -> PointBars | None:
    """The points of a rule, None if its THEN counts nothing.

    Rules whose outputs are mixed say nothing by themselves, and the paper draws their sets alone.
    """
    if not rule.effects or base.combination != AVERAGED.name:
        return None
    points, reference = points_words(rule, base), reference_class(base)
    if not points.classes:
        return None
    codes = classes_spoken_for(rule, base, reference)
    label = "points" if rule.unit else "log-odds"
    if len(codes) == 1:
        label += f" for {shown(points.classes[0], LONGEST_CLASS)}"
    elif reference is not None:
        label += f" ({shown(class_name(base.classes[reference]), LONGEST_CLASS)} has 0)"
    if points.listed:
        return listed_bars(points, codes, label)
    sizes = np.array([row.sizes for row in points.rows])
    texts = [row.points for row in points.rows]
    return PointBars([line_name(row) for row in points.rows], sizes, texts, codes, label)


def listed_bars(points: PointsWords, codes: Sequence[int], label: str) -> PointBars:
    """The points of many classes: a line for each number, which only one class has."""
    lines, sizes, texts = [], [], []
    for k, block in enumerate(points.by_class):
        for row in block.rows:
            lines.append(line_name(row._replace(name=f"{block.name}: {row.name}")))
            own = row.sizes[0] if row is not block.rows[0] else 0.0
            sizes.append([own if k == c else 0.0 for c in range(len(codes))])
            texts.append([row.points[0] if k == c else "" for c in range(len(codes))])
    return PointBars(lines, np.array(sizes), texts, codes, label, listed=True)


def line_name(row: PointsRow) -> str:
    """What a line is of, and below it for how much of it."""
    name = shown(row.name, width=NAME_WIDTH)
    return f"{name}\n{shown(row.per, width=NAME_WIDTH)}" if row.per else name


def draw_point_bars(ax: Any, bars: PointBars) -> None:
    """Draw the lines of a rule from the top, in each a bar for every class that has points."""
    positions, sizes = np.arange(len(bars.lines)), bars.sizes.copy()
    sizes[0] = 0.0  # the start is only written: beside it the bars would be short
    height = THICKNESS if bars.listed else THICKNESS / len(bars.codes)
    for k, code in enumerate(bars.codes):
        middles = positions - THICKNESS / 2 + (0 if bars.listed else k) * height + height / 2
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
