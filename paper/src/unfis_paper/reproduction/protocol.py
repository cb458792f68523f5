"""The protocol: random splits, what is measured on each, several runs at once.

A run that is in the file of results is not done again, so that whatever was interrupted goes on
where it stopped.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky.process_executor import BrokenProcessPool
from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from unfis.arrays import Array
from unfis.evaluation.calibration import calibration_error, equal_bins
from unfis_paper.datasets import Dataset, load_dataset
from unfis_paper.reproduction.circumstances import Circumstances, configuration
from unfis_paper.reproduction.paper import TEST_SHARE
from unfis_paper.reproduction.results import NOT_INSTALLED, Results, Run
from unfis_paper.reproduction.systems.adapter import ComparedSystem

LOST = "the process that did it ended without a word"
MeasuredRun = tuple[Run, dict[str, Any]]


def measure(dataset: Dataset, system: ComparedSystem, seed: int) -> dict[str, Any]:
    """All measures of one run; "error" says why there are none."""
    if system.missing:
        return {"error": f"{NOT_INSTALLED}: {system.missing}"}
    X = dataset.coded() if system.coded else dataset.typed()
    parts = train_test_split(X, dataset.target, test_size=TEST_SHARE, random_state=seed)
    X_train, X_test, y_train, y_test = parts
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
            # Seconds of a core, which do not depend on what else the machine does.
            began = time.process_time()
            model = system.build(seed).fit(X_train, y_train)
            fitted = time.process_time()
            answer_rows = answered_as_stream if system.stream else answered_at_once
            probabilities = answer_rows(model, X_test, y_test)
            ended = time.process_time()
            found = scores(np.asarray(y_test), probabilities, np.asarray(model.classes_))
            found |= system.observe(model, X_train, y_train)
    except ImportError as error:
        return {"error": f"{NOT_INSTALLED}: {error.name or error}"}
    except (Exception, SystemExit) as error:  # a peer may fail in any way, and must not end others
        return {"error": f"{type(error).__name__}: {error}".replace("\n", " ")[:200]}
    return {**found, "fit_seconds": fitted - began, "predict_seconds": ended - fitted}


def answered_at_once(model: Any, X: Any, y: Any) -> Array:
    """Probabilities of rows whose classes the model never sees."""
    return np.asarray(model.predict_proba(X), dtype=float)


def answered_as_stream(model: Any, X: Any, y: Any) -> Array:
    """Probabilities of rows, each learned from with its class once it is answered."""
    rows, last, answers = model[:-1].transform(X), model[-1], []
    for k, label in enumerate(np.asarray(y)):
        answers.append(last.predict_proba(rows[k : k + 1]))
        last.partial_fit(rows[k : k + 1], [label])
    return np.concatenate(answers)


def scores(y: Any, probabilities: Array, classes: Any) -> dict[str, float]:
    """How good probabilities are for labels; classes are in the order of the columns."""
    if not np.isfinite(probabilities).all():
        raise ValueError("the probabilities are not finite.")
    predicted = classes[probabilities.argmax(axis=1)]
    score = probabilities[:, 1] if len(classes) == 2 else probabilities
    every = len(np.unique(y)) == len(classes)
    clipped = np.clip(probabilities, 1e-15, None)
    clipped /= clipped.sum(axis=1, keepdims=True)
    roc_auc = roc_auc_score(y, score, multi_class="ovr", labels=classes) if every else np.nan
    return {
        "accuracy": float(accuracy_score(y, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(y, predicted)),
        "roc_auc": float(roc_auc),
        "log_loss": float(log_loss(y, clipped, labels=classes)),
        "calibration_error": calibration_error(
            equal_bins(y == predicted, probabilities.max(axis=1))
        ),
    }


def run_all(
    runs: Iterable[Run],
    systems: dict[str, ComparedSystem],
    results: Results,
    *,
    data_home: Any = None,
    jobs: int = 2,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Do the runs that are not done yet, several at once, each written down when it is done."""
    circumstances = Circumstances(results.path.with_name("circumstances.json"))
    left = left_of(runs, systems, results, circumstances)
    progress(0, len(left))
    if not left:
        return
    datasets = {name: load_dataset(name, data_home=data_home) for name in {r.set for r in left}}
    identifier = circumstances.begin({run.system: systems[run.system] for run in left}, jobs)
    try:
        for run, measures in outcomes(left, systems, datasets, jobs):
            results.add(run, measures, identifier)
            progress(circumstances.count(), len(left))
    finally:
        circumstances.write()


def left_of(
    runs: Iterable[Run],
    systems: dict[str, ComparedSystem],
    results: Results,
    circumstances: Circumstances,
) -> list[Run]:
    """The runs that are not done yet, or with a system that was set otherwise under its name."""
    known = results.latest()
    configured = cache(lambda name: configuration(systems[name]))

    def is_done(run: Run) -> bool:
        line = known.get(run)
        if line is None:
            return False
        if systems[run.system].missing:  # there is no better line to be had here
            return True
        before = circumstances.configuration(line.circumstances, run.system)
        return not line.is_absence and before in (None, configured(run.system))

    return [run for run in dict.fromkeys(runs) if not is_done(run)]


def outcomes(
    runs: list[Run], systems: dict[str, ComparedSystem], datasets: dict[str, Dataset], jobs: int
) -> Iterator[MeasuredRun]:
    """Runs with their measures, in the order in which they end.

    If a process is lost, the runs that may have been its are done again one by one, so that the
    one that ends its process again can be named.
    """
    left = dict.fromkeys(runs)
    for run in [run for run in runs if systems[run.system].missing]:
        del left[run]
        yield one(run, datasets[run.set], systems[run.system])
    careful = 0
    while left:
        batch = list(left)[:1] if careful else list(left)
        work = [(run, datasets[run.set], systems[run.system]) for run in batch]
        try:
            for run, measures in runs_in_processes(work, 1 if careful else jobs):
                del left[run]
                yield run, measures
        except BrokenProcessPool:
            if careful:
                del left[batch[0]]
                yield batch[0], {"error": LOST}
            else:
                careful = jobs + 1  # those at work, and the one that is counted down now
        careful = max(0, careful - 1)


def runs_in_processes(
    work: Iterable[tuple[Run, Dataset, ComparedSystem]], jobs: int
) -> Iterator[MeasuredRun]:
    """Do so many runs at once, each in a process with one thread, whatever the machine has."""
    # With a single process joblib would work in this one, which a peer could end.
    settings = {"n_jobs": max(2, jobs), "pre_dispatch": jobs, "batch_size": 1}
    with parallel_config("loky", inner_max_num_threads=1):
        parallel = Parallel(**settings, return_as="generator_unordered")
        yield from parallel(delayed(one)(*item) for item in work)


def one(run: Run, dataset: Dataset, system: ComparedSystem) -> MeasuredRun:
    """A run and its measures."""
    return run, measure(dataset, system, run.seed)
