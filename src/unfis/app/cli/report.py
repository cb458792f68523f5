"""unfis report: a model and how good it is, as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unfis.app.cli import options
from unfis.app.cli.running import confirm, note, print_json, working


def report_command(
    model: options.ModelFile,
    table: options.TableFile,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The page to write.", callback=options.output_file),
    ] = Path("report.html"),
    title: Annotated[str | None, typer.Option(help="The page's title.")] = None,
    target: options.TargetColumn = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Write a report on a model as one HTML page that can be mailed.

    Of the table that the model was fitted on only the held-out rows are shown.

    Example: unfis report model.json iris.csv -o report.html
    """
    from unfis import load
    from unfis.app.report import write_report
    from unfis.app.request import check_output
    from unfis.app.tables import read_table
    from unfis.app.tables.evaluation import asked_of

    check_output(output, [model, table])
    fitted = load(model)
    with working("Writing the report"):
        read = read_table(
            table, **options.style(separator, decimal, encoding, missing, fitted.notation_)
        )
        asked = asked_of(fitted, read, target)
        y = None if asked.codes is None else fitted.classes_[asked.codes]
        write_report(
            output,
            fitted,
            asked.X,
            y,
            title=title,
            target=asked.target,
            rows=asked.rows.tolist(),
            held_out=asked.held_out,
        )
    if asked.note:
        note(asked.note)
    if as_json:
        print_json({"report": str(output), "rows": len(asked.X), "note": asked.note}, output)
    else:
        confirm(f"Open {output} in a browser.")
