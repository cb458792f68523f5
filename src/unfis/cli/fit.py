"""unfis fit: from a table to rules in a model file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from unfis.cli.options import (
    AsJson,
    Debug,
    Decimal,
    Encoding,
    Separator,
    TableFile,
    names_in,
    style,
)
from unfis.cli.running import note, say, say_json, working


def fit_command(
    table: TableFile,
    target: Annotated[str, typer.Option("--target", "-t", help="The column of classes.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model file to write.")],
    rules: Annotated[int | None, typer.Option(help="How many rules; else the data says.")] = None,
    max_conditions: Annotated[
        int | None, typer.Option(help="The most conditions a rule may have.")
    ] = None,
    test: Annotated[
        float, typer.Option(help="Part of the rows held out to measure on; 0 learns from all.")
    ] = 0.3,
    seed: Annotated[int, typer.Option(help="Of the choice of held-out rows.")] = 0,
    drop: Annotated[str, typer.Option(help="Columns to leave out, with commas between.")] = "",
    keep: Annotated[str, typer.Option(help="Columns to learn from that would be left out.")] = "",
    categorical: Annotated[
        str, typer.Option(help="Columns whose numbers are only names of categories.")
    ] = "",
    weight: Annotated[
        str | None, typer.Option(help="Column that says how much each row counts.")
    ] = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Learn rules from a table, and keep them in a model file.

    Tells what each column was taken for, the rules, and how often they are right on rows that were
    held out. The model saved is the one that was measured.

    Example: unfis fit iris.csv --target species -o model.json
    """
    from unfis import UNFISClassifier
    from unfis.tables import Wishes, prepare, read_table
    from unfis.tables.output import check_place
    from unfis.tables.split import fit_and_measure

    check_place(output)
    with working("Reading") as progress:
        read = read_table(table, **style(separator, decimal, encoding), progress=progress)
    wishes = Wishes(names_in(drop), names_in(keep), names_in(categorical), weight)
    prepared = prepare(read, target, wishes)
    model = UNFISClassifier(
        "auto" if rules is None else rules, max_conditions=max_conditions, random_state=seed
    )
    with working(f"Learning from {len(prepared.y):,} rows"):
        held_out = fit_and_measure(model, read, prepared, test, seed)
    model.save(output, target=target, held_out=held_out)
    if held_out is None and test > 0:
        note("There are too few rows to hold any out: nothing is known of the accuracy.")
    if as_json:
        say_json(summary(model, prepared, held_out, output))
    else:
        say(told(model, read, prepared, held_out))
        say(f"Saved in {output}. Next: unfis report {shlex.join([str(output), table])}")


def told(model: Any, table: Any, prepared: Any, held_out: Any) -> str:
    """What was learned, in words."""
    from unfis.rules.numbers import numbered
    from unfis.rules.words import visible
    from unfis.tables.evaluation import accuracy_words

    names = [visible(role.name) for role in prepared.roles]
    width = min(40, max(map(len, names)))
    lines = [f"{table.name}: {numbered(len(table), 'row')}, {numbered(len(names), 'column')}"]
    for name, role in zip(names, prepared.roles, strict=True):
        lines.append(f"  {name:{width}s}  {role.role:8s}  {visible(role.reason)}")
    lines += ["", str(model.rules_), ""]
    if held_out:
        right = round(held_out["accuracy"] * held_out["rows"])
        rows = numbered(held_out["rows"], "held-out row")
        lines.append(f"Right on {right:,} of {rows}: {accuracy_words(held_out)}.")
    return "\n".join(lines)


def summary(model: Any, prepared: Any, held_out: Any, output: Path) -> dict[str, Any]:
    """What was learned, for programs."""
    return {
        "model": str(output),
        "target": prepared.target.name,
        "rows": model.origin_.rows,
        "columns": [role._asdict() for role in prepared.roles],
        "held_out": held_out,
        "rules": model.rules_.to_dict(),
    }
