"""The training rows that a model keeps, to tell what stands behind its rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

# A model keeps at most so many rows, and so many values, of what it learned from.
MOST_ROWS = 10_000
MOST_VALUES = 2_000_000


class Evidence(NamedTuple):
    """Training rows as values, in the units of the table."""

    rows: NDArray[np.intp]  # their places in the table, (rows,)
    values: Array  # (rows, inputs), as of a ValueReader
    codes: NDArray[np.intp]  # places of their classes, (rows,)
    weights: Array  # (rows,)
    total: int  # how many rows there were to learn from

    def kept(self) -> Evidence:
        """All rows, or evenly spaced ones of very many, as a copy."""
        most = max(1, min(MOST_ROWS, MOST_VALUES // max(1, self.values.shape[1])))
        places = np.arange(len(self.rows))
        if len(places) > most:
            places = np.linspace(0, len(places) - 1, most).round().astype(np.intp)
        rows, values, codes, weights, total = self
        return Evidence(rows[places], values[places], codes[places], weights[places], total)

    @property
    def shares(self) -> Array:
        """The weights as shares of their sum, shape (rows,)."""
        return np.asarray(self.weights / self.weights.sum())
