"""unfis reproduce: the paper's tables and figures again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from unfis.benchmark.reproduce import TARGETS, reproduce


def reproduce_command(
    target: Annotated[str, typer.Argument(help=f"What to reproduce: {', '.join(TARGETS)}.")],
    runs: Annotated[int, typer.Option(help="Random splits of each set.")] = 30,
    only: Annotated[str, typer.Option(help="Sets, separated by commas; all if empty.")] = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of results; what is there is kept.")
    ] = Path("results"),
    data_home: Annotated[
        Path | None, typer.Option(help="Folder of data sets, else that of UNFIS_DATA.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Runs at once; 0 for one per core.")] = 0,
) -> None:
    """The paper's tables and figures again, beside what it prints.

    Example: unfis reproduce table-4 --runs 5 --only iris,wine -o results
    """
    names = [name.strip() for name in only.split(",") if name.strip()]
    console = Console(stderr=True)
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(TextColumn("runs"), *columns, console=console, transient=True) as bar:
        task = bar.add_task("runs", total=None)
        try:
            text = reproduce(
                target,
                output,
                count=runs,
                only=names,
                data_home=data_home,
                jobs=jobs or os.cpu_count() or 1,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )
        except (ValueError, OSError, ImportError) as error:
            bar.stop()
            typer.echo(f"unfis reproduce: {error}", err=True)
            raise typer.Exit(2 if isinstance(error, ValueError) else 1) from error
    typer.echo(text)
