"""The commands, joined."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from unfis.app.cli import answers, demo, models

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo.demo_command,
    "fit": models.fit_command,
    "rules": models.rules_command,
    "predict": answers.predict_command,
    "explain": answers.explain_command,
    "evaluate": answers.evaluate_command,
    "report": answers.report_command,
    "export": models.export_command,
}

app = typer.Typer(
    name="unfis",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Frames and colours are for people who look at a terminal.
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from unfis import __version__

        typer.echo(f"unfis {__version__}")
        raise typer.Exit


@app.callback()
def together(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True),
    ] = False,
) -> None:
    """Predict classes and numbers by a few short rules that add up.

    Begin with: unfis demo
    """
