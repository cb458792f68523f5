"""What must hold whatever the table, by hypothesis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from networks import classifier

from unfis import SGD, GqLM, UNFISNetworkClassifier

few = settings(max_examples=8)
seeds = st.integers(0, 10_000)
selections = st.sampled_from(["decisive", "soft", "none"])
NETWORKS = [
    {"selection": selection, "initialisation": start}
    for selection in ("soft", "none")
    for start in ("k-means", "knn")
]


def table(seed, rows=40, features=3, classes=3):
    """A table in which the inputs tell the classes apart, more or less."""
    generator = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return generator.normal(size=(rows, features)) + generator.normal(size=(classes, features))[
        y
    ], y


@few
@given(
    seeds, selections, arrays(float, (5, 3), elements=st.floats(-1e300, 1e300) | st.just(np.nan))
)
def test_probabilities_are_probabilities(seed, selection, rows):
    clf = classifier(selection=selection).fit(*table(seed))
    probabilities = clf.predict_proba(rows)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def exact(selection):
    """Whole points are of round numbers of a unit, which are others in another unit."""
    points = {"points": "exact"} if selection == "decisive" else {}
    return classifier(selection=selection, **points)


@few
@given(seeds, selections, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_rescaling_and_shifting_an_input_changes_nothing(seed, selection, factor, shift):
    X, y = table(seed)
    moved = X.copy()
    moved[:, 1] = factor * X[:, 1] + shift
    one = exact(selection).fit(X, y)
    other = exact(selection).fit(moved, y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(moved), atol=1e-5)


@few
@given(seeds, selections, st.permutations(range(3)))
def test_permuting_inputs_permutes_the_result(seed, selection, order):
    X, y = table(seed)
    one = classifier(selection=selection).fit(X, y)
    other = classifier(selection=selection).fit(X[:, order], y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X[:, order]), atol=1e-5)


@few
@given(seeds, selections, st.permutations(range(3)))
def test_permuting_classes_permutes_the_result(seed, selection, order):
    X, y = table(seed)
    one = classifier(selection=selection).fit(X, y)
    other = classifier(selection=selection).fit(X, np.array(order)[y])
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X)[:, order], atol=1e-5)


@pytest.mark.filterwarnings("ignore:Fewer than 10 rows are of:UserWarning")
@few
@given(seeds, st.sampled_from([{}, *NETWORKS]))
def test_weights_equal_repetition(seed, settings):
    X, y = table(seed)
    counts = np.random.default_rng(seed).integers(0, 4, size=len(y))
    counts[:3] = 1  # every class is there
    settings = {**settings, "random_state": 0}
    weighted = classifier(**settings).fit(X, y, sample_weight=counts)
    repeated = classifier(**settings).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)


@few
@given(seeds, st.sampled_from(["trust-region", GqLM(max_iter=3), SGD(max_iter=3)]))
def test_same_seed_same_bits(seed, learner):
    import warnings

    X, y = table(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        settings = {"learner": learner, "initialisation": "knn", "random_state": seed}
        models = [UNFISNetworkClassifier(**settings).fit(X, y) for _ in range(2)]
    first, second = (model.parameters_.to_vector() for model in models)
    np.testing.assert_array_equal(first, second)
