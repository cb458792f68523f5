"""How long default fits take, and their memory: works that take turns.

Large tables are fitted in processes of their own, after a small fit. Boosting has two turns, with
all threads and with one, as in `shapes.py`: where others use the cores its threads wait for each
other. Memory is what a fit adds to the peak of a process that holds the table and little else.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import jobs
import shape_jobs
import tables
from add_up_jobs import OURS
from measuring import Line, in_child, in_turns, lines_of, seconds_of
from rivals import BOOSTING
from scoring import fit_quietly
from shapes import ONE_THREAD
from sklearn.ensemble import HistGradientBoostingClassifier

from unfis import UNFISClassifier

SMALL = ("iris", "wine", "heart")
ROWS = {
    "10000x20": (10_000, 20),
    "50000x20": (50_000, 20),
    "200000x20": (200_000, 20),
    "1000000x20": (1_000_000, 20),
    "100000x100": (100_000, 100),  # for its memory
}
FORMS = ("20000x16x26", "5000x20x40", "3000x60x3", "2000x500x2", "300-kinds")
TABLES: Mapping[str, tuple[str, ...]] = {"small": SMALL, "rows": tuple(ROWS), "forms": FORMS}
ROUNDS = {"small": 7, "rows": 3, "forms": 3}
FITS = 5  # of a small table in a round
LIMIT = 900.0  # seconds of a process
Works = Mapping[str, Callable[[], dict[str, Any]]]


def small_works(table: str) -> Works:
    """Fits of a whole set in this process."""
    X, y = tables.load(table)

    def fits() -> dict[str, float]:
        times = [seconds_of(lambda: fit_quietly(UNFISClassifier(), X, y)) for _ in range(FITS + 1)]
        return {"seconds": median(times[1:])}

    return {OURS: fits}


def rows_works(folder: Path) -> Works:
    """Fits of a made table, two classes and ten informative inputs, beside boosting."""
    fit = partial(in_child, jobs.fit, LIMIT, folder=folder)
    boosting = HistGradientBoostingClassifier(random_state=0)
    return {
        OURS: partial(fit, model=UNFISClassifier()),
        BOOSTING: partial(fit, model=boosting),
        ONE_THREAD: partial(fit, threads=1, model=boosting),
    }


def form_works(table: str) -> Works:
    """Fits of a table of `shape_tables.py`."""
    fit = partial(in_child, shape_jobs.fit_table, LIMIT, table=table)
    return {system: partial(fit, system=system) for system in (OURS, BOOSTING)}


@contextmanager
def works_of(part: str, table: str) -> Iterator[Works]:
    """What is to be measured of a table, while its files are there."""
    if part == "rows":
        with tempfile.TemporaryDirectory() as folder:
            jobs.write_table(Path(folder), *ROWS[table])
            yield rows_works(Path(folder))
    else:
        yield (small_works if part == "small" else form_works)(table)


def measured(part: str, table: str, rounds: int) -> Iterator[Line]:
    """Every system in turns."""
    with works_of(part, table) as works:
        for number, system, found in in_turns(works, rounds):
            yield from lines_of(part, table, system, number, found)
