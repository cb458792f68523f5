"""Training samples as a network sees them, and their targets."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

# One-hot targets of more values than this are made block by block, whenever they are asked for.
MOST_TARGETS = 1 << 20


class Samples(NamedTuple):
    """Training samples as the network sees them."""

    X: Array  # (samples, columns), NaN where missing
    targets: Array  # one-hot, (samples, classes)
    weights: Array  # (samples,)

    def part(self, rows: NDArray[np.intp] | slice) -> Samples:
        """Some of the samples."""
        return Samples(self.X[rows], self.targets[rows], self.weights[rows])


def targets_of(codes: NDArray[np.intp], classes: int) -> Array:
    """One-hot targets of the samples' classes, or of many what acts as such by its rows."""
    if len(codes) * classes <= MOST_TARGETS:
        return one_hot(codes, classes)
    return cast(Array, OneHotRows(codes, classes))


def one_hot(codes: NDArray[np.intp], classes: int) -> Array:
    """1 where a sample is of a class, shape (samples, classes), samples side by side in memory."""
    return np.equal(codes, np.arange(classes)[:, None]).astype(float).T


class OneHotRows:
    """Targets of very many samples, which are made of the rows that are asked for."""

    def __init__(self, codes: NDArray[np.intp], classes: int) -> None:
        self._codes = codes
        self.shape = len(codes), classes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, rows: Any) -> Array:
        return one_hot(self._codes[rows], self.shape[1])

    def argmax(self, axis: int) -> NDArray[np.intp]:
        """The class of each sample, shape (samples,)."""
        return self._codes
