"""What wrong answers cost, as users say it, and the answer that is expected to cost least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.naming import class_position
from unfis.serial.messages import listed, quoted

# Of each answer (column) where a class is the true one (row); none where all errors cost the same.
Costs = tuple[tuple[float, ...], ...]
# Sums of costs must stay finite.
LARGEST_COST = 1e100


def least_costly(probabilities: Array, costs: Costs) -> NDArray[np.intp]:
    """argmin_k sum_c p_c cost_ck, the class to answer for each row, (rows,); the first of several.

    Without costs the most probable class.
    """
    return np.asarray(expected_costs(probabilities, costs).argmin(axis=-1))


def expected_costs(probabilities: Array, costs: Costs) -> Array:
    """sum_c p_c cost_ck of each answer k, over the last axis, as shares of the highest cost.

    Without costs -p_k, which is less by 1 than the probability to be wrong, to the last digit.
    """
    if not costs:
        return -probabilities
    table = np.array(costs)
    return np.asarray(probabilities @ (table / table.max()))


def regrets(costs: Costs) -> Array:
    """What each answer costs beyond the right one, (classes, classes): 0 on the diagonal."""
    table = np.array(costs, dtype=float)
    return np.asarray(table - table.diagonal()[:, None])


def free_error(costs: Costs) -> tuple[int, int] | None:
    """The first true class and wrong answer that costs no more than the right one, None if none.

    Such an answer may be given whatever the probabilities are, and another one never.
    """
    free = (regrets(costs) <= 0) & ~np.eye(len(costs), dtype=bool)
    return (int(np.argwhere(free)[0][0]), int(np.argwhere(free)[0][1])) if free.any() else None


def decision_threshold(costs: Costs, c: int) -> float:
    """The probability from which on class c, of two, is the answer."""
    if not costs:
        return 0.5
    beyond = regrets(costs)
    false_alarm, missed = float(beyond[1 - c, c]), float(beyond[c, 1 - c])
    return false_alarm / (false_alarm + missed)


def threshold_costs(threshold: float) -> Costs:
    """The costs by which the second of two classes is the answer from a probability on."""
    return (0.0, threshold), (1.0 - threshold, 0.0)


def cost_table(costs: Any, classes: Sequence[Any]) -> Costs:
    """A table of costs, given as one or by what it costs to miss classes."""
    if costs is None:
        return ()
    if isinstance(costs, Mapping):
        return missed_costs(costs, classes)
    count = len(classes)
    try:
        table = np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(())
    if table.shape != (count, count):
        raise ValueError(
            f"costs must be a table of {count} rows, the true classes [{listed(classes)}], and "
            f"{count} columns, the answers, or a dict from class to what it costs to miss it; got "
            f"{quoted(costs.tolist() if isinstance(costs, np.ndarray) else costs)}."
        )
    wrong = ~((table >= 0) & (table <= LARGEST_COST))
    if wrong.any():
        raise ValueError(
            f"costs must hold numbers from 0 to {LARGEST_COST:g}, got {table[wrong][0]:g}."
        )
    found: Costs = tuple(tuple(row) for row in table.tolist())
    if (error := free_error(found)) is not None:
        true, answer = (quoted(classes[c]) for c in error)
        raise ValueError(
            f"costs must be higher for every wrong answer than for the right one, got "
            f"{table[error]:g} for {true} answered {answer} and {table[error[0], error[0]]:g} for "
            f"{true} answered {true}."
        )
    return found


def missed_costs(costs: Mapping[Any, Any], classes: Sequence[Any]) -> Costs:
    """A table of what it costs to miss classes; any other error costs 1."""
    table = 1.0 - np.eye(len(classes))
    for label, cost in costs.items():
        c = class_position("costs", label, classes)
        if not is_finite_number(cost) or not 0 < cost <= LARGEST_COST:
            raise ValueError(
                f"costs must hold numbers above 0 and up to {LARGEST_COST:g}, got {quoted(cost)} "
                f"for {quoted(label)}."
            )
        table[c] *= float(cost)
    return tuple(tuple(row) for row in table.tolist())


def is_finite_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and isfinite(value)
