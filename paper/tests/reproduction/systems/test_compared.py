"""The systems that the paper compares with: their forms, and what is measured of them."""

import numpy as np
import pandas as pd
import pytest

from unfis_paper.datasets import load_dataset
from unfis_paper.reproduction.protocol import answered_as_stream, measure
from unfis_paper.reproduction.reproduce import runs_for
from unfis_paper.reproduction.systems import COMPARED_SYSTEMS, SYSTEMS

IRIS = load_dataset("iris")
X, Y = IRIS.coded(), IRIS.target


def test_every_system_is_raw_and_scaled_held_out_and_a_stream():
    names = {system.name for system in COMPARED_SYSTEMS}
    assert len(names) == len(COMPARED_SYSTEMS)
    for name in ("EFNN-NullUni", "ENFS-Uni0", "ALMMo-0", "EFNHN", "EFNN"):
        for scale in ("raw", "scaled"):
            assert {f"{name}, {scale}", f"{name}, {scale}, test-then-train"} <= names
    batch = [name for name in names if "UNInull" in name]
    assert sorted(batch) == ["UNInull-FNN, raw", "UNInull-FNN, scaled"]
    assert all(system.stream == ("test-then-train" in system.name) for system in COMPARED_SYSTEMS)


@pytest.mark.parametrize("system", COMPARED_SYSTEMS, ids=lambda system: system.name)
def test_every_form_is_measured(system):
    found = measure(IRIS, system, 0)
    assert found.get("error") is None
    assert found["accuracy"] > 0.5
    assert found["rules"] >= 1
    assert found["conditions"] >= 1


@pytest.mark.parametrize("name", ["ALMMo-0", "EFNN"])
def test_the_scale_is_that_of_the_training_rows(name):
    raw, scaled = (SYSTEMS[f"{name}, {scale}"].build(0).fit(X, Y) for scale in ("raw", "scaled"))
    np.testing.assert_array_equal(raw[:-1].transform(X), X.to_numpy())
    np.testing.assert_allclose(scaled[:-1].transform(X).mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(scaled[:-1].transform(X).std(axis=0), 1)


def test_a_stream_answers_a_row_before_it_learns_from_it():
    """Setosas, which never were in the training rows, are right from the second one on."""
    known = Y != "setosa"
    model = SYSTEMS["ALMMo-0, raw"].build(0)
    model[-1].partial_fit(X[known].to_numpy(), Y[known], classes=np.unique(Y))
    model[:-1].fit(X[known])
    rows, labels = X[~known].iloc[:5], Y[~known].iloc[:5]
    answers = answered_as_stream(model, rows, labels)
    right = model[-1].classes_[answers.argmax(axis=1)] == labels.to_numpy()
    assert right.tolist() == [False, True, True, True, True]


def test_a_stream_of_a_class_at_a_time_tells_what_comes_next():
    """Inputs that tell nothing: in the order of the classes a stream is right more often."""
    generator = np.random.RandomState(0)
    rows, labels = pd.DataFrame(generator.normal(size=(300, 3))), np.arange(300) % 2
    shares = []
    for order in (np.arange(100, 300), 100 + np.argsort(labels[100:], kind="stable")):
        model = SYSTEMS["ENFS-Uni0, scaled, test-then-train"].build(0)
        model.fit(rows[:100], labels[:100])
        at_once = model.predict_proba(rows.iloc[order])
        answers = answered_as_stream(model, rows.iloc[order], labels[order])
        np.testing.assert_allclose(answers[0], at_once[0])
        shares.append((answers.argmax(axis=1) == labels[order]).mean())
    assert shares[0] < 0.6
    assert shares[1] > 0.7


def test_streams_and_raw_inputs_run_on_the_sets_as_printed():
    runs = {(run.set, run.system) for run in runs_for("all", ["AUT"], 1)}
    assert {name for name, system in runs if system == "EFNN, raw"} == {"autism-18"}
    assert {name for name, system in runs if system == "EFNN, scaled"} == {"autism-18", "autism"}
