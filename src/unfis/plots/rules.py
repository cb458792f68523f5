"""RulesDisplay: the fuzzy sets of each rule over the data, the paper's figure of Iris."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.plots.canvas import GREY, dot_handle, grid_of_axes, legend_beside, matplotlib_module
from unfis.plots.names import shown
from unfis.plots.panels import (
    HELD_COLOUR,
    FuzzySet,
    InputAxis,
    draw_panel,
    draw_rows,
    fuzzy_set,
    input_axis,
)
from unfis.plots.sources import (
    HasRules,
    condition_on,
    input_place,
    rows_of,
    rule_base_of,
    rule_numbered,
    rule_title,
    used_places,
)
from unfis.rules import Rule, RuleBase
from unfis.serial.messages import listed

# More panels than this cannot be read at once.
MOST_PANELS = 12
# Names of inputs are broken into lines of so many characters, as wide as a panel.
LABEL_WIDTH = 20


class RulesDisplay:
    """Fuzzy sets: a row of panels for each rule, a column for each input.

    A panel shows how far the rule's condition holds, mu+, over the range of the input, filled where
    it holds by more than half; of a category, where it holds by more than half of the best one's
    degree. Rows of data, at most 2,000 of them, lie beneath as dots, each class in a lane.

    Parameters
    ----------
    rule_names : list of str
    axes : list of InputAxis
        The inputs, each with its limits and the values of the rows.
    sets : list of lists of FuzzySet or None
        For each rule its set on each input, None where it does not use it.
    classes : list of str, default=()
        Names of the classes, if the rows' are known.
    codes : ndarray of shape (n_rows,), default=None
        The place of each row's class.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (n_rules, n_inputs)
    figure_ : matplotlib Figure
    """

    def __init__(
        self,
        rule_names: Sequence[str],
        axes: Sequence[InputAxis],
        sets: Sequence[Sequence[FuzzySet | None]],
        classes: Sequence[Any] = (),
        codes: NDArray[np.intp] | None = None,
    ) -> None:
        self.rule_names = list(rule_names)
        self.axes = list(axes)
        self.sets = [list(row) for row in sets]
        self.classes = list(classes)
        self.codes = codes

    @classmethod
    def from_estimator(
        cls,
        estimator: HasRules | RuleBase,
        X: Any = None,
        y: Any = None,
        *,
        rules: Sequence[int] | None = None,
        inputs: Sequence[str] | None = None,
        ax: Any = None,
    ) -> RulesDisplay:
        """Draw the sets of a fitted model.

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
            Which inputs; all that these rules use if None.
        ax : matplotlib Axes or array of Axes, default=None
            Axes to divide into panels, or one for each panel; a new figure if None.

        Returns
        -------
        display : RulesDisplay
        """
        base = rule_base_of(estimator)
        numbers = range(1, len(base.rules) + 1) if rules is None else np.atleast_1d(rules)
        chosen = [rule_numbered(base, number) for number in numbers]
        places = (
            used_places(base, chosen)
            if inputs is None
            else [input_place(base, name) for name in inputs]
        )
        check_panels(base, chosen, places)
        rows = rows_of(base, X, y)
        axes = [
            input_axis(base.variables[place], None if rows is None else rows.values[:, place])
            for place in places
        ]
        sets = [[set_on(rule, axis) for axis in axes] for rule in chosen]
        names = [rule_title(i, rule) for i, rule in zip(numbers, chosen, strict=True)]
        codes = None if rows is None else rows.codes
        return cls(names, axes, sets, base.classes, codes).plot(ax)

    def plot(self, ax: Any = None) -> RulesDisplay:
        """Draw in the place of the axes given, or in a new figure.

        Parameters
        ----------
        ax : matplotlib Axes or array of Axes, default=None

        Returns
        -------
        self : RulesDisplay
        """
        rules, inputs = len(self.rule_names), len(self.axes)
        size = (min(2.4 + 2.5 * inputs, 14.0), 0.8 + 2.1 * rules)
        self.axes_ = grid_of_axes(ax, rules, inputs, size)
        self.figure_ = self.axes_[0, 0].figure
        for i, j in np.ndindex(rules, inputs):
            draw_panel(self.axes_[i, j], self.axes[j], self.sets[i][j])
            draw_rows(self.axes_[i, j], self.axes[j], self.codes, len(self.classes))
            self.axes_[i, j].tick_params(labelleft=j == 0, labelbottom=i == rules - 1)
        for panel, name in zip(self.axes_[:, 0], self.rule_names, strict=True):
            panel.set_title(shown(name, 36), loc="left", fontsize="medium")
            panel.set_ylabel("membership μ⁺")
        for panel, axis in zip(self.axes_[-1], self.axes, strict=True):
            panel.set_xlabel(shown(axis.name, width=LABEL_WIDTH))
        self._add_legend()
        return self

    def _add_legend(self) -> None:
        """What the filling and the dots mean, beside the topmost panel."""
        patch = matplotlib_module("patches").Patch
        handles, labels = [patch(color=HELD_COLOUR)], ["holds by more\nthan half"]
        if self.codes is not None:
            handles += [dot_handle(place) for place in range(len(self.classes))]
            labels += [shown(label) for label in self.classes]
        elif any(axis.values is not None for axis in self.axes):
            handles.append(dot_handle(0, markerfacecolor=GREY))
            labels.append("rows")
        legend_beside(self.axes_[0, -1], handles, labels)


def set_on(rule: Rule, axis: InputAxis) -> FuzzySet | None:
    """A rule's set on an input, None if it does not use it."""
    condition = condition_on(rule, axis.name)
    return None if condition is None else fuzzy_set(condition, axis)


def check_panels(base: RuleBase, rules: Sequence[Rule], places: Sequence[int]) -> None:
    """Raise if there is nothing to draw, or too much."""
    panels = len(rules) * len(places)
    used = listed(base.variables[place].name for place in used_places(base, rules)) or "none"
    if not panels:
        raise ValueError(
            "rules and inputs must leave at least one panel to draw, got none of one of them. The "
            f"inputs used by these rules: {used}."
        )
    if panels > MOST_PANELS:
        raise ValueError(
            f"There would be {panels} panels, {len(rules)} rules by {len(places)} inputs, and at "
            f"most {MOST_PANELS} can be read at once. Choose with inputs=[...] or rules=[...], "
            f"counted from 1; the inputs used are {used}."
        )
