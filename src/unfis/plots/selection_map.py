"""SelectionDisplay: how far inputs are in rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.network.table_rules import NetworkRules
from unfis.plots.canvas import Display, shown
from unfis.plots.sources import (
    condition_on,
    counts_on,
    rule_base_of,
    rule_title,
)
from unfis.rules import Rule

# Values are written into at most so many cells.
MOST_WRITTEN = 60
# Beyond so many inputs a new figure grows no taller.
TALLEST = 60


class SelectionDisplay(Display):
    """Map of the selection vs: a column for the IF and the THEN of each rule, a line per input.

    Parameters
    ----------
    in_condition : array-like of shape (n_rules, n_inputs)
        How far inputs are in the IF of rules: from 0, not in it, to 1, wholly in it.
    in_consequent : array-like of shape (n_rules, n_inputs)
        How far they are in the THEN.
    rule_names : list of str of length n_rules
    input_names : list of str of length n_inputs

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    image_ : matplotlib AxesImage
        Shape (n_inputs, 2 * n_rules): of each rule its IF, then its THEN.
    colorbar_ : matplotlib Colorbar
    """

    def __init__(
        self,
        in_condition: Any,
        in_consequent: Any,
        rule_names: Sequence[str],
        input_names: Sequence[str],
    ) -> None:
        self.in_condition: Array = np.asarray(in_condition, dtype=float)
        self.in_consequent: Array = np.asarray(in_consequent, dtype=float)
        self.rule_names = list(rule_names)
        self.input_names = list(input_names)
        named = len(self.rule_names), len(self.input_names)
        for name in ("in_condition", "in_consequent"):
            shape = getattr(self, name).shape
            if shape != named or not all(named):
                raise ValueError(
                    f"{name} must have a row for each rule name and a column for each input name, "
                    f"at least one of each, got the shape {shape} for {named[0]} and {named[1]} "
                    "names."
                )

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, all_inputs: bool = False, ax: Any = None
    ) -> SelectionDisplay:
        """Draw the selection of a fitted model.

        Parameters
        ----------
        estimator : UNFISNetworkClassifier, UNFISClassifier or RuleBase
        all_inputs : bool, default=False
            Whether to show inputs that no rule uses; a network's are all shown.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        if isinstance(found := getattr(estimator, "rules_", None), NetworkRules):
            names, rules = [one.name for one in found.inputs], range(1, len(found) + 1)
            both = found.selection, found.selection  # the paper's one is for IF and THEN
            return cls(*both, [f"Rule {number}" for number in rules], names).plot(ax)
        base = rule_base_of(estimator)
        indices = range(len(base.variables)) if all_inputs else base.arrays.used
        if not len(indices):
            raise ValueError(
                "No rule uses any input. Give all_inputs=True to see all that there are."
            )
        names = [base.variables[j].name for j in indices]
        in_condition = [[condition_degree(rule, name) for name in names] for rule in base]
        in_consequent = [[consequent_degree(rule, name) for name in names] for rule in base]
        rule_names = [rule_title(base, number) for number in range(1, len(base) + 1)]
        return cls(in_condition, in_consequent, rule_names, names).plot(ax)

    @property
    def _size(self) -> tuple[float, float]:
        rules, inputs = self.in_condition.shape
        return 3.6 + 1.3 * rules, 1.9 + 0.28 * min(inputs, TALLEST)

    def _draw(self) -> None:
        cells = np.stack([self.in_condition.T, self.in_consequent.T], axis=2)
        cells = cells.reshape(len(self.input_names), -1)
        self.image_ = self.ax_.imshow(
            cells, vmin=0.0, vmax=1.0, cmap="Blues", aspect="auto", interpolation="none"
        )
        self._name_lines_and_columns()
        if cells.size <= MOST_WRITTEN:
            self._write_values(cells)
        self.colorbar_ = self.figure_.colorbar(self.image_, ax=self.ax_, label="selection ς")

    def _name_lines_and_columns(self) -> None:
        """Names of rules above, IF and THEN below, of inputs to the left; lines between cells."""
        rules, inputs = self.in_condition.shape
        slanted = {"rotation": 30, "ha": "left", "rotation_mode": "anchor"}
        middles = 2 * np.arange(rules) + 0.5
        self.ax_.set_xticks(middles, [shown(name) for name in self.rule_names], **slanted)
        self.ax_.xaxis.tick_top()
        self.ax_.set_xticks(range(2 * rules), ["IF", "THEN"] * rules, minor=True, fontsize="small")
        below = {"bottom": True, "labelbottom": True, "top": False, "labeltop": False}
        self.ax_.tick_params(axis="x", which="minor", **below)
        self.ax_.set_yticks(range(inputs), [shown(name) for name in self.input_names])
        if inputs > TALLEST:
            self.ax_.tick_params(axis="y", labelsize=4)
        for column in range(1, 2 * rules):
            self.ax_.axvline(column - 0.5, color="white", linewidth=2 if column % 2 else 8)
        for line in range(1, inputs):
            self.ax_.axhline(line - 0.5, color="white", linewidth=2)
        self.ax_.tick_params(which="both", length=0)

    def _write_values(self, cells: Array) -> None:
        """Each cell's value in it, in white where the cell is dark."""
        for (j, column), value in np.ndenumerate(cells):
            ink = "white" if value > 0.55 else "black"
            text = f"{value:.2g}" if value >= 0.005 or value == 0 else "<.01"
            self.ax_.text(column, j, text, ha="center", va="center", color=ink, fontsize="small")


def condition_degree(rule: Rule, name: str) -> float:
    """How far an input is in a rule's IF."""
    condition = condition_on(rule, name)
    return 0.0 if condition is None else condition.selection


def consequent_degree(rule: Rule, name: str) -> float:
    """How far an input is in a rule's THEN: as far as in its IF, wholly where it is there alone.

    The paper's one selection is for both; inputs that are decided are wholly in.
    """
    return (condition_degree(rule, name) or 1.0) if counts_on(rule, name) else 0.0
