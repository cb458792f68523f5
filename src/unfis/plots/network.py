"""NetworkDisplay: the paper's figure of what its network has learned, the sets of all rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.network.table_rules import NetworkRules
from unfis.plots.canvas import (
    colour,
    dot_handle,
    grid_of_axes,
    legend_beside,
    line_style,
    marker,
    matplotlib_module,
    shown,
)
from unfis.plots.rows import (
    LABEL_WIDTH,
    MOST_NUMBERS,
    MOST_PANELS,
    InputAxis,
    draw_rows,
    name_categories,
    rows_read,
)
from unfis.plots.sets import curve_points
from unfis.serial.messages import listed, quoted

# So many panels stand side by side.
ACROSS = 4


class NetworkEstimator(Protocol):
    """A fitted network, as far as it is drawn."""

    @property
    def rules_(self) -> NetworkRules: ...

    @property
    def model_(self) -> Any: ...


@dataclass(eq=False, repr=False)
class NetworkDisplay:
    """The fuzzy sets of a network: a panel for each input, in it a line for each rule.

    A line shows how far the rule's selected set holds, mu+ of eq. (muplus): near 1 everywhere where
    the input is relaxed. Rows of data lie beneath as dots, each class in a lane.

    Parameters
    ----------
    axes : list of InputAxis
        The inputs, each with its limits and the values of the rows.
    points : list of ndarray
        For each input where its sets are known: values of a number, positions of kinds.
    degrees : list of ndarray of shape (n_rules, n_points)
        For each input mu+ of each rule there.
    selection : ndarray of shape (n_rules, n_inputs)
        How far each rule selects each of these inputs.
    classes : list, default=()
    codes : ndarray of shape (n_rows,), default=None
        The index of each row's class.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
    figure_ : matplotlib Figure
    """

    axes: Sequence[InputAxis]
    points: Sequence[Array]
    degrees: Sequence[Array]
    selection: Array
    classes: Sequence[Any] = ()
    codes: NDArray[np.intp] | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: NetworkEstimator,
        X: Any = None,
        y: Any = None,
        *,
        inputs: Sequence[str] | None = None,
        ax: Any = None,
    ) -> NetworkDisplay:
        """Draw the sets of a fitted network.

        Parameters
        ----------
        estimator : UNFISNetworkClassifier
        X : array-like or data frame of shape (n_samples, n_features), default=None
            Rows to draw beneath the sets, at most 2,000 of them.
        y : array-like of shape (n_samples,), default=None
            Their classes.
        inputs : list of str, default=None
            The inputs to draw; if None those that any rule selects most, at most twelve.
        ax : matplotlib Axes or array of Axes, default=None
            Axes to divide into panels, or one for each panel; a new figure if None.
        """
        rules = network_rules_of(estimator)
        table = X if X is None or hasattr(X, "columns") else np.asarray(X)
        rows = rows_read(estimator.model_.columns.values, rules.classes, table, y)
        values, codes = (None, None) if rows is None else rows
        numbers = numbers_of(rules, inputs)
        axes, points, degrees = [], [], []
        for j in numbers:
            axis = axis_of(rules, j, None if values is None else values[:, j])
            along = points_along(rules, j, axis)
            axes.append(axis)
            points.append(along)
            degrees.append(np.array([rules.memberships(i, j, along) for i in range(len(rules))]))
        chosen = rules.selection[:, numbers]
        return cls(axes, points, degrees, chosen, rules.classes, codes).plot(ax)

    def plot(self, ax: Any = None) -> NetworkDisplay:
        """Draw in the room of the axes given, or in a new figure, and return the display."""
        down = -(-len(self.axes) // ACROSS)
        across = -(-len(self.axes) // down)
        self.axes_ = grid_of_axes(ax, down, across, (2.2 + 2.6 * across, 0.4 + 2.5 * down))
        self.figure_ = self.axes_[0, 0].figure
        for number, panel in enumerate(self.axes_.flat):
            if number < len(self.axes):
                self._draw_panel(panel, number)
            else:
                panel.set_axis_off()
        for panel in self.axes_[:, 0]:
            panel.set_ylabel("membership μ⁺")
        self._add_legend()
        return self

    def _draw_panel(self, ax: Any, number: int) -> None:
        """The sets of all rules on an input, and how far each selects it."""
        axis, points = self.axes[number], self.points[number]
        ax.set_xlim(*axis.limits)
        ax.set_yticks([0, 0.5, 1])
        for rule, degrees in enumerate(self.degrees[number]):
            if axis.categories:
                shift = 0.15 * (rule - (len(self.degrees[number]) - 1) / 2)
                look = {"linestyle": "none", "marker": marker(rule)}
                ax.plot(points + shift, degrees, color=self._ink(rule), **look)
            else:
                ax.plot(points, degrees, color=self._ink(rule), linestyle=line_style(rule))
        if axis.categories:
            name_categories(ax, axis.categories)
        else:
            locator = matplotlib_module("ticker").MaxNLocator(MOST_NUMBERS, steps=[1, 2, 5, 10])
            ax.xaxis.set_major_locator(locator)
        draw_rows(ax, axis, self.codes, len(self.classes))
        selected = ", ".join(f"{degree:.2f}" for degree in self.selection[:, number])
        ax.set_title(f"ς {selected}", loc="right", fontsize="small")
        ax.set_xlabel(shown(axis.name, width=LABEL_WIDTH))

    def _ink(self, rule: int) -> Any:
        """The colour of a rule's lines, which is none of a class's dots."""
        return "black" if rule == 0 else colour(rule - 1 + self._dots)

    @property
    def _dots(self) -> int:
        """How many classes have dots of their own."""
        return 0 if self.codes is None else len(self.classes)

    def _add_legend(self) -> None:
        """The rules' lines and the classes' dots, beside the topmost panels."""
        line, kinds = matplotlib_module("lines").Line2D, any(axis.categories for axis in self.axes)
        handles: list[Any] = []
        for rule in range(len(self.selection)):
            look = {"color": self._ink(rule), "linestyle": line_style(rule)}
            handles.append(line([], [], marker=marker(rule) if kinds else "", **look))
        labels = [f"Rule {rule + 1}" for rule in range(len(handles))]
        handles += [dot_handle(code) for code in range(self._dots)]
        labels += [shown(label) for label in self.classes[: self._dots]]
        legend_beside(self.axes_[0, -1], handles, labels)


def network_rules_of(estimator: Any) -> NetworkRules:
    """The rules of a fitted network."""
    # Its type is asked, since an estimator that is not fitted has an error to tell.
    found = estimator.rules_ if hasattr(type(estimator), "rules_") else None
    if not isinstance(found, NetworkRules):
        raise TypeError(
            "estimator must be a fitted UNFISNetworkClassifier, got an object of type "
            f"{type(estimator).__name__}. RulesDisplay draws the rules of UNFISClassifier."
        )
    return found


def numbers_of(rules: NetworkRules, names: Sequence[str] | None) -> list[int]:
    """The positions of the inputs to draw, in the order of the table or as they are named."""
    if names is None:
        order = np.argsort(-rules.selection.max(axis=0), kind="stable")
        return sorted(order[:MOST_PANELS].tolist())
    known = [item.name for item in rules.inputs]
    for name in names:
        if name not in known:
            raise ValueError(f"inputs must name some of {listed(known)}; got {quoted(name)}.")
    if not 0 < len(names) <= MOST_PANELS:
        raise ValueError(f"inputs must name 1 to {MOST_PANELS} inputs, got {len(names)}.")
    return [known.index(name) for name in names]


def axis_of(rules: NetworkRules, number: int, values: Array | None) -> InputAxis:
    """The axis of an input, as wide as its training values and those that are drawn."""
    item = rules.inputs[number]
    if item.categories:
        return InputAxis(item.name, item.categories, (-0.6, len(item.categories) - 0.4), values)
    seen = rules.ends[:, number]
    if values is not None and np.isfinite(values).any():
        seen = np.array([np.nanmin([seen[0], *values]), np.nanmax([seen[1], *values])])
    low, high = seen.tolist()
    margin = 0.03 * (high - low) or 1.0
    return InputAxis(item.name, (), (low - margin, high + margin), values)


def points_along(rules: NetworkRules, number: int, axis: InputAxis) -> Array:
    """Where the sets on an input are computed: its kinds, or values that are dense at each set."""
    if axis.categories:
        return np.arange(float(len(axis.categories)))
    column = rules.inputs[number].columns
    sets = zip(rules.centres[:, column].ravel(), rules.widths[:, column].ravel(), strict=True)
    return np.unique(np.concatenate([curve_points(*axis.limits, *one) for one in sets]))
