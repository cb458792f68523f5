"""Requests run: what any front end calls with the settings that it was given."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from unfis.app.requests import (
    EvaluateRequest,
    ExplainRequest,
    ExportRequest,
    FitRequest,
    PredictRequest,
    ReportRequest,
)
from unfis.app.requests.answers import ModelRequest
from unfis.app.screen import UNSEEN, Screen
from unfis.app.tables import opened, prepare, read_table
from unfis.app.tables.inputs import input_columns
from unfis.app.tables.output import has_types
from unfis.app.tables.predictions import (
    Explained,
    UnlikeRows,
    check_details,
    explain_numbered,
    json_lines,
    like_formulas,
    predict_table,
)
from unfis.export import export
from unfis.model import FittedModel
from unfis.model_file import read_model
from unfis.serial.files import replacing
from unfis.serial.messages import listed, quoted

# What learns and measures is imported by the functions that need it: rows are answered without.
if TYPE_CHECKING:
    from unfis.app.tables.fitting import FitReport


def run_fit(request: FitRequest, screen: Screen = UNSEEN) -> FitReport:
    """A model fitted on a table, and measured on rows held out."""
    if request.engine == "dask":
        from unfis.app.cluster import fit_on_cluster

        return fit_on_cluster(request, screen)
    from unfis.app.given import GivenRules
    from unfis.app.parameters import fit_parameters
    from unfis.app.tables.fitting import fit_table
    from unfis.estimators.classifier import UNFISClassifier
    from unfis.estimators.regressor import UNFISRegressor

    with screen.working("Reading") as progress:
        table = read_table(request.table, **request.style(), progress=progress)
    prepared = prepare(table, request.target, request, request.task)
    given = GivenRules(request.given_rules, prepared) if request.given_rules is not None else None
    parameters = fit_parameters(request, prepared, given.rules if given else None)
    kind = UNFISRegressor if prepared.target.is_number else UNFISClassifier
    threshold = parameters.pop("threshold", None)
    split = request.test_share, request.seed
    with screen.learning(f"Learning from {len(prepared.y):,} rows"):
        try:
            return fit_table(kind(**parameters), table, prepared, *split, threshold)
        except ValueError as error:
            raise error if given is None else given.in_lines(error) from None


def answering(request: ModelRequest) -> FittedModel:
    """A model that answers by the costs or the threshold that are given, else by its own."""
    model = read_model(request.model)
    if not request.costs and request.threshold is None:
        return model
    from unfis.app.parameters import decision

    return model.with_decision(**decision(request, model.columns.classes.tolist()))


def answering_estimator(request: ModelRequest) -> Any:
    """The same with what measures it."""
    from unfis import load
    from unfis.app.parameters import decision

    model = load(request.model)
    if not request.costs and request.threshold is None:
        return model
    point = decision(request, model.model_.columns.classes.tolist())
    return model.with_decision(**point)


def run_predict(
    request: PredictRequest, output: Path | None, *, as_json: bool, screen: Screen = UNSEEN
) -> int:
    """Write a table with predictions, or a line of JSON for each row; returns how many there are.

    Without a file it goes to standard output.
    """
    model, unlike = answering(request), UnlikeRows()
    check_details(model, request)  # what it cannot tell is an error before a table is read
    with opened(request.table, **request.style(model.columns.notation.missing)) as source:
        _, absent = input_columns(model, source.names, source.name)
        if absent:
            screen.note(f"{source.name} lacks columns that no rule looks at: {listed(absent)}.")
        if as_json:
            with nullcontext(sys.stdout) if output is None else replacing(output) as file:
                for line in json_lines(model, source, request, unlike):
                    file.write(f"{line}\n")
        else:
            risky = like_formulas(model.columns.classes.tolist())
            if risky and not has_types(output):
                screen.note(
                    f"A spreadsheet program would take the class {quoted(risky[0])} for a formula; "
                    "in an .xlsx file it is text."
                )
            with screen.working("Predicting") as progress:
                predict_table(model, source, output, request, unlike, progress)
    if unlike.words and not request.abstain:
        screen.note(unlike.words)
    return unlike.seen


def run_explain(request: ExplainRequest) -> list[Explained]:
    """Why some rows of a table got their answers."""
    model = answering(request)
    with opened(request.table, **request.style(model.columns.notation.missing)) as source:
        return explain_numbered(model, source, request.rows)


def run_evaluate(request: EvaluateRequest, screen: Screen = UNSEEN) -> dict[str, Any]:
    """How good a model is on a table, with rates by group."""
    from unfis.app.tables.asked import asked_of
    from unfis.app.tables.evaluation import evaluate
    from unfis.app.tables.grouping import evaluate_groups

    model = answering_estimator(request)
    with screen.working("Reading") as progress:
        style = request.style(model.model_.columns.notation.missing)
        table = read_table(request.table, **style, progress=progress)
    asked = asked_of(model, table, request.target)
    groups = evaluate_groups(model, asked, table, request.groups)
    return {**evaluate(model, asked), "groups": groups}


class ReportPage(NamedTuple):
    """A report, and what its reader must know of it."""

    html: str
    table: str  # the name of the table
    rows: int  # how many it shows the model on
    note: str


def run_report(request: ReportRequest) -> ReportPage:
    """A report on a model as one HTML page."""
    from unfis.app.report import report_html
    from unfis.app.tables.asked import asked_of
    from unfis.app.tables.grouping import group_columns

    model = answering_estimator(request)
    table = read_table(request.table, **request.style(model.model_.columns.notation.missing))
    asked = asked_of(model, table, request.target)
    page = report_html(
        model,
        asked.X,
        asked.y,
        title=request.title,
        target=asked.target,
        rows=asked.rows.tolist(),
        held_out=asked.held_out,
        training=asked.training,
        groups=group_columns(asked, table, request.groups),
        show_rows=not request.no_rows,
    )
    return ReportPage(page, table.name, len(asked.X), asked.note)


def run_export(request: ExportRequest) -> str | bytes:
    """A model as a program for elsewhere."""
    model = answering(request)
    return export(model, request.kind, table=request.sql_table, keep=request.sql_columns)
