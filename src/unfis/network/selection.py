"""Which inputs are in which rules: the one place that knows how "in" and "out" are coded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unfis.arrays import Array, Mask

# Selection logits of inputs that are decided for good.
IN, OUT = np.inf, -np.inf


@dataclass(frozen=True)
class Selection:
    """How far inputs are in rules.

    An input is in for good (vs = 1: mu+ = mu, alpha+ = alpha), out (vs = 0: mu+ = 1, alpha+ = 0,
    exactly), or as far in as its logit says, which is learned.

    Attributes
    ----------
    logits : s, shape (rules, features)
    """

    logits: Array

    @classmethod
    def decided(cls, inside: Mask) -> Selection:
        """Inputs that are in where a mask says so, (rules, features), and else out."""
        return cls(np.where(inside, IN, OUT))

    @property
    def out(self) -> Mask:
        """Which inputs are out of which rules, (rules, features)."""
        return np.asarray(self.logits == OUT)

    @property
    def inside(self) -> Mask:
        """Which are not, (rules, features)."""
        return ~self.out

    @property
    def learned(self) -> Mask:
        """Which inputs are decided neither way, (rules, features)."""
        return ~np.isinf(self.logits)

    @property
    def used(self) -> Mask:
        """Which features are not out of every rule, (features,)."""
        return np.asarray(self.inside.any(axis=0))

    @property
    def degrees(self) -> Array:
        """vs = 1 / (1 + exp(-s)), eq. (varsigma), (rules, features)."""
        if not self.learned.any():
            return (self.logits > 0).astype(float)
        from scipy.special import expit  # imported late: decided networks do without scipy

        return np.asarray(expit(self.logits))

    def all_in(self) -> Selection:
        """Every input in for good that is not out."""
        return Selection.decided(self.inside)
