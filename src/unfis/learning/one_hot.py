"""Classes as one-hot targets, of very many samples made when they are asked for."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

# One-hot targets of more values than this are made block by block, whenever they are asked for.
MOST_TARGETS = 1 << 20


def encoded_classes(codes: NDArray[np.intp], classes: int) -> Array:
    """One-hot targets of the samples' classes, or of many what acts as such by its rows."""
    if len(codes) * classes <= MOST_TARGETS:
        return one_hot_targets(codes, classes)
    return cast(Array, OneHotRows(codes, classes))


def one_hot_targets(codes: NDArray[np.intp], classes: int) -> Array:
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
        return one_hot_targets(self._codes[rows], self.shape[1])

    def argmax(self, axis: int) -> NDArray[np.intp]:
        """The class of each sample, shape (samples,)."""
        return self._codes
