"""unfis demo: the whole story on data that is always there."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from unfis.cli.options import AsJson, Debug
from unfis.cli.running import note, say, say_json, working


class Name(StrEnum):
    """The tables there are."""

    IRIS, WINE, BREAST_CANCER = "iris", "wine", "breast-cancer"


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
    from unfis.demonstration import TARGET, write_demo_table
    from unfis.tables import prepare, read_table

    output.mkdir(parents=True, exist_ok=True)
    table, model, page = (output / f for f in (f"{name}.csv", f"{name}.json", "report.html"))
    with working(f"Learning from {name}"):
        write_demo_table(name.value, table)
        read = read_table(table)
        story = told(read, prepare(read, TARGET), model)
    files = {"table": str(table), "model": str(model)}
    with working("Writing the report"):
        try:
            write_page(story, page)
            files["report"] = str(page)
        except ImportError as error:
            note(str(error))
    if as_json:
        say_json({**story["plain"], **files})
    else:
        say(story["words"])
        say(next_steps(table, model, files.get("report")))


def told(table: Any, prepared: Any, path: Path) -> dict[str, Any]:
    """Fit, save, compare and explain: in words and as plain data."""
    from unfis import UNFISClassifier, load
    from unfis.demonstration import hardest, plain_scores
    from unfis.rules.numbers import numbered
    from unfis.tables.evaluation import accuracy_words
    from unfis.tables.split import fit_and_measure, held_out_rows

    model = UNFISClassifier()
    held_out = fit_and_measure(model, table, prepared, 0.3, 0)
    assert held_out is not None
    model.save(path, target=prepared.target.name, held_out=held_out)
    held = held_out_rows(prepared.y, 0.3, 0)
    scores = plain_scores(model, prepared, held)
    # Of the file, which has no training rows: places among them would say nothing here.
    row, explanation = hardest(load(path), prepared, held)
    beside = [f"  {name:20s} {100 * score:5.1f} %" for name, score in scores.items()]
    words = [
        f"{table.name}: {numbered(len(table), 'row')}, of which {held_out['rows']} are held out",
        "",
        str(model.rules_),
        "",
        "Right on the held-out rows:",
        f"  {'These rules':20s} {accuracy_words(held_out)}",
        *beside,
        "",
        f"The hardest of them to decide, row {row + 1}, which is {prepared.y[row]}:",
        "",
        str(explanation),
    ]
    plain = {"held_out": held_out, "others": scores, "rules": model.rules_.to_dict()}
    plain["explained"] = {"row": row + 1, **explanation.to_dict()}
    X, y = prepared.X[held], prepared.y[held]
    return {"words": "\n".join(words), "plain": plain, "model": model, "X": X, "y": y}


def write_page(story: dict[str, Any], path: Path) -> None:
    """Write the report of what was learned."""
    from unfis.report import write_report

    write_report(path, story["model"], story["X"], story["y"])


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
