"""A grid over two inputs of any classifier's table, all others held at typical values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from unfis.arrays import Array, Mask
from unfis.data.frames import is_frame, take_rows
from unfis.data.values import ValueReader
from unfis.plots.rows import MOST_DRAWN
from unfis.serial.messages import listed, quoted

# What is farther from all rows than this share of the ranges is not covered by them.
NEAR = 0.1


class GridTable(NamedTuple):
    """A table, by whose rows other tables are made.

    Attributes
    ----------
    table : a pandas data frame, or an array
    values : numbers, and categories by their index, (rows, inputs)
    """

    table: Any
    names: list[str]
    values: Array
    reader: ValueReader

    @classmethod
    def of(cls, X: Any) -> Self:
        """A table of any library."""
        table: Any = X if hasattr(X, "iloc") or not hasattr(X, "to_pandas") else X.to_pandas()
        if is_frame(table):
            names = [str(name) for name in table.columns]
        else:
            table = np.asarray(table)
            names = [f"x{j}" for j in range(table.shape[1])]
        reader = ValueReader.learn(table, names, "from_dtype")
        values = np.asarray(reader.values(table), dtype=float)
        return cls(table, names, values, reader)

    @property
    def numbers(self) -> list[int]:
        """The places of the inputs that are numbers."""
        return [j for j, kind in enumerate(self.reader.kinds) if kind == "number"]

    def place(self, name: Any) -> int:
        """Where an input is, by its name."""
        if name not in self.names:
            raise ValueError(
                f"An input must be given by its name, one of {listed(self.names)}; got "
                f"{quoted(name)}."
            )
        return self.names.index(name)

    def pair(self, inputs: Sequence[str]) -> list[int]:
        """The places of two numbers given by name."""
        given = [] if isinstance(inputs, str) else [self.place(name) for name in inputs]
        if len(given) != 2 or len(set(given) & set(self.numbers)) != 2:
            suitable = listed(self.names[j] for j in self.numbers)
            wanted = f"two different inputs that are numbers, of {suitable}"
            raise ValueError(f"inputs must be {wanted}; got {quoted(inputs)}.")
        return given

    def most_important(self, estimator: Any) -> list[int]:
        """The two numbers that move probabilities most where other rows' values are put in."""
        if len(self.numbers) < 2:
            raise ValueError(
                "Regions are drawn over two inputs that are numbers, got a table of "
                f"{len(self.numbers)} such: {listed(self.names[j] for j in self.numbers) or 'none'}"
                "."
            )
        some = np.random.RandomState(0).permutation(len(self.values))[:MOST_DRAWN]
        rows = take_rows(self.table, some)
        before, moves = estimator.predict_proba(rows), []
        for j in self.numbers:
            other = self.with_column(rows, j, self.values[np.roll(some, 1), j])
            moves.append(np.abs(estimator.predict_proba(other) - before).sum())
        first = np.argsort(-np.array(moves), kind="stable")[:2]
        return sorted(self.numbers[k] for k in first)

    def held_rows(self, pair: Sequence[int], at: Mapping[str, Any]) -> dict[int, int]:
        """For each input that is not drawn a row that has its value, or the nearest one.

        The value that is given, or the median, or the most frequent kind.
        """
        for name in at:
            if self.place(name) in pair:
                raise ValueError(
                    f"at must name inputs that are not drawn, got {quoted(name)}, which is."
                )
        found = {}
        for j in (j for j in range(len(self.names)) if j not in pair):
            distances = np.abs(self.values[:, j] - self.wanted(j, at))
            found[j] = int(np.where(np.isnan(distances), np.inf, distances).argmin())
        return found

    def wanted(self, j: int, at: Mapping[str, Any]) -> float:
        """The value at which an input is held, a category by its index."""
        name, column = self.names[j], self.values[:, j]
        known = column[~np.isnan(column)]
        kinds = list(self.reader.categories[j])
        if name not in at:
            if not len(known):
                return 0.0
            return float(np.bincount(known.astype(int)).argmax() if kinds else np.median(known))
        if not kinds:
            return float(at[name])
        if at[name] not in kinds or not (column == kinds.index(at[name])).any():
            raise ValueError(
                f"at must have a kind of {name} that X has, one of {listed(kinds)}; got "
                f"{quoted(at[name])}."
            )
        return float(kinds.index(at[name]))

    def made(
        self, held: Mapping[int, int], at: Mapping[str, Any], numbers: Mapping[int, Array]
    ) -> Any:
        """A table with these numbers, those given, and else with the values that rows have."""
        count = len(next(iter(numbers.values())))
        table = take_rows(self.table, np.zeros(count, dtype=np.intp))
        for j, row in held.items():
            rows = np.full(count, row, dtype=np.intp)
            column = self.column(take_rows(self.table, rows), j)
            if self.names[j] in at and not self.reader.categories[j]:
                column = np.full(count, float(at[self.names[j]]))
            table = self.with_column(table, j, column)
        for j, along in numbers.items():
            table = self.with_column(table, j, along)
        return table

    def value(self, j: int, row: int, at: Mapping[str, Any]) -> Any:
        """The value at which an input is held, as people read it."""
        kinds, value = self.reader.categories[j], self.values[row, j]
        found = kinds[int(value)] if kinds and value == value else float(value)
        return at.get(self.names[j], found)

    def column(self, table: Any, j: int) -> Any:
        """A column of a table as it is there."""
        return table.iloc[:, j].array if is_frame(table) else table[:, j]

    def with_column(self, table: Any, j: int, column: Any) -> Any:
        """A table with another column."""
        if is_frame(table):
            found = table.copy()
            found[found.columns[j]] = column
            return found
        found = table.astype(np.result_type(table, float) if table.dtype != object else object)
        found[:, j] = column
        return found


def near_rows(points: Array, rows: Array, spans: Array) -> Mask:
    """Whether a row is near each point, both of two inputs, (points, 2), by the inputs' ranges."""
    known = rows[np.isfinite(rows).all(axis=1)]
    if not len(known):
        return np.ones(len(points), dtype=bool)
    distances, _ = KDTree(known / spans).query(points / spans)
    return np.asarray(distances <= NEAR)


def predicted_codes(estimator: Any, table: Any) -> NDArray[np.intp]:
    """The positions of the classes that a classifier answers, (rows,)."""
    return np.asarray(np.searchsorted(estimator.classes_, estimator.predict(table)))
