"""PerformanceDisplay: ROC, precision-recall, gain and calibration, and where a model answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unfis.data.naming import class_position
from unfis.evaluation.calibration import Bin, tenths
from unfis.evaluation.curves import Curve, curves_of
from unfis.plots.canvas import DARK_GREY, GREY, Display, colour, shown
from unfis.plots.rows import class_codes
from unfis.serial.messages import listed, quoted

# The title of each curve, and what it has across and upwards.
CURVES = {
    "roc": ("ROC", "false alarms among other rows", "found"),
    "precision-recall": ("Precision and recall", "found (recall)", "right when so answered"),
    "gain": ("Gain", "rows looked at, most probable first", "found"),
}
KINDS_OF_CURVES = (*CURVES, "calibration")


@dataclass(eq=False, repr=False)
class PerformanceDisplay(Display):
    """How well the probabilities of one class tell its rows from others, and the answers' point.

    Parameters
    ----------
    kind : {"roc", "precision-recall", "gain", "calibration"}
    curve : Curve of unfis.evaluation.curves, or list of Bin of a calibration
    label : object
        The class that is told from the rest.
    threshold : float, default=None
        From which probability on the class is answered; None if never.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    line_ : matplotlib Line2D
        The curve, or the dots of a calibration.
    point_ : matplotlib Line2D
        What the model answers, a line from that probability on in a calibration; None if never.
    """

    kind: str
    curve: Curve | list[Bin]
    label: Any
    threshold: float | None = None

    _size = (4.8, 4.2)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, kind: str = "roc", label: Any = None, ax: Any = None
    ) -> PerformanceDisplay:
        """Draw how good a fitted classifier is on rows, which it should not have learned from.

        Parameters
        ----------
        estimator : any fitted classifier with predict_proba
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Their classes.
        kind : {"roc", "precision-recall", "gain", "calibration"}, default="roc"
        label : object, default=None
            The class to tell from the rest; that of fewest rows if None.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        if kind not in KINDS_OF_CURVES:
            wanted = f"kind must be one of {listed(KINDS_OF_CURVES)}"
            raise ValueError(f"{wanted}, got {quoted(kind)}.")
        classes = np.asarray(estimator.classes_).tolist()
        probabilities = np.asarray(estimator.predict_proba(X))
        codes = class_codes(classes, y, len(probabilities))
        if label is None:
            counts = np.bincount(codes, minlength=len(classes))
            # Of two alike the second, which is the one looked for.
            c = max(np.flatnonzero(counts).tolist(), key=lambda one: (-counts[one], one))
        else:
            c = class_position("label", label, classes)
        if not 0 < (codes == c).sum() < len(codes):
            raise ValueError(
                f"y must have rows of {quoted(classes[c])} and other rows, got {len(codes)} rows, "
                f"{int((codes == c).sum())} of them of this class."
            )
        answered = class_codes(classes, estimator.predict(X), len(codes)) == c
        positive, scores = codes == c, probabilities[:, c]
        curve = (
            tenths(positive, scores)
            if kind == "calibration"
            else curves_of(positive, scores, answered)[kind]
        )
        threshold = float(scores[answered].min()) if answered.any() else None
        return cls(kind, curve, classes[c], threshold).plot(ax)

    def _draw(self) -> None:
        if isinstance(self.curve, Curve):
            self._draw_curve(self.curve)
        else:
            self._draw_bins(self.curve)
        self.ax_.set_title(f"{shown(self.label)} against the rest", fontsize="medium")
        self.ax_.legend(fontsize="small", loc="best")

    def _draw_curve(self, curve: Curve) -> None:
        """The curve, chance, and the point of the answers with its intervals."""
        title, across, upwards = CURVES[self.kind]
        self.ax_.plot((0, 1), curve.chance, color=GREY, linestyle=":", label="chance")
        (self.line_,) = self.ax_.plot(curve.x, curve.y, color=colour(0), label=title)
        self.point_ = None
        x, y = curve.point
        if x.rows and y.rows:
            arms = {"color": DARK_GREY, "linewidth": 1.0}
            self.ax_.plot(x.interval, (y.value, y.value), **arms)
            self.ax_.plot((x.value, x.value), y.interval, **arms)
            dot = {"color": "black", "marker": "o", "linestyle": "none"}
            (self.point_,) = self.ax_.plot(
                x.value, y.value, label="what it answers", zorder=3, **dot
            )
        limits = (-0.02, 1.02)
        self.ax_.set(xlabel=across, ylabel=upwards, xlim=limits, ylim=limits)

    def _draw_bins(self, bins: list[Bin]) -> None:
        """How often rows had the class against how probable it was, with intervals."""
        x, y = [one.probability for one in bins], [one.rate.value for one in bins]
        top = max(*x, *y, 0.01) * 1.1
        self.ax_.plot((0, top), (0, top), color=GREY, linestyle=":", label="true to its word")
        ends = zip(*(one.rate.interval for one in bins), strict=True)
        self.ax_.vlines(x, *ends, color=DARK_GREY, linewidth=1.0)
        dots = {"color": colour(0), "marker": "o", "linestyle": "none", "label": "tenths of rows"}
        (self.line_,) = self.ax_.plot(x, y, **dots)
        self.point_ = None
        if self.threshold is not None:
            start = {"color": "black", "linestyle": "--", "label": "answered from here on"}
            self.point_ = self.ax_.axvline(self.threshold, **start)
        probable = f"how probable {shown(self.label)} was"
        self.ax_.set(xlabel=probable, ylabel="share of rows", ylim=(-0.02 * top, top))
