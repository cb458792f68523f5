"""RulesDisplay: the rules of a model as bars of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from unfis.model import FittedModel
from unfis.plots.drawing import (
    FIGURE_WIDTH,
    BarList,
    fitted_model,
    ink,
    points_label,
    sign_colour,
    wrapped,
)
from unfis.text.listing import Print, reading_order, rules_by_output
from unfis.text.numbers import points_words


class RuleBar(NamedTuple):
    """A rule as it is drawn, or the title of a class: without points."""

    label: str
    points: float | None = None
    evidence: str = ""


@dataclass(eq=False, repr=False)
class RulesDisplay(BarList):
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
        cls, estimator: Any, *, ax: Any = None, width: float = FIGURE_WIDTH
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

    def _texts(self) -> list[tuple[str, str]]:
        return [(bar.label, bar.evidence) for bar in self.bars]

    def _titles(self) -> list[int]:
        return [n for n, bar in enumerate(self.bars) if bar.points is None]

    def _draw(self) -> None:
        points = [bar.points for bar in self.bars if bar.points is not None]
        words = [points_words(number).replace("-", "−") for number in points]
        middles = np.delete(self._draw_words(words), self._titles())
        self.bars_ = self.ax_.barh(middles, points, 0.2, color=[*map(sign_colour, points)])
        self.ax_.bar_label(self.bars_, words, padding=2, fontsize="small")
        self.ax_.axvline(0.0, color=ink(), linewidth=0.8)
        self.ax_.set_xlabel(wrapped(self.xlabel, 30))


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
                text = f"and {'for' if rule.points >= 0 else 'against'} "
                text += model.names.output(rule.output)
                text = text if n != entry[0] else words.wording.rule(rule)
                yield RuleBar(text + words.given(n), rule.points, evidence_words(words, n))


def evidence_words(words: Print, n: int) -> str:
    """How many rows meet a rule, and the share of its class among them: "71 % of 129 rows"."""
    if not words.evidence:
        return ""
    _, rows, mean, _ = words.figures(n)
    return f"{mean} of {rows} rows" if words.is_share else f"mean {mean} ({rows} rows)"
