import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

from unfis_paper.reproduction.systems import PEERS
from unfis_paper.reproduction.systems.adapter import standardised

NAMES = [
    "logistic regression",
    "tree",
    "random forest",
    "histogram boosting",
    "SVM",
    "EBM (light)",
    "ex-fuzzy",
    "HTSK",
    "DG-TSK (light)",
    "FSRE-AdaTSK (light)",
    "PyTSK",
    "xanfis (light)",
]


@pytest.fixture(params=PEERS, ids=[system.name for system in PEERS])
def system(request):
    if request.param.missing:
        pytest.skip(f"needs {request.param.missing}")
    return request.param


@pytest.fixture(scope="module")
def iris():
    data = load_iris(as_frame=True)
    labels = data.target.map(dict(enumerate(data.target_names)))
    return train_test_split(data.data, labels, test_size=45, random_state=0, stratify=labels)


@pytest.fixture(scope="module")
def mixed():
    """Two classes that a number and a text tell apart; a text of the new rows is unknown."""
    generator = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "size": generator.normal(size=80),
            "colour": generator.choice(["red", "green", "blue"], 80),
            "count": generator.randint(0, 9, 80),
        }
    )
    labels = np.where(frame["size"] + (frame["colour"] == "red") > 0.3, "yes", "no")
    new = frame.head(10).assign(colour=["violet", *frame["colour"][1:10]])
    return frame, new, labels


def assert_probable(model, frame, labels):
    probabilities = model.predict_proba(frame)
    assert list(model.classes_) == sorted(set(labels))
    assert probabilities.shape == (len(frame), len(model.classes_))
    assert np.isfinite(probabilities).all()
    assert (probabilities >= 0).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-9)


def test_names_and_their_order():
    assert [system.name for system in PEERS] == NAMES


def test_torch_is_asked_for_where_it_is_used(monkeypatch):
    """Its peers install without it, and would fail in every run."""
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "torch" else object()
    )
    wanting = [system.name for system in PEERS if system.missing == "torch"]
    assert wanting == ["HTSK", "DG-TSK (light)", "FSRE-AdaTSK (light)", "PyTSK", "xanfis (light)"]


def test_codes_that_are_categories_get_columns_of_their_own():
    frame = pd.DataFrame({"code": pd.Series([3, 6, 7, 3], dtype="category"), "x": [0.0, 1, 2, 3]})
    assert standardised().fit_transform(frame).shape == (4, 4)
    assert standardised().fit_transform(frame.astype(float)).shape == (4, 2)


def test_learns_iris(system, iris):
    frame, new, labels, new_labels = iris
    model = system.build(0).fit(frame, labels)
    predicted = model.predict(new)
    assert set(predicted) <= set(labels)
    assert np.mean(predicted == new_labels) > (0.7 if system.name == "ex-fuzzy" else 0.85)
    assert_probable(model, new, labels)


def test_learns_from_many_inputs(system):
    """Steps that are long enough for few inputs may diverge with thirty."""
    data = load_breast_cancer(as_frame=True)
    frame, new, labels, new_labels = train_test_split(
        data.data, data.target, test_size=0.3, random_state=0
    )
    assert np.mean(system.build(0).fit(frame, labels).predict(new) == new_labels) > 0.8


def test_reads_texts_and_unknown_ones(system, mixed, capfd):
    frame, new, labels = mixed
    model = system.build(0).fit(frame, labels)
    assert set(model.predict(new)) <= set(labels)
    assert_probable(model, new, labels)
    assert capfd.readouterr() == ("", "")


def test_same_seed_gives_same_predictions(system, mixed):
    frame, new, labels = mixed
    first, second = (system.build(3).fit(frame, labels).predict_proba(new) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_size_counts_rules_and_conditions(system, mixed):
    frame, _, labels = mixed
    size = system.observe(system.build(0).fit(frame, labels), frame, labels)
    assert set(size) in (set(), {"rules", "conditions"})
    assert all(count > 0 for count in size.values())
