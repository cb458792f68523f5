"""unfis demo, on data that is always there, and unfis reproduce, on that of the paper."""

from __future__ import annotations

import os
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from unfis.app.cli.options import AsJson, Debug, split_names
from unfis.app.cli.running import learning, note, print_json, print_text, working

Name = StrEnum("Name", {"IRIS": "iris", "WINE": "wine", "BREAST_CANCER": "breast-cancer"})


def demo_command(
    name: Annotated[Name, typer.Argument(help="Which table.")] = Name.IRIS,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for what it writes.")
    ] = Path("unfis-demo"),
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Fit rules on a table that is always there, show them, and write a report.

    Example: unfis demo iris
    """
    from unfis.app.demo import tell

    output.mkdir(parents=True, exist_ok=True)
    table, model, page = (output / f for f in (f"{name}.csv", f"{name}.json", "report.html"))
    with learning(f"Learning from {name}"):
        story = tell(name.value, table, model)
    files = {"table": str(table), "model": str(model)}
    with working("Writing the report"):
        try:
            story.write_report(page)
            files["report"] = str(page)
        except ImportError as error:
            note(str(error))
    if as_json:
        print_json({**story.plain, **files})
    else:
        print_text(story.words)
        print_text(next_steps(table, model, files.get("report")))


def next_steps(table: Path, model: Path, page: str | None) -> str:
    """What to try next."""
    predicted = table.with_name("predicted.csv")
    lines = [f"\nOpen {page} in a browser: it answers what-if.\n"] if page else [""]
    calls = [
        ["unfis", "explain", model, table, "--row", "71"],
        ["unfis", "predict", model, table, "--proba", "-o", predicted],
        ["unfis", "evaluate", model, table],
        ["unfis", "fit", table, "--target", "target", "--max-conditions", "2", "-o", model],
        ["unfis", "export", model, "--to", "sql"],
    ]
    lines += ["What to try next, then with a table of your own:"]
    lines += [f"  {shlex.join(map(str, call))}" for call in calls]
    return "\n".join(lines)


def reproduce_command(
    target: Annotated[str, typer.Argument(help="table-1 to table-5, a figure, or all.")],
    runs: Annotated[int, typer.Option(help="Random splits of each set.")] = 30,
    only: Annotated[
        str, typer.Option(help="Sets by name or acronym, with commas; all if empty.")
    ] = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of results; what is there is kept.")
    ] = Path("results"),
    data_home: Annotated[
        Path | None, typer.Option(help="Folder of data sets, else that of UNFIS_DATA.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Runs at once; 0 for one per core.")] = 0,
    debug: Debug = False,
) -> None:
    """The paper's tables and figures again, beside what it prints.

    Example: unfis reproduce table-4 --runs 5 --only iris,wine -o results
    """
    from unfis.app.request import RequestError
    from unfis.reproduction.reproduce import reproduce

    if runs < 1:
        raise RequestError(f"--runs must be at least 1, got {runs}.")
    if jobs < 0:
        raise RequestError(f"--jobs must be at least 0, got {jobs}.")
    with working("Runs") as progress:
        try:
            text = reproduce(
                target,
                output,
                count=runs,
                only=split_names(only),
                data_home=data_home,
                jobs=jobs or os.cpu_count() or 1,
                progress=progress,
            )
        except ValueError as error:
            raise RequestError(str(error)) from error
    print_text(text)
