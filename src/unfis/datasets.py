"""The paper's data sets by name, with their sources; from scikit-learn, a folder, or OpenML."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = "UNFIS_DATA"


class Description(NamedTuple):
    """What is known of a data set."""

    acronym: str  # the paper's
    rows: int
    file: str  # its name in the folder, "" of those that scikit-learn has
    checksum: str  # of its values, see `checksum`
    openml: tuple[str, int] | None  # name and version there
    classes: dict[str, str]  # OpenML's labels, where they differ
    left_out: tuple[str, ...]  # columns
    categories: tuple[str, ...]  # columns that are categories, by text or by code
    source: str
    citation: str


AUTISM = Description(
    "AUT",
    1054,
    "autism.csv",
    "e842cd71574ef4d2ae173e4a9ced32050c8a36f87a9674b8c3a6903e066aa664",
    None,
    {},
    ("Case_No", "Qchat-10-Score"),
    ("Sex", "Ethnicity", "Jaundice", "Family_mem_with_ASD", "Who completed the test"),
    "Autistic Spectrum Disorder Screening Data for Toddlers, July 2018",
    "F. Thabtah, 2018. The class is 'Qchat-10-Score above 3', the score the sum of A1 to A10.",
)

DATASETS = {
    "haberman": Description(
        "HAB",
        306,
        "haberman.csv",
        "b354b65ed8b82e0a9f713576b7fe8bbc4ecd159b9cc0c277d2169e5bb4d10c35",
        ("haberman", 1),
        {"1": "survived_5_years_or_longer", "2": "died_within_5_years"},
        (),
        (),
        "UCI, Haberman's Survival",
        "S. J. Haberman, 1976; donor T.-S. Lim, 1999.",
    ),
    "cryotherapy": Description(
        "CRI",
        90,
        "cryotherapy.csv",
        "c8293ba86c12ca646c8eb9d9fe503ea573d8cac977ac60fa4e319fc2a90520bc",
        None,
        {},
        (),
        ("Type",),
        "UCI, Cryotherapy",
        "F. Khozeimeh et al., 2017.",
    ),
    "heart": Description(
        "HEA",
        270,
        "heart.csv",
        "3e5b07e15db422f6b0f85882dc465b89ff2ea1ecd15758e8bb1509a6b6f5d2af",
        ("heart-statlog", 1),
        {"absent": "absence", "present": "presence"},
        (),
        ("chest_pain_type", "resting_electrocardiographic_results", "thal"),
        "UCI, Statlog (Heart)",
        "R. Detrano et al., 1989.",
    ),
    "autism": AUTISM,
    "autism-17": AUTISM._replace(left_out=("Case_No",)),
    "autism-18": AUTISM._replace(left_out=()),
    "iris": Description(
        "IRI",
        150,
        "",
        "dd7f963b2f122a72899144a808a8b23fcad98790f0bbd7711dc3ac0a8834881b",
        None,
        {},
        (),
        (),
        "scikit-learn, load_iris",
        "R. A. Fisher, 1936.",
    ),
    "thyroid": Description(
        "THY",
        215,
        "thyroid.csv",
        "6fb85d863ea2516f7d141921c63df9d68f776df2a3a3532fa2184f07b33c5145",
        ("thyroid-new", 1),
        {"1": "normal", "2": "hyper", "3": "hypo"},
        (),
        (),
        "UCI, Thyroid Disease, new-thyroid",
        "D. Coomans; donor S. Aeberhard, 1992.",
    ),
    "wine": Description(
        "WIN",
        178,
        "",
        "1e96f5730eeccbb2b558f3bb82e91ba5949a08080d14acaa95ac08fb08fcc090",
        None,
        {},
        (),
        (),
        "scikit-learn, load_wine",
        "M. Forina et al.; donor S. Aeberhard, 1991.",
    ),
}
# Columns and classes of the sets that may come from OpenML, as their files have them.
COLUMNS = {
    "haberman": ("age", "operation_year", "positive_axillary_nodes"),
    "heart": (
        "age",
        "sex",
        "chest_pain_type",
        "resting_blood_pressure",
        "serum_cholestoral",
        "fasting_blood_sugar",
        "resting_electrocardiographic_results",
        "maximum_heart_rate_achieved",
        "exercise_induced_angina",
        "oldpeak",
        "slope",
        "number_of_major_vessels",
        "thal",
    ),
    "thyroid": (
        "T3_resin_uptake",
        "total_serum_thyroxin",
        "total_serum_triiodothyronine",
        "basal_TSH",
        "max_abs_TSH_difference",
    ),
}


@dataclass(frozen=True)
class Dataset:
    """A data set.

    Attributes
    ----------
    name, acronym : its names, here and in the paper
    frame : the inputs, a pandas data frame
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
    elif path is not None and path.exists():
        table = pandas_or_error().read_csv(path)
        frame, target = table.drop(columns="target"), table["target"]
    else:
        frame, target = fetched(name, described, path)
    check_content(name, frame, target, described)
    frame = frame.drop(columns=list(described.left_out))
    kinds = {c: "category" if c in described.categories else "number" for c in frame.columns}
    return Dataset(
        name, described.acronym, frame, target, kinds, described.source, described.citation
    )


def shipped(name: str) -> tuple[Any, Any]:
    """A set of scikit-learn's, its classes by name."""
    from sklearn import datasets

    pandas_or_error()
    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    return bunch.data, bunch.target.map(dict(enumerate(bunch.target_names))).rename("target")


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

    pandas_or_error()
    openml_name, version = described.openml
    try:
        bunch = fetch_openml(openml_name, version=version, as_frame=True, parser="auto")
    except (OSError, ValueError) as error:
        raise FileNotFoundError(
            f"{name} is not in a folder and could not be fetched from OpenML ({error}). {where}; "
            f"its source is {described.source}."
        ) from error
    frame = bunch.data.set_axis(list(COLUMNS[name]), axis=1).astype(float)
    return frame, bunch.target.astype(str).map(described.classes).rename("target")


def check_content(name: str, frame: Any, target: Any, described: Description) -> None:
    """Raise ValueError where a set is not the one that was recorded."""
    if len(frame) != described.rows:
        raise ValueError(f"{name} must have {described.rows} rows, got {len(frame)}.")
    found = checksum(frame, target)
    if found != described.checksum:
        raise ValueError(
            f"{name} is not the set that was recorded: the checksum of its values must be "
            f"{described.checksum}, got {found}. Take it from its source, {described.source}."
        )


def checksum(frame: Any, target: Any) -> str:
    """SHA-256 of a set's rows in alphabetic order, its numbers in six digits."""
    columns = [frame[name] for name in frame.columns] + [target]
    cells = [[as_text(value) for value in column.tolist()] for column in columns]
    lines = sorted(",".join(row) for row in zip(*cells, strict=True))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def as_text(value: Any) -> str:
    """A cell as text; numbers alike whether they are whole or not."""
    return value if isinstance(value, str) else f"{float(value):g}"


def as_codes(column: Any) -> Any:
    """A column of numbers as it is, one of text as the places of its kinds in their order."""
    if column.dtype.kind in "fiub":
        return column
    return np.unique(column.to_numpy(dtype=str), return_inverse=True)[1]


def pandas_or_error() -> Any:
    """pandas, which data frames need."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("unfis.datasets needs pandas: pip install 'unfis[cli]'.") from error
    return pandas
