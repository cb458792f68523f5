"""What is asked of speed beside what `speed.py` and `scale.py` recorded."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import Line, Quartiles, growth_exponent, markdown, ratios, read_rows
from tables import SHIPPED

FUZZY_PEERS = ("ex-fuzzy", "HTSK", "PyTSK", "xanfis (light)")
ROWS_OF_GROWTH = 10_000  # the smallest table that counts


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
    """Default and soft fits of small tables."""
    for table in SHIPPED:
        for other, limit in {"EBM": 0.5, "EBM (light)": None, "logistic regression": None}.items():
            found = recorded.ratio("small", "default", other, table)
            work = f"default fit / {other}, {table}"
            if limit is not None:
                yield at_most(work, limit, found)
            elif found is not None:
                yield Asked(work, "", str(found))
    for table in SHIPPED:
        yield from fuzzy_peers(recorded, table)
    for ours in ("soft", "soft, 2 rules, ridge 0.15"):
        by_table = [recorded.of("small", ours, table=table) for table in SHIPPED]
        others = [recorded.of("small", "logistic regression", table=table) for table in SHIPPED]
        rounds = set.intersection(*(set(values) for values in (*by_table, *others)))
        means = [
            float(
                np.exp(
                    np.mean([np.log(a[r] / b[r]) for a, b in zip(by_table, others, strict=True)])
                )
            )
            for r in rounds
        ]
        work = f"{ours} fit / logistic regression, geometric mean of three tables"
        yield at_most(work, 5, Quartiles.of(means) if means else None)


def fuzzy_peers(recorded: Recorded, table: str) -> Iterator[Asked]:
    """The default fit beside every fuzzy peer that is as accurate."""
    ours = recorded.of("small", "default", "accuracy", table)
    for peer in FUZZY_PEERS:
        found = recorded.ratio("small", "default", peer, table)
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


def large_fit(recorded: Recorded) -> Iterator[Asked]:
    """The fit of 1M rows: time, accuracy, memory, matrix products."""
    other = "histogram boosting"
    yield at_most(
        "fit, 1M x 20, 8 rules / boosting", 1, recorded.ratio("large", "ours", other, "float64")
    )
    values = [recorded.of("large", name, "accuracy", "float64") for name in ("ours", other)]
    if all(values):
        ours, theirs = (float(np.mean(list(found.values()))) for found in values)
        told = f"{ours:.2f} % against {theirs:.2f} %"
        yield Asked("its accuracy", "boosting's less 1 point", told, ours >= theirs - 1)
    for dtype in ("float64", "float32"):
        memory, data = (recorded.of("large", "ours", m, dtype) for m in ("memory", "data"))
        found = ratios(memory, data)
        work = f"its peak memory above the data / the data, {dtype}"
        yield at_most(work, 1, Quartiles.of(found) if found else None)
    shares = recorded.of("curvature", "ours", "share", "float64").values()
    measured = Quartiles.of(shares) if shares else None
    enough = None if measured is None else measured.median >= 0.5
    yield Asked(
        "share of the product rate, its curvature sums",
        "at least 0.5",
        str(measured or "not measured"),
        enough,
    )


def growth(path: Path) -> Iterator[Asked]:
    """Growth of the time of a fit with the rows, of the models that `scale.py` measured."""
    seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in read_rows(path):
        if row["axis"] == "rows" and row["seconds"] and int(row["size"]) >= ROWS_OF_GROWTH:
            seconds[row["model"]].append((float(row["size"]), float(row["seconds"])))
    for model, points in seconds.items():
        exponent = growth_exponent(*zip(*points, strict=True))
        up_to = f"{int(max(points)[0]):,}"
        work = f"growth with rows, 10,000 to {up_to}, {model}"
        yield Asked(work, "1.1", f"{exponent:.2f}", exponent <= 1.1)


def wide_fit(recorded: Recorded) -> Iterator[Asked]:
    """The fit of 5,000 inputs."""
    for line in recorded.lines:
        if line.part == "wide" and line.measure == "seconds":
            work = f"fit, {line.table}, soft, 2 rules"
            finite = recorded.of("wide", "ours", "finite", line.table).get(0) == 1
            told = line.note or f"{line.value:.3g} s, {'finite' if finite else 'not finite'}"
            good = line.value is not None and line.value <= 60 and finite
            yield Asked(work, "60 s, finite", told, good)


def predictions(recorded: Recorded) -> Iterator[Asked]:
    """Probabilities of many rows, predictions of few."""
    for kind in ("default", "soft", "none"):
        found = recorded.ratio("many", kind, "histogram boosting")
        yield at_most(f"predict_proba, 1M x 20, {kind} / boosting", 1, found)
    for kind in ("default", "soft"):
        for size, limit in {"1 row": 1, "1,000 rows": 2}.items():
            seconds = recorded.of("few", f"{kind}, {size}").values()
            found = Quartiles.of(1000 * value for value in seconds) if seconds else None
            yield at_most(f"predict of {size}, {kind}", limit, found, " ms")


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


def summarised(lines: list[Line], scale: Path) -> str:
    """Everything that is asked, with what was measured."""
    recorded = Recorded(lines)
    rows = [
        *small_fits(recorded),
        *large_fit(recorded),
        *growth(scale),
        *wide_fit(recorded),
        *predictions(recorded),
        *imported(recorded),
    ]
    asked = markdown(["work", "at most", "measured", "reached"], [row.cells() for row in rows])
    return f"\n{medians(recorded)}\n\n{asked}"
