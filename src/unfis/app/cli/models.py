"""unfis fit, rules and export: a model made, to read, or as a program for elsewhere."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unfis.app.cli import options
from unfis.app.cli.engines import fitted_here, fitted_on_cluster
from unfis.app.cli.options import Engine
from unfis.app.cli.running import confirm, note, print_json, print_text

if TYPE_CHECKING:
    from unfis.app.tables.inputs import PreparedTable

LARGEST_SEED = 2**32 - 1
Form = StrEnum("Form", ["TEXT", "MD", "LATEX", "HTML", "JSON"])
Detail = StrEnum("Detail", ["SHORT", "FULL"])
ExportKind = StrEnum("ExportKind", ["PYTHON", "SQL", "ONNX", "JAVASCRIPT"])


def fit_command(
    table: options.TableFile,
    target: Annotated[str, typer.Option("--target", "-t", help="The column of classes.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The model file to write.", callback=options.output_file
        ),
    ],
    rules: Annotated[
        int | None, typer.Option(min=1, help="How many rules; else the data says.")
    ] = None,
    max_conditions: Annotated[
        int | None, typer.Option(min=1, help="The most inputs in a rule's IF and THEN together.")
    ] = None,
    points: Annotated[
        str,
        typer.Option(
            metavar="N|auto|exact",
            help="The most points for a step of an input (auto: 5, or 9 of three and more "
            "classes), or real numbers.",
        ),
    ] = "auto",
    test: Annotated[
        float, typer.Option(help="Part of the rows held out to measure on; 0 learns from all.")
    ] = 0.3,
    seed: Annotated[
        int, typer.Option(min=0, max=LARGEST_SEED, help="Of the choice of held-out rows.")
    ] = 0,
    drop: Annotated[
        str, typer.Option(help='Columns to leave out: a,b, or "a,1",b if a name has a comma.')
    ] = "",
    keep: Annotated[str, typer.Option(help="Columns to learn from that would be left out.")] = "",
    categorical: Annotated[
        str, typer.Option(help="Columns whose cells, numbers too, are names of categories.")
    ] = "",
    weight: Annotated[
        str | None, typer.Option(help="Column that says how much each row counts.")
    ] = None,
    class_weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS=WEIGHT|balanced",
            help="How much the rows of a class count in learning, such as yes=5; may come again. "
            "balanced: all classes alike.",
        ),
    ] = None,
    cost: options.Cost = None,
    threshold: options.Threshold = None,
    increasing: Annotated[
        str,
        typer.Option(
            help="Columns of which more never makes a class less probable, such as age,debt."
        ),
    ] = "",
    decreasing: Annotated[
        str, typer.Option(help="Columns of which more never makes it more probable.")
    ] = "",
    about: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="CLASS",
            help="The class that --increasing and --decreasing are about; else the second in "
            "alphabetical order.",
        ),
    ] = None,
    forbid: Annotated[
        str, typer.Option(help="Columns that no rule may use, such as sex,race.")
    ] = "",
    given: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Rules written by hand, a line each, to learn the rest around: IF age > 60 AND "
            "ward is A or B THEN ill.",
        ),
    ] = None,
    engine: Annotated[
        Engine,
        typer.Option(help="Where to learn: here, or on a Dask cluster, from Parquet files alone."),
    ] = Engine.LOCAL,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Of a Dask cluster that runs; else --engine dask starts one here.",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes of the cluster that is started here.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="How long it may learn; then it ends with the best so far.",
            callback=options.seconds_given,
        ),
    ] = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Learn rules from a table, and keep them in a model file.

    Tells what each column was taken for, the rules, and how often they are right on rows that were
    held out. The model saved is the one that was measured.

    Example: unfis fit iris.csv --target species -o model.json
    """
    from unfis.app.expert import Said, constraints_given, rules_given
    from unfis.app.operating_point import class_weight_given, operating_point
    from unfis.app.request import STANDARD_INPUT, check_output
    from unfis.app.tables import ColumnOptions
    from unfis.serial.files import descriptor_of

    options.check_engine(engine, scheduler, workers)
    check_output(output, [table])
    how = options.style(separator, decimal, encoding, missing)
    dropped, kept, categories = map(options.split_names, (drop, keep, categorical))
    columns = ColumnOptions(dropped, kept, categories, weight)
    rising, falling, forbidden = map(options.split_names, (increasing, decreasing, forbid))
    said, split = Said(rising, falling, forbidden, about), (test, seed)
    with rules_given(given, rules) as text:

        def settings(prepared: PreparedTable) -> dict[str, Any]:
            inputs, classes = prepared.X.shape[1], sorted(set(prepared.y.tolist()))
            most = None if max_conditions is None else min(max_conditions, 2 * inputs)
            return {
                "n_rules": "auto" if rules is None else rules,
                "max_conditions": most,
                "points": options.points_given(points),
                "class_weight": class_weight_given(class_weight, classes),
                **operating_point(cost, threshold, classes),
                **constraints_given(said, Path(table).name, prepared, classes),
                "given_rules": text,
                "time_limit": time_limit,
                "random_state": seed,
            }

        if engine is Engine.DASK:
            cluster, words = (scheduler, workers), how["missing"]
            fitted = fitted_on_cluster(table, words, target, columns, settings, split, cluster)
        else:
            fitted = fitted_here(table, how, target, columns, settings, split)
    fitted.model.save(output, target=target, held_out=fitted.held_out)
    if fitted.held_out is None and test > 0:
        note("There are too few rows to hold any out: nothing is known of the accuracy.")
    if as_json:
        print_json({"model": str(output), **fitted.plain}, output)
    else:
        print_text(fitted.words, output)
        if descriptor_of(output) is not None:
            return
        # Standard input is over, and many files are no table: the model alone can be asked next.
        alone = table == STANDARD_INPUT or engine is Engine.DASK
        step = ["rules", output] if alone else ["report", output, table]
        print_text(f"Saved in {output}. Next: {shlex.join(['unfis', *map(str, step)])}")


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
        Form.MD: base.to_markdown,
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
    cost: options.Cost = None,
    threshold: options.Threshold = None,
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
    fitted = options.answering(read_model(model), cost, threshold)
    made = export(fitted.rules, to.value, table=table, keep=names)
    if output is not None:
        write_whole(output, made)
        confirm(f"Written to {output}.")
    if as_json:
        where = {"text": str(made)} if output is None else {"file": str(output)}
        print_json({"kind": to.value, **where}, output)
    elif output is None:
        print_text(str(made))
