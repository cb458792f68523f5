"""What wrong answers cost, and the answer that is expected to cost least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

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
