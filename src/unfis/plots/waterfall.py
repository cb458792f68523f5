"""WaterfallDisplay: one prediction, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp

from unfis.arrays import Array
from unfis.estimators.tables import check_table
from unfis.model import FittedModel
from unfis.plots.drawing import (
    FIGURE_WIDTH,
    NARROW,
    PALE,
    BarList,
    ax_inches,
    fitted_model,
    ink,
    output_place,
    output_title,
    points_label,
    sign_colour,
    wrapped,
)
from unfis.text import Wording
from unfis.text.explanation import sums_words, value_words
from unfis.text.numbers import percent, rounded_words

LOWER = 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5
TICKS = *LOWER, *(round(1 - p, 3) for p in LOWER[:-1])  # probabilities on the upper axis


@dataclass(eq=False, repr=False)
class WaterfallDisplay(BarList):
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
        width: float = FIGURE_WIDTH,
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
            answer_title(model, answer[0], output),
            sum_label(model, output),
        ).plot(ax, width=width)  # fmt: skip

    @property
    def total(self) -> float:
        """The start and all contributions together."""
        return self.start + float(sum(self.contributions))

    def _texts(self) -> list[tuple[str, str]]:
        values = self.values or [""] * len(self.labels)
        return [("start", ""), *zip(self.labels, values, strict=True), ("sum", "")]

    def _height(self, width: float) -> float:
        return super()._height(width) + 0.8  # for the title and probabilities

    def _draw(self) -> None:
        ax, narrow = self.ax_, ax_inches(self.ax_)[0] < NARROW
        words = sums_words([self.start, *self.contributions, self.total])
        middles = self._draw_words(words)
        ends = self.start + np.cumsum([0.0, *self.contributions])
        colours = [*map(sign_colour, self.contributions)]
        self.bars_ = ax.barh(middles[1:-1], self.contributions, 0.2, left=ends[:-1], color=colours)
        for n, end in enumerate(ends):
            ax.plot([end, end], [middles[n] - 0.1, middles[n + 1] + 0.1], color=PALE, lw=0.8)
        ax.plot([ends[0], ends[-1]], [middles[0], middles[-1]], "D", color=ink(), markersize=5)
        falls = [False, *(added < 0 for added in self.contributions), False]
        for text, *at, fall in zip(words, [*ends, ends[-1]], middles, falls, strict=True):
            ax.annotate(
                text.replace("-", "−"), at, (-5 if fall else 5, 0), va="center",
                textcoords="offset points", ha="right" if fall else "left", fontsize="small",
            )  # fmt: skip
        ax.set_xlabel(wrapped(self.xlabel, 30))
        ax.set_title(wrapped(self.title, 34 if narrow else 60, 120), fontsize="medium")
        if self.probability:
            self._draw_probability(*self.probability, least=0.28 if narrow else 0.12)

    def _draw_probability(self, unit: float, shift: float, *, least: float) -> None:
        """Probabilities above the sums that have them, none too near to the next."""
        low, high = self.ax_.get_xlim()
        above = self.ax_.secondary_xaxis("top")
        places = [(float((np.log(p / (1 - p)) + shift) / unit), p) for p in TICKS]
        shown: list[tuple[float, float]] = []
        for place, p in sorted(places, key=lambda one: abs(one[1] - 0.5)):
            far = all(abs(place - other) >= least * (high - low) for other, _ in shown)
            if low <= place <= high and far:
                shown.append((place, p))
        words = [f"{100 * p:g} %" for _, p in shown]
        above.set_xticks([place for place, _ in shown], words, fontsize="small")
        above.set_xlabel("probability", fontsize="small")


def row_values(model: FittedModel, estimator: Any, X: Any) -> Array:
    """The values of one row of a table, (1, inputs)."""
    table = X if isinstance(estimator, FittedModel) else check_table(estimator, X, model.columns)
    row = np.asarray(model.columns.values(table), dtype=np.float64)
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


def answer_title(model: FittedModel, answer: Any, output: int) -> str:
    """What a model answers: the number, or the probability of a class."""
    title = output_title(model, output)
    if model.rules.link in ("identity", "exp"):
        return f"{title}: {rounded_words(float(answer))}"
    last = output if len(model.rules.start) > 1 else -1
    return f"{title}, probability {percent(answer[last])}"


def sum_label(model: FittedModel, output: int) -> str:
    """What the axis of sums says."""
    if model.rules.link == "identity":
        return output_title(model, output)
    return points_label(model, output)
