"""Rows in temporary files, from which the operating system reads what is looked at.

The files have no name that others could see, and are gone as soon as nothing looks at them any
more, however a fit ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.data.blocks.unions import recoded
from unfis.serial.files import temporary_file, write_temporary

# Elements that are taken from a file at once: 8 MB of numbers.
ELEMENTS_AT_ONCE = 1 << 20


class Spool:
    """An array in a file, to which rows are added; the first ones fix their shape."""

    _dtype: np.dtype[Any]
    _row: tuple[int, ...]

    def __init__(self) -> None:
        self._file = temporary_file()
        self._count = 0

    def close(self) -> None:
        """Let go of the file, which stays for the arrays that were taken from it."""
        self._file.close()

    def append(self, rows: NDArray[Any]) -> None:
        """Add rows; all become floats of double precision where some are."""
        if not self._count:
            self._dtype, self._row = rows.dtype, rows.shape[1:]
        wider = np.promote_types(self._dtype, rows.dtype)
        if wider != self._dtype:
            self._widen(wider)
        self._write(rows)
        self._count += len(rows)

    def rewrite(self, change: Callable[[Any], Any]) -> None:
        """Replace the rows by what `change` makes of copies of them, some at a time."""
        parts = self._parts()
        self._file.seek(0)
        for part in parts:
            self._write(change(np.array(part)))

    def array(self) -> np.memmap[Any, Any]:
        """All rows, to be read, shape (rows, ...)."""
        shape = (self._count, *self._row)
        return np.memmap(self._file, self._dtype, mode="r", shape=shape)

    def _widen(self, dtype: np.dtype[Any]) -> None:
        parts = self._parts()
        self._file.close()
        self._file, self._dtype = temporary_file(), dtype
        for part in parts:
            self._write(part)

    def _parts(self) -> Iterator[NDArray[Any]]:
        """The rows in parts that fit into memory."""
        rows, length = self.array(), max(1, ELEMENTS_AT_ONCE // prod(self._row))
        return (rows[start : start + length] for start in range(0, len(rows), length))

    def _write(self, rows: NDArray[Any]) -> None:
        write_temporary(self._file, np.ascontiguousarray(rows, dtype=self._dtype).data.cast("B"))


class Gathered:
    """The rows of blocks in files: their numbers, values, codes of classes, weights."""

    def __init__(self, *spools: Spool) -> None:
        self._spools = spools
        self.total, self.weight = 0, 0.0  # rows that came, those of weight 0 too; of all together

    def append(self, total: int, rows: NDArray[np.intp], *others: NDArray[Any]) -> None:
        """Add the rows that have a weight, by their numbers in a block of `total` rows."""
        for spool, part in zip(self._spools, (self.total + rows, *others), strict=True):
            spool.append(part)
        self.total += total
        self.weight += float(others[-1].sum())

    def put_in_order(
        self, categories: dict[int, NDArray[np.intp]], classes: NDArray[np.intp]
    ) -> None:
        """Give categories of some columns, and classes, the codes that they have at the end."""
        _, spooled_values, spooled_codes, _ = self._spools
        if categories:
            spooled_values.rewrite(lambda values: recoded(values, categories))
        if (classes != np.arange(len(classes))).any():
            spooled_codes.rewrite(lambda codes: classes[codes])

    def arrays(self) -> list[Any]:
        """Numbers, values, codes and weights of the rows, to be read."""
        return [spool.array() for spool in self._spools]


@contextmanager
def gathering() -> Iterator[Gathered]:
    """Files to gather rows in, which stay for as long as arrays were taken from them."""
    with ExitStack() as files:
        yield Gathered(*(files.enter_context(closing(Spool())) for _ in range(4)))
