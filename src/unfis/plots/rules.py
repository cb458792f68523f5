"""RulesDisplay: the fuzzy sets of each rule over the data, the paper's figure of Iris; points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.plots.canvas import (
    GREY,
    dot_handle,
    grid_of_axes,
    legend_beside,
    matplotlib_module,
    shown,
)
from unfis.plots.panels import HELD_COLOUR, FuzzySet, draw_panel, fuzzy_set, input_axis
from unfis.plots.point_bars import PointBars, bar_handle, draw_point_bars, point_bars
from unfis.plots.rows import LABEL_WIDTH, MOST_PANELS, InputAxis, draw_rows
from unfis.plots.sources import (
    FittedEstimator,
    condition_indices,
    input_index,
    rows_of,
    rule_base_of,
    rule_numbered,
    rule_title,
)
from unfis.rules import Rule, RuleBase
from unfis.serial.messages import listed


@dataclass(eq=False, repr=False)
class RulesDisplay:
    """Fuzzy sets and points: a row of panels for each rule, a column for each input in an IF.

    A panel shows how far the rule's condition holds, mu+, over the range of the input, filled where
    it holds by more than half; of a category, where it holds by more than half of the best one's
    degree. Rows of data, at most 2,000 of them, lie beneath as dots, each class in a lane. Where
    rules count inputs in their THEN, a last column has their points as bars: for a step of a
    number, or for a kind of a category, as they are printed.

    Parameters
    ----------
    rule_names : list of str
    axes : list of InputAxis
        The inputs in an IF, each with its limits and the values of the rows.
    sets : list of lists of FuzzySet or None
        For each rule its set on each input, None where its IF has none.
    classes : list of str, default=()
        Names of the classes, if the rows' are known.
    codes : ndarray of shape (n_rows,), default=None
        The index of each row's class.
    bars : list of PointBars or None, default=()
        For each rule what its THEN counts, None where it names a class.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (n_rules, n_inputs), or one more of points
    figure_ : matplotlib Figure
    """

    rule_names: Sequence[str]
    axes: Sequence[InputAxis]
    sets: Sequence[Sequence[FuzzySet | None]]
    classes: Sequence[Any] = ()
    codes: NDArray[np.intp] | None = None
    bars: Sequence[PointBars | None] = ()

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedEstimator | RuleBase,
        X: Any = None,
        y: Any = None,
        *,
        rules: Sequence[int] | None = None,
        inputs: Sequence[str] | None = None,
        ax: Any = None,
    ) -> RulesDisplay:
        """Draw the rules of a fitted model.

        Parameters
        ----------
        estimator : UNFISClassifier or RuleBase
        X : array-like or data frame of shape (n_samples, n_features), default=None
            Rows to draw beneath the sets.
        y : array-like of shape (n_samples,), default=None
            Their classes.
        rules : list of int, default=None
            Which rules, counted from 1; all if None.
        inputs : list of str, default=None
            The inputs whose sets are drawn; all in the IF of these rules if None.
        ax : matplotlib Axes or array of Axes, default=None
            Axes to divide into panels, or one for each panel; a new figure if None.
        """
        base = rule_base_of(estimator)
        numbers = range(1, len(base.rules) + 1) if rules is None else np.atleast_1d(rules)
        chosen = [rule_numbered(base, number) for number in numbers]
        if inputs is None:
            indices = condition_indices(base, chosen)
        else:
            indices = [input_index(base, name) for name in inputs]
        bars = [point_bars(rule, base) for rule in chosen]
        check_panels(base, chosen, indices, counted=any(bars))
        rows = rows_of(base, X, y)
        axes = [
            input_axis(base.variables[j], None if rows is None else rows.values[:, j])
            for j in indices
        ]
        sets = [[fuzzy_set(rule, axis) for axis in axes] for rule in chosen]
        names = [rule_title(base, number) for number in numbers]
        codes = None if rows is None else rows.codes
        return cls(names, axes, sets, list(base.classes), codes, bars).plot(ax)

    def plot(self, ax: Any = None) -> RulesDisplay:
        """Draw in the room of the axes given, or in a new figure, and return the display."""
        rules, inputs = len(self.rule_names), len(self.axes)
        self.axes_ = grid_of_axes(ax, rules, inputs + any(self.bars), self._size)
        self.figure_ = self.axes_[0, 0].figure
        for i, j in np.ndindex(rules, inputs):
            draw_panel(self.axes_[i, j], self.axes[j], self.sets[i][j])
            draw_rows(self.axes_[i, j], self.axes[j], self.codes, len(self.classes))
            self.axes_[i, j].tick_params(labelleft=j == 0, labelbottom=i == rules - 1)
        for panel, name in zip(self.axes_[:, 0], self.rule_names, strict=True):
            panel.set_title(shown(name, 36), loc="left", fontsize="medium")
        for panel in self.axes_[:, 0] if inputs else ():
            panel.set_ylabel("membership μ⁺")
        for panel, counted in zip(self.axes_[:, -1], self.bars, strict=False):
            if counted:
                draw_point_bars(panel, counted)
            elif any(self.bars):
                panel.set_axis_off()
        for panel, axis in zip(self.axes_[-1], self.axes, strict=False):
            panel.set_xlabel(shown(axis.name, width=LABEL_WIDTH))
        self._add_legend()
        return self

    @property
    def _size(self) -> tuple[float, float]:
        """Width and height of a new figure in inches, the bars' names beside them."""
        heights = [bars.height for bars in self.bars if bars]
        width = 2.4 + 2.5 * len(self.axes) + (4.0 if heights else 0.0)
        return min(width, 14.0), 0.8 + max([2.1, *heights]) * len(self.rule_names)

    def _add_legend(self) -> None:
        """What the filling, the dots and the bars mean, beside the topmost panel."""
        handles: list[Any] = []
        labels: list[str] = []
        if self.axes:
            handles.append(matplotlib_module("patches").Patch(color=HELD_COLOUR))
            labels.append("holds by more\nthan half")
        counted = sorted({code for bars in self.bars if bars for code in bars.codes})
        drawn = any(axis.values is not None for axis in self.axes)
        if drawn and self.codes is not None:
            handles += [dot_handle(code) for code in range(len(self.classes))]
            labels += [shown(label) for label in self.classes]
        elif drawn:
            handles.append(dot_handle(0, markerfacecolor=GREY))
            labels.append("rows")
        if len(counted) > 1 and (not drawn or self.codes is None):
            handles += [bar_handle(code) for code in counted]
            labels += [shown(self.classes[code]) for code in counted]
        legend_beside(self.axes_[0, -1], handles, labels)


def check_panels(
    base: RuleBase, rules: Sequence[Rule], indices: Sequence[int], *, counted: bool
) -> None:
    """Raise if there is nothing to draw, neither sets nor points, or too many sets."""
    panels = len(rules) * len(indices)
    used = listed(base.variables[j].name for j in condition_indices(base, rules)) or "none"
    if not panels and not counted:
        raise ValueError(
            "rules and inputs must leave at least one panel to draw, got none of one of them. The "
            f"inputs in the IF of these rules: {used}."
        )
    if panels > MOST_PANELS:
        raise ValueError(
            f"There would be {panels} panels, {len(rules)} rules by {len(indices)} inputs, and at "
            f"most {MOST_PANELS} can be read at once. Choose with inputs=[...] or rules=[...], "
            f"counted from 1; the inputs in an IF are {used}."
        )
