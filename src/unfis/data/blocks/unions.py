"""What blocks teach together: kinds, categories and classes, as one table of all would.

The code of a category or class is its number in the order in which they came, until all are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.target import encode_labels, uniform_labels
from unfis.data.values import ValueReader, in_order, refuse_unrepeated

KINDS_IN_WORDS = {"number": "numbers", "boolean": "truth values", "category": "text or categories"}
# From so many categories on they must repeat in the blocks so far, not only in all: a column of
# names would fill the memory before the last block.
MANY_CATEGORIES = 10_000


@dataclass
class ColumnSoFar:
    """A column as the blocks so far have it."""

    name: str
    kind: str
    known: int = 0  # rows in which it is known
    seen: dict[Any, int] = field(default_factory=dict)  # categories and their codes

    def join(self, kind: str, known: int) -> None:
        """Take note of a block that has it as this kind, known in so many rows."""
        if kind != self.kind and not self.known:
            # What is missing everywhere is a number, if dtypes differ.
            self.kind = kind if known else "number"
        elif kind != self.kind and known:
            if {kind, self.kind} != {"number", "boolean"}:
                raise ValueError(
                    f"{self.name} holds {KINDS_IN_WORDS[kind]}, but {KINDS_IN_WORDS[self.kind]} in "
                    "the blocks before; make it one kind in all blocks, such as text."
                )
            self.kind = "number"
        self.known += known

    def codes(self, categories: tuple[Any, ...]) -> NDArray[np.intp]:
        """The codes of a block's categories, the new ones behind those of earlier blocks."""
        before = len(self.seen)
        codes = codes_among(self.seen, categories)
        if 0 < before < len(self.seen):
            # Text and numbers have no order: an error now is better than after the last block.
            in_order(self.seen, self.name)
        return codes


class BlockColumns(NamedTuple):
    """What a block by itself has in its columns."""

    reader: ValueReader
    known: list[int]  # rows in which each column is known

    @classmethod
    def read(
        cls, X: Any, names: list[str], categorical_features: Any
    ) -> tuple[BlockColumns, Array]:
        """Those of a block, and its values, categories by its own codes, shape (rows, inputs)."""
        reader = ValueReader.learn(X, names, categorical_features, whole=False)
        values = reader.values(X)
        return cls(reader, np.count_nonzero(~np.isnan(values), axis=0).tolist()), values


class ColumnUnion:
    """The columns of a table of which one block after the other is read."""

    def __init__(self, categorical_features: Any) -> None:
        self._categorical = categorical_features
        self._columns: list[ColumnSoFar] = []

    def values(self, X: Any, names: list[str]) -> Array:
        """The values of a block, categories by their codes so far, shape (rows, inputs)."""
        block, values = BlockColumns.read(X, names, self._categorical)
        return recoded(values, self.join(block))

    def join(self, block: BlockColumns) -> dict[int, NDArray[np.intp]]:
        """Take note of a block; the codes so far of its categories, by column."""
        reader, found = block.reader, {}
        self._columns = self._columns or list(map(ColumnSoFar, reader.names, reader.kinds))
        for j, column in enumerate(self._columns):
            column.join(reader.kinds[j], block.known[j])
            if reader.kinds[j] == "category":
                found[j] = column.codes(reader.categories[j])
                if len(column.seen) > MANY_CATEGORIES:
                    self._refuse_unrepeated(column)
        return found

    def _refuse_unrepeated(self, column: ColumnSoFar) -> None:
        if isinstance(self._categorical, str):  # else the user has called it a category
            refuse_unrepeated(column.name, len(column.seen), column.known)

    def reader(self) -> ValueReader:
        """A reader of tables like all blocks together."""
        categories: list[tuple[Any, ...]] = []
        for column in self._columns:
            if column.kind == "category":
                self._refuse_unrepeated(column)
                categories.append(in_order(column.seen, column.name))
            else:
                categories.append((False, True) if column.kind == "boolean" else ())
        names, kinds = ([getattr(c, part) for c in self._columns] for part in ("name", "kind"))
        return ValueReader(names, kinds, categories)

    def changes(self, reader: ValueReader) -> dict[int, NDArray[np.intp]]:
        """The columns whose categories have other codes in a reader's order: each one's there."""
        found = {}
        for j, column in enumerate(self._columns):
            order = {kind: code for code, kind in enumerate(reader.categories[j])}
            codes = np.array([order[kind] for kind in column.seen], dtype=np.intp)
            if (codes != np.arange(len(codes))).any():
                found[j] = codes
        return found


class ClassUnion:
    """The classes of labels of which one block after the other is read."""

    classes: NDArray[Any]  # all so far, sorted

    def __init__(self) -> None:
        self._seen: dict[Any, int] = {}  # classes and their codes

    def codes(self, labels: NDArray[Any]) -> NDArray[np.intp]:
        """The codes of a block's labels among the classes so far, shape (rows,)."""
        found, codes = np.unique(labels, return_inverse=True)
        return self.join(found)[codes]

    def join(self, found: NDArray[Any]) -> NDArray[np.intp]:
        """Take note of a block's classes; their codes so far."""
        self.classes = np.unique(joint_labels(self.classes, found)) if self._seen else found
        return codes_among(self._seen, found.tolist())

    @property
    def order(self) -> NDArray[np.intp]:
        """The code among the sorted classes of each in the order in which they came."""
        return encode_labels(np.array(list(self._seen), dtype=self.classes.dtype), self.classes)


def codes_among(seen: dict[Any, int], values: Iterable[Any]) -> NDArray[np.intp]:
    """The codes of values among those seen, to which new ones are added, shape (values,)."""
    return np.array([seen.setdefault(value, len(seen)) for value in values], dtype=np.intp)


def recoded(values: Array, codes: Mapping[int, NDArray[np.intp]]) -> Array:
    """Values, in place, with new codes of the categories of some columns, NaN where unknown."""
    for j, new in codes.items():
        known = ~np.isnan(values[:, j])
        values[known, j] = new[values[known, j].astype(np.intp)]
    return values


def joint_labels(some: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """Labels of two blocks in one array; ValueError if only one of them has text."""
    if isinstance(some[0], str) != isinstance(others[0], str):
        return uniform_labels(np.concatenate([some.astype(object), others.astype(object)]))
    return np.concatenate([some, others])
