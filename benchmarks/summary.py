"""What is asked of speed beside what `speed.py` recorded."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from measuring import Line, Quartiles, markdown, ratios
from tables import SHIPPED

OURS = "unfis"
FUZZY_PEERS = ("ex-fuzzy", "HTSK", "PyTSK", "xanfis (light)")


class Asked(NamedTuple):
    """One thing that is asked, and what was measured."""

    work: str
    asked: str
    measured: str
    reached: bool | None = None  # None where nothing is asked or nothing is known

    def cells(self) -> list[str]:
        """As words."""
        words = {True: "yes", False: "no", None: ""}
        return [self.work, self.asked, self.measured, words[self.reached]]


class Recorded:
    """Lines of results, by what they are of: round -> value."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self._values: dict[tuple[str, ...], dict[int, float]] = defaultdict(dict)
        for line in lines:
            if line.value is not None:
                key = (line.part, line.table, line.system, line.measure)
                self._values[key][line.round] = line.value

    def of(
        self, part: str, system: str, measure: str = "seconds", table: str = ""
    ) -> dict[int, float]:
        """Values by round, none if there are none."""
        return self._values.get((part, table, system, measure), {})

    def ratio(self, part: str, ours: str, other: str, table: str = "") -> Quartiles | None:
        """Ours over another's seconds, within rounds."""
        found = ratios(self.of(part, ours, table=table), self.of(part, other, table=table))
        return Quartiles.of(found) if found else None


def at_most(work: str, limit: float, found: Quartiles | None, unit: str = "") -> Asked:
    """The median is asked to be at most a limit."""
    if found is None:
        return Asked(work, f"{limit:g}{unit}", "not measured")
    return Asked(work, f"{limit:g}{unit}", f"{found}{unit}", found.median <= limit)


def small_fits(recorded: Recorded) -> Iterator[Asked]:
    """Default fits of small tables."""
    for table in SHIPPED:
        for other, limit in {"EBM": 0.5, "EBM (light)": None, "logistic regression": None}.items():
            found = recorded.ratio("small", OURS, other, table)
            work = f"default fit / {other}, {table}"
            if limit is not None:
                yield at_most(work, limit, found)
            elif found is not None:
                yield Asked(work, "", str(found))
    for table in SHIPPED:
        yield from fuzzy_peers(recorded, table)


def fuzzy_peers(recorded: Recorded, table: str) -> Iterator[Asked]:
    """The default fit beside every fuzzy peer that is as accurate."""
    ours = recorded.of("small", OURS, "accuracy", table)
    for peer in FUZZY_PEERS:
        found = recorded.ratio("small", OURS, peer, table)
        if found is None or not ours:
            continue
        theirs = recorded.of("small", peer, "accuracy", table)
        accuracies = [float(np.mean(list(values.values()))) for values in (ours, theirs)]
        told = "{:.1f} % against {:.1f} %".format(*accuracies)
        as_accurate = accuracies[1] >= accuracies[0]
        yield Asked(
            f"default fit / {peer}, {table}",
            "1 if it is as accurate" if as_accurate else "",
            f"{found}; {told}",
            found.median < 1 if as_accurate else None,
        )


def predictions(recorded: Recorded) -> Iterator[Asked]:
    """Probabilities of many rows, predictions of few."""
    found = recorded.ratio("many", OURS, "histogram boosting")
    yield at_most("predict_proba, 1M x 20 / boosting", 1, found)
    for size, limit in {"1 row": 1, "1,000 rows": 2}.items():
        seconds = recorded.of("few", f"{OURS}, {size}").values()
        found = Quartiles.of(1000 * value for value in seconds) if seconds else None
        yield at_most(f"predict of {size}", limit, found, " ms")


def imported(recorded: Recorded) -> Iterator[Asked]:
    """Imports and starts of commands beside scikit-learn's import."""
    for statement in ("import unfis", "from unfis import UNFISClassifier"):
        found = recorded.ratio("import", statement, "import sklearn.linear_model")
        yield at_most(f"{statement} / import sklearn.linear_model", 1.2, found)
    for command in ("rules", "predict", "explain", "export"):
        found = recorded.ratio("start", f"unfis {command}", "import sklearn")
        yield at_most(f"unfis {command}, iris / python -c 'import sklearn'", 0.5, found)


def medians(recorded: Recorded) -> str:
    """Seconds and accuracy of every system on the small tables."""
    names = dict.fromkeys(line.system for line in recorded.lines if line.part == "small")
    rows = []
    for name in names:
        cells = [name]
        for table in SHIPPED:
            seconds = recorded.of("small", name, table=table).values()
            accuracy = recorded.of("small", name, "accuracy", table).values()
            told = f"{Quartiles.of(seconds)} s, {np.mean(list(accuracy)):.1f} %" if accuracy else ""
            cells.append(told or note_of(recorded, name, table))
        rows.append(cells)
    return markdown(["system", *SHIPPED], rows)


def note_of(recorded: Recorded, name: str, table: str) -> str:
    """Why a system has no values."""
    notes = (
        line.note
        for line in recorded.lines
        if line.part == "small" and line.system == name and line.table in ("", table) and line.note
    )
    return next(notes, "not measured")


def summarised(lines: list[Line]) -> str:
    """Everything that is asked, with what was measured."""
    recorded = Recorded(lines)
    rows = [*small_fits(recorded), *predictions(recorded), *imported(recorded)]
    asked = markdown(["work", "at most", "measured", "reached"], [row.cells() for row in rows])
    return f"\n{medians(recorded)}\n\n{asked}"
