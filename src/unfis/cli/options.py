"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from unfis.cli.running import set_debug

Model = Annotated[Path, typer.Argument(help="The model file, made by unfis fit.")]
TableFile = Annotated[
    str, typer.Argument(help="CSV, TSV, Parquet or Excel (.xlsx); - for standard input.")
]
Separator = Annotated[
    str | None,
    typer.Option("--separator", help="Of a text table, such as ; or tab; found out if not given."),
]
Decimal = Annotated[
    str | None, typer.Option("--decimal", help="point or comma; found out if not given.")
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", help="Such as utf-8 or cp1252; found out if not given."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Debug = Annotated[
    bool,
    typer.Option("--debug", help="Show where an error came from.", callback=set_debug),
]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", help="The column of classes, if not that of the model."),
]


def style(separator: str | None, decimal: str | None, encoding: str | None) -> dict[str, Any]:
    """How a text table is written, as far as it was given."""
    return {"separator": separator, "decimal": decimal, "encoding": encoding}


def names_in(text: str) -> list[str]:
    """Names that were given with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]
