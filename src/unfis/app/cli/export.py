"""unfis export: a model as a program for elsewhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from unfis.app.cli.options import AsJson, Debug, Model, names_in, output_file
from unfis.app.cli.running import confirm, say, say_json


class Kind(StrEnum):
    """What a model can become."""

    PYTHON, SQL, ONNX, JAVASCRIPT = "python", "sql", "onnx", "javascript"


def export_command(
    model: Model,
    to: Annotated[Kind, typer.Option("--to", help="What to make of it.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to write, else standard output.",
            callback=output_file,
        ),
    ] = None,
    table: Annotated[str, typer.Option(help="The table that the SQL query reads.")] = "data",
    keep: Annotated[
        str | None, typer.Option(help="Columns that the SQL query gives as well, such as id,name.")
    ] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Take a model elsewhere: a Python module or a script without dependencies, SQL, or ONNX.

    Example: unfis export model.json --to python -o rules.py
    """
    from unfis.app.tables.output import check_place
    from unfis.export import export
    from unfis.model_file import read_model
    from unfis.serial.files import write_whole

    if output is None and to is Kind.ONNX:
        raise typer.BadParameter("onnx is no text; give the file to write as --output.")
    if keep is not None and to is not Kind.SQL:
        raise typer.BadParameter(f"--keep is for sql; {to} has no columns of its own.")
    if output is not None:
        check_place(output, [model])
    names = None if keep is None else names_in(keep)
    made = export(read_model(model).rules, to.value, table=table, keep=names)
    if output is not None:
        write_whole(output, made)
        confirm(f"Written to {output}.")
    if as_json:
        told = {"text": str(made)} if output is None else {"file": str(output)}
        say_json({"kind": to.value, **told}, output)
    elif output is None:
        say(str(made))
