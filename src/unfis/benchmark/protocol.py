"""The protocol: random splits, what is measured on each, and a file of results that never breaks.

Every run is one line of a CSV, written when it is done. A run that is in the file is not done
again, so that whatever was interrupted goes on where it stopped.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import re
import time
import warnings
from collections.abc import Callable, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.benchmark.systems import System
from unfis.datasets import Dataset, load_dataset

TEST_SHARE = 0.3
BINS = 10
MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "roc_auc",
    "log_loss",
    "calibration_error",
    "rules",
    "conditions",
    "active",
    "fit_seconds",
    "predict_seconds",
)
HEADER = ("set", "system", "seed", *MEASURES, "error")


class Run(NamedTuple):
    """One system on one split of one set; the seed is the split's and the system's."""

    set: str
    system: str
    seed: int


def measure(dataset: Dataset, system: System, seed: int) -> dict[str, Any]:
    """All measures of one run; "error" says why there are none."""
    if system.missing:
        return {"error": f"not installed: {system.missing}"}
    from sklearn.model_selection import train_test_split

    X = dataset.coded() if system.coded else dataset.frame
    parts = train_test_split(X, dataset.target, test_size=TEST_SHARE, random_state=seed)
    X_train, X_test, y_train, y_test = parts
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
            began = time.perf_counter()
            model = system.build(seed).fit(X_train, y_train)
            fitted = time.perf_counter()
            probabilities = np.asarray(model.predict_proba(X_test), dtype=float)
            ended = time.perf_counter()
            found = scores(np.asarray(y_test), probabilities, np.asarray(model.classes_))
            found |= system.size(model)
    except Exception as error:  # a peer may fail in any way, and must not end the others
        return {"error": f"{type(error).__name__}: {error}".replace("\n", " ")[:200]}
    return {**found, "fit_seconds": fitted - began, "predict_seconds": ended - fitted}


def scores(y: Any, probabilities: Array, classes: Any) -> dict[str, float]:
    """How good probabilities are for labels; classes are in the order of the columns."""
    from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss, roc_auc_score

    if not np.isfinite(probabilities).all():
        raise ValueError("the probabilities are not finite.")
    predicted = classes[probabilities.argmax(axis=1)]
    binary = len(classes) == 2
    score = probabilities[:, 1] if binary else probabilities
    every = len(np.unique(y)) == len(classes)
    clipped = np.clip(probabilities, 1e-15, None)
    clipped /= clipped.sum(axis=1, keepdims=True)
    return {
        "accuracy": float(accuracy_score(y, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(y, predicted)),
        "roc_auc": float(roc_auc_score(y, score, multi_class="ovr", labels=classes))
        if every
        else float("nan"),
        "log_loss": float(log_loss(y, clipped, labels=classes)),
        "calibration_error": calibration_error(y == predicted, probabilities.max(axis=1)),
    }


def calibration_error(hits: Any, confidence: Array) -> float:
    """Mean distance of confidence from accuracy over ten equal bins, by their rows (ECE)."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    gaps = np.bincount(bins, weights=confidence - hits, minlength=BINS)
    return float(np.abs(gaps).sum() / counts.sum())


class Results:
    """The file of results: each line a run, whole or not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self._drop_torn_line()
        else:
            self._append([HEADER])

    def _drop_torn_line(self) -> None:
        """A line that was cut off in the middle is no run."""
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if not whole.startswith(",".join(HEADER).encode()):
            raise ValueError(
                f"{self.path} must begin with the columns {', '.join(HEADER)}. Move it away, or "
                "choose another folder with -o."
            )
        if whole != text:
            part = self.path.with_suffix(".part")
            part.write_bytes(whole)
            part.replace(self.path)

    def _append(self, rows: Iterable[Iterable[Any]]) -> None:
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
            file.flush()
            os.fsync(file.fileno())

    def add(self, run: Run, measures: dict[str, Any]) -> None:
        """Write down a run."""
        cells = [measures.get(name, "") for name in (*MEASURES, "error")]
        self._append([[*run, *(f"{c:.6g}" if isinstance(c, float) else c for c in cells)]])

    def done(self) -> set[Run]:
        """The runs that are in the file, without those for which something is to be installed."""
        with self.path.open(newline="", encoding="utf-8") as file:
            return {
                Run(row["set"], row["system"], int(row["seed"]))
                for row in csv.DictReader(file)
                if not row["error"].startswith("not installed")
            }

    def frame(self) -> Any:
        """All results as a data frame, the last one of each run."""
        import pandas

        table = pandas.read_csv(self.path)
        return table.drop_duplicates(["set", "system", "seed"], keep="last", ignore_index=True)


def run_all(
    runs: Iterable[Run],
    systems: dict[str, System],
    results: Results,
    *,
    data_home: Any = None,
    jobs: int = 2,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Do the runs that are not done yet, several at once, each written down when it is done."""
    from joblib import Parallel, delayed

    done = results.done()
    left = [run for run in dict.fromkeys(runs) if run not in done]
    datasets = {name: load_dataset(name, data_home=data_home) for name in {r.set for r in left}}
    used = {run.system: systems[run.system] for run in left}
    write_circumstances(results.path.with_name("circumstances.json"), used)
    progress(0, len(left))
    work = (delayed(one)(run, datasets[run.set], systems[run.system]) for run in left)
    outcomes = Parallel(n_jobs=jobs, return_as="generator_unordered")(work)
    for number, (run, measures) in enumerate(outcomes, start=1):
        results.add(run, measures)
        progress(number, len(left))


def one(run: Run, dataset: Dataset, system: System) -> tuple[Run, dict[str, Any]]:
    """A run and its measures."""
    return run, measure(dataset, system, run.seed)


def write_circumstances(path: Path, systems: dict[str, System]) -> None:
    """Add versions, machine and configurations to those that earlier runs of the file had."""
    if not systems:
        return
    packages = {"unfis", "numpy", "scipy", "scikit-learn", "pandas", "joblib", "torch"}
    packages |= {system.package for system in systems.values() if system.package}
    now = {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": {name: version_of(name) for name in sorted(packages)},
        "test share": TEST_SHARE,
        "systems": {name: configuration(system) for name, system in systems.items()},
    }
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    if now not in known:
        part = path.with_suffix(".part")
        part.write_text(json.dumps([*known, now], indent=2) + "\n", encoding="utf-8")
        part.replace(path)


def configuration(system: System) -> str:
    """How a system is set, without addresses in memory, which differ each time."""
    if system.missing:
        return f"not installed: {system.missing}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(system.build(0)))


def version_of(package: str) -> str:
    """The installed version of a package, by its name or its module's."""
    names = metadata.packages_distributions().get(package, [package])
    try:
        return metadata.version(names[0])
    except metadata.PackageNotFoundError:
        return "not installed"
