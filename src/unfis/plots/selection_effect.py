"""SelectionEffectDisplay: what the selection does to a fuzzy set, the paper's first figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unfis.plots.canvas import Display, colour, legend_beside, line_style, shown
from unfis.plots.sources import (
    REACH,
    FittedEstimator,
    condition_on,
    curve_points,
    input_index,
    rule_base_of,
    rule_numbered,
    selected_membership,
)
from unfis.rules import Rule, RuleBase
from unfis.serial.messages import listed, quoted

SELECTIONS = (1.0, 0.8, 0.5, 0.2, 0.05, 0.0)


@dataclass(eq=False, repr=False)
class SelectionEffectDisplay(Display):
    """A Gaussian fuzzy set under several selections, mu+ of eq. (muplus).

    Parameters
    ----------
    centre, width : float, default=0.0 and 1.0
        Of the set, mu = exp(-(x - centre)^2 / (2 width^2)).
    selections : sequence of float, default=(1, 0.8, 0.5, 0.2, 0.05, 0)
        Selections vs from 0, the input does not matter, to 1, the set as it is.
    name : str, default="x"
        Of the input.
    own : float, default=None
        The selection that the set has in its rule, to be marked.
    title : str, default=""

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D
        In the order of the selections; the rule's own among them, from high to low.
    """

    centre: float = 0.0
    width: float = 1.0
    selections: Sequence[float] = SELECTIONS
    name: str = "x"
    own: float | None = None
    title: str = ""

    _size = (6.4, 3.6)

    def __post_init__(self) -> None:
        self.selections = list(self.selections)
        if not self.width > 0:
            raise ValueError(f"width must be above 0, got {self.width!r}.")
        for value in self._drawn():
            if not 0 <= value <= 1:
                raise ValueError(f"selections must be from 0 to 1, got {value!r}.")

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedEstimator | RuleBase,
        rule: int,
        input: str,
        *,
        selections: Sequence[float] = SELECTIONS,
        ax: Any = None,
    ) -> SelectionEffectDisplay:
        """Draw the set of one rule on one number, and mark the selection it has.

        Parameters
        ----------
        estimator : UNFISClassifier or RuleBase
        rule : int
            Number of the rule, counted from 1.
        input : str
            Name of the input, which must be a number.
        selections : sequence of float, default=(1, 0.8, 0.5, 0.2, 0.05, 0)
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.

        Returns
        -------
        display : SelectionEffectDisplay
        """
        base = rule_base_of(estimator)
        input_index(base, input)  # raises if there is no such input
        found = rule_numbered(base, rule)
        centre, width, selection = number_set(found, rule, input)
        title = f"Rule {rule}: {found.label}"
        return cls(centre, width, selections, input, selection, title).plot(ax)

    def _draw(self) -> None:
        ends = self.centre - REACH * self.width, self.centre + REACH * self.width
        points = curve_points(*ends, self.centre, self.width)
        self.lines_ = []
        for selection in self._drawn():
            degrees = selected_membership(points, self.centre, self.width, selection)
            self.lines_ += self.ax_.plot(points, degrees, **self._style(selection))
        self.ax_.set(xlabel=shown(self.name), ylabel="membership μ⁺", ylim=(-0.03, 1.05))
        self.ax_.set_title(shown(self.title, 50), fontsize="medium")
        labels = [self._label(selection) for selection in self._drawn()]
        legend_beside(self.ax_, self.lines_, labels, "selection ς")

    def _drawn(self) -> Sequence[float]:
        """The selections to draw, the rule's own among them in its order."""
        if self.own is None or self.own in self.selections:
            return self.selections
        return sorted([*self.selections, self.own], reverse=True)

    def _style(self, selection: float) -> dict[str, Any]:
        """Look of a line; the rule's own is black and thick."""
        if selection == self.own:
            return {"color": "black", "linestyle": "-", "linewidth": 3}
        number = self.selections.index(selection)
        return {"color": colour(number), "linestyle": line_style(number), "linewidth": 1.5}

    def _label(self, selection: float) -> str:
        """A selection as the legend says it."""
        return f"{selection:.3g}" + (" (in this rule)" if selection == self.own else "")


def number_set(rule: Rule, number: int, name: str) -> tuple[float, float, float]:
    """Centre, width and selection of a rule's condition on a number."""
    condition = condition_on(rule, name)
    if condition is None:
        used = listed(item.input for item in rule.conditions) or "none"
        raise ValueError(f"Rule {number} does not use the input {quoted(name)}; it uses {used}.")
    if condition.centre is None or condition.width is None:
        raise ValueError(
            f"The input {quoted(name)} must be a number, got a {condition.kind}, which has degrees "
            "but no curve. RulesDisplay shows them."
        )
    return condition.centre, condition.width, condition.selection
