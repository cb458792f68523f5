"""unfis fit, rules and export: a model made, to read, or as a program for elsewhere."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Literal

from unfis.app.cli.command import command
from unfis.app.cli.options import in_flags
from unfis.app.cli.running import SCREEN, confirm, note, print_json, print_text
from unfis.app.requests import ExportRequest, FitRequest, RequestError
from unfis.app.requests.files import STANDARD_INPUT, check_output
from unfis.serial.files import descriptor_of


@command(target="The column of classes.", output="The model file to write.")
def fit_command(
    request: FitRequest, output: Path, given_rules: Path | None = None, as_json: bool = False
) -> None:
    """Learn rules from a table, and keep them in a model file.

    Tells what each column was taken for, the rules, and how often they are right on rows that were
    held out. The model saved is the one that was measured.

    Example: unfis fit iris.csv --target species -o model.json
    """
    from unfis.app.run import run_fit
    from unfis.rules.given_reader import GivenRulesError

    check_output(output, [request.table])
    try:
        fitted = run_fit(replace(request, given_rules=text_of(given_rules)), SCREEN)
    except GivenRulesError as error:
        raise RequestError(f"{given_rules}, {error.wrong}", "given_rules") from None
    roles = [role._replace(reason=in_flags(role.reason)) for role in fitted.roles]
    fitted = fitted._replace(roles=roles)
    fitted.model.save(output, target=request.target, held_out=fitted.held_out)
    if fitted.held_out is None and request.test_share > 0:
        note("There are too few rows to hold any out: nothing is known of the accuracy.")
    if as_json:
        print_json({"model": str(output), **fitted.plain}, output)
        return
    print_text(fitted.words, output)
    if descriptor_of(output) is None:
        # Standard input is over, and many files are no table: the model alone can be asked next.
        alone = request.table == STANDARD_INPUT or request.engine == "dask"
        step = ["rules", output] if alone else ["report", output, request.table]
        print_text(f"Saved in {output}. Next: {shlex.join(['unfis', *map(str, step)])}")


def text_of(path: Path | None) -> str | None:
    """The text of a file of rules, if there is one."""
    try:
        return None if path is None else path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        wrong = f"{path} must be text in UTF-8, got other bytes."
        raise RequestError(wrong, "given_rules") from None


@command()
def rules_command(
    model: Path,
    form: Literal["text", "md", "latex", "html", "json"] = "text",
    detail: Literal["short", "full"] = "short",
    as_json: bool = False,
) -> None:
    """Show the rules of a model.

    Example: unfis rules model.json --format md
    """
    from unfis.model.settings import NETWORK
    from unfis.model_file import read_model

    found = read_model(model)
    if found.settings.estimator == NETWORK:
        if as_json or form != "text":
            raise RequestError("`form` of the rules of a network is text alone.")
        print_text(str(found.network_rules))
        return
    base = found.rules
    forms = {
        "text": lambda: base.to_text(detail),
        "md": base.to_markdown,
        "latex": base.to_latex,
        "html": base.to_html,
        "json": base.to_json,
    }
    print_text(forms["json" if as_json else form]())


@command()
def export_command(
    request: ExportRequest, output: Path | None = None, as_json: bool = False
) -> None:
    """Take a model elsewhere: a Python module or a script without dependencies, SQL, or ONNX.

    Example: unfis export model.json --to python -o rules.py
    """
    from unfis.app.run import run_export
    from unfis.serial.files import write_whole

    if output is None and request.kind == "onnx":
        raise RequestError("onnx is no text; give the file to write as `output`.")
    if output is not None:
        check_output(output, [request.model])
    made = run_export(request)
    if output is not None:
        write_whole(output, made)
        confirm(f"Written to {output}.")
    if as_json:
        where = {"text": str(made)} if output is None else {"file": str(output)}
        print_json({"kind": request.kind, **where}, output)
    elif output is None:
        print_text(str(made))
