"""What an expert allows: which inputs rules may use, and which way they may count.

A constrained input is in no IF, and in every THEN its slope has the right sign. Then
p = sum_i phi_i softmax(y^i) rises or falls with it: no phi_i depends on it, and each softmax is
monotone (tests/test_monotone.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.parameters import Parameters


@dataclass(frozen=True)
class Constraints:
    """Inputs, by their positions, that rules may not use freely.

    Attributes
    ----------
    forbidden : those that no rule uses
    signs : whether the probability of the second class, of two, may only rise (1) or fall (-1)
    """

    forbidden: frozenset[int] = frozenset()
    signs: Mapping[int, int] = field(default_factory=dict)

    def in_consequent(self, inputs: int) -> Mask:
        """Which of so many inputs may be in a THEN, (inputs,)."""
        return np.array([j not in self.forbidden for j in range(inputs)])

    def in_condition(self, inputs: int) -> Mask:
        """Which of so many inputs may be in an IF, (inputs,)."""
        return self.in_consequent(inputs) & [j not in self.signs for j in range(inputs)]

    def of_columns(self, spans: Sequence[slice]) -> Array:
        """The signs of the columns of all inputs, 0 for those without, (columns,)."""
        found = np.zeros(spans[-1].stop)
        for item, sign in self.signs.items():
            found[spans[item]] = sign
        return found


UNCONSTRAINED = Constraints()


def wrong_slopes(network: Parameters, signs: Array) -> Mask:
    """Slopes in a THEN that have not the sign of their column, (rules, columns)."""
    if not signs.any():
        return np.zeros_like(network.selection.in_condition)
    rising = network.consequents[:, 1, 1:] - network.consequents[:, 0, 1:]
    return np.asarray(network.selection.in_consequent & (signs != 0) & (signs * rising <= 0))
