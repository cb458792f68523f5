"""Errors: how far numbers were from what they should be, beside always giving the mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.evaluation.measures import NORMAL_95, Estimate, mean_of_rows


@dataclass(frozen=True)
class Errors:
    """How far predictions were off, each measure beside always predicting the rows' own mean."""

    rows: int
    rmse: Estimate  # the root of the mean squared error
    mae: Estimate  # the mean absolute error
    r2: Estimate | None  # the share of the variance that is explained; None of equal numbers

    @property
    def beats_baseline(self) -> bool:
        """Whether the whole interval of the explained variance is better than the mean."""
        return self.r2 is not None and self.r2.low > self.r2.baseline

    def to_dict(self) -> dict[str, Any]:
        """Numbers by name, the value of each measure by its own; None where it is not known."""
        found: dict[str, Any] = {"rows": self.rows}
        for name in ("rmse", "mae", "r2"):
            value, *others = getattr(self, name) or (None,) * len(Estimate._fields)
            found[name] = value
            for field, number in zip(Estimate._fields[1:], others, strict=True):
                found[f"{name}_{field}"] = number
        return found | {"beats_baseline": self.beats_baseline}


def errors_of(true: Array, predicted: Array) -> Errors:
    """Measure predictions, both (rows,)."""
    off, spread = true - predicted, true - true.mean()
    variance = float(np.mean(spread**2))
    squared = mean_of_rows(off**2, variance)
    return Errors(
        len(true),
        Estimate(*map(math.sqrt, squared)),
        mean_of_rows(np.abs(off), float(np.abs(spread).mean())),
        explained(off**2, spread**2) if variance > 0 else None,
    )


def explained(squared: Array, spread: Array) -> Estimate:
    """R2 = 1 - sum of squared errors / sum of squares, both (rows,), by its standard error."""
    ratio = float(squared.mean() / spread.mean())
    parts = (squared - ratio * spread) / spread.mean()
    reach = NORMAL_95 * float(parts.std()) / math.sqrt(len(parts))
    return Estimate(1 - ratio, 1 - ratio - reach, min(1.0, 1 - ratio + reach), 0.0)
