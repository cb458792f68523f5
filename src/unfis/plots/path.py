"""PathDisplay: what fewer parts of rules cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array, Mask
from unfis.plots.canvas import Display, legend_beside, line_look, whole_number_ticks
from unfis.plots.sources import FittedEstimator

LABELS = {
    "accuracy": "cross-validated accuracy",
    "loss": "cross-validated loss (nats per row)",
    "criterion": "information criterion (nats per row)",
}


class PathDisplay(Display):
    """Cross-validated accuracy or loss against the number of parts, a line per rules.

    Parts are what is read of rules: conditions in their IFs and numbers in their THENs. A line goes
    through the best point of each number of parts; the others are dots.

    Parameters
    ----------
    rules, parts : sequences of int
        Number of rules, and of parts of all rules together, at each point of the path.
    values : sequence of float
        What is drawn, NaN where unknown.
    errors : sequence of float
        Its standard errors, drawn as a band; NaN where unknown.
    chosen : sequence of bool
        Whether each point was chosen.
    metric : {"accuracy", "loss", "criterion"}, default="accuracy"
        What the values are.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    lines_ : list of matplotlib Line2D
        One for each number of rules, ascending.
    chosen_line_ : matplotlib Line2D
        The ring around the chosen point.
    """

    _size = (6.8, 3.6)

    def __init__(
        self,
        rules: Sequence[int],
        parts: Sequence[int],
        values: Sequence[float],
        errors: Sequence[float],
        chosen: Sequence[bool],
        metric: str = "accuracy",
    ) -> None:
        if metric not in LABELS:
            raise ValueError(f"metric must be one of {list(LABELS)}, got {metric!r}.")
        self.rules = np.asarray(rules, dtype=int)
        self.parts = np.asarray(parts, dtype=int)
        self.values: Array = np.asarray(values, dtype=float)
        self.errors: Array = np.asarray(errors, dtype=float)
        self.chosen: Mask = np.asarray(chosen, dtype=bool)
        self.metric = metric

    @classmethod
    def from_estimator(
        cls, estimator: FittedEstimator, *, metric: str = "accuracy", ax: Any = None
    ) -> PathDisplay:
        """Draw the path of a fitted model.

        Where there were too few rows to cross-validate, its information criterion is drawn.

        Parameters
        ----------
        estimator : UNFISClassifier
        metric : {"accuracy", "loss"}, default="accuracy"
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        if metric not in ("accuracy", "loss"):
            raise ValueError(f'metric must be "accuracy" or "loss", got {metric!r}.')
        path = estimator.path_
        if not path:
            raise ValueError(
                "path_ must not be empty, but rules that were given or edited have no path of more "
                "and less parts. Draw that of a model from before."
            )
        if np.isnan(path[f"cv_{metric}"]).all():
            values, errors, metric = path["criterion"], [np.nan] * len(path["rules"]), "criterion"
        else:
            values, errors = path[f"cv_{metric}"], path[f"cv_{metric}_error"]
        points = path["rules"], path["parts"], values, errors, path["chosen"]
        return cls(*points, metric).plot(ax)

    def _draw(self) -> None:
        counts = np.unique(self.rules)
        self.lines_ = [self._draw_line(number, count) for number, count in enumerate(counts)]
        ring = {"marker": "o", "markersize": 13, "markerfacecolor": "none", "linestyle": "none"}
        (self.chosen_line_,) = self.ax_.plot(
            self.parts[self.chosen], self.values[self.chosen], color="black", **ring
        )
        whole_number_ticks(self.ax_)
        self.ax_.set(xlabel="parts of all rules together", ylabel=LABELS[self.metric])
        labels = [f"{count} rule{'s' if count > 1 else ''}" for count in counts]
        title = "band: ± standard error" if np.isfinite(self.errors).any() else ""
        legend_beside(self.ax_, [*self.lines_, self.chosen_line_], [*labels, "chosen"], title)

    def _draw_line(self, number: int, count: int) -> Any:
        """The points of one number of rules, and the best of them with their errors as a line."""
        members = np.flatnonzero((self.rules == count) & np.isfinite(self.values))
        look = line_look(number)
        dots = {"markersize": 4, "color": look["color"], "marker": look["marker"]}
        self.ax_.plot(self.parts[members], self.values[members], linestyle="none", **dots)
        best = self._best_of(members)
        parts, values, errors = (column[best] for column in (self.parts, self.values, self.errors))
        band = values - errors, values + errors
        self.ax_.fill_between(parts, *band, color=look["color"], alpha=0.15, lw=0)
        return self.ax_.plot(parts, values, markersize=4, **look)[0]

    def _best_of(self, members: Any) -> Any:
        """Of some points the best one of each number of parts, from few parts to many."""
        losses = -self.values if self.metric == "accuracy" else self.values
        order = members[np.lexsort([losses[members], self.parts[members]])]
        return order[np.unique(self.parts[order], return_index=True)[1]]
