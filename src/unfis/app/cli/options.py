"""Arguments and options that several commands have."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unfis.app.cli.running import set_debug
from unfis.serial.messages import quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unfis.data import Notation
    from unfis.estimators.classifier import UNFISClassifier
    from unfis.model.fitted import FittedModel

Engine = StrEnum("Engine", ["LOCAL", "DASK"])
STANDARD_OUTPUT = Path("/dev/stdout")


def output_file(value: Path | None) -> Path | None:
    """A file to write; - is standard output, as it is standard input of tables."""
    return STANDARD_OUTPUT if value == Path("-") else value


ModelFile = Annotated[Path, typer.Argument(help="The model file, made by unfis fit.")]
TableFile = Annotated[
    str, typer.Argument(help="CSV, TSV, Parquet or Excel (.xlsx); - for standard input.")
]
Separator = Annotated[
    str | None, typer.Option(help="Of a text table, such as ; or tab; found out if not given.")
]
Decimal = Annotated[str | None, typer.Option(help="point or comma; found out if not given.")]
Encoding = Annotated[
    str | None, typer.Option(help="Such as utf-8 or cp1252; found out if not given.")
]
Missing = Annotated[
    str | None,
    typer.Option(
        help="Words that mean nothing is known, such as NA,-999; else NA, N/A, NaN, null, ? and -."
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="The file to write, else standard output.", callback=output_file
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Debug = Annotated[
    bool,
    typer.Option("--debug", help="Show where an error came from.", callback=set_debug),
]
TargetColumn = Annotated[
    str | None,
    typer.Option("--target", "-t", help="The column of classes, if not that of the model."),
]

Cost = Annotated[
    list[str] | None,
    typer.Option(
        "--cost",
        metavar="CLASS=COST",
        help="What it costs to miss a class, such as yes=10, or yes:no=10 for yes answered no, "
        "where any other error costs 1; may come again.",
    ),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS=SHARE|auto",
        help="From which probability on one of two classes is the answer, such as yes=0.2; auto is "
        "what the costs, or else balanced accuracy, make best in cross-validation.",
    ),
]

GroupColumns = Annotated[
    list[str] | None,
    typer.Option("--group", "-g", help="Rates by group of a column, or of several: sex,age."),
]


def check_engine(engine: Engine, scheduler: str | None, workers: int | None) -> None:
    """Refuse a cluster where none is asked for, and two of them."""
    given = {"--scheduler": scheduler, "--workers": workers}
    for name, value in given.items():
        if value is not None and engine is Engine.LOCAL:
            raise typer.BadParameter(f"{name} is for --engine dask; give that as well.")
    if scheduler is not None and workers is not None:
        raise typer.BadParameter(
            "--workers are those of a cluster that is started here, and --scheduler has its own; "
            "give one of them."
        )


def style(
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
    missing: str | None,
    notation: Notation | None = None,
) -> dict[str, Any]:
    """How a table is written, as far as it was given; missing as the model has it, if any."""
    words = None if notation is None else notation.missing
    return {
        "separator": separator,
        "decimal": decimal,
        "encoding": encoding,
        "missing": words if missing is None else split_names(missing),
    }


def point_given(
    cost: Sequence[str] | None, threshold: str | None, classes: NDArray[Any]
) -> dict[str, Any]:
    """The costs and the threshold that are given, as `deciding` takes them; empty if none are."""
    if not cost and threshold is None:
        return {}
    from unfis.app.operating_point import operating_point

    return operating_point(cost, threshold, classes.tolist())


def answering(model: FittedModel, cost: Sequence[str] | None, threshold: str | None) -> FittedModel:
    """A model that answers by the costs or the threshold that are given, else by its own."""
    if not (point := point_given(cost, threshold, model.classes)):
        return model
    from unfis.model.operating_point import deciding

    return deciding(model, **point)


def deciding_model(
    path: Path, cost: Sequence[str] | None, threshold: str | None
) -> UNFISClassifier:
    """The model of a file as an estimator that answers by what is given, else by its own."""
    from unfis import load

    fitted = load(path)
    point = point_given(cost, threshold, fitted.classes_)
    return fitted.deciding(**point) if point else fitted


def points_given(text: str) -> int | str:
    """The most points for a step, or that numbers stay exact."""
    if text in ("auto", "exact"):
        return text
    if not text.isdecimal() or int(text) < 1:
        raise typer.BadParameter(f"--points must be at least 1, auto or exact, got {quoted(text)}.")
    return int(text)


def seconds_given(seconds: float | None) -> float | None:
    """Seconds that something may take, if any are given."""
    if seconds is not None and not 0 < seconds < inf:
        raise typer.BadParameter(f"--time-limit must be a number above 0, got {seconds:g}.")
    return seconds


def confidence_given(confidence: float) -> float:
    """A share between none and all."""
    if not 0 < confidence < 1:
        raise typer.BadParameter(
            f"--confidence must be a number above 0 and below 1, got {confidence:g}."
        )
    return confidence


def groups_given(texts: Sequence[str] | None) -> list[str]:
    """The names of columns that were given once or several times, with commas between them."""
    return [name for text in texts or [] for name in split_names(text)]


def split_names(text: str) -> list[str]:
    """Names that were given with commas between them, in quotes where a comma is part of one."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return [name.strip() for name in names if name.strip()]
