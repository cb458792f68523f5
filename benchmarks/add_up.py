"""The default on many tables: what is measured of its rules beside what is asked.

python benchmarks/add_up.py [--only sets,many] [--tables iris,wine] [--splits 2] [--again]
    [--systems unfis] [--jobs 1] [--quick] [--output benchmarks/results/add_up.csv]

Parts: sets (the eight sets: accuracy, what there is to read, whole points beside exact ones), many
(25 public tables), risk (two-class tables at 5 and 10 parts), ebm (beside an explainable boosting
machine), curved (rings, moons, checkerboard, xor), samples (the same inputs over resamples), shapes
(made tables whose rule is known), small, rows and forms (time and memory; `--splits` are rounds).
A line of the results is one number: part, table, system, split, measure. What is recorded is not
measured again, unless with `--again`; `--only` alone measures nothing. The rivals of other
benchmarks are read from their results, where the splits are the same.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from add_up_asked import summarised
from add_up_jobs import OURS, PARTS_OF
from add_up_times import ROUNDS, TABLES, measured
from joblib import Parallel, delayed
from measuring import Line, lines_of, output_path, read_lines, write_rows

PARTS = [*PARTS_OF, *TABLES]
QUICK = {"sets": ["iris"], "risk": ["slopes"], "shapes": ["steps"], "curved": ["xor"]}
Key = tuple[str, str, str, int]


def key_of(line: Line) -> Key:
    """What was measured together."""
    return line.part, line.table, line.system, line.round


def one(part: str, table: str, system: str, seed: int) -> list[Line]:
    """The lines of one system on one split."""
    found = PARTS_OF[part].job(table, seed, system)
    return list(lines_of(part, table, system, seed, found))


class Results:
    """The lines of a file, kept whole after every measurement."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = read_lines(path)

    def drop(self, keys: set[Key]) -> None:
        """Forget what is to be measured again."""
        self.lines = [line for line in self.lines if key_of(line) not in keys]

    def missing(self, keys: Sequence[Key]) -> list[Key]:
        """What is not there yet."""
        done = {key_of(line) for line in self.lines}
        return [key for key in keys if key not in done]

    def add(self, lines: list[Line]) -> None:
        """Keep what was measured, in the order of the parts."""
        self.lines += lines
        self.lines.sort(key=lambda line: (PARTS.index(line.part), *key_of(line)))
        write_rows(self.path, [line._asdict() for line in self.lines])
        value = "" if lines[0].value is None else f"{lines[0].value:.3g}"
        print(*key_of(lines[0]), lines[0].measure, value, lines[0].note, sep=", ", flush=True)


def measure_splits(part: str, chosen: argparse.Namespace, results: Results) -> None:
    """A part of splits, several at a time."""
    about = PARTS_OF[part]
    tables = [name for name in about.tables() if not chosen.tables or name in chosen.tables]
    systems = [name for name in about.systems if not chosen.systems or name in chosen.systems]
    seeds = range(chosen.splits or about.splits)
    keys = list(product([part], tables, systems, seeds))
    if chosen.again:
        results.drop(set(keys))
    missing = [delayed(one)(*key) for key in results.missing(keys)]
    for lines in Parallel(n_jobs=chosen.jobs, return_as="generator_unordered")(missing):
        results.add(lines)


def measure_turns(part: str, chosen: argparse.Namespace, results: Results) -> None:
    """A part of times, one after the other; a table's lines are measured together."""
    for table in TABLES[part]:
        if chosen.tables and table not in chosen.tables:
            continue
        there = {key_of(line) for line in results.lines if line[:2] == (part, table)}
        if there and not chosen.again:
            continue
        results.drop(there)
        for lines in by_key(measured(part, table, chosen.splits or ROUNDS[part])):
            results.add(lines)


def by_key(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Lines that were measured together."""
    kept: list[Line] = []
    for line in lines:
        if kept and key_of(kept[0]) != key_of(line):
            yield kept
            kept = []
        kept.append(line)
    if kept:
        yield kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="?", const="", default=",".join(PARTS))
    parser.add_argument("--tables", default="")
    parser.add_argument("--systems", default="")
    parser.add_argument("--splits", type=int, default=0, help="as many as the part has")
    parser.add_argument("--again", action="store_true", help="measure what is recorded again")
    parser.add_argument("--jobs", type=int, default=1, help="splits at a time")
    parser.add_argument("--quick", action="store_true", help="a rehearsal on few tables")
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    names = [name for name in chosen.only.split(",") if name]
    if unknown := sorted(set(names) - set(PARTS)):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(PARTS)}")
    chosen.tables = [name for name in chosen.tables.split(",") if name]
    chosen.systems = [name for name in chosen.systems.split(",") if name]
    if chosen.quick:
        names, chosen.splits, chosen.systems = list(QUICK), 1, [OURS]
    results = Results(output_path(chosen.output, "add_up.csv", quick=chosen.quick))
    for part in names:
        if chosen.quick:
            chosen.tables = QUICK[part]
        (measure_splits if part in PARTS_OF else measure_turns)(part, chosen, results)
    print(f"\n{summarised(results.lines)}\n\nrecorded in {results.path}")


if __name__ == "__main__":
    main()
