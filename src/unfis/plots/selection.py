"""SelectionEffectDisplay: what the selection neuron does to a set, the paper's first figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unfis.plots.canvas import Display, colour, legend_beside, line_style, shown
from unfis.plots.network import network_rules_of
from unfis.plots.sets import REACH, curve_points, selected_membership
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
    ax_, figure_ : matplotlib Axes and Figure
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
        estimator: Any,
        rule: int,
        input: str,
        *,
        selections: Sequence[float] = SELECTIONS,
        ax: Any = None,
    ) -> SelectionEffectDisplay:
        """Draw the set of one rule on one number, and mark the selection it has.

        Parameters
        ----------
        estimator : UNFISNetworkClassifier
        rule : int
            Number of the rule, counted from 1.
        input : str
            Name of the input, which must be a number.
        selections : sequence of float, default=(1, 0.8, 0.5, 0.2, 0.05, 0)
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        rules = network_rules_of(estimator)
        names = [item.name for item in rules.inputs]
        if input not in names:
            raise ValueError(f"input must be one of {listed(names)}; got {quoted(input)}.")
        if not isinstance(rule, int | np.integer) or not 1 <= rule <= len(rules):
            raise ValueError(f"rule must be from 1 to {len(rules)}, got {quoted(rule)}.")
        number = names.index(input)
        item = rules.inputs[number]
        if item.categories:
            raise ValueError(
                f"input must be a number, got {quoted(input)}, a category, which has degrees but "
                "no curve. NetworkDisplay shows them."
            )
        at = rule - 1, item.columns.start
        own = float(rules.selection[rule - 1, number])
        found = float(rules.centres[at]), float(rules.widths[at])
        return cls(*found, selections, input, own, f"Rule {rule}").plot(ax)

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
