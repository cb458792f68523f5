"""unfis rules and export: a model to read, or as a program for elsewhere."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from unfis.app.cli import options
from unfis.app.cli.running import confirm, print_json, print_text


class Form(StrEnum):
    """How rules can be shown."""

    TEXT, MARKDOWN, LATEX, HTML, JSON = "text", "md", "latex", "html", "json"


class Detail(StrEnum):
    """How much of them."""

    SHORT, FULL = "short", "full"


class ExportKind(StrEnum):
    """What a model can become."""

    PYTHON, SQL, ONNX, JAVASCRIPT = "python", "sql", "onnx", "javascript"


def rules_command(
    model: options.ModelFile,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to show them.")] = Form.TEXT,
    detail: Annotated[
        Detail, typer.Option(help="full has every number, to compute with (text only).")
    ] = Detail.SHORT,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Show the rules of a model.

    Example: unfis rules model.json --format md
    """
    from unfis.model_file import read_model

    base = read_model(model).rules
    forms = {
        Form.TEXT: lambda: base.to_text(detail),
        Form.MARKDOWN: base.to_markdown,
        Form.LATEX: base.to_latex,
        Form.HTML: base.to_html,
        Form.JSON: base.to_json,
    }
    print_text(forms[Form.JSON if as_json else form]())


def export_command(
    model: options.ModelFile,
    to: Annotated[ExportKind, typer.Option("--to", help="What to make of it.")],
    output: options.OutputFile = None,
    table: Annotated[str, typer.Option(help="The table that the SQL query reads.")] = "data",
    keep: Annotated[
        str | None, typer.Option(help="Columns that the SQL query gives as well, such as id,name.")
    ] = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Take a model elsewhere: a Python module or a script without dependencies, SQL, or ONNX.

    Example: unfis export model.json --to python -o rules.py
    """
    from unfis.app.request import check_output
    from unfis.export import export
    from unfis.model_file import read_model
    from unfis.serial.files import write_whole

    if output is None and to is ExportKind.ONNX:
        raise typer.BadParameter("onnx is no text; give the file to write as --output.")
    if keep is not None and to is not ExportKind.SQL:
        raise typer.BadParameter(f"--keep is for sql; {to} has no columns of its own.")
    if output is not None:
        check_output(output, [model])
    names = None if keep is None else options.split_names(keep)
    made = export(read_model(model).rules, to.value, table=table, keep=names)
    if output is not None:
        write_whole(output, made)
        confirm(f"Written to {output}.")
    if as_json:
        where = {"text": str(made)} if output is None else {"file": str(output)}
        print_json({"kind": to.value, **where}, output)
    elif output is None:
        print_text(str(made))
