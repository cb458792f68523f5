"""Numbers: how they lie, and as people read them, in no more digits than the data resolves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unfis.arrays import Array

# No more decimals than this, however fine the values are: floats end there.
MOST_DECIMALS = 300
# A number that is written without an exponent has no more than this.
MOST_FIXED = 17
# A rounded number is exact to this share of the spread of the values.
FINENESS = 0.02


class Distribution:
    """Values in order, each with its share."""

    def __init__(self, values: Array, weights: Array) -> None:
        known = ~np.isnan(values)
        self.values, indices = np.unique(values[known], return_inverse=True)  # distinct, (values,)
        self.repeats = known.sum() / max(1, len(self.values))  # rows of one value, on average
        sums = np.bincount(indices, weights=weights[known], minlength=len(self.values))
        self.shares = sums / max(sums.sum(), np.finfo(float).tiny)  # of each value, (values,)
        self._reached = np.concatenate([[0.0], np.cumsum(sums)])
        self._reached /= max(self._reached[-1], np.finfo(float).tiny)

    def up_to(self, value: float) -> float:
        """The share of values that are not above this one."""
        return float(self._reached[np.searchsorted(self.values, value, side="right")])

    def below(self, value: float) -> float:
        """The share of values that are below this one."""
        return float(self._reached[np.searchsorted(self.values, value, side="left")])

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """The smallest values that so much is not above, up to rounding."""
        indices = np.searchsorted(self._reached[1:], np.array(shares) - 1e-9)
        return [float(self.values[index]) for index in np.minimum(indices, len(self.values) - 1)]


def resolved_decimals(known: Array, spread: float) -> int:
    """How many decimals tell values apart: as many as they have, if that is not needlessly many."""
    needed = math.ceil(-math.log10(FINENESS * spread)) if spread > 0 else 0
    needed = min(max(needed, 0), MOST_DECIMALS)
    for decimals in range(needed):
        if np.allclose(known, np.round(known, decimals), rtol=0, atol=1e-9 * spread):
            return decimals
    return needed


def rounded(value: float, decimals: int) -> str:
    """A number with so many decimals; in powers of ten where that would be unreadable."""
    if value == 0 and decimals > MOST_FIXED:
        return "0"
    if value == 0 or 1e-4 <= abs(value) < 1e15:
        text = f"{value:.{min(decimals, MOST_FIXED)}f}"
        return text[1:] if text.startswith("-") and not float(text) else text
    digits = decimals + math.floor(math.log10(abs(value))) + 1
    return f"{value:.{min(max(digits, 3), 17)}g}"


def as_given(value: float, decimals: int) -> str:
    """A number as it stands in the table, in no more decimals than tell it from its neighbours."""
    most = min(decimals + 2, MOST_DECIMALS)
    enough = (more for more in range(decimals, most) if round(value, more) == value)
    return rounded(value, next(enough, most))


def percent(share: float, decimals: int = 0) -> str:
    """A share in per cent: 0 only of nothing and 100 only of all, up to rounding of sums."""
    step = 10.0**-decimals
    # Halves are rounded up, whatever the last digit of a sum makes of them.
    told = f"{math.floor(100 * share / step + 0.5 + 1e-7) * step:.{decimals}f}"
    if 100 * share <= (0.5 + 1e-7) * step and share > 1e-9:
        return f"under {step:.{decimals}f} %"
    if float(told) >= 100 and share < 1 - 1e-9:
        return f"over {100 - step:.{decimals}f} %"
    return f"{told} %"


def signed(value: float) -> str:
    """What is added, with its sign."""
    return f"{round(value, 2) + 0.0:+.2f}"


def signed_percent(share: float) -> str:
    """What is added to a share, in points of a hundred with its sign."""
    return f"{round(100 * share) + 0:+d} %"


def exact(value: float) -> str:
    """A number with all its digits."""
    return repr(value).removesuffix(".0")


def numbered(count: int, name: str) -> str:
    """So many of something."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
