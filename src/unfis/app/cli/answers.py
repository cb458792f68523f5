"""unfis predict, explain, evaluate, report: what a model says of a table, and how good that is."""

from __future__ import annotations

from pathlib import Path

from unfis.app.cli.command import command
from unfis.app.cli.running import SCREEN, confirm, note, print_json, print_text, working
from unfis.app.requests import EvaluateRequest, ExplainRequest, PredictRequest, ReportRequest
from unfis.app.requests.files import check_output


@command()
def predict_command(
    request: PredictRequest, output: Path | None = None, as_json: bool = False
) -> None:
    """Predict the class or the number of each row of a table.

    Writes the same rows in the same order, all other columns as they were, with the prediction
    added. Columns are found by name. The table may be larger than memory. With --json, one line
    of JSON for each row.

    Example: unfis predict model.json iris.csv --proba -o predicted.csv
    """
    from unfis.app.run import run_predict

    if output is not None:
        check_output(output, [request.model])
    rows = run_predict(request, output, as_json=as_json, screen=SCREEN)
    if output is not None and not as_json:
        confirm(f"{rows:,} rows in {output}.")


@command()
def explain_command(request: ExplainRequest, as_json: bool = False) -> None:
    """Take the predictions of single rows apart.

    Rows are counted from 1, the line of names not among them.

    Example: unfis explain model.json iris.csv --row 17
    """
    from unfis.app.run import run_explain

    found = run_explain(request)
    if as_json:
        print_json([{"row": one.row, **one.explanation.to_dict()} for one in found])
    else:
        print_text("\n\n\n".join(one.words for one in found))


@command()
def evaluate_command(request: EvaluateRequest, as_json: bool = False) -> None:
    """Measure a model on a table with known answers.

    Of classes accuracy, and with a rare class what suits that better, with intervals and beside
    always giving the same answer; what was taken for what, and how sure it was against how often
    right. Of a number its errors beside those of the mean. Then how many rows are unlike training,
    and whether the rules are what they say. Of the table that the model was fitted on only the
    held-out rows count. --group shows whether groups of rows are treated alike.

    Example: unfis evaluate model.json iris.csv
    """
    from unfis.app.run import run_evaluate
    from unfis.app.tables.evaluation import evaluation_text
    from unfis.app.tables.grouping import groups_text

    found = run_evaluate(request, SCREEN)
    if as_json:
        print_json(found)
    else:
        blocks = [evaluation_text(found), groups_text(found["groups"])]
        print_text("\n\n".join(filter(None, blocks)))


@command(output="The page to write.")
def report_command(
    request: ReportRequest, output: Path = Path("report.html"), as_json: bool = False
) -> None:
    """Write a report on a model as one HTML page that can be mailed.

    Of the table that the model was fitted on only the held-out rows are shown. Some of the rows are
    in the page, with their values; --no-rows leaves them out. --group shows whether groups of rows
    are treated alike, by any column of the table.

    Example: unfis report model.json iris.csv -o report.html
    """
    from unfis.app.run import run_report
    from unfis.serial.files import write_whole

    check_output(output, [request.model, request.table])
    with working("Writing the report"):
        page = run_report(request)
        write_whole(output, page.html)
    if page.note:
        note(page.note)
    holds = "no row" if request.no_rows else "rows"
    leave = "" if request.no_rows else " with their values; --no-rows leaves them out"
    note(f"Written to {output}, which holds {holds} of {page.table}{leave}.")
    if as_json:
        about = {"report": str(output), "rows": page.rows, "holds_rows": not request.no_rows}
        print_json({**about, "note": page.note}, output)
    else:
        confirm(f"Open {output} in a browser.")
