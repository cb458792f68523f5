"""The commands, joined."""

from __future__ import annotations

import typer

from unfis.cli.reproduce import reproduce_command

app = typer.Typer(
    name="unfis",
    help="Classification by a handful of short fuzzy rules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("reproduce")(reproduce_command)


@app.callback()
def together() -> None:
    """Classification by a handful of short fuzzy rules."""
