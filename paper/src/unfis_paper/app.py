"""The command `unfis-paper`: the experiments of the paper again."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from unfis_paper.reproduction.reproduce import reproduce

app = typer.Typer(
    name="unfis-paper",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def together() -> None:
    """The paper's experiments again, beside what it prints."""


@app.command("reproduce")
def reproduce_command(
    target: Annotated[str, typer.Argument(help="table-1 to table-5, a figure, or all.")],
    runs: Annotated[int, typer.Option(min=1, help="Random splits of each set.")] = 30,
    only: Annotated[
        str, typer.Option(help="Sets by name or acronym, with commas; all if empty.")
    ] = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of results; what is there is kept.")
    ] = Path("results"),
    data_home: Annotated[
        Path | None, typer.Option(help="Folder of data sets, else that of UNFIS_DATA.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Runs at once; 0 for one per core.")] = 0,
) -> None:
    """The paper's tables and figures again, beside what it prints.

    Example: unfis-paper reproduce table-4 --runs 5 --only iris,wine -o results
    """
    console, watched = Console(stderr=True), sys.stderr.isatty()
    with Progress(console=console, transient=True, disable=not watched) as bar:
        task = bar.add_task("Runs", total=None)
        try:
            text = reproduce(
                target,
                output,
                count=runs,
                only=[name.strip() for name in only.split(",") if name.strip()],
                data_home=data_home,
                jobs=jobs or os.cpu_count() or 1,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
    print(text)


def main() -> None:
    """Run the command; a file that cannot be read or written is told in a sentence."""
    try:
        app()
    except OSError as error:
        sys.exit(f"unfis-paper: {error}")
