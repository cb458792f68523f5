"""unfis rules: the rules of a model, in several forms."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from unfis.app.cli.options import AsJson, Debug, ModelFile
from unfis.app.cli.running import print_text


class Form(StrEnum):
    """How rules can be shown."""

    TEXT, MARKDOWN, LATEX, HTML, JSON = "text", "md", "latex", "html", "json"


class Detail(StrEnum):
    """How much of them."""

    SHORT, FULL = "short", "full"


def rules_command(
    model: ModelFile,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to show them.")] = Form.TEXT,
    detail: Annotated[
        Detail, typer.Option(help="full has every number, to compute with (text only).")
    ] = Detail.SHORT,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Show the rules of a model.

    Example: unfis rules model.json --format md
    """
    from unfis.model_file import read_model

    base = read_model(model).rules
    forms = {
        Form.TEXT: lambda: base.to_text(detail),
        Form.MARKDOWN: base.to_markdown,
        Form.LATEX: base.to_latex,
        Form.HTML: base.to_html,
        Form.JSON: base.to_json,
    }
    print_text(forms[Form.JSON if as_json else form]())
