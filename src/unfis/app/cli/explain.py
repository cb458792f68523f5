"""unfis explain: why rows of a table get their answers."""

from __future__ import annotations

from typing import Annotated

import typer

from unfis.app.cli import options
from unfis.app.cli.running import print_json, print_text


def explain_command(
    model: options.ModelFile,
    table: options.TableFile,
    row: Annotated[
        list[int], typer.Option("--row", "-r", help="Which row, counted from 1; may come again.")
    ],
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Take the predictions of single rows apart.

    Rows are counted from 1, the line of names not among them.

    Example: unfis explain model.json iris.csv --row 17
    """
    from unfis.app.tables import opened
    from unfis.app.tables.explanations import explain_places
    from unfis.model_file import read_model

    fitted = read_model(model)
    with opened(
        table, **options.style(separator, decimal, encoding, missing, fitted.columns.notation)
    ) as source:
        found = explain_places(fitted, source, row)
        if as_json:
            print_json([{"row": one.row, **one.explanation.to_dict()} for one in found])
        else:
            print_text("\n\n\n".join(one.words for one in found))
