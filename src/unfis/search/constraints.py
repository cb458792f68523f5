"""What an expert allows: which way inputs count, and which of them may stand in one rule.

A sign is what a rule's points must have: 1 at least 0, -1 at most 0, 0 either, NaN no such rule.
Where each condition rises with its input and points are positive, or both are the other way round,
the sum can only rise with the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from unfis.arrays import Array, Mask
from unfis.rules import Condition, Trapezoid

NO_SIGNS = np.zeros(1)


@dataclass(frozen=True)
class Constraints:
    """The constraints of a fit."""

    # 1 where the sum may only rise with an input, -1 where it may only fall, by input.
    signs: Mapping[int, int] = field(default_factory=dict)
    groups: tuple[frozenset[int], ...] = ()  # inputs that may stand in one rule; () any

    def sign(self, conditions: Sequence[Condition]) -> float:
        """The sign of a rule."""
        signs = NO_SIGNS
        for condition in conditions:
            own = self.signs.get(condition.input, 0)
            if own and isinstance(condition, Trapezoid):
                is_band = condition.a > -inf and condition.d < inf
                way = np.nan if is_band else 1 if condition.a > -inf else -1
                signs = common_signs(signs, np.array([own * way], dtype=float))
        return float(signs[0])

    def bounds(self, conditions: Sequence[Condition]) -> tuple[float, float]:
        """The least and the greatest points of a rule."""
        sign = self.sign(conditions)
        return 0.0 if sign > 0 else -inf, 0.0 if sign < 0 else inf

    def partners(self, used: Sequence[int], inputs: Sequence[int]) -> Array:
        """Which inputs may be added to a rule of those used: 0, else NaN, (inputs,)."""
        groups = [group for group in self.groups if group.issuperset(used)]
        any_group = not self.groups

        def is_partner(j: int) -> bool:
            return j not in used and (any_group or any(j in group for group in groups))

        return np.array([0.0 if is_partner(j) else np.nan for j in inputs])


def common_signs(signs: Array, others: Array) -> Array:
    """The signs of rules that have conditions of both."""
    same = np.where(signs == others, signs, np.nan)
    return np.where(signs == 0, others, np.where(others == 0, signs, same))


def is_allowed(points: Array, signs: Array) -> Mask:
    """Whether points have the right sign; none have where there is none."""
    return np.asarray(points * signs >= 0)
