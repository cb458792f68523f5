"""WaterfallDisplay: what each input adds to one prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.plots.canvas import DARK_GREY, GREY, LIGHT_GREY, Display, colour, shown
from unfis.rules import Explanation
from unfis.rules.text.words import class_name

# So many shares are drawn; the smallest beyond are drawn as one.
MOST_BARS = 20
# Labels have a name and a value.
LONGEST_LABEL = 40


@dataclass(eq=False, repr=False)
class WaterfallDisplay(Display):
    """Shares that add up to a total, each drawn from where the last one ended.

    Parameters
    ----------
    labels : list of str
        What each share is of.
    shares : list of float
        Drawn downwards in this order; the smallest of more than 20 as one.
    start : float, default=0.0
        What there is before any share.
    start_label : str, default="start"
    title : str, default=""
    xlabel : str, default="logit"

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    bars_ : matplotlib BarContainer
        Start, shares and total, from the top.
    """

    labels: Sequence[str]
    shares: Sequence[float]
    start: float = 0.0
    start_label: str = "start"
    title: str = ""
    xlabel: str = "logit"

    def __post_init__(self) -> None:
        labels, shares = len(self.labels), len(self.shares)
        if labels != shares:
            raise ValueError(f"labels and shares must be equally many, got {labels} and {shares}.")
        if not np.isfinite([self.start, *self.shares]).all():
            raise ValueError(
                f"start and shares must be finite, got {self.start!r} and {list(self.shares)}."
            )
        self.shares = [float(share) for share in self.shares]

    @classmethod
    def from_explanation(cls, explanation: Explanation, *, ax: Any = None) -> WaterfallDisplay:
        """Draw one prediction.

        Parameters
        ----------
        explanation : Explanation
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        labels = [part.label for part in explanation.inputs]
        shares = [part.share for part in explanation.inputs]
        start = explanation.start, "with nothing known"
        named = f"{explanation.quantity} of {class_name(explanation.prediction)}"
        return cls(labels, shares, *start, explanation.title, named).plot(ax)

    @property
    def total(self) -> float:
        """The start and all shares together."""
        return self.start + sum(self.shares)

    @property
    def _size(self) -> tuple[float, float]:
        return 6.4, 1.5 + 0.32 * (min(len(self.labels), MOST_BARS) + 2)

    def _draw(self) -> None:
        labels, shares = largest_shares(self.labels, self.shares, MOST_BARS)
        ends = np.array([self.start, *(self.start + np.cumsum(shares)), self.total])
        begins = np.array([0.0, *ends[:-2], 0.0])
        self._draw_bars(begins, ends)
        names = [self.start_label, *labels, "total"]
        self.ax_.set_yticks(range(len(names)), [shown(name, LONGEST_LABEL) for name in names])
        self.ax_.set_ylim(len(names) - 0.4, -0.6)
        self.ax_.use_sticky_edges = False  # else bars would leave no margin for their figures
        self.ax_.margins(x=0.2)
        self.ax_.axvline(0.0, color=DARK_GREY, linewidth=0.8)
        self.ax_.set_xlabel(shown(self.xlabel, 60))
        self.ax_.set_title(shown(self.title, 100, width=36), fontsize="medium")
        self.ax_.get_yticklabels()[-1].set_fontweight("bold")

    def _draw_bars(self, begins: Array, ends: Array) -> None:
        """Bars from begins to ends, joined by thin lines, with what each adds in figures."""
        bars, widths = np.arange(len(ends)), ends - begins
        inner = (bars > 0) & (bars < bars[-1])
        colours = np.where(inner, np.where(widths < 0, colour(1), colour(0)), GREY)
        self.bars_ = self.ax_.barh(bars, widths, left=begins, height=0.6, color=colours)
        for number, bar in enumerate(self.bars_):
            if inner[number] and widths[number] < 0:
                bar.set(hatch="///", edgecolor="white", linewidth=0)
            self._write(number, ends[number], widths[number], signed=bool(inner[number]))
        for number, end in enumerate(ends[:-1]):
            lane = [number - 0.3, number + 1.3]
            self.ax_.plot([end, end], lane, color=LIGHT_GREY, lw=1, zorder=0)

    def _write(self, number: int, end: float, width: float, *, signed: bool) -> None:
        """A bar's value, beyond the end it goes to."""
        text = (f"{width:+.2f}" if signed else f"{width:.2f}").replace("-", "−")
        aside, alignment = (-4, "right") if width < 0 else (4, "left")
        self.ax_.annotate(
            text,
            (end, number),
            (aside, 0),
            textcoords="offset points",
            ha=alignment,
            va="center",
            fontsize="small",
            fontweight="normal" if signed else "bold",
        )


def largest_shares(
    labels: Sequence[str], shares: Sequence[float], most: int
) -> tuple[list[str], list[float]]:
    """The largest shares in their order, and the sum of the others if there are more."""
    if len(shares) <= most:
        return list(labels), list(shares)
    order = np.argsort(-np.abs(shares), kind="stable")
    kept, others = np.sort(order[: most - 1]), order[most - 1 :]
    rest = float(np.asarray(shares)[others].sum())
    return (
        [*(labels[i] for i in kept), f"{len(others)} others"],
        [*(shares[i] for i in kept), rest],
    )
