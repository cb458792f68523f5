"""RulesDisplay: the rules of a model as bars of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from unfis.additive.model import FittedModel
from unfis.additive.plots.drawing import (
    AGAINST,
    FOR,
    LINE,
    NARROW,
    WIDTH,
    Display,
    ax_inches,
    fitted_model,
    ink,
    line_count,
    points_label,
    set_points_margin,
    wrapped,
)
from unfis.additive.text.listing import Print, reading_order, rules_by_output
from unfis.additive.text.numbers import points_words

GAP = 0.1  # inches between bars


class RuleBar(NamedTuple):
    """A rule as it is drawn, or the title of a class: without points."""

    label: str
    points: float | None = None
    evidence: str = ""


@dataclass(eq=False, repr=False)
class RulesDisplay(Display):
    """Rules as bars by their points, by class, with what the rows show of each at the right.

    Parameters
    ----------
    bars : list of RuleBar
        Rules and titles, from the top.
    xlabel : str, default="points"

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    bars_ : matplotlib BarContainer
        One bar for each rule.
    """

    bars: Sequence[RuleBar]
    xlabel: str = "points"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Any = None, width: float = WIDTH
    ) -> RulesDisplay:
        """Draw the rules of a fitted model.

        Parameters
        ----------
        estimator : UNFISClassifier, UNFISRegressor or FittedModel
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        width : float, default=6.4
            Inches of a new figure.
        """
        model = fitted_model(estimator)
        if not model.rules.rules:
            raise ValueError("The model must have rules to be drawn; this one has none.")
        one = len(model.rules.start) == 1
        return cls([*rule_bars(model)], points_label(model, 0 if one else None)).plot(
            ax, width=width
        )

    def _lines(self, width: float) -> tuple[list[str], list[str]]:
        """Labels and evidence in lines that a figure of this width has room for."""
        narrow = width < NARROW
        room = int(width * (6.5 if narrow else 7.0))
        labels = [wrapped(bar.label, room) for bar in self.bars]
        return labels, [wrapped(bar.evidence, 10 if narrow else 40) for bar in self.bars]

    def _heights(self, width: float) -> list[float]:
        """The height in inches of each bar's place."""
        pairs = zip(*self._lines(width), strict=True)
        return [LINE * max(map(line_count, pair)) + GAP for pair in pairs]

    def _height(self, width: float) -> float:
        return sum(self._heights(width)) + 0.6

    def _draw(self) -> None:
        ax, (width, _) = self.ax_, ax_inches(self.ax_)
        labels, evidence = self._lines(width)
        heights = np.array(self._heights(width))
        middles = np.cumsum(heights) - heights / 2
        places = [n for n, bar in enumerate(self.bars) if bar.points is not None]
        points = [float(bar.points or 0.0) for bar in self.bars if bar.points is not None]
        colours = [FOR if number > 0 else AGAINST for number in points]
        self.bars_ = ax.barh(middles[places], points, 0.2, color=colours)
        words = [points_words(number).replace("-", "−") for number in points]
        ax.bar_label(self.bars_, words, padding=2, fontsize="small")
        for n in places:
            ax.annotate(
                evidence[n], (1, middles[n]), (6, 0), xycoords=ax.get_yaxis_transform(),
                textcoords="offset points", va="center", fontsize="small", annotation_clip=False,
            )  # fmt: skip
        ax.axvline(0.0, color=ink(), linewidth=0.8)
        ax.set_yticks(middles, labels, fontsize="small")
        ax.tick_params(axis="y", length=0)
        for tick, bar in zip(ax.get_yticklabels(), self.bars, strict=True):
            tick.set_fontweight("bold" if bar.points is None else "normal")
        ax.set_ylim(heights.sum(), 0.0)
        set_points_margin(ax, width, words)
        ax.locator_params(axis="x", nbins=4)
        ax.set_xlabel(wrapped(self.xlabel, 24 if width < NARROW else 40))
        ax.spines[["top", "right", "left"]].set_visible(False)


def rule_bars(model: FittedModel) -> Iterator[RuleBar]:
    """The rules as the print has them; where there are several classes, below their titles."""
    order = reading_order(model.rules.rules)
    rules = replace(model.rules, rules=tuple(model.rules.rules[n] for n in order))
    evidence = tuple(model.evidence[n] for n in order) if model.evidence else ()
    words = Print(rules, model.names, evidence)
    for output, entries in rules_by_output(rules.rules).items():
        if len(rules.start) > 1:
            yield RuleBar(words.title(output).removeprefix("Points for "))
        for entry in entries:
            for n in entry:
                rule = rules.rules[n]
                text = f"and for {model.names.output(rule.output)}"
                text = text if n != entry[0] else words.wording.rule(rule)
                yield RuleBar(text + words.given(n), rule.points, evidence_words(words, n))


def evidence_words(words: Print, n: int) -> str:
    """How many rows meet a rule, and the share of its class among them: "71 % of 129 rows"."""
    if not words.evidence:
        return ""
    _, rows, mean, _ = words.figures(n)
    return f"{mean} of {rows} rows" if words.is_share else f"mean {mean} of {rows} rows"
