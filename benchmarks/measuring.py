"""Measuring on a noisy machine: in turns, with the spread, and in processes of their own."""

import contextlib
import csv
import io
import json
import os
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from unfis.serial.files import write_whole

MEGABYTE = 1_000_000
HERE = Path(__file__).parent
CHILD = """
import importlib, json, pickle, sys
module, name = sys.argv[1:]
arguments = pickle.load(sys.stdin.buffer)
found = getattr(importlib.import_module(module), name)(**arguments)
print(json.dumps(found))
"""
NO_LIMIT = 24 * 3600.0  # seconds
LOOK_EVERY = 0.02  # seconds

Found = TypeVar("Found")


class Line(NamedTuple):
    """One measured number, as a line of a file of results."""

    part: str
    table: str
    system: str
    round: int
    measure: str
    value: float | None
    note: str = ""  # why there is no value


class Quartiles(NamedTuple):
    """What is in the middle of several measurements, and how far half of them spread."""

    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Quartiles":
        lower, median, upper = np.quantile(list(values), [0.25, 0.5, 0.75])
        return cls(float(median), float(lower), float(upper))

    def __str__(self) -> str:
        return f"{self.median:.3g} ({self.lower:.3g} to {self.upper:.3g})"


def seconds_of(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def in_turns(
    works: Mapping[str, Callable[[], Found]], rounds: int, seed: int = 0
) -> Iterator[tuple[int, str, Found]]:
    """Every work once per round, each round in another order: what disturbs one disturbs all."""
    shuffle = random.Random(seed)
    for number in range(rounds):
        names = list(works)
        shuffle.shuffle(names)
        for name in names:
            yield number, name, works[name]()


def gathered(works: Mapping[str, Callable[[], Found]], rounds: int) -> dict[str, list[Found]]:
    """What works in turns found, round by round."""
    found: dict[str, list[Found]] = {name: [] for name in works}
    for _, name, one in in_turns(works, rounds):
        found[name].append(one)
    return found


def ratios(numerators: Mapping[int, float], denominators: Mapping[int, float]) -> list[float]:
    """Ratios within rounds, of those rounds that have both."""
    return [
        numerators[number] / denominators[number] for number in numerators if number in denominators
    ]


def growth_exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of log value over log size; NaN of fewer than two points."""
    known = np.array([(s, v) for s, v in zip(sizes, values, strict=True) if v > 0])
    if len(known) < 2:
        return float("nan")
    return float(np.polyfit(*np.log(known).T, 1)[0])


def status(name: str) -> int:
    """Bytes that Linux tells of this process: VmHWM, RssAnon, VmData and so on."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


@contextlib.contextmanager
def peaks(*names: str) -> Iterator[dict[str, int]]:
    """The most that `status` tells of some names while the context lasts, looked at often."""
    found, ended = dict.fromkeys(names, 0), threading.Event()

    def look() -> None:
        while not ended.wait(LOOK_EVERY):
            found.update({name: max(found[name], status(name)) for name in names})

    watch = threading.Thread(target=look)
    watch.start()
    try:
        yield found
    finally:
        ended.set()
        watch.join()


def peak_memory() -> int:
    """The most bytes that this process has held at once."""
    if Path("/proc/self/status").exists():  # ru_maxrss of a process begins with its parent's
        return status("VmHWM")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def in_child(
    work: Callable[..., Any],
    limit: float = NO_LIMIT,
    threads: int | None = None,
    **arguments: Any,
) -> dict[str, Any]:
    """What a function finds in a process of its own; {"failed": why} if it does not."""
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    surroundings = {**os.environ, "PYTHONPATH": path}
    if threads is not None:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        surroundings |= dict.fromkeys(names, str(threads))
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", CHILD, work.__module__, work.__name__],
            input=pickle.dumps(arguments),
            env=surroundings,
            capture_output=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"over {limit:g} s"}
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        return {"failed": words[-1] if words else f"exit code {done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout.decode().splitlines()[-1])
    return found


def lines_of(
    part: str, table: str, system: str, number: int, found: Mapping[str, Any]
) -> list[Line]:
    """What was found as lines, one for each measure, or one that says why there is none."""
    if "failed" in found:
        return [Line(part, table, system, number, "seconds", None, found["failed"])]
    return [Line(part, table, system, number, name, value) for name, value in found.items()]


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """A CSV of rows that have the same columns; whole even if it is interrupted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
    write_whole(path, text.getvalue())


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV, none if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_lines(path: Path) -> list[Line]:
    """The lines of a file of results."""
    return [
        Line(
            **{
                **row,
                "round": int(row["round"]),
                "value": float(row["value"]) if row["value"] else None,
            }
        )
        for row in read_rows(path)
    ]


def output_path(wanted: Path | None, name: str, *, quick: bool) -> Path:
    """Where results go: a rehearsal's never where the real ones are, unless that is asked for."""
    folder = Path(tempfile.mkdtemp()) if quick and wanted is None else HERE / "results"
    return wanted or folder / name


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a reader."""
    full = ([*cells, *[""] * (len(head) - len(cells))] for cells in rows)
    lines = [head, ["---"] * len(head), *full]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
