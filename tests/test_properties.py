"""What must hold whatever the table, by hypothesis."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from unfis import SGD, GqLM, UNFISClassifier, UNFISNetworkClassifier

few = settings(max_examples=8)
seeds = st.integers(0, 10_000)
NETWORKS = [
    {"selection": selection, "initialisation": start}
    for selection in ("soft", "none")
    for start in ("k-means", "knn")
]
networks = st.sampled_from(NETWORKS).map(
    lambda parameters: UNFISNetworkClassifier(**parameters, random_state=0)
)
estimators = st.just(UNFISClassifier()) | networks


def table(seed, rows=40, features=3, classes=3):
    """A table in which the inputs tell the classes apart, more or less."""
    generator = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    centres = generator.normal(size=(classes, features))
    return generator.normal(size=(rows, features)) + centres[y], y


@few
@given(
    seeds, estimators, arrays(float, (5, 3), elements=st.floats(-1e300, 1e300) | st.just(np.nan))
)
def test_probabilities_are_probabilities(seed, estimator, rows):
    probabilities = estimator.fit(*table(seed)).predict_proba(rows)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@few
@given(seeds, networks, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_the_unit_of_an_input_changes_no_network(seed, network, factor, shift):
    X, y = table(seed)
    moved = X.copy()
    moved[:, 1] = factor * X[:, 1] + shift
    expected = network.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(network.fit(moved, y).predict_proba(moved), expected, atol=1e-5)


@few
@given(seeds, networks, st.permutations(range(3)))
def test_the_order_of_inputs_changes_no_network(seed, network, order):
    X, y = table(seed)
    expected = network.fit(X, y).predict_proba(X)
    found = network.fit(X[:, order], y).predict_proba(X[:, order])
    np.testing.assert_allclose(found, expected, atol=1e-5)


@few
@given(seeds, networks, st.permutations(range(3)))
def test_the_order_of_classes_changes_no_network(seed, network, order):
    X, y = table(seed)
    expected = network.fit(X, y).predict_proba(X)
    found = network.fit(X, np.array(order)[y]).predict_proba(X)[:, order]
    np.testing.assert_allclose(found, expected, atol=1e-5)


@few
@given(seeds, networks)
def test_a_weight_is_how_often_a_network_sees_a_row(seed, network):
    X, y = table(seed)
    counts = np.random.default_rng(seed).integers(0, 4, size=len(y))
    counts[:3] = 1  # every class is there
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Fewer than 10 rows are of")
        expected = network.fit(X, y, sample_weight=counts).predict_proba(X)
        found = network.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts)).predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=1e-6)


@few
@given(seeds, st.sampled_from(["trust-region", GqLM(max_iter=3), SGD(max_iter=3)]))
def test_same_seed_same_bits(seed, learner):
    X, y = table(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        settings = {"learner": learner, "initialisation": "knn", "random_state": seed}
        models = [UNFISNetworkClassifier(**settings).fit(X, y) for _ in range(2)]
    first, second = (model.parameters_.to_vector() for model in models)
    np.testing.assert_array_equal(first, second)
