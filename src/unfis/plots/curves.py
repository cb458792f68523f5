"""CurvesDisplay: what the rules on each input alone add up to, over its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from unfis.arrays import Array
from unfis.model.curves import Curve, curve, curves_of, same_runs
from unfis.plots.drawing import (
    FIGURE_WIDTH,
    LINE,
    PALE,
    apart,
    ax_inches,
    fitted_model,
    ink,
    input_place,
    line_count,
    output_title,
    panel_colour,
    panel_line_style,
    panels,
    points_label,
    sign_colour,
    wrapped,
)
from unfis.text.numbers import enumerated, percent

PANEL = 3.2  # the least inches across of a panel
HEIGHT = 2.2  # inches of a panel with a curve
HIGHEST = 0.45  # of a panel that the highest bin of a histogram takes
SIDE = 0.09  # of a range, where a missing value is drawn at the left of it
MOST_NAMED_BARS = 3  # categories that are named where several have the same points
CLASS = 20  # characters of a class at its line


class Level(NamedTuple):
    """A bar: some of an input's values, the points of one output there, and their rows' share."""

    label: str
    points: float
    output: int | None  # None where no output has points
    share: float | None


@dataclass(eq=False, repr=False)
class CurvesDisplay:
    """A panel for each input: the sum of the points of its rules, above a histogram of the rows.

    Rules on several inputs are not in these sums; `PairDisplay` has those on two.

    Parameters
    ----------
    curves : list of Curve
        What is drawn, a panel each.
    names : list of str
        The inputs of the curves.
    outputs : list of str
        What points are for: a class each, or one name.
    ylabel : str, default="points"

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        One for each curve.
    limits_ : tuple of float
        The least and the most points of all panels, which have the same scale.
    figure_ : matplotlib Figure
    """

    curves: Sequence[Curve]
    names: Sequence[str]
    outputs: Sequence[str]
    ylabel: str = "points"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, feature: Any = None, ax: Any = None, width: float = 2 * FIGURE_WIDTH
    ) -> Self:
        """Draw the curves of a fitted model, the most important input first.

        Parameters
        ----------
        estimator : UNFISClassifier, UNFISRegressor or FittedModel
        feature : str or int, default=None
            The only input that is drawn; None for all that a rule looks at alone.
        ax : matplotlib Axes or array of them, default=None
            Where to draw; a new figure if None.
        width : float, default=12.8
            Inches of a new figure.
        """
        model = fitted_model(estimator)
        if feature is None:
            curves = curves_of(model)
            if not curves:
                raise ValueError("The model must have rules on one input alone; this one has none.")
        else:
            curves = [curve(model, input_place(model, feature))]
            if not curves[0].outputs:
                raise ValueError(
                    f"feature must be an input that a rule looks at alone; no rule looks at "
                    f"{feature!r} alone."
                )
            width = min(width, FIGURE_WIDTH)
        one = len(model.rules.start) == 1
        outputs = [output_title(model, output) for output in range(len(model.rules.start))]
        names = [model.names.input(one.input) for one in curves]
        return cls(curves, names, outputs, points_label(model, 0 if one else None)).plot(
            ax, width=width
        )

    def plot(self, ax: Any = None, *, width: float = 2 * FIGURE_WIDTH) -> Self:
        """Draw on the axes given, or in the room of one, or on a new figure of a width."""
        room = width if ax is None or np.ndim(ax) else ax_inches(ax)[0]
        columns = max(1, min(int(room // PANEL), len(self.curves)))
        heights = [self._height(one) for one in self.curves]
        every = [one.points.ravel() for one in self.curves]
        every += [one.unknown for one in self.curves if one.is_unknown]
        low, high = min(0.0, *map(np.min, every)), max(0.0, *map(np.max, every))
        more = 0.08 * (high - low or 1.0)
        self.limits_ = low - more, high + more
        self.axes_, self.figure_ = panels(ax, heights, columns, width, self._draw)
        return self

    def _height(self, one: Curve) -> float:
        """The height in inches of a panel."""
        if one.scale.is_range:
            return max(HEIGHT, 0.9 + LINE * len(one.outputs) * (len(self.outputs) > 1))
        return 0.9 + float(level_heights(curve_levels(one)).sum())

    def _draw(self, n: int, ax: Any) -> None:
        one, room = self.curves[n], int(11 * ax_inches(ax)[0])
        ax.set_title(wrapped(self.names[n], max(room, 20), 80), fontsize="medium", loc="left")
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize="small")
        label = wrapped(self.ylabel, 28)
        if one.scale.is_range:
            self._draw_range(one, ax)
            ax.set_ylabel(label, fontsize="small")
        else:
            self._draw_levels(one, ax)
            ax.set_xlabel(label, fontsize="small")

    def _look(self, output: int) -> dict[str, Any]:
        """The colour and the style of a class's line."""
        several = len(self.outputs) > 1
        return {
            "color": panel_colour(output),
            "linestyle": panel_line_style(output) if several else "-",
        }

    def _draw_range(self, one: Curve, ax: Any) -> None:
        """Lines, missing values as points at the left, and a histogram behind."""
        low, high = one.scale.values.tolist()
        draw_histogram(one, ax)
        ax.axhline(0.0, color=ink(), linewidth=0.6)
        for output, points in zip(one.outputs, one.points, strict=True):
            ax.plot(one.places, points, linewidth=1.8, **self._look(output))
        aside = SIDE * (high - low)
        if one.is_unknown:
            for output, points in zip(one.outputs, one.unknown.tolist(), strict=True):
                ax.plot([low - aside], [points], "o", color=panel_colour(output), markersize=5)
            ax.axvline(low - aside / 2, color=PALE, linewidth=0.6, linestyle=":")
            below = one.unknown.mean() > np.mean(self.limits_)
            ax.text(
                low - aside, 0.03 if below else 0.97, "unknown", rotation=90, ha="center",
                va="bottom" if below else "top", fontsize="x-small",
                transform=ax.get_xaxis_transform(),
            )  # fmt: skip
        ax.set_xlim(low - 1.6 * aside * one.is_unknown, high)
        ax.set_ylim(*self.limits_)
        ticks = [tick for tick in ax.get_xticks() if low <= tick <= high]
        ax.set_xticks(ticks[:: 2 if len(ticks) > 7 else 1])
        if len(self.outputs) > 1:
            self._name_lines(one, ax)

    def _name_lines(self, one: Curve, ax: Any) -> None:
        """The class of each line at its right end, none over another."""
        low, high = ax.get_ylim()
        ends = one.points[:, -1]
        room = max(ax_inches(ax)[1] - 0.8, 0.4)
        places = apart(ends, LINE * (high - low) / room, low, high)
        x = one.scale.values[1]
        for output, end, place in zip(one.outputs, ends, places, strict=True):
            mark = {
                "arrowstyle": "-",
                "color": panel_colour(output),
                "linewidth": 0.7,
                "relpos": (0, 0.5),
            }
            ax.annotate(
                wrapped(self.outputs[output], 40, CLASS), (x, end), (1.05, place),
                textcoords=ax.get_yaxis_transform(), va="center", fontsize="x-small",
                color=panel_colour(output), annotation_clip=False,
                arrowprops={**mark, "color": panel_colour(output)},
            )  # fmt: skip

    def _draw_levels(self, one: Curve, ax: Any) -> None:
        """Bars for categories or few numbers, with the share of the rows that have them."""
        found, several = curve_levels(one), len(self.outputs) > 1
        heights = level_heights(found)
        bottoms = np.cumsum(heights)
        middles = bottoms - heights / 2
        points = [level.points for level in found]
        colours = [
            panel_colour(level.output)
            if several and level.output is not None
            else sign_colour(number)
            for level, number in zip(found, points, strict=True)
        ]
        ax.barh(middles, points, 0.7 * LINE, color=colours)
        for level, middle in zip(found, middles, strict=True):
            if several and level.output is not None:
                ax.annotate(
                    wrapped(self.outputs[level.output], 40, CLASS), (max(level.points, 0), middle),
                    (3, 0), textcoords="offset points", va="center", fontsize="x-small",
                )  # fmt: skip
        ax.axvline(0.0, color=ink(), linewidth=0.6)
        ax.set_yticks(middles, [level.label for level in found], fontsize="small")
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_ylim(max(bottoms[-1], ax_inches(ax)[1] - 0.9), 0.0)
        low, high = self.limits_
        ax.set_xlim(low, high + several * 0.5 * (high - low))
        ax.locator_params(axis="x", nbins=4, steps=[1, 2, 5, 10])


def level_heights(found: Sequence[Level]) -> Array:
    """The inches of each bar's place."""
    return np.array([LINE * max(1.3, line_count(level.label)) for level in found])


def curve_levels(one: Curve) -> list[Level]:
    """The bars of few values: values with the same points together, a bar for each output."""
    labels, found = one.scale.labels, []
    columns = []
    for run in same_runs(one):
        words = run_words([labels[n] for n in run], one.scale.ordered)
        share = float(one.shares[run].sum()) if len(one.shares) else None
        columns.append((words, one.points[:, run[0]], share))
    if one.is_unknown:
        columns.append(("unknown", one.unknown, None))
    for words, points, share in columns:
        text = wrapped(words if share is None else f"{words} ({percent(share)})", 22, 90)
        own = [(c, float(p)) for c, p in zip(one.outputs, points, strict=True) if p]
        for number, (output, point) in enumerate(own or [(None, 0.0)]):
            found.append(Level("" if number else text, point, output, share))
    return found


def run_words(labels: Sequence[str], ordered: bool) -> str:
    """Values with the same points: "1 to 3", or "red, blue and 4 others"."""
    if ordered and len(labels) > 2:
        return f"{labels[0]} to {labels[-1]}"
    if len(labels) > MOST_NAMED_BARS:
        shown = labels[: MOST_NAMED_BARS - 1]
        return f"{', '.join(shown)} and {len(labels) - len(shown)} others"
    return enumerated(labels)


def draw_histogram(one: Curve, ax: Any) -> None:
    """The shares of the rows over the range of an input, from the bottom."""
    if len(one.shares):
        behind = ax.get_xaxis_transform()
        shares = one.shares * (HIGHEST / one.shares.max())
        ax.stairs(
            shares, one.borders, fill=True, color=PALE, alpha=0.25, transform=behind, zorder=0
        )
