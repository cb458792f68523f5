"""How a fit grows with rows, inputs and classes: seconds, peak memory, accuracy.

python benchmarks/scale.py [--only rows inputs classes] [--limit 900] [--quick]
    [--output benchmarks/results/scale.csv]

Every point is a fit in a process of its own that has so many seconds; once an axis takes longer,
its larger points are not tried. Points that are recorded are not measured again, so a run goes on
where it was interrupted; remove the file, or lines of it, for new ones. Memory is what the fit adds
to a process that holds the table; accuracy is that on held-out rows.

Models are the default and the paper's network of two rules. The exponent of an axis is the slope
of log seconds over log size in its upper range.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jobs
from measuring import (
    MEGABYTE,
    growth_exponent,
    in_child,
    markdown,
    output_path,
    read_rows,
    write_rows,
)

from unfis import UNFISClassifier, UNFISNetworkClassifier

MODELS = {"unfis": UNFISClassifier(), "network": UNFISNetworkClassifier(2, random_state=0)}
COLUMNS = ("axis", "model", "size", "rows", "inputs", "classes")
MEASURES = ("seconds", "memory_megabytes", "data_megabytes", "accuracy")


@dataclass(frozen=True)
class Table:
    """The size of a made table."""

    rows: int = 10_000
    inputs: int = 20
    classes: int = 2


@dataclass(frozen=True)
class Axis:
    """What grows, and what else there is."""

    sizes: tuple[int, ...]
    upper: int  # the exponent is that of sizes from here on
    table: Table = Table()
    quick: tuple[int, ...] = ()


AXES = {
    "rows": Axis(
        (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000), 10_000, quick=(200, 400)
    ),
    "inputs": Axis(
        (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000), 100, Table(rows=2000), quick=(5, 10)
    ),
    "classes": Axis((2, 3, 5, 10, 20, 50), 5, quick=(2, 3)),
}
QUICK_ROWS = 300


def point(axis: str, model: str, size: int, table: Table) -> dict[str, Any]:
    """What a point is called in the file, without its measures."""
    table = replace(table, **{axis: size})
    return dict(zip(COLUMNS, (axis, model, size, *vars(table).values()), strict=True))


def measure(known: dict[str, Any], limit: float) -> dict[str, Any]:
    """The measures of a point, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        jobs.write_table(Path(folder), known["rows"], known["inputs"], known["classes"])
        found = in_child(jobs.fit, limit, model=MODELS[known["model"]], folder=Path(folder))
    if "failed" in found:
        return {**dict.fromkeys(MEASURES, ""), "note": found["failed"]}
    megabytes = {f"{name}_megabytes": found[name] / MEGABYTE for name in ("memory", "data")}
    return {**{name: {**found, **megabytes}[name] for name in MEASURES}, "note": ""}


def missing(
    names: list[str], recorded: list[dict[str, Any]], *, quick: bool
) -> Iterator[dict[str, Any]]:
    """The points of some axes that are not yet in the file, small ones first."""
    for name in names:
        axis = AXES[name]
        table = replace(axis.table, rows=QUICK_ROWS) if quick else axis.table
        for model in MODELS:
            for size in axis.quick if quick else axis.sizes:
                known = point(name, model, size, table)
                if not any(is_same(row, known) for row in recorded):
                    yield known


def is_same(row: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether a row of the file is of this point."""
    return all(str(row[column]) == str(known[column]) for column in COLUMNS)


def gave_up(known: dict[str, Any], recorded: list[dict[str, Any]]) -> str:
    """Why a point need not be tried: a smaller one took too long. "" if none did."""
    for row in recorded:
        same = (row["axis"], row["model"]) == (known["axis"], known["model"])
        if same and row["note"].startswith("over ") and int(row["size"]) < known["size"]:
            return f"not tried: {row['note']} at {int(row['size']):,}"
    return ""


def told(row: dict[str, Any]) -> str:
    """A point as a line."""
    name = f"{row['axis']} {int(row['size']):,}, {row['model']}"
    if row["note"]:
        return f"{name}: {row['note']}"
    return (
        f"{name}: {float(row['seconds']):.3g} s, {float(row['memory_megabytes']):.3g} MB above "
        f"{float(row['data_megabytes']):.3g} MB, {float(row['accuracy']):.1f} %"
    )


def exponents(recorded: list[dict[str, Any]]) -> Iterator[list[str]]:
    """Growth of seconds and memory in the upper range of each axis, for each model."""
    for name, axis in AXES.items():
        for model in MODELS:
            rows = [
                row
                for row in recorded
                if (row["axis"], row["model"]) == (name, model) and not row["note"]
            ]
            upper = [row for row in rows if int(row["size"]) >= axis.upper] or rows
            if not upper:
                continue
            sizes = [float(row["size"]) for row in upper]
            slopes = (
                growth_exponent(sizes, [float(row[measure]) for row in upper])
                for measure in ("seconds", "memory_megabytes")
            )
            largest = upper[sizes.index(max(sizes))]
            span = f"{int(min(sizes)):,} to {int(max(sizes)):,}"
            last = [f"{float(largest[m]):.3g}" for m in ("seconds", "memory_megabytes", "accuracy")]
            yield [name, model, span, *(f"{slope:.2f}" for slope in slopes), *last]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=AXES, default=list(AXES))
    parser.add_argument("--limit", type=float, default=900.0, help="seconds of one fit")
    parser.add_argument("--quick", action="store_true", help="a rehearsal with small tables")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    output = output_path(arguments.output, "scale.csv", quick=arguments.quick)
    recorded: list[dict[str, Any]] = [dict(row) for row in read_rows(output)]
    for known in missing(arguments.only, recorded, quick=arguments.quick):
        why_not = gave_up(known, recorded)
        found = {**dict.fromkeys(MEASURES, ""), "note": why_not}
        recorded.append({**known, **(found if why_not else measure(known, arguments.limit))})
        write_rows(output, recorded)
        print(told(recorded[-1]), flush=True)
    head = ["axis", "model", "sizes", "exponent of seconds", "of memory"]
    last = ["seconds at the largest", "megabytes", "accuracy"]
    print("\n" + markdown([*head, *last], exponents(recorded)))


if __name__ == "__main__":
    main()
