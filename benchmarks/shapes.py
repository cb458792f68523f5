"""Default fits of made tables of many shapes beside histogram boosting, and what is asked of them.

python benchmarks/shapes.py [--only NAME,NAME] [--rounds 3] [--limit 900]
    [--output benchmarks/results/shapes.csv]

A name is rows to learn from x inputs x classes, or `classes`: how the time grows with their number.
Of every table: seconds, their ratio to boosting's, accuracy on held-out rows (three in ten of all),
also logistic regression's where it takes a minute at most, rules and conditions.

What is compared is measured in turns, each round in another order, each fit in a process of its
own that has so many seconds. Boosting has two turns, with all threads and with one: where others
use the cores its threads wait for each other, so ours is compared with the faster of the two. A
name that is measured replaces its own lines of the output; `--only` alone measures nothing and
prints what is recorded.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shape_jobs
from measuring import (
    Line,
    Quartiles,
    growth_exponent,
    in_child,
    in_turns,
    lines_of,
    markdown,
    output_path,
    ratios,
    read_lines,
    write_rows,
)
from rivals import BOOSTING, LINEAR
from shape_jobs import OURS
from shape_tables import CLASSES
from summary import Asked, Recorded, at_most

ONE_THREAD = f"{BOOSTING}, one thread"
CHEAP = 60.0  # seconds of logistic regression, which is measured once


class Case(NamedTuple):
    """How long a fit of a table may take, in seconds or in times of boosting's."""

    ratio: float | None = None
    seconds: float | None = None


class Series(NamedTuple):
    """Tables by a number that grows, and how the time of their fits may."""

    points: dict[int, str]
    exponent: float


RATIOS = {"5000x20x10": 2, "10000x20x2": 2, "50000x20x2": 2, "100000x20x2": 1, "200000x20x2": 1}
SECONDS = {
    "20000x16x26": 60,
    "28000x6x18": 60,
    "5000x20x40": 30,
    "3000x60x3": 10,
    "300-kinds": 5,
    "2000x500x2": 6,
    "360x90x15": 10,
}
SHOWN = ("990x13x11", "5500x40x11", "360x34x6", "1728x6x4")
CASES = {
    **{table: Case(ratio=limit) for table, limit in RATIOS.items()},
    **{table: Case(seconds=limit) for table, limit in SECONDS.items()},
    **{table: Case() for table in SHOWN},
}
SERIES = {"classes": Series({n: f"5000x20x{n}" for n in CLASSES}, exponent=1.1)}
HEAD = ["table", "at most", "measured", "reached", "seconds", "boosting's", "ratio"]
HEAD += ["accuracy", "boosting's", "logistic regression's", "rules", "conditions"]


def work_of(
    table: str, system: str, limit: float, threads: int | None = None
) -> Callable[[], dict[str, Any]]:
    """A fit in a process of its own."""
    return partial(in_child, shape_jobs.fit_table, limit, threads, table=table, system=system)


def measured_case(name: str, rounds: int, limit: float) -> Iterator[Line]:
    """Ours and boosting in turns; logistic regression once."""
    works = {system: work_of(name, system, limit) for system in (OURS, BOOSTING)}
    works[ONE_THREAD] = work_of(name, BOOSTING, limit, threads=1)
    for number, system, found in in_turns(works, rounds):
        yield from lines_of(name, name, system, number, found)
    yield from lines_of(name, name, LINEAR, 0, work_of(name, LINEAR, min(limit, CHEAP))())


def measured_series(name: str, rounds: int, limit: float) -> Iterator[Line]:
    """All points in turns."""
    works = {table: work_of(table, OURS, limit) for table in SERIES[name].points.values()}
    for number, table, found in in_turns(works, rounds):
        yield from lines_of(name, table, OURS, number, found)


def boosting_seconds(name: str, recorded: Recorded) -> dict[int, float]:
    """Of each round the faster of boosting's two turns."""
    turns = [recorded.of(name, system, table=name) for system in (BOOSTING, ONE_THREAD)]
    numbers = set().union(*turns)
    return {n: min(turn[n] for turn in turns if n in turn) for n in sorted(numbers)}


def times_boosting(name: str, recorded: Recorded) -> Quartiles | None:
    """Our seconds in times of boosting's, within rounds."""
    found = ratios(recorded.of(name, OURS, table=name), boosting_seconds(name, recorded))
    return Quartiles.of(found) if found else None


def asked_of(name: str, recorded: Recorded) -> Asked:
    """What is asked of a table beside what was measured; none where nothing is asked."""
    case = CASES[name]
    seconds = list(recorded.of(name, OURS, table=name).values())
    why_not = note_of(name, OURS, recorded)
    if case.ratio is None and case.seconds is None:
        return Asked(name, "", why_not)
    if case.ratio is None:
        asked = at_most(name, case.seconds, Quartiles.of(seconds) if seconds else None, " s")
    else:
        asked = at_most(name, case.ratio, times_boosting(name, recorded), " x boosting")
    # A fit that was stopped is not a fast one, whatever other rounds say.
    return asked._replace(measured=why_not, reached=False) if why_not else asked


def note_of(name: str, system: str, recorded: Recorded) -> str:
    """Why a system has no value in some round, "" if it has one in each."""
    notes = (line.note for line in recorded.lines if (line.part, line.system) == (name, system))
    return next(filter(None, notes), "")


def case_cells(name: str, recorded: Recorded) -> list[str]:
    """All that is known of a table."""

    def median(system: str, measure: str, form: str) -> str:
        values = recorded.of(name, system, measure, name).values()
        if values:
            return format(float(np.median(list(values))), form)
        return note_of(name, system, recorded) if measure == "seconds" else ""

    rival, times = boosting_seconds(name, recorded), times_boosting(name, recorded)
    cells = [median(OURS, "seconds", ".3g")]
    cells += [
        f"{np.median(list(rival.values())):.3g}" if rival else note_of(name, BOOSTING, recorded)
    ]
    cells += [f"{times.median:.3g}" if times else ""]
    cells += [median(system, "accuracy", ".1f") for system in (OURS, BOOSTING, LINEAR)]
    return [*cells, *(median(OURS, measure, ".0f") for measure in ("rules", "conditions"))]


def series_cells(name: str, recorded: Recorded) -> Iterator[list[str]]:
    """The exponent of each round's times, with their median, and every point."""
    points, limit = SERIES[name]
    by_point = {n: recorded.of(name, OURS, table=table) for n, table in points.items()}
    rounds = set.intersection(*(set(values) for values in by_point.values()))
    found = [growth_exponent(list(points), [by_point[n][r] for n in points]) for r in rounds]
    work = f"growth with {name}, {min(points)} to {max(points)}"
    asked = at_most(work, limit, Quartiles.of(found) if found else None)
    if not found and (note := note_of(name, OURS, recorded)):
        asked = asked._replace(measured=note, reached=False)
    yield asked.cells()
    for n, table in points.items():
        seconds, accuracy = (
            list(recorded.of(name, OURS, measure, table).values())
            for measure in ("seconds", "accuracy")
        )
        if seconds:
            told = f"{Quartiles.of(seconds)} s" + (f", {accuracy[0]:.1f} %" if accuracy else "")
            yield [f"{n} {name}: {table}", "", told, ""]


def summarised(lines: list[Line]) -> str:
    """Every table that was measured, then how times grow."""
    recorded, there = Recorded(lines), {line.part for line in lines}
    cases = [
        [*asked_of(name, recorded).cells(), *case_cells(name, recorded)]
        for name in CASES
        if name in there
    ]
    grown = [cells for name in SERIES if name in there for cells in series_cells(name, recorded)]
    tables = [(HEAD, cases), (["work", *HEAD[1:4]], grown)]
    return "\n\n".join(markdown(head, rows) for head, rows in tables if rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    everything = [*CASES, *SERIES]
    parser.add_argument("--only", nargs="?", const="", default=",".join(everything))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=900.0, help="seconds of one fit")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name]
    if unknown := sorted(set(names) - set(everything)):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(everything)}")
    output = output_path(arguments.output, "shapes.csv", quick=False)
    for name in names:
        measured = measured_case if name in CASES else measured_series
        kept = [line for line in read_lines(output) if line.part != name]
        for line in measured(name, arguments.rounds, arguments.limit):
            value = line.note if line.value is None else f"{line.value:.4g}"
            print(*line[:3], f"round {line.round}", line.measure, value, sep=", ", flush=True)
            kept.append(line)
            write_rows(output, [line._asdict() for line in kept])
    print(f"\n{summarised(read_lines(output))}\n\nrecorded in {output}")


if __name__ == "__main__":
    main()
