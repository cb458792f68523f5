"""How good answers were, with how sure that is: intervals, calibration, confusion."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

BINS = 10
# Standard deviations that hold 95 % of a normal distribution.
NINETY_FIVE = 1.959963984540054


class Reliability(NamedTuple):
    """How sure answers were and how often they were right, in ten equal bins of sureness."""

    counts: NDArray[np.intp]  # (bins,)
    confidence: Array  # mean, NaN in empty bins, (bins,)
    accuracy: Array  # NaN in empty bins, (bins,)

    @property
    def error(self) -> float:
        """Mean distance of confidence from accuracy over the bins, by their rows (ECE)."""
        gaps = np.nan_to_num(self.confidence - self.accuracy)
        return float(np.abs(gaps) @ self.counts / self.counts.sum())


def wilson(share: float, rows: float) -> tuple[float, float]:
    """The 95 % interval of a share that was measured on so many rows (Wilson's)."""
    square = NINETY_FIVE**2
    middle = (share + square / (2 * rows)) / (1 + square / rows)
    spread = math.sqrt(share * (1 - share) / rows + square / (4 * rows**2))
    reach = NINETY_FIVE * spread / (1 + square / rows)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def reliability(hits: Any, confidence: Array) -> Reliability:
    """Whether answers were right, (rows,), against how sure they were, (rows,)."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    with np.errstate(invalid="ignore"):
        means = (np.bincount(bins, weights=w, minlength=BINS) / counts for w in (confidence, hits))
        return Reliability(counts, *means)


def calibration_error(hits: Any, confidence: Array) -> float:
    """Mean distance of confidence from accuracy over ten equal bins, by their rows (ECE)."""
    return reliability(hits, confidence).error


def confusion(codes: NDArray[np.intp], predicted: NDArray[np.intp], classes: int) -> Any:
    """How many rows of each class (first axis) were taken for each class (second axis)."""
    flat = np.bincount(codes * classes + predicted, minlength=classes * classes)
    return flat.reshape(classes, classes)
