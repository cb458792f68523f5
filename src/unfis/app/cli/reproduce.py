"""unfis reproduce: the paper's tables and figures again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from unfis.app.cli.options import Debug, split_names
from unfis.app.cli.running import print_text, working


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
