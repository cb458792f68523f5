"""WaterfallDisplay: what each input adds to one prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.plots.canvas import COLOURS, DARK_GREY, GREY, LIGHT_GREY, axes_or_new
from unfis.plots.names import shown
from unfis.rules import Explanation

# So many shares are drawn; the smallest beyond are drawn as one.
MOST_BARS = 20
# Labels have a name and a value.
LONGEST_LABEL = 40


class WaterfallDisplay:
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
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    bars_ : matplotlib BarContainer
        Start, shares and total, from the top.
    """

    def __init__(
        self,
        labels: Sequence[str],
        shares: Sequence[float],
        start: float = 0.0,
        start_label: str = "start",
        title: str = "",
        xlabel: str = "logit",
    ) -> None:
        if len(labels) != len(shares):
            raise ValueError(
                f"labels and shares must be equally many, got {len(labels)} and {len(shares)}."
            )
        if not np.isfinite([start, *shares]).all():
            raise ValueError(f"start and shares must be finite, got {start!r} and {list(shares)}.")
        self.labels = list(labels)
        self.shares = [float(share) for share in shares]
        self.start = float(start)
        self.start_label = start_label
        self.title = title
        self.xlabel = xlabel

    @classmethod
    def from_explanation(cls, explanation: Explanation, *, ax: Any = None) -> WaterfallDisplay:
        """Draw one prediction.

        Parameters
        ----------
        explanation : Explanation
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.

        Returns
        -------
        display : WaterfallDisplay
        """
        labels = [part.label for part in explanation.inputs]
        shares = [part.share for part in explanation.inputs]
        start = explanation.start, "with nothing known"
        return cls(labels, shares, *start, explanation.title).plot(ax)

    @property
    def total(self) -> float:
        """The start and all shares together."""
        return self.start + sum(self.shares)

    def plot(self, ax: Any = None) -> WaterfallDisplay:
        """Draw on the axes given, or on new ones.

        Parameters
        ----------
        ax : matplotlib Axes, default=None

        Returns
        -------
        self : WaterfallDisplay
        """
        labels, shares = largest_shares(self.labels, self.shares, MOST_BARS)
        self.ax_ = axes_or_new(ax, (6.4, 1.5 + 0.32 * (len(labels) + 2)))
        self.figure_ = self.ax_.figure
        ends = np.array([self.start, *(self.start + np.cumsum(shares)), self.total])
        begins = np.array([0.0, *ends[:-2], 0.0])
        self._draw_bars(begins, ends)
        names = [self.start_label, *labels, "total"]
        places = range(len(names))
        self.ax_.set_yticks(places, [shown(name, LONGEST_LABEL) for name in names])
        self.ax_.set_ylim(len(names) - 0.4, -0.6)
        self.ax_.use_sticky_edges = False  # else bars would leave no margin for their figures
        self.ax_.margins(x=0.2)
        self.ax_.axvline(0.0, color=DARK_GREY, linewidth=0.8)
        self.ax_.set_xlabel(shown(self.xlabel, 60))
        self.ax_.set_title(shown(self.title, 100, width=36), fontsize="medium")
        self.ax_.get_yticklabels()[-1].set_fontweight("bold")
        return self

    def _draw_bars(self, begins: Array, ends: Array) -> None:
        """Bars from begins to ends, joined by thin lines, with what each adds in figures."""
        places, widths = np.arange(len(ends)), ends - begins
        inner = (places > 0) & (places < places[-1])
        colours = np.where(inner, np.where(widths < 0, COLOURS[1], COLOURS[0]), GREY)
        self.bars_ = self.ax_.barh(places, widths, left=begins, height=0.6, color=colours)
        for place, bar in enumerate(self.bars_):
            if inner[place] and widths[place] < 0:
                bar.set(hatch="///", edgecolor="white", linewidth=0)
            self._write(place, begins[place], ends[place], signed=bool(inner[place]))
        for place, end in enumerate(ends[:-1]):
            self.ax_.plot([end, end], [place - 0.3, place + 1.3], color=LIGHT_GREY, lw=1, zorder=0)

    def _write(self, place: int, begin: float, end: float, *, signed: bool) -> None:
        """A bar's value, beyond the end it goes to."""
        width = end - begin
        text = (f"{width:+.2f}" if signed else f"{width:.2f}").replace("-", "−")
        aside, alignment = (-4, "right") if width < 0 else (4, "left")
        self.ax_.annotate(
            text,
            (end, place),
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
