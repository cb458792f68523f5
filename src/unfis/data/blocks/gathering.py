"""The rows of all blocks, gathered in files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.blocks.spool import Spool
from unfis.data.blocks.unions import moved


class Gathered:
    """The rows of blocks in files: their numbers, values, codes of classes, weights.

    Attributes
    ----------
    total : rows that came, those of weight 0 among them
    weight : of all of them
    """

    def __init__(self, rows: Spool, values: Spool, codes: Spool, weights: Spool) -> None:
        self._rows, self._values, self._codes, self._weights = rows, values, codes, weights
        self.total, self.weight = 0, 0.0

    def append(
        self,
        total: int,
        rows: NDArray[np.intp],
        values: Array,
        codes: NDArray[np.intp],
        weights: Array,
    ) -> None:
        """Add the rows that have a weight, by their numbers in a block of `total` rows."""
        self._rows.append(self.total + rows)
        self._values.append(values)
        self._codes.append(codes)
        self._weights.append(weights)
        self.total += total
        self.weight += float(weights.sum())

    def put_in_order(
        self, categories: dict[int, NDArray[np.intp]], classes: NDArray[np.intp]
    ) -> None:
        """Give categories of some columns, and classes, the places that they have at the end."""

        def with_places(values: Array) -> Array:
            for j, places in categories.items():
                values[:, j] = moved(values[:, j], places)
            return values

        if categories:
            self._values.rewrite(with_places)
        if (classes != np.arange(len(classes))).any():
            self._codes.rewrite(lambda codes: classes[codes])

    def arrays(self) -> tuple[Any, Any, Any, Any]:
        """Numbers, values, codes and weights of the rows, to be read."""
        return self._rows.array(), self._values.array(), self._codes.array(), self._weights.array()


@contextmanager
def gathering() -> Iterator[Gathered]:
    """Files to gather rows in, which stay for as long as arrays were taken from them."""
    with ExitStack() as files:
        yield Gathered(*(files.enter_context(closing(Spool())) for _ in range(4)))
