"""The paper's data sets by name, with their sources; from scikit-learn, a folder, or OpenML."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from unfis_paper.datasets.descriptions import DATASETS, Description

__all__ = ["DATASETS", "Dataset", "load_dataset"]

FOLDER = "UNFIS_DATA"


@dataclass(frozen=True)
class Dataset:
    """A data set.

    Attributes
    ----------
    name, acronym : its names, here and in the paper
    frame : the inputs as they are written down, a pandas data frame
    target : the classes, a pandas series
    kinds : "number" or "category" of each input; a category may be a code
    source, citation : where it is from
    """

    name: str
    acronym: str
    frame: Any
    target: Any
    kinds: dict[str, str]
    source: str
    citation: str

    def coded(self) -> Any:
        """The inputs as numbers, one column each: categories of text by their alphabetic order."""
        return self.frame.apply(as_codes)

    def typed(self) -> Any:
        """The inputs with codes of categories as pandas' categories; text is such already."""
        codes = [
            name
            for name, kind in self.kinds.items()
            if kind == "category" and self.frame[name].dtype.kind in "fiub"
        ]
        return self.frame.astype(dict.fromkeys(codes, "category"))


def load_dataset(name: str, *, data_home: str | os.PathLike[str] | None = None) -> Dataset:
    """One of the paper's data sets.

    Iris and wine come from scikit-learn. The others are read from a folder with one CSV per set
    (`haberman.csv`, ..., the class in the last column `target`), or else fetched from OpenML.

    Parameters
    ----------
    name : {"haberman", "cryotherapy", "heart", "autism", "autism-17", "autism-18", "iris", \
            "thyroid", "wine"}
        "autism" is without the case number and the score that the class is computed from, the
        other two with one or both of them, 17 and 18 columns, as the paper seems to have it.
    data_home : path, default=None
        The folder; if None the one that the environment variable UNFIS_DATA names.

    Returns
    -------
    dataset : Dataset
    """
    if name not in DATASETS:
        raise ValueError(f"name must be one of {', '.join(DATASETS)}; got {name!r}.")
    described = DATASETS[name]
    folder = data_home or os.environ.get(FOLDER)
    path = Path(folder) / described.file if folder else None
    if not described.file:
        frame, target = shipped(name)
        check_content(name, frame, target, described)
    elif path is not None and path.exists():
        frame, target = read_recorded(path, described)
        check_content(str(path), frame, target, described, ordered=True)
    else:
        frame, target = fetched(name, described, path)
        check_content(f"{name} from OpenML", frame, target, described)
    frame = frame.drop(columns=list(described.left_out))
    kinds = {c: "category" if c in described.categories else "number" for c in frame.columns}
    return Dataset(
        name, described.acronym, frame, target, kinds, described.source, described.citation
    )


def shipped(name: str) -> tuple[Any, Any]:
    """A set of scikit-learn's, its classes by name."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    return bunch.data, bunch.target.map(dict(enumerate(bunch.target_names))).rename("target")


def read_recorded(path: Path, described: Description) -> tuple[Any, Any]:
    """The inputs and the classes in a file."""
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise ValueError(
            f"{path} cannot be read ({error}). It must be a CSV file in UTF-8 with a header and "
            f"the class in the last column `target`; its source is {described.source}."
        ) from error
    expected = [*described.columns, "target"]
    if list(table.columns) != expected:
        raise wrong_columns(str(path), expected, table.columns)
    return table.drop(columns="target"), table["target"]


def wrong_columns(what: str, expected: Sequence[str], names: Sequence[str]) -> ValueError:
    """What to raise where a table has other columns."""
    got = ", ".join(map(str, names))
    return ValueError(f"{what} must have the columns {', '.join(expected)}; got {got}.")


def fetched(name: str, described: Description, path: Path | None) -> tuple[Any, Any]:
    """A set from OpenML, if it is there to be had."""
    where = (
        f"Put it at {path}" if path else f"Put {described.file} into a folder that {FOLDER} names"
    )
    if described.openml is None:
        raise FileNotFoundError(
            f"{name} is neither in a folder nor on OpenML. {where}; its source is "
            f"{described.source}."
        )
    from sklearn.datasets import fetch_openml

    openml_name, version = described.openml
    try:
        bunch = fetch_openml(openml_name, version=version, as_frame=True, parser="auto")
    except (OSError, ValueError) as error:
        raise FileNotFoundError(
            f"{name} is not in a folder and could not be fetched from OpenML ({error}). {where}; "
            f"its source is {described.source}."
        ) from error
    # OpenML has names of its own for the same columns; the checksum tells whether they are.
    if len(bunch.data.columns) != len(described.columns):
        raise wrong_columns(f"{name} from OpenML", described.columns, bunch.data.columns)
    frame = bunch.data.set_axis(list(described.columns), axis=1).astype(float)
    return frame, bunch.target.astype(str).map(described.classes).rename("target")


def as_codes(column: Any) -> Any:
    """A column of numbers as it is, one of text as the codes of its kinds in their order."""
    if column.dtype.kind in "fiub":
        return column
    return np.unique(column.to_numpy(dtype=str), return_inverse=True)[1]


def check_content(
    what: str, frame: Any, target: Any, described: Description, *, ordered: bool = False
) -> None:
    """Raise ValueError where a set is not the one that was recorded.

    Splits are by the order of the rows, so that results of the same rows in another order are
    others. It is refused of a file, which is `ordered`, and warned of elsewhere.
    """
    if len(frame) != described.rows:
        raise ValueError(f"{what} must have {described.rows} rows, got {len(frame)}.")
    lines = lines_of(frame, target)
    found = digest(sorted(lines))
    if found != described.checksum:
        raise ValueError(
            f"{what} is not the set that was recorded: the checksum of its values must be "
            f"{described.checksum}, got {found}. Take it from its source, {described.source}."
        )
    if digest(lines).startswith(described.order):
        return
    text = f"{what} has the recorded rows in another order, so that its random splits are others"
    if ordered:
        raise ValueError(f"{text}. Take it from its source, {described.source}.")
    # At the line that calls load_dataset.
    warnings.warn(f"{text} than those of recorded results.", stacklevel=3)


def lines_of(frame: Any, target: Any) -> list[str]:
    """A set's rows as text, its numbers in six digits, alike whether they are whole or not."""
    columns = [*(frame[name] for name in frame.columns), target]
    cells = [
        [cell if isinstance(cell, str) else f"{float(cell):g}" for cell in column.tolist()]
        for column in columns
    ]
    return [",".join(row) for row in zip(*cells, strict=True)]


def digest(lines: list[str]) -> str:
    """SHA-256 of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
