"""unfis predict, explain, evaluate, report: what a model says of a table, and how good that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unfis.app.cli import options
from unfis.app.cli.running import confirm, note, print_json, print_text, working


def predict_command(
    model: options.ModelFile,
    table: options.TableFile,
    output: options.OutputFile = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add each class's probability.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add how it comes about, in one line.")
    ] = False,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Add how well the rules cover each row, 0 to 1.")
    ] = False,
    sets: Annotated[
        bool, typer.Option("--set", help="Add which classes each row may be of.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Add why an answer is none to rely on, if so.")
    ] = False,
    abstain: Annotated[
        bool, typer.Option("--abstain", help='Answer "don\'t know" there, and add why.')
    ] = False,
    confidence: Annotated[
        float,
        typer.Option(
            help="Of --set, --why and --abstain: so often the true class is in the set.",
            callback=options.confidence_given,
        ),
    ] = 0.95,
    cost: options.Cost = None,
    threshold: options.Threshold = None,
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
    from unfis.app.tables.predictions import (
        UnlikeRows,
        Wanted,
        json_lines,
        like_formulas,
        predict_table,
    )
    from unfis.model_file import read_model
    from unfis.serial.files import replacing
    from unfis.serial.messages import listed, quoted

    if output is not None:
        check_output(output, [model])
    fitted, unlike = options.answering(read_model(model), cost, threshold), UnlikeRows()
    wanted = Wanted(proba, explain, coverage, sets, why, abstain, confidence)
    wanted.conformal(fitted)  # what it cannot tell is an error before a table is read
    how = options.style(separator, decimal, encoding, missing, fitted.columns.notation)
    with opened(table, **how) as source:
        _, absent = input_columns(fitted.rules, source.names, source.name)
        if absent:
            note(f"{source.name} lacks columns that no rule looks at: {listed(absent)}.")
        if as_json:
            lines = json_lines(fitted, source, wanted, unlike)
            if output is None:
                for line in lines:
                    print_text(line)
            else:
                with replacing(output) as file:
                    file.writelines(f"{line}\n" for line in lines)
        else:
            risky = like_formulas(fitted.classes)
            if risky and not has_types(output):
                note(
                    f"A spreadsheet program would take the class {quoted(risky[0])} for a formula; "
                    "in an .xlsx file it is text."
                )
            with working("Predicting") as progress:
                predict_table(fitted, source, output, wanted, unlike, progress)
    if unlike.words and not abstain:
        note(unlike.words)
    if output is not None and not as_json:
        confirm(f"{unlike.seen:,} rows in {output}.")


def explain_command(
    model: options.ModelFile,
    table: options.TableFile,
    row: Annotated[
        list[int], typer.Option("--row", "-r", help="Which row, counted from 1; may come again.")
    ],
    cost: options.Cost = None,
    threshold: options.Threshold = None,
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
    from unfis.app.tables.predictions import explain_numbered
    from unfis.model_file import read_model

    fitted = options.answering(read_model(model), cost, threshold)
    how = options.style(separator, decimal, encoding, missing, fitted.columns.notation)
    with opened(table, **how) as source:
        found = explain_numbered(fitted, source, row)
    if as_json:
        print_json([{"row": one.row, **one.explanation.to_dict()} for one in found])
    else:
        print_text("\n\n\n".join(one.words for one in found))


def evaluate_command(
    model: options.ModelFile,
    table: options.TableFile,
    target: options.TargetColumn = None,
    cost: options.Cost = None,
    threshold: options.Threshold = None,
    group: options.GroupColumns = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Measure a model on a table with known classes.

    Accuracy, and with a rare class what suits that better, with intervals and beside always giving
    the same answer; what was taken for what, each class, how sure it was against how often right,
    how many rows are unlike what was learned from, and how true the rules are as they read. Of the
    table that the model was fitted on only the held-out rows count. --group tells whether groups of
    rows are treated alike, by any column of the table.

    Example: unfis evaluate model.json iris.csv
    """
    from unfis.app.tables import read_table
    from unfis.app.tables.evaluation import asked_of, evaluate, evaluation_text
    from unfis.app.tables.grouping import evaluate_groups, groups_text

    fitted = options.deciding_model(model, cost, threshold)
    how = options.style(separator, decimal, encoding, missing, fitted.notation_)
    with working("Reading") as progress:
        read = read_table(table, progress=progress, **how)
    asked = asked_of(fitted, read, target)
    groups = evaluate_groups(fitted, asked, read, options.groups_given(group))
    found = evaluate(fitted, asked)
    if as_json:
        print_json({**found, "groups": groups})
    else:
        print_text("\n\n".join(filter(None, [evaluation_text(found), groups_text(groups)])))


def report_command(
    model: options.ModelFile,
    table: options.TableFile,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The page to write.", callback=options.output_file),
    ] = Path("report.html"),
    title: Annotated[str | None, typer.Option(help="The page's title.")] = None,
    target: options.TargetColumn = None,
    cost: options.Cost = None,
    threshold: options.Threshold = None,
    group: options.GroupColumns = None,
    no_rows: Annotated[
        bool, typer.Option("--no-rows", help="Leave out the rows of the table, and single values.")
    ] = False,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Write a report on a model as one HTML page that can be mailed.

    Of the table that the model was fitted on only the held-out rows are shown. Some of the rows are
    in the page, with their values; --no-rows leaves them out. --group shows whether groups of rows
    are treated alike, by any column of the table.

    Example: unfis report model.json iris.csv -o report.html
    """
    from unfis.app.report import write_report
    from unfis.app.request import check_output
    from unfis.app.tables import read_table
    from unfis.app.tables.evaluation import asked_of
    from unfis.app.tables.grouping import group_columns

    check_output(output, [model, table])
    fitted = options.deciding_model(model, cost, threshold)
    how = options.style(separator, decimal, encoding, missing, fitted.notation_)
    with working("Writing the report"):
        read = read_table(table, **how)
        asked = asked_of(fitted, read, target)
        groups = group_columns(asked, read, options.groups_given(group))
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
            training=asked.training,
            groups=groups,
            show_rows=not no_rows,
        )
    if asked.note:
        note(asked.note)
    holds = "no row" if no_rows else "rows"
    written = f"Written to {output}, which holds {holds} of {read.name}"
    note(f"{written}." if no_rows else f"{written} with their values; --no-rows leaves them out.")
    if as_json:
        told = {"report": str(output), "rows": len(asked.X), "holds_rows": not no_rows}
        print_json({**told, "note": asked.note}, output)
    else:
        confirm(f"Open {output} in a browser.")
