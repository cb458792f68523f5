"""SelectionDisplay: how far each input is in each rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.plots.canvas import Display, shown
from unfis.plots.sources import FittedEstimator, condition_on, rule_base_of, rule_title, used_inputs
from unfis.rules import Rule, RuleBase

# Values are written into at most so many cells.
MOST_WRITTEN = 60
# Beyond so many inputs a new figure grows no taller.
TALLEST = 60


class SelectionDisplay(Display):
    """Map of the selection vs: one column per rule, one line per input.

    Parameters
    ----------
    selection : array-like of shape (n_rules, n_inputs)
        From 0, not in the rule, to 1, wholly in it.
    rule_names : list of str of length n_rules
    input_names : list of str of length n_inputs

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    image_ : matplotlib AxesImage
        Of the transposed selection, shape (n_inputs, n_rules).
    colorbar_ : matplotlib Colorbar
    """

    def __init__(
        self, selection: Any, rule_names: Sequence[str], input_names: Sequence[str]
    ) -> None:
        self.selection: Array = np.asarray(selection, dtype=float)
        self.rule_names = list(rule_names)
        self.input_names = list(input_names)
        named = len(self.rule_names), len(self.input_names)
        if self.selection.shape != named or not all(named):
            raise ValueError(
                "selection must have a row for each rule name and a column for each input name, "
                f"at least one of each, got the shape {self.selection.shape} for {named[0]} and "
                f"{named[1]} names."
            )

    @classmethod
    def from_estimator(
        cls, estimator: FittedEstimator | RuleBase, *, all_inputs: bool = False, ax: Any = None
    ) -> SelectionDisplay:
        """Draw the selection of a fitted model.

        Parameters
        ----------
        estimator : UNFISClassifier or RuleBase
        all_inputs : bool, default=False
            Whether to show inputs that no rule uses.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.

        Returns
        -------
        display : SelectionDisplay
        """
        base = rule_base_of(estimator)
        indices = range(len(base.variables)) if all_inputs else used_inputs(base, base.rules)
        if not len(indices):
            raise ValueError(
                "No rule uses any input. Give all_inputs=True to see all that there are."
            )
        variables = [base.variables[j] for j in indices]
        selection = [[selection_in(rule, item.name) for item in variables] for rule in base.rules]
        rule_names = [rule_title(i, rule) for i, rule in enumerate(base.rules, 1)]
        names = [variable.name for variable in variables]
        return cls(selection, rule_names, names).plot(ax)

    @property
    def _size(self) -> tuple[float, float]:
        rules, inputs = self.selection.shape
        return 3.6 + 0.8 * rules, 1.6 + 0.28 * min(inputs, TALLEST)

    def _draw(self) -> None:
        self.image_ = self.ax_.imshow(
            self.selection.T, vmin=0.0, vmax=1.0, cmap="Blues", aspect="auto", interpolation="none"
        )
        self._name_lines_and_columns()
        if self.selection.size <= MOST_WRITTEN:
            self._write_values()
        self.colorbar_ = self.figure_.colorbar(self.image_, ax=self.ax_, label="selection ς")

    def _name_lines_and_columns(self) -> None:
        """Names of rules above, of inputs to the left, and light lines between the cells."""
        rules, inputs = self.selection.shape
        slanted = {"rotation": 30, "ha": "left", "rotation_mode": "anchor"}
        self.ax_.set_xticks(range(rules), [shown(name) for name in self.rule_names], **slanted)
        self.ax_.xaxis.tick_top()
        self.ax_.set_yticks(range(inputs), [shown(name) for name in self.input_names])
        if inputs > TALLEST:
            self.ax_.tick_params(axis="y", labelsize=4)
        for column in range(1, rules):
            self.ax_.axvline(column - 0.5, color="white", linewidth=2)
        for line in range(1, inputs):
            self.ax_.axhline(line - 0.5, color="white", linewidth=2)
        self.ax_.tick_params(length=0)

    def _write_values(self) -> None:
        """Each cell's value in it, in white where the cell is dark."""
        for (i, j), value in np.ndenumerate(self.selection):
            ink = "white" if value > 0.55 else "black"
            text = f"{value:.2g}" if value >= 0.005 or value == 0 else "<.01"
            self.ax_.text(i, j, text, ha="center", va="center", color=ink, fontsize="small")


def selection_in(rule: Rule, name: str) -> float:
    """How far an input is in a rule."""
    condition = condition_on(rule, name)
    return 0.0 if condition is None else float(condition.selection)
