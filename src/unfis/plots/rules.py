"""RulesDisplay: the fuzzy sets of each rule over the data, the paper's figure of Iris."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.plots.canvas import (
    DARK_GREY,
    GREY,
    LIGHT_GREY,
    colour,
    dot_handle,
    grid_of_axes,
    legend_beside,
    marker,
    matplotlib_module,
    shown,
)
from unfis.plots.sources import (
    FittedEstimator,
    condition_curve,
    condition_on,
    input_index,
    input_indices,
    known_range,
    rows_of,
    rule_base_of,
    rule_numbered,
    rule_title,
)
from unfis.rules import Rule, RuleBase, Variable
from unfis.serial.messages import listed

# More panels than this cannot be read at once.
MOST_PANELS = 12
# Names of inputs are broken into lines of so many characters, as wide as a panel.
LABEL_WIDTH = 20
# The rows lie in lanes beneath the sets, one for each class, which together are so high.
LANES = 0.45
# So many categories are named along an axis, and so many steps are between numbers, at most.
MOST_TICKS, MOST_NUMBERS = 12, 5
HELD_COLOUR = "#B5DCF3"


class InputAxis(NamedTuple):
    """An input as an axis, common to its panels."""

    name: str
    categories: tuple[Any, ...]  # () for a number
    limits: tuple[float, float]
    values: Array | None  # of the rows, categories by their index, NaN where missing


class FuzzySet(NamedTuple):
    """A rule's set on an input, as drawn."""

    points: Array  # where it is known: values of a number, indices of categories
    degrees: Array  # how far it holds there
    held: Mask  # whether that is by more than half; of a category, than half of the best one's


@dataclass(eq=False, repr=False)
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
        The index of each row's class.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes of shape (n_rules, n_inputs)
    figure_ : matplotlib Figure
    """

    rule_names: Sequence[str]
    axes: Sequence[InputAxis]
    sets: Sequence[Sequence[FuzzySet | None]]
    classes: Sequence[Any] = ()
    codes: NDArray[np.intp] | None = None

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
        if inputs is None:
            indices = input_indices(base, chosen)
        else:
            indices = [input_index(base, name) for name in inputs]
        check_panels(base, chosen, indices)
        rows = rows_of(base, X, y)
        axes = [
            input_axis(base.variables[j], None if rows is None else rows.values[:, j])
            for j in indices
        ]
        sets = [[fuzzy_set(rule, axis) for axis in axes] for rule in chosen]
        names = [rule_title(i, rule) for i, rule in zip(numbers, chosen, strict=True)]
        codes = None if rows is None else rows.codes
        return cls(names, axes, sets, list(base.classes), codes).plot(ax)

    def plot(self, ax: Any = None) -> RulesDisplay:
        """Draw in the room of the axes given, or in a new figure.

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
            handles += [dot_handle(code) for code in range(len(self.classes))]
            labels += [shown(label) for label in self.classes]
        elif any(axis.values is not None for axis in self.axes):
            handles.append(dot_handle(0, markerfacecolor=GREY))
            labels.append("rows")
        legend_beside(self.axes_[0, -1], handles, labels)


def check_panels(base: RuleBase, rules: Sequence[Rule], indices: Sequence[int]) -> None:
    """Raise if there is nothing to draw, or too much."""
    panels = len(rules) * len(indices)
    used = listed(base.variables[j].name for j in input_indices(base, rules)) or "none"
    if not panels:
        raise ValueError(
            "rules and inputs must leave at least one panel to draw, got none of one of them. The "
            f"inputs used by these rules: {used}."
        )
    if panels > MOST_PANELS:
        raise ValueError(
            f"There would be {panels} panels, {len(rules)} rules by {len(indices)} inputs, and at "
            f"most {MOST_PANELS} can be read at once. Choose with inputs=[...] or rules=[...], "
            f"counted from 1; the inputs used are {used}."
        )


def input_axis(variable: Variable, values: Array | None) -> InputAxis:
    """The axis of an input, wide enough for all its values."""
    count = len(variable.categories)
    limits = (-0.6, count - 0.4) if count else known_range(variable, values)
    return InputAxis(variable.name, tuple(variable.categories), limits, values)


def fuzzy_set(rule: Rule, axis: InputAxis) -> FuzzySet | None:
    """A rule's set on an input along its axis, None if it does not use it."""
    condition = condition_on(rule, axis.name)
    if condition is None:
        return None
    if axis.categories:
        accepted = [category in condition.accepted for category in axis.categories]
        indices = np.arange(float(len(axis.categories)))
        return FuzzySet(indices, np.array(condition.degrees), np.array(accepted))
    points, degrees = condition_curve(condition, *axis.limits)
    return FuzzySet(points, degrees, degrees > 0.5)


def draw_panel(ax: Any, axis: InputAxis, drawn: FuzzySet | None) -> None:
    """Draw a set, filled where it holds by more than half, or that there is none."""
    low, high = axis.limits
    margin = 0.0 if axis.categories else 0.03 * (high - low)
    ax.set_xlim(low - margin, high + margin)
    ax.set_yticks([0, 0.5, 1])
    if axis.categories:
        name_categories(ax, axis.categories)
    else:
        locator = matplotlib_module("ticker").MaxNLocator(MOST_NUMBERS, steps=[1, 2, 5, 10])
        ax.xaxis.set_major_locator(locator)
    if drawn is None:
        ax.text((low + high) / 2, 0.5, "not used", color=GREY, ha="center", va="center")
        ax.tick_params(colors=LIGHT_GREY)
        ax.spines[:].set_color(LIGHT_GREY)
    elif axis.categories:
        colours = np.where(drawn.held, HELD_COLOUR, "white")
        style = {"edgecolor": "black", "linewidth": 1, "zorder": 2}
        ax.bar(drawn.points, drawn.degrees, width=0.7, color=colours, **style)
    else:
        ax.fill_between(drawn.points, 0, drawn.degrees, where=drawn.held, color=HELD_COLOUR, lw=0)
        ax.plot(drawn.points, drawn.degrees, color="black", linewidth=1.5)


def name_categories(ax: Any, categories: tuple[Any, ...]) -> None:
    """Ticks for categories, slanted where they would run into each other."""
    step = -(-len(categories) // MOST_TICKS)
    names = [shown(category, 14) for category in categories[::step]]
    crowded = sum(map(len, names)) > 20
    slanted = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    ax.set_xticks(range(0, len(categories), step), names, **slanted)


def draw_rows(ax: Any, axis: InputAxis, codes: NDArray[np.intp] | None, classes: int) -> None:
    """Rows as dots beneath the set, each class in a lane of its own."""
    if axis.values is None:
        ax.set_ylim(-0.03, 1.08)
        return
    lanes = classes if codes is not None else 1
    height = LANES / lanes
    ax.set_ylim(-0.06 - LANES, 1.08)
    ax.axhline(0.0, color=DARK_GREY, linewidth=0.6)
    generator = np.random.RandomState(0)  # the same rows always lie the same
    for lane in range(lanes):
        values = axis.values if codes is None else axis.values[codes == lane]
        known = values[np.isfinite(values)]
        across = generator.uniform(-0.35, 0.35, len(known))
        along = generator.uniform(-0.3, 0.3, len(known)) if axis.categories else 0.0
        ink = GREY if codes is None else colour(lane)
        style = {"marker": marker(lane), "markersize": 3, "markeredgewidth": 0, "alpha": 0.6}
        heights = -0.05 - height * (lane + 0.5 + across)
        ax.plot(known + along, heights, color=ink, linestyle="none", **style)
