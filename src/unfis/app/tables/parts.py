"""Parquet files as parts of one table that is read where it is learned from, by Dask's workers."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import ColumnOptions
from unfis.app.tables.cells import texts
from unfis.app.tables.evaluation import predictions
from unfis.app.tables.inputs import PreparedTable, checked_numbers, learnable
from unfis.app.tables.records import RecordBlock
from unfis.app.tables.roles import Role
from unfis.app.tables.sources import SheetSource
from unfis.app.tables.table import Table
from unfis.arrays import Array, Mask
from unfis.data import Notation
from unfis.data.files import (
    PARQUET,
    ParquetTable,
    TableError,
    beginning,
    existing_file,
    module,
    refusing_damage,
)
from unfis.data.samples import evenly_spaced
from unfis.serial.messages import quoted
from unfis.text.numbers import numbered

# Row groups are read together up to so many values: 64 MB of numbers.
VALUES_OF_PART = 1 << 23
# What columns are is told by so many rows, of row groups far apart.
ROWS_LOOKED_AT, GROUPS_LOOKED_AT = 50_000, 10
# No more rows than this are held out of a table: their answers come together.
MOST_HELD_OUT = 100_000


class Part(NamedTuple):
    """Some row groups of a Parquet file."""

    path: str
    groups: list[int]
    rows: int
    number: int = 0  # among all parts

    def frame(self, columns: list[str] | None = None) -> Any:
        """Its rows as a pandas data frame."""
        name = Path(self.path).name
        parquet = module("pyarrow.parquet", name, "Parquet")
        with refusing_damage(name):
            file = parquet.ParquetFile(self.path)
            return file.read_row_groups(self.groups, columns=columns).to_pandas()


class ParquetParts:
    """The files of a pattern such as part-*.parquet, in the order of their names, as one table."""

    def __init__(self, pattern: str, notation: Notation) -> None:
        paths = sorted(glob.glob(pattern)) or [str(existing_file(pattern))]
        self.pattern, self.notation, self._paths = pattern, notation, paths
        self.names = self._schema(paths[0])
        self.parts: list[Part] = []
        for path in paths:
            if (names := self._schema(path)) != self.names:
                odd = [n for n in [*names, *self.names] if (n in names) != (n in self.names)]
                raise TableError(
                    f"{Path(path).name} has other columns than {Path(paths[0]).name}, such as "
                    f"{quoted(odd[0] if odd else names[0])}; give all files the same columns in "
                    "the same order."
                )
            self.parts += [one._replace(number=len(self.parts) + n) for n, one in self._parts(path)]
        self.rows = sum(part.rows for part in self.parts)
        if not self.rows:
            raise TableError(f"{pattern} has columns but no rows; there is nothing in it.")

    @property
    def words(self) -> str:
        """Its name and size."""
        return (
            f"{self.pattern}: {numbered(self.rows, 'row')} in {numbered(len(self._paths), 'file')}"
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the files are called and how large they are."""
        told = [(Path(path).name, Path(path).stat().st_size) for path in self._paths]
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def looked_at(self) -> Table:
        """A few of the rows, by which it is told what columns are."""
        import pandas as pd

        chosen = [self.parts[n] for n in evenly_spaced(len(self.parts), GROUPS_LOOKED_AT)]
        each = -(-ROWS_LOOKED_AT // len(chosen))
        frames = [part._replace(groups=part.groups[:1]).frame() for part in chosen]
        rows = [frame.iloc[evenly_spaced(len(frame), each)] for frame in frames]
        source = SheetSource(pd.concat(rows, ignore_index=True), self.pattern, self.notation)
        return Table(source, list(source.blocks()))

    def _schema(self, path: str) -> list[str]:
        file = existing_file(path)
        if beginning(file) != PARQUET:
            raise TableError(
                f"{file.name} is no Parquet file, and `engine` dask reads no other. Write the "
                "table as Parquet, or leave out `engine`."
            )
        return list(ParquetTable(file, file.name).types)

    def _parts(self, path: str) -> Iterator[tuple[int, Part]]:
        """The parts of a file, counted from 0."""
        parquet = module("pyarrow.parquet", Path(path).name, "Parquet")
        metadata, place = parquet.ParquetFile(path).metadata, str(Path(path).resolve())
        number, groups, rows = 0, list[int](), 0
        for group in range(metadata.num_row_groups):
            groups.append(group)
            rows += metadata.row_group(group).num_rows
            last = group == metadata.num_row_groups - 1
            if rows and (last or rows * len(self.names) >= VALUES_OF_PART):
                yield number, Part(place, groups, rows)
                number, groups, rows = number + 1, [], 0


class PartReading(NamedTuple):
    """How parts are read: by what was told of a few rows, and with some rows held out."""

    roles: list[Role]
    target: str
    weight: str | None
    kind: str  # of the answers: "f" of numbers, "i" of classes that are whole numbers, or "O"
    notation: Notation
    fraction: float  # of the rows that is held out
    seed: int

    @classmethod
    def of(
        cls,
        parts: ParquetParts,
        prepared: PreparedTable,
        options: ColumnOptions,
        fraction: float,
        seed: int,
    ) -> PartReading:
        """That of a table, given what was made of a few of its rows."""
        share = min(fraction, MOST_HELD_OUT / parts.rows)
        kind, target = prepared.y.dtype.kind, prepared.target.name
        return cls(prepared.roles, target, options.weight, kind, parts.notation, share, seed)

    def held(self, part: Part) -> Mask:
        """Which rows of a part are held out, (rows,); the same ones whoever asks."""
        generator = np.random.RandomState([self.seed, part.number])
        return generator.random_sample(part.rows) < self.fraction

    def rows(self, part: Part, wanted: Mask) -> tuple[Any, ...]:
        """X, y and the weights, if there are any, of the wanted rows whose answer is known."""
        import pandas as pd

        inputs = [role for role in self.roles if role.is_input]
        weights = [] if self.weight is None else [self.weight]
        frame = part.frame([*(role.name for role in inputs), self.target, *weights])
        cells = np.array(texts(frame[self.target]), dtype=object)
        notation = self.notation.among(set(cells))
        known = wanted & np.array([not notation.is_missing(cell) for cell in cells], dtype=bool)
        frame = frame[known].reset_index(drop=True)
        where = f"{Path(part.path).name}, row groups from {part.groups[0]}, row"
        block = RecordBlock(frame, lambda row: f"{where} {row + 1}")
        columns = {
            role.name: learnable(frame[role.name], role.role, self.notation)
            if role.role == "category"
            else checked_column(block, role, self.notation)
            for role in inputs
        }
        answers = pd.Series(self._answers(block, cells[known], part), name=self.target)
        found = pd.DataFrame(columns), answers
        if not weights:
            return found
        return *found, checked_numbers(block, weights[0], "number", self.notation)

    def _answers(self, block: RecordBlock, cells: NDArray[Any], part: Part) -> NDArray[Any]:
        """The classes or the numbers of rows, (rows,)."""
        if self.kind == "f":
            return checked_numbers(block, self.target, "number", self.notation)
        if self.kind != "i":
            return cells
        try:
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        except ValueError as error:
            raise TableError(
                f"{Path(part.path).name}: {quoted(self.target)} holds text, but whole numbers in "
                "the rows that were looked at first. Make all of it text, or numbers."
            ) from error


def checked_column(block: RecordBlock, role: Role, notation: Notation) -> Any:
    """A column of numbers or truth values as a model learns it; TableError where it is none."""
    import pandas as pd

    values = checked_numbers(block, role.name, role.role, notation)
    return pd.array(values, "boolean") if role.role == "boolean" else values


def learned_part(part: Part, reading: PartReading) -> tuple[Any, ...]:
    """A block (X, y) or (X, y, weights) to learn from."""
    return reading.rows(part, ~reading.held(part))


def held_out_answers(
    part: Part, reading: PartReading, model: Any
) -> tuple[NDArray[Any], Array] | None:
    """The true answers and the predictions of the rows of a part that were held out, if any."""
    X, y, *_ = reading.rows(part, reading.held(part))
    true = y.to_numpy()
    is_known = np.isin(true, model.classes_) if hasattr(model, "classes_") else np.isfinite(true)
    known = np.flatnonzero(is_known)
    return (true[known], predictions(model, X.iloc[known])) if len(known) else None


def joined_answers(
    answers: Sequence[tuple[NDArray[Any], Array] | None],
) -> tuple[NDArray[Any], Array] | None:
    """Those of all parts."""
    found = [one for one in answers if one is not None]
    if not found:
        return None
    true, predicted = zip(*found, strict=True)
    return np.concatenate(true), np.concatenate(predicted)
