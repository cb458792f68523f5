"""unfis fit, rules and export: a model made, to read, or as a program for elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unfis.app.cli import options
from unfis.app.cli.options import Engine
from unfis.app.cli.running import confirm, learning, note, print_json, print_text, working
from unfis.serial.messages import needed

if TYPE_CHECKING:
    from unfis.app.tables import ColumnOptions
    from unfis.app.tables.fitting import FitReport
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
    from unfis.app.operating_point import class_weight_given, operating_point
    from unfis.app.request import STANDARD_INPUT, check_output
    from unfis.app.tables import ColumnOptions
    from unfis.serial.files import descriptor_of

    options.check_engine(engine, scheduler, workers)
    check_output(output, [table])
    how = options.style(separator, decimal, encoding, missing)
    dropped, kept, categories = map(options.split_names, (drop, keep, categorical))
    columns = ColumnOptions(dropped, kept, categories, weight)

    def settings(prepared: PreparedTable) -> dict[str, Any]:
        inputs, classes = prepared.X.shape[1], sorted(set(prepared.y.tolist()))
        return {
            "n_rules": "auto" if rules is None else rules,
            "max_conditions": None if max_conditions is None else min(max_conditions, 2 * inputs),
            "points": options.points_given(points),
            "class_weight": class_weight_given(class_weight, classes),
            **operating_point(cost, threshold, classes),
            "time_limit": time_limit,
            "random_state": seed,
        }

    split = test, seed
    if engine is Engine.DASK:
        cluster = scheduler, workers
        fitted = fitted_on_cluster(table, how["missing"], target, columns, settings, split, cluster)
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


def fitted_here(
    path: str,
    how: dict[str, Any],
    target: str,
    columns: ColumnOptions,
    settings: Callable[[PreparedTable], dict[str, Any]],
    split: tuple[float, int],
) -> FitReport:
    """A model of a table in memory."""
    from unfis import UNFISClassifier
    from unfis.app.tables import prepare, read_table
    from unfis.app.tables.fitting import fit_table

    with working("Reading") as progress:
        read = read_table(path, **how, progress=progress)
    prepared = prepare(read, target, columns)
    model = UNFISClassifier(**settings(prepared))
    with learning(f"Learning from {len(prepared.y):,} rows"):
        return fit_table(model, read, prepared, *split).report


def fitted_on_cluster(
    pattern: str,
    missing: Any,
    target: str,
    columns: ColumnOptions,
    settings: Callable[[PreparedTable], dict[str, Any]],
    split: tuple[float, int],
    cluster: tuple[str | None, int | None],
) -> FitReport:
    """A model of Parquet files that a Dask cluster reads, or one that is started here for it."""
    needed("distributed", "--engine dask needs dask", "dask")
    from unfis.app.cluster import fit_parts
    from unfis.app.tables.parts import ParquetParts, prepared_head
    from unfis.data import Notation
    from unfis.distributed import DaskUNFISClassifier, cluster_client

    scheduler, workers = cluster
    parts = ParquetParts(pattern, Notation.of(".", missing))
    prepared = prepared_head(parts, target, columns)
    with cluster_client(workers, scheduler) as client:
        note(f"Dask's dashboard: {client.dashboard_link}")
        model = DaskUNFISClassifier(**settings(prepared), client=client)
        with learning(f"Learning from {parts.rows:,} rows"):
            return fit_parts(model, parts, prepared, columns, *split)


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
