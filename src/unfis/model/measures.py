"""How good answers were, with how sure that is: intervals and calibration."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from unfis.arrays import Array

BINS = 10


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


def wilson(share: float, rows: int) -> tuple[float, float]:
    """The 95 % interval of a share that was measured on so many rows (Wilson's)."""
    interval = binomtest(round(share * rows), rows).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def reliability(hits: Any, confidence: Array) -> Reliability:
    """Whether answers were right, (rows,), against how sure they were, (rows,)."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    with np.errstate(invalid="ignore"):
        means = (np.bincount(bins, weights=w, minlength=BINS) / counts for w in (confidence, hits))
        return Reliability(counts, *means)
