"""Files of tables: what is wrong with one, where it is, and those in Parquet."""

from __future__ import annotations

import difflib
import importlib
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unfis.serial.messages import listed, quoted, shortened

PARQUET = b"PAR1"
BUFFER = 1 << 18  # bytes of each column
LONGEST_REASON = 200  # characters that are repeated of what pyarrow says


class TableError(ValueError):
    """A table cannot be read, or does not hold what it must."""


class ParquetTable:
    """A table in a Parquet file: its name in messages, Arrow's types by column, how many rows."""

    def __init__(self, path: Any, name: str) -> None:
        parquet = module("pyarrow.parquet", name, "Parquet")
        file = path if isinstance(path, Path) else path.open("rb")
        with refusing_damage(name):
            # Through a buffer, or parts of the file as large as its row groups would be in memory.
            self._file = parquet.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        schema = self._file.schema_arrow
        self.name = name
        self.types = dict(zip(checked_names(schema.names, name), schema.types, strict=True))
        self.rows: int = self._file.metadata.num_rows

    def frames(self, rows: int, columns: list[str] | None = None) -> Iterator[Any]:
        """Pandas data frames of so many rows at once; of all columns, or some of them."""
        batches = self._file.iter_batches(rows, columns=columns)
        while True:
            with refusing_damage(self.name):
                batch = next(batches, None)
                if batch is None:
                    return
                frame = batch.to_pandas()
            yield frame if columns is None else frame[columns]


@contextmanager
def refusing_damage(name: str, kind: str = "Parquet") -> Iterator[None]:
    """Have what pyarrow says of a damaged file, in errors of any class, say which file it is."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno:  # the system's: a disk is full
            raise
        reason = shortened(" ".join(str(error).split()), LONGEST_REASON).rstrip(".")
        raise TableError(f"{name} begins like {kind} but is damaged: {reason}.") from error


def beginning(path: Any) -> bytes:
    """The bytes by which a kind of file is known, of a path or what is opened like one."""
    with path.open("rb") as file:
        return bytes(file.read(len(PARQUET)))


def existing_file(path: str | os.PathLike[str]) -> Path:
    """The path of a file; TableError if there is none."""
    file = Path(path)
    if not file.exists():
        folder = file.parent
        names = [p.name for p in folder.iterdir() if p.is_file()] if folder.is_dir() else []
        near = nearest_name(file.name, names)
        offer = f" Did you mean {quoted(near)}?" if near else ""
        raise TableError(f"There is no file {quoted(str(path))}.{offer}")
    if file.is_dir():
        raise TableError(f"{path} is a folder; a file was expected.")
    if stat.S_ISCHR(file.stat().st_mode) or stat.S_ISBLK(file.stat().st_mode):
        raise TableError(f"{path} is a device, which may never end; a file was expected.")
    return file


def module(name: str, file: str, kind: str) -> Any:
    """A package that is only there if somebody wants the kind of file that it reads."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise TableError(
            f"{file} is {kind}, which needs {package}: pip install 'unfis[app]'."
        ) from error


def checked_names(cells: Iterable[Any], where: str) -> list[str]:
    """The names of columns; TableError for one that is empty or there twice."""
    names = ["" if cell is None else str(cell).strip() for cell in cells]
    if "" in names:
        raise TableError(f"{where}: column {names.index('') + 1} has no name; give it one.")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(
            f"{where}: {names.count(twice[0])} columns are named {quoted(twice[0])}; "
            "give each its own name."
        )
    return names


def unknown_column(name: str, names: Iterable[str], where: str) -> str:
    """A sentence about a column that a table does not have."""
    return f"{where} has no column {quoted(name)}. {meant(name, names)}"


def meant(name: str, names: Iterable[str]) -> str:
    """A sentence that offers the nearest of some names, or lists them."""
    known = list(names)
    near = nearest_name(name, known)
    if near is not None:
        return f"Did you mean {quoted(near)}?"
    return f"There are {listed(known)}."


def nearest_name(name: str, names: Iterable[str]) -> str | None:
    """The nearest of some names, None if none is near."""
    plain = {candidate.casefold(): candidate for candidate in reversed(list(names))}
    near = difflib.get_close_matches(name.casefold(), plain, n=1)
    return plain[near[0]] if near else None
