"""unfis predict: a table again, with predictions beside its columns."""

from __future__ import annotations

from typing import Annotated

import typer

from unfis.app.cli import options
from unfis.app.cli.running import confirm, note, print_text, working


def predict_command(
    model: options.ModelFile,
    table: options.TableFile,
    output: options.Output = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Add why, in one line.")] = False,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Predict the class of each row of a table.

    Writes the same rows in the same order, all other columns as they were, with the prediction
    added. Columns are found by name. The table may be larger than memory. With --json, one line
    of JSON for each row.

    Example: unfis predict model.json iris.csv --proba -o predicted.csv
    """
    from unfis.app.request import check_output
    from unfis.app.tables import opened
    from unfis.app.tables.inputs import input_columns
    from unfis.app.tables.output import has_types
    from unfis.app.tables.predictions import json_lines, like_formulas, predict_table
    from unfis.model_file import read_model
    from unfis.serial.files import replacing
    from unfis.serial.messages import listed, quoted

    if output is not None:
        check_output(output, [model])
    fitted = read_model(model)
    with opened(
        table, **options.style(separator, decimal, encoding, missing, fitted.columns.notation)
    ) as source:
        _, absent = input_columns(fitted.rules, source.names, source.name)
        if absent:
            note(f"{source.name} lacks columns that no rule looks at: {listed(absent)}.")
        if as_json:
            lines = json_lines(fitted, source, explain=explain)
            if output is None:
                for line in lines:
                    print_text(line)
            else:
                with replacing(output) as file:
                    file.writelines(f"{line}\n" for line in lines)
            return
        risky = like_formulas(fitted.classes)
        if risky and not has_types(output):
            note(
                f"A spreadsheet program would take the class {quoted(risky[0])} for a formula; in "
                "an .xlsx file it is text."
            )
        with working("Predicting") as progress:
            rows = predict_table(
                fitted, source, output, proba=proba, explain=explain, progress=progress
            )
    if output is not None:
        confirm(f"{rows:,} rows in {output}.")
