"""What displays read of rule bases, and of estimators by their public attributes only; curves."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Protocol

import numpy as np

from unfis.arrays import Array
from unfis.plots.rows import DrawnRows, rows_read
from unfis.plots.sets import POINTS, curve_points, selected_membership
from unfis.rules import Condition, Rule, RuleBase, Variable
from unfis.rules.text.numbers import percent
from unfis.rules.text.sentences import rule_name
from unfis.rules.text.words import class_name
from unfis.serial.messages import listed, quoted


class FittedEstimator(Protocol):
    """A fitted estimator, as far as displays read it."""

    @property
    def rules_(self) -> RuleBase: ...

    @property
    def path_(self) -> dict[str, list[Any]]: ...

    @property
    def history_(self) -> dict[str, list[float]]: ...

    @property
    def converged_(self) -> bool: ...


def rule_base_of(estimator: FittedEstimator | RuleBase) -> RuleBase:
    """The rules of a fitted estimator; a rule base itself."""
    if isinstance(estimator, RuleBase):
        return estimator
    # Its type is asked, since an estimator that is not fitted has an error to tell.
    found = estimator.rules_ if hasattr(type(estimator), "rules_") else None
    if not isinstance(found, RuleBase):
        raise TypeError(
            "estimator must be a fitted UNFISClassifier or its rules_, got an object of type "
            f"{type(estimator).__name__}. Of a pipeline give the last step, as in pipeline[-1]; "
            "networks are drawn by NetworkDisplay and SelectionDisplay."
        )
    return found


def rule_title(base: RuleBase, number: int) -> str:
    """A rule's name, the class that it names, and its share of the rows that the rule leads on.

    Of one that counts in points, or looks at nothing, that it counts.
    """
    rule = base[number - 1]
    name = rule_name(number, rule)
    if rule.effects and (rule.unit or not rule.conditions):
        return f"{name}: by {'points' if rule.unit else 'log-odds'}"
    share = (rule.mix or rule.probabilities)[base.classes.index(rule.label)]
    return f"{name}: {class_name(rule.label)} ({percent(share)})"


def rule_numbered(base: RuleBase, number: Any) -> Rule:
    """The rule of a number counted from 1, as the rules' text counts."""
    count = len(base.rules)
    whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
    if not whole or not 1 <= number <= count:
        raise ValueError(
            f"A rule must be given by its number from 1 to {count}, as in the text of the rules, "
            f"got {quoted(number)}."
        )
    return base.rules[int(number) - 1]


def input_index(base: RuleBase, name: Any) -> int:
    """The index of an input among all, by its name."""
    names = [variable.name for variable in base.variables]
    if name not in names:
        raise ValueError(
            f"An input must be given by its name, one of {listed(names)}; got {quoted(name)}."
        )
    return names.index(name)


def condition_on(rule: Rule, name: str) -> Condition | None:
    """A rule's condition on an input, None if it has none."""
    return next((condition for condition in rule.conditions if condition.input == name), None)


def condition_indices(base: RuleBase, rules: Sequence[Rule]) -> list[int]:
    """The indices of the inputs that any of some rules has in its IF."""
    used = {condition.input for rule in rules for condition in rule.conditions}
    return [j for j, variable in enumerate(base.variables) if variable.name in used]


def counts_on(rule: Rule, name: str) -> bool:
    """Whether a rule has an input in its THEN."""
    return any(effect.input == name for effect in rule.effects)


def rows_of(base: RuleBase, X: Any, y: Any) -> DrawnRows | None:
    """The rows of a table with their classes, at most MOST_DRAWN of them; None without a table."""
    return rows_read(base.read, base.classes, X, y)


def known_range(variable: Variable, values: Array | None) -> tuple[float, float]:
    """From the lowest to the highest value of a number, in training and in the rows given."""
    ends = [variable.lowest, variable.highest]
    known = [] if values is None else values[np.isfinite(values)].tolist()
    low, high = min(ends + known), max(ends + known)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def condition_curve(
    condition: Condition, low: float, high: float, count: int = POINTS
) -> tuple[Array, Array]:
    """Points of a number between two ends, and how far a condition on it holds there."""
    assert condition.centre is not None
    assert condition.width is not None
    gaussian = condition.centre, condition.width
    if not condition.reach:
        points = curve_points(low, high, *gaussian, count)
        return points, selected_membership(points, *gaussian, condition.selection)
    below, above = (np.inf if end is None else end for end in condition.reach)
    first, last = condition.centre - below, condition.centre + above
    near = [
        curve_points(low, high, end, condition.width, count)
        for end in (first, last)
        if isfinite(end)
    ]
    points = np.unique(np.concatenate([[low, high], *near]))
    # From the nearer end of its core a set falls as from its centre.
    beyond = points - np.clip(points, first, last)
    return points, selected_membership(beyond, 0.0, condition.width, condition.selection)
