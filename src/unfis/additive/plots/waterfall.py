"""WaterfallDisplay: one prediction, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp

from unfis.additive.model import FittedModel
from unfis.additive.plots.drawing import (
    AGAINST,
    FOR,
    LINE,
    NARROW,
    PALE,
    WIDTH,
    Display,
    ax_inches,
    fitted_model,
    ink,
    line_count,
    output_place,
    output_title,
    points_label,
    set_points_margin,
    wrapped,
)
from unfis.additive.text import Wording
from unfis.additive.text.explanation import answer_words, sums_words, value_words
from unfis.additive.text.numbers import percent
from unfis.arrays import Array
from unfis.estimators.tables import check_table

GAP = 0.1  # inches between bars
LOWER = 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5
TICKS = *LOWER, *(round(1 - p, 3) for p in LOWER[:-1])  # probabilities on the upper axis


@dataclass(eq=False, repr=False)
class WaterfallDisplay(Display):
    """The start, what each rule adds that holds, and their sum; the probability above.

    Parameters
    ----------
    labels : list of str
        The rules that hold.
    contributions : list of float
        What each adds: its points times how far it holds.
    start : float
    values : list of str, default=()
        What the row has, at the right of each rule.
    probability : (unit, shift), default=None
        The probability at a sum z is 1 / (1 + exp(-(unit * z - shift))); None where there is none.
    title, xlabel : str

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    bars_ : matplotlib BarContainer
        One bar for each rule.
    """

    labels: Sequence[str]
    contributions: Sequence[float]
    start: float = 0.0
    values: Sequence[str] = ()
    probability: tuple[float, float] | None = None
    title: str = ""
    xlabel: str = "points"

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.contributions):
            raise ValueError(
                f"labels and contributions must be equally many; got {len(self.labels)} and "
                f"{len(self.contributions)}."
            )

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, class_of_interest: Any = None, ax: Any = None,
        width: float = WIDTH,
    ) -> Self:  # fmt: skip
        """Draw the prediction of one row.

        Parameters
        ----------
        estimator : UNFISClassifier or UNFISRegressor
        X : array-like or data frame of shape (1, n_features)
        class_of_interest : label, default=None
            Of several classes, the one whose sum is drawn; None for the answer.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        width : float, default=6.4
            Inches of a new figure.
        """
        model = fitted_model(estimator)
        row = row_values(model, estimator, X)
        sums = model.points(row)[0]
        answer = model.predictions(row)
        output = output_place(model, class_of_interest)
        if class_of_interest is None and len(sums) > 1:
            output = int(model.answers(answer)[0])
        rules = model.rules.rules
        degrees = model.rules.degrees(row)[:, 0]
        added = [float(rule.points * degree) for rule, degree in zip(rules, degrees, strict=True)]
        held = [n for n, rule in enumerate(rules) if rule.output == output and added[n]]
        held.sort(key=lambda n: -abs(added[n]))
        wording = Wording(model.rules, model.names)
        values = [value_words(rules[n], model.names, row[0]) for n in held]
        parts = [
            f"{text}, holds {percent(degrees[n])}" if degrees[n] < 1 else text
            for n, text in zip(held, values, strict=True)
        ]
        return cls(
            [wording.rule(rules[n]) for n in held], [added[n] for n in held],
            model.rules.start[output], parts, probability_line(model, sums, output),
            answer_words(model.rules, model.names, np.atleast_1d(answer[0])),
            sum_label(model, output),
        ).plot(ax, width=width)  # fmt: skip

    @property
    def total(self) -> float:
        """The start and all contributions together."""
        return self.start + float(sum(self.contributions))

    def _lines(self, width: float) -> tuple[list[str], list[str]]:
        """Labels and values in lines that a figure of this width has room for."""
        narrow = width < NARROW
        names = ["start", *self.labels, "sum"]
        values = ["", *(self.values or [""] * len(self.labels)), ""]
        room = int(width * (6.5 if narrow else 7.0))
        return [wrapped(name, room) for name in names], [
            wrapped(value, 11 if narrow else 24) for value in values
        ]

    def _heights(self, width: float) -> list[float]:
        pairs = zip(*self._lines(width), strict=True)
        return [LINE * max(map(line_count, pair)) + GAP for pair in pairs]

    def _height(self, width: float) -> float:
        return sum(self._heights(width)) + 1.5

    def _draw(self) -> None:
        ax, (width, _) = self.ax_, ax_inches(self.ax_)
        labels, values = self._lines(width)
        heights = np.array(self._heights(width))
        middles = np.cumsum(heights) - heights / 2
        ends = self.start + np.cumsum([0.0, *self.contributions])
        colours = [FOR if added > 0 else AGAINST for added in self.contributions]
        self.bars_ = ax.barh(middles[1:-1], self.contributions, 0.2, left=ends[:-1], color=colours)
        stops = [*ends, self.total]
        for n, end in enumerate(stops[:-1]):
            ax.plot([end, end], [middles[n] - 0.1, middles[n + 1] + 0.1], color=PALE, lw=0.8)
        ax.plot([stops[0], stops[-1]], [middles[0], middles[-1]], "D", color=ink(), markersize=5)
        figures = sums_words([self.start, *self.contributions, self.total])
        for n, words in enumerate(figures):
            falls = 0 < n < len(stops) - 1 and self.contributions[n - 1] < 0
            ax.annotate(
                words.replace("-", "−"), (stops[n], middles[n]), (-5 if falls else 5, 0),
                textcoords="offset points", ha="right" if falls else "left", va="center",
                fontsize="small",
            )  # fmt: skip
            ax.annotate(
                values[n], (1, middles[n]), (6, 0), xycoords=ax.get_yaxis_transform(),
                textcoords="offset points", va="center", fontsize="small", annotation_clip=False,
            )  # fmt: skip
        ax.set_yticks(middles, labels, fontsize="small")
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(heights.sum(), 0.0)
        set_points_margin(ax, width, figures)
        ax.locator_params(axis="x", nbins=5)
        narrow = width < NARROW
        ax.set_xlabel(wrapped(self.xlabel, 28 if narrow else 60))
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.set_title(wrapped(self.title, 34 if narrow else 60, 120), fontsize="medium")
        if self.probability:
            self._draw_probability(*self.probability, narrow=narrow)

    def _draw_probability(self, unit: float, shift: float, *, narrow: bool) -> None:
        """Probabilities above the sums that have them, none too near to the next."""
        low, high = self.ax_.get_xlim()
        above = self.ax_.secondary_xaxis("top")
        places = [(float((np.log(p / (1 - p)) + shift) / unit), p) for p in TICKS]
        least = (0.22 if narrow else 0.1) * (high - low)
        shown: list[tuple[float, float]] = []
        for place, p in sorted(places, key=lambda one: abs(one[1] - 0.5)):
            far = all(abs(place - other) >= least for other, _ in shown)
            if low <= place <= high and far:
                shown.append((place, p))
        words = [f"{100 * p:g} %" for _, p in shown]
        above.set_xticks([place for place, _ in shown], words, fontsize="small")
        above.set_xlabel("probability", fontsize="small")


def row_values(model: FittedModel, estimator: Any, X: Any) -> Array:
    """The values of one row of a table, (1, inputs)."""
    if isinstance(estimator, FittedModel):
        row = np.asarray(model.columns.values(X), dtype=np.float64)
    else:
        row = np.asarray(
            model.columns.values(check_table(estimator, X, model.columns)), dtype=np.float64
        )
    if len(row) != 1:
        raise ValueError(f"X must have one row, the one to draw; got {len(row)}.")
    return row


def probability_line(model: FittedModel, sums: Array, output: int) -> tuple[float, float] | None:
    """The log odds of an output's class by its sum: their slope, and what is taken from them."""
    unit = model.rules.unit
    if model.rules.link == "logistic":
        return unit, 0.0
    if model.rules.link == "softmax":  # the sums of the others stay
        return unit, float(logsumexp(unit * np.delete(sums, output)))
    return None


def sum_label(model: FittedModel, output: int) -> str:
    """What the axis of sums says."""
    if model.rules.link == "identity":
        return output_title(model, output)
    return points_label(model, output)
