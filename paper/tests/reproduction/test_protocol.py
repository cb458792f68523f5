"""What is measured, what is done again, and peers that fail in every way."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from unfis.evaluation.calibration import calibration_error, equal_bins
from unfis_paper.datasets import load_dataset
from unfis_paper.reproduction.protocol import LOST, measure, run_all, scores
from unfis_paper.reproduction.results import Results, Run
from unfis_paper.reproduction.systems.adapter import ComparedSystem

LOGISTIC = ComparedSystem("logistic", lambda seed: LogisticRegression(max_iter=1000))
ABSENT = ComparedSystem("absent", lambda seed: None, packages=("no_such_package_here",))


def failing(name, how):
    """A peer whose fit does something else; made here, so that it reaches other processes."""

    class Fails(DummyClassifier):
        def fit(self, X, y):
            how()

    return ComparedSystem(name, lambda seed: Fails())


def systems():
    """A peer that works, one that is absent, and those that fail."""

    def raise_error():
        raise RuntimeError("no\nidea")

    def leave():
        raise SystemExit(3)

    def die():
        import os

        os._exit(1)

    def import_more():
        import no_such_package_either  # noqa: F401

    def cannot_be_built(seed):
        raise RuntimeError("broken import")

    found = [
        ComparedSystem("dummy", lambda seed: DummyClassifier()),
        ABSENT,
        failing("raises", raise_error),
        failing("leaves", leave),
        failing("dies", die),
        failing("lacks", import_more),
        ComparedSystem("unbuilt", cannot_be_built),
    ]
    return {system.name: system for system in found}


ERRORS = {
    "raises": "RuntimeError: no idea",
    "leaves": "SystemExit: 3",
    "dies": LOST,
    "lacks": "not installed: no_such_package_either",
    "unbuilt": "RuntimeError: broken import",
    "absent": "not installed: no_such_package_here",
    "dummy": "",
}


def test_measures_of_a_run():
    found = measure(load_dataset("iris"), LOGISTIC, 0)
    assert found["accuracy"] == pytest.approx(44 / 45)
    assert 0 < found["log_loss"] < 0.3
    assert found["fit_seconds"] > 0
    assert measure(load_dataset("iris"), LOGISTIC, 0)["log_loss"] == found["log_loss"]


@pytest.mark.parametrize("name", sorted(set(ERRORS) - {"dies", "dummy"}))
def test_what_fails_or_is_missing_says_so(name):
    assert measure(load_dataset("iris"), systems()[name], 0) == {"error": ERRORS[name]}


def test_no_failing_peer_ends_the_others(tmp_path):
    """Not even one that ends its process: that run alone has no result."""
    results = Results(tmp_path / "runs.csv")
    runs = [Run("iris", name, 0) for name in ERRORS]
    run_all(runs, systems(), results, jobs=2)
    assert {run: line.error for run, line in results.latest().items()} == {
        run: ERRORS[run.system] for run in runs
    }
    assert len(list(results.lines())) == len(runs)


def test_categories_are_such_but_for_the_paper():
    """Codes of categories reach a peer as categories, the paper's networks as numbers."""
    seen = []

    class Looks(DummyClassifier):
        def fit(self, X, y):
            seen.append(X["code"].dtype.name)
            return super().fit(X, y)

    data = load_dataset("iris")
    frame = data.frame.assign(code=np.arange(150) % 3)
    data = type(data)("iris", "IRI", frame, data.target, {"code": "category"}, "", "")
    for coded in (False, True):
        measure(data, ComparedSystem("looks", lambda seed: Looks(), coded=coded), 0)
    assert seen == ["category", "int64"]


def test_scores_by_hand():
    y = np.array(["a", "a", "a", "b"])
    probabilities = np.array([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6], [0.3, 0.7]])
    found = scores(y, probabilities, np.array(["a", "b"]))
    assert found["accuracy"] == 0.75
    assert found["balanced_accuracy"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["roc_auc"] == roc_auc_score(y == "b", probabilities[:, 1]) == 1
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.8, 0.4, 0.7]).mean())


def test_a_class_that_is_not_in_the_test_part():
    probabilities = np.full((3, 3), 1 / 3)
    found = scores(np.array([0, 0, 1]), probabilities, np.arange(3))
    assert np.isnan(found["roc_auc"])
    assert found["log_loss"] == pytest.approx(np.log(3))


def test_probabilities_that_are_none():
    with pytest.raises(ValueError, match="not finite"):
        scores(np.array([0, 1]), np.array([[np.nan, 1], [0, 1]]), np.arange(2))


def test_calibration_error_by_hand():
    hits = np.array([1, 0, 1, 1])
    confidence = np.array([0.95, 0.95, 0.65, 0.65])
    assert calibration_error(equal_bins(hits, confidence)) == pytest.approx((0.9 + 0.7) / 4)
    assert calibration_error(equal_bins(np.ones(3), np.ones(3))) == 0


def test_results_are_kept_and_nothing_is_done_twice(tmp_path):
    results = Results(tmp_path / "runs.csv")
    runs = [Run("iris", name, seed) for name in ("dummy", "raises", "absent") for seed in range(3)]
    seen = []
    run_all(runs[:5], systems(), results, jobs=1, progress=lambda *counts: seen.append(counts))
    assert seen == [(done, 5) for done in range(6)]
    before = results.path.read_text()
    run_all(runs, systems(), results, jobs=1, progress=lambda *counts: seen.append(counts))
    assert seen[6] == (0, 4)
    assert results.path.read_text().startswith(before)
    run_all(runs, systems(), results, jobs=1)
    assert len(list(results.lines())) == 9


def test_what_was_not_installed_is_done_once_it_is(tmp_path):
    results = Results(tmp_path / "runs.csv")
    run = Run("iris", "absent", 0)
    for _ in range(3):
        run_all([run], {"absent": ABSENT}, results, jobs=1)
    assert len(list(results.lines())) == 1
    installed = ComparedSystem("absent", lambda seed: DummyClassifier())
    run_all([run], {"absent": installed}, results, jobs=1)
    assert results.latest()[run].error == ""
    run_all([run], {"absent": ABSENT}, results, jobs=1)
    assert results.latest()[run].error == ""


def test_a_system_that_is_set_otherwise_is_run_again(tmp_path):
    results = Results(tmp_path / "runs.csv")
    run = Run("iris", "dummy", 0)
    for strategy, count in (("prior", 1), ("prior", 1), ("uniform", 2)):
        system = ComparedSystem("dummy", lambda seed, s=strategy: DummyClassifier(strategy=s))
        run_all([run], {"dummy": system}, results, jobs=1)
        assert len(list(results.lines())) == count
    known = json.loads((tmp_path / "circumstances.json").read_text())
    assert [line.circumstances for line in results.lines()] == [one["id"] for one in known]
    assert all(one["sessions"][0]["runs"] == 1 for one in known)


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    results = Results(tmp_path / "runs.csv")
    runs = [Run("iris", "dummy", seed) for seed in range(3)]
    run_all(runs, systems(), results, jobs=1)
    text = results.path.read_text()
    results.path.write_text(text[: text.rfind("iris") + 9])
    again = Results(results.path)
    assert set(again.latest()) == set(runs[:2])
    run_all(runs, systems(), again, jobs=1)
    assert set(again.latest()) == set(runs)
    assert len(again.path.read_text().splitlines()) == 4
