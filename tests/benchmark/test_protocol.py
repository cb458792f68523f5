"""What is measured, and a file of results that never breaks."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from unfis.benchmark.protocol import (
    Results,
    Run,
    calibration_error,
    measure,
    run_all,
    scores,
    write_circumstances,
)
from unfis.benchmark.systems import System
from unfis.datasets import load_dataset

DUMMY = System("dummy", lambda seed: DummyClassifier())
LOGISTIC = System("logistic", lambda seed: LogisticRegression(max_iter=1000))


class Breaks:
    """A peer that fails."""

    def fit(self, X, y):
        raise RuntimeError("no\nidea")


BROKEN = System("broken", lambda seed: Breaks())
ABSENT = System("absent", lambda seed: None, package="no_such_package_here")
SYSTEMS = {system.name: system for system in (DUMMY, LOGISTIC, BROKEN, ABSENT)}


def test_measures_of_a_run():
    found = measure(load_dataset("iris"), LOGISTIC, 0)
    assert found["accuracy"] == pytest.approx(44 / 45)
    assert 0 < found["log_loss"] < 0.3
    assert found["fit_seconds"] > 0
    assert measure(load_dataset("iris"), LOGISTIC, 0)["log_loss"] == found["log_loss"]


def test_what_fails_or_is_missing_is_a_row_that_says_so():
    data = load_dataset("iris")
    assert measure(data, BROKEN, 0) == {"error": "RuntimeError: no idea"}
    assert measure(data, ABSENT, 0) == {"error": "not installed: no_such_package_here"}


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
    assert calibration_error(hits, confidence) == pytest.approx((0.9 + 0.7) / 4)
    assert calibration_error(np.ones(3), np.ones(3)) == 0


def test_results_are_kept_and_nothing_is_done_twice(tmp_path):
    results = Results(tmp_path / "deep" / "runs.csv")
    runs = [Run("iris", name, seed) for name in ("dummy", "broken", "absent") for seed in range(3)]
    seen = []
    run_all(runs[:5], SYSTEMS, results, jobs=1, progress=lambda *counts: seen.append(counts))
    assert seen == [(done, 5) for done in range(6)]
    before = results.path.read_text()
    again = Results(results.path)
    run_all(runs, SYSTEMS, again, jobs=1, progress=lambda *counts: seen.append(counts))
    assert seen[6] == (0, 4)
    after = results.path.read_text()
    assert after.startswith(before)
    frame = again.frame()
    assert len(frame) == 9
    assert frame["error"].isna().sum() == 3
    assert set(again.done()) == set(runs[:6])


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    results = Results(tmp_path / "runs.csv")
    runs = [Run("iris", "dummy", seed) for seed in range(3)]
    run_all(runs, SYSTEMS, results, jobs=1)
    text = results.path.read_text()
    results.path.write_text(text[: text.rfind("iris") + 9])
    again = Results(results.path)
    assert again.done() == set(runs[:2])
    run_all(runs, SYSTEMS, again, jobs=1)
    assert again.done() == set(runs)
    assert len(again.path.read_text().splitlines()) == 4


def test_another_file_in_the_way_is_not_touched(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="must begin with the columns set, system, seed"):
        Results(path)
    assert path.read_text() == "a,b\n1,2\n"


def test_the_circumstances_are_beside_the_results(tmp_path):
    path = tmp_path / "circumstances.json"
    for _ in range(2):
        write_circumstances(path, SYSTEMS)
    (found,) = json.loads(path.read_text())
    assert found["versions"]["numpy"] == np.__version__
    assert found["systems"]["dummy"] == "DummyClassifier()"
    assert found["systems"]["absent"] == "not installed: no_such_package_here"
    write_circumstances(path, {"dummy": DUMMY})
    assert [list(part["systems"]) for part in json.loads(path.read_text())][1] == ["dummy"]
    write_circumstances(tmp_path / "nothing.json", {})
    assert not (tmp_path / "nothing.json").exists()
