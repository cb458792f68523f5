"""PathDisplay: how well more or fewer rules predict rows that they have not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.model import FittedModel
from unfis.plots.drawing import (
    AGAINST,
    FIGURE_WIDTH,
    FOR,
    NARROW,
    PanelDisplay,
    ax_inches,
    fitted_model,
    matplotlib_module,
    wrapped,
)
from unfis.search.judge import difference
from unfis.serial.messages import quoted
from unfis.ties import first_least

METRICS = ("loss", "accuracy")


@dataclass(eq=False, repr=False)
class PathDisplay(PanelDisplay):
    """The mean loss of held-out rows, or their accuracy, by the number of rules.

    Parameters
    ----------
    lengths : ndarray of int
        The number of rules.
    values : ndarray of float
        Loss or accuracy.
    errors : ndarray of float
        The standard error of the difference from the best value.
    chosen : int
        The length of the model.
    ylabel : str

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    line_, chosen_line_ : matplotlib Line2D
    """

    lengths: NDArray[np.intp]
    values: Array
    errors: Array
    chosen: int
    ylabel: str = "held-out loss"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, metric: str = "loss", ax: Any = None, width: float = FIGURE_WIDTH
    ) -> Self:
        """Draw the path of a fitted model.

        Parameters
        ----------
        estimator : UNFISClassifier, UNFISRegressor or FittedModel
        metric : {"loss", "accuracy"}, default="loss"
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        width : float, default=6.4
            Inches of a new figure.
        """
        model = fitted_model(estimator)
        if metric not in METRICS:
            raise ValueError(f"metric must be 'loss' or 'accuracy'; got {quoted(metric)}.")
        if not model.path or model.losses is None or model.searched is None:
            raise ValueError(
                "The model must have a path to be drawn; one that was edited or read from a file "
                "has none. Draw that of the model from the fit."
            )
        if not model.folds:
            raise ValueError("The model must have held-out rows; there were too few for folds.")
        losses = model.losses if metric == "loss" else -hits(model)
        weights = model.searched.weights
        means = losses @ weights / weights.sum()
        best = losses[int(first_least(means))]
        errors = np.array([difference(row - best, weights)[1] for row in losses])
        values = means if metric == "loss" else -means
        lengths = np.arange(len(values))
        return cls(lengths, values, errors, model.length, f"held-out {metric}").plot(
            ax, width=width
        )

    def _height(self, width: float) -> float:
        return max(0.55 * width, 2.8)

    def _draw(self) -> None:
        ax = self.ax_
        low, high = self.values - self.errors, self.values + self.errors
        ax.fill_between(self.lengths, low, high, color=FOR, alpha=0.2, linewidth=0)
        (self.line_,) = ax.plot(self.lengths, self.values, color=FOR, marker="o", markersize=3)
        place = int(np.flatnonzero(self.lengths == self.chosen)[0])
        at = self.lengths[place], self.values[place]
        ring = {"markersize": 11, "markerfacecolor": "none", "markeredgewidth": 2}
        (self.chosen_line_,) = ax.plot(*at, "o", color=AGAINST, **ring)
        ax.annotate(
            f"chosen: {self.chosen}", at, (0, 12), textcoords="offset points", color=AGAINST,
            ha="center",
        )  # fmt: skip
        ticker = matplotlib_module("ticker")
        ax.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        ax.margins(y=0.15)
        room = 30 if ax_inches(ax)[0] < NARROW else 80
        note = "rules (band: ± standard error of the difference from the best)"
        ax.set(xlabel=wrapped(note, room), ylabel=self.ylabel)
        ax.spines[["top", "right"]].set_visible(False)


def hits(model: FittedModel) -> Array:
    """The part of each row that is answered rightly by folds that have not seen it."""
    if model.rules.link not in ("logistic", "softmax"):
        raise ValueError("metric must be 'loss' where the target is a number; got 'accuracy'.")
    rows = model.training_rows()
    found = np.zeros((len(model.path), len(rows.targets)))
    for fold, held in zip(model.folds, rows.held, strict=True):
        own = held > 0
        for length, rules in enumerate(fold):
            answers = model.answers(rules.predictions(rows.values[own]))
            found[length, own] += held[own] * (answers == rows.targets[own])
    return found
