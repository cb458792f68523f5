"""unfis demo, on data that is always there."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Literal

from unfis.app.cli.command import command
from unfis.app.cli.running import SCREEN, note, print_json, print_text, working
from unfis.app.requests import ReportRequest


@command(output="The folder for what it writes.")
def demo_command(
    name: Literal["iris", "wine", "breast-cancer", "diabetes"] = "iris",
    output: Path = Path("unfis-demo"),
    as_json: bool = False,
) -> None:
    """Fit rules on a table that is always there, show them, and write a report.

    Example: unfis demo iris
    """
    from unfis.app.demo import tell
    from unfis.app.run import run_report
    from unfis.serial.files import write_whole
    from unfis.text.numbers import enumerated

    output.mkdir(parents=True, exist_ok=True)
    table, model, page = (output / f for f in (f"{name}.csv", f"{name}.json", "report.html"))
    with SCREEN.learning(f"Learning from {name}"):
        story = tell(name, table, model)
    outputs = story.fitted.model.model_.names.outputs
    title = f"Rules for {enumerated(outputs)}"
    files = {"table": str(table), "model": str(model)}
    with working("Writing the report"):
        try:
            request = ReportRequest(model=str(model), table=str(table), title=title)
            write_whole(page, run_report(request).html)
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
        ["unfis", "predict", model, table, "--why", "-o", predicted],
        ["unfis", "evaluate", model, table],
        ["unfis", "fit", table, "--target", "target", "--max-conditions", "1", "-o", model],
        ["unfis", "export", model, "--to", "sql"],
    ]
    lines += ["What to try next, then with a table of your own:"]
    lines += [f"  {shlex.join(map(str, call))}" for call in calls]
    return "\n".join(lines)
