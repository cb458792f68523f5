"""The file of results, a line of a CSV for every run that is done, and its summaries."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from unfis.serial.files import naming, write_whole
from unfis_paper.reproduction.paper import SETS

MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "roc_auc",
    "log_loss",
    "calibration_error",
    "rules",
    "conditions",
    "active",
    "selections_out",
    "selections_in",
    "curvature_start",
    "curvature_end",
    "step",
    "fit_seconds",
    "predict_seconds",
)
HEADER = ("set", "system", "seed", *MEASURES, "circumstances", "error")
NOT_INSTALLED = "not installed"


class Run(NamedTuple):
    """One system on one split of one set; the seed is the split's and the system's."""

    set: str
    system: str
    seed: int


class Line(NamedTuple):
    """A run with what came out, as it is in the file."""

    run: Run
    measures: dict[str, float]  # only those that there are
    circumstances: str  # the identifier of what it was done with
    error: str

    @property
    def is_absence(self) -> bool:
        """Whether it only says that something is to be installed."""
        return self.error.startswith(NOT_INSTALLED)


class Results:
    """The file of results: each line a run, whole or not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._begin()
        except OSError as error:
            raise OSError(
                f"{path} cannot be written ({error.strerror}). Choose another folder."
            ) from error

    def _begin(self) -> None:
        """A header if there is none yet; a line that was cut off in the middle is no run."""
        header = ",".join(HEADER).encode() + b"\n"
        text = self.path.read_bytes() if self.path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if not whole and header.startswith(text):
            whole = header
        if not whole.startswith(header):
            raise ValueError(
                f"{self.path} must begin with the columns {', '.join(HEADER)}. Move it away, or "
                "choose another folder."
            )
        if whole != text:
            write_whole(self.path, whole)

    def add(self, run: Run, measures: dict[str, Any], circumstances: str) -> None:
        """Write down a run."""
        cells = [measures.get(name, "") for name in MEASURES]
        numbers = [f"{cell:.6g}" if isinstance(cell, float) else cell for cell in cells]
        row = [*run, *numbers, circumstances, measures.get("error", "")]
        with naming(str(self.path)), self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(row)
            file.flush()
            os.fsync(file.fileno())

    def lines(self) -> Iterator[Line]:
        """All lines, checked."""
        with self.path.open(newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            next(reader)
            for row in reader:
                yield self._line(row, reader.line_num)

    def _line(self, row: list[str], number: int) -> Line:
        """A row of the file; a sentence where it is damaged."""
        if len(row) != len(HEADER):
            raise ValueError(
                f"{self.path}, line {number}, must have {len(HEADER)} cells, got {len(row)}. "
                "Remove the line, and its run is done again."
            )
        cells = dict(zip(HEADER, row, strict=True))
        try:
            run = Run(cells["set"], cells["system"], int(cells["seed"]))
            measures = {name: float(cells[name]) for name in MEASURES if cells[name]}
        except ValueError as error:
            raise ValueError(
                f"{self.path}, line {number}, must have numbers for seed and measures ({error}). "
                "Remove the line, and its run is done again."
            ) from error
        return Line(run, measures, cells["circumstances"], cells["error"])

    def latest(self) -> dict[Run, Line]:
        """The last line of each run."""
        return {line.run: line for line in self.lines()}

    def frame(self) -> Any:
        """The last line of each run as a data frame, with None where nothing was measured."""
        return frame_of(self.latest().values())


def frame_of(lines: Iterable[Line]) -> Any:
    """Lines as a data frame of the columns of the file."""
    import pandas

    rows = [line._asdict() | line.run._asdict() | line.measures for line in lines]
    frame = pandas.DataFrame(rows, columns=list(HEADER))
    return frame.astype(dict.fromkeys(MEASURES, float))


class Summary(NamedTuple):
    """A measure over runs; NaN where there are too few of them."""

    mean: float
    deviation: float
    runs: int

    def text(self, factor: float = 1.0, digits: int = 2) -> str:
        """A mean with its deviation, "-" where there is none."""
        if math.isnan(self.mean):
            return "-"
        known = not math.isnan(self.deviation)
        spread = f" ± {factor * self.deviation:.{digits}f}" if known else ""
        return f"{factor * self.mean:.{digits}f}{spread}"


@dataclass(frozen=True)
class Recorded:
    """Results of runs, and which of the paper's sets are asked for."""

    frame: Any  # a line per run, of a `Results`
    acronyms: list[str] = field(default_factory=lambda: list(SETS))
    data_home: Any = None  # the folder of data sets

    @cached_property
    def _runs(self) -> dict[tuple[str, str], Any]:
        """Runs with a result, by set and system, each with its seeds as index."""
        done = self.frame[self.frame["accuracy"].notna()]
        return dict(iter(done.set_index("seed").groupby(["set", "system"])))

    def values(self, name: str, system: str, measure: str = "accuracy") -> Any:
        """A measure of a system on a set by seed, a series; empty if it was not measured."""
        runs = self._runs.get((name, system))
        return self.frame[measure].iloc[:0] if runs is None else runs[measure].dropna()

    def summary(self, name: str, system: str, measure: str = "accuracy") -> Summary:
        """Mean, deviation and number of a measure's runs."""
        values = self.values(name, system, measure)
        return Summary(float(values.mean()), float(values.std(ddof=1)), len(values))

    def mean(self, name: str, system: str, measure: str = "accuracy") -> float:
        """The mean of a measure, NaN if it was not measured."""
        return self.summary(name, system, measure).mean

    def per_rule(self, name: str, system: str) -> float:
        """Conditions per rule, on average over the runs."""
        return self.mean(name, system, "conditions") / self.mean(name, system, "rules")
