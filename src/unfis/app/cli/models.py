"""unfis fit, rules and export: a model made, to read, or as a program for elsewhere."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from unfis.app.cli.command import command
from unfis.app.cli.options import in_flags
from unfis.app.cli.running import SCREEN, confirm, note, print_json, print_text
from unfis.app.requests import ExportRequest, FitRequest, RequestError
from unfis.app.requests.files import STANDARD_INPUT, check_output
from unfis.serial.files import descriptor_of


@command(target="The column of classes or numbers to predict.", output="The model file to write.")
def fit_command(
    request: FitRequest, output: Path, given_rules: Path | None = None, as_json: bool = False
) -> None:
    """Learn rules from a table, and keep them in a model file.

    Shows what each column was taken for, the rules, and how good they are on rows that were held
    out. The model saved is the one that was measured. A target of text or of few values is taken
    for classes, one of many numbers for a number; --task says otherwise.

    Example: unfis fit iris.csv --target species -o model.json
    """
    from unfis.app.run import run_fit

    check_output(output, [request.table])
    fitted = run_fit(replace(request, given_rules=text_of(given_rules)), SCREEN)
    roles = [role._replace(reason=in_flags(role.reason)) for role in fitted.roles]
    fitted = fitted._replace(roles=roles)
    fitted.model.save(output, target=request.target, held_out=fitted.held_out)
    if fitted.held_out is None and request.test_share > 0:
        note("There are too few rows to hold any out: nothing is known of how good it is.")
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
def rules_command(model: Path, length: int | None = None, as_json: bool = False) -> None:
    """Show the rules of a model.

    The search has a model for every number of rules; --length shows another of them.

    Example: unfis rules model.json --length 3
    """
    from unfis.model_file import read_model

    found = read_model(model)
    if length is not None:
        try:
            found = found.at(length)
        except ValueError as error:
            raise RequestError(str(error), "length") from None
    if as_json:
        from unfis.app.tables.fitting import rules_data

        print_json(rules_data(found))
    else:
        print_text(found.text)


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
