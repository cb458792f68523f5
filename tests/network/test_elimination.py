"""Inputs that rules can do without go first, and what is left is the network without them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from unfis import UNFISNetworkClassifier
from unfis.data.samples import Samples
from unfis.network.elimination import eliminate, removal_costs, trained_on, without

LOAD = {"iris": load_iris, "wine": load_wine}


@pytest.fixture(scope="module", params=LOAD)
def table(request):
    return LOAD[request.param](return_X_y=True)


def fitted(X, y, **settings):
    return UNFISNetworkClassifier(**{"n_rules": 2, "ridge": 0.1, **settings}).fit(X, y)


def test_ever_fewer_inputs_are_in(table):
    X, y = table
    path = eliminate(fitted(X, y).model_, X, y)
    counts = [int(one.selected.sum()) for one in path]
    assert counts[0] == 2 * X.shape[1]
    assert counts[-1] == 1
    assert counts == sorted(set(counts), reverse=True)
    for before, after in pairwise(path):
        assert (after.selected <= before.selected).all()  # what is out stays out


def test_what_is_out_changes_nothing(table):
    X, y = table
    model = eliminate(fitted(X, y).model_, X, y)[-3]
    unused = ~model.selected.any(axis=0)
    assert unused.any()
    other = np.where(unused, 1e3 * np.random.RandomState(0).normal(size=X.shape), X)
    np.testing.assert_array_equal(model.probabilities(X), model.probabilities(other))


def test_few_inputs_tell_the_classes_nearly_as_well(table):
    X, y = table
    rows = np.arange(len(X)) % 3 > 0
    path = eliminate(fitted(X[rows], y[rows]).model_, X[rows], y[rows])
    scores = [(one.probabilities(X[~rows]).argmax(axis=1) == y[~rows]).mean() for one in path]
    short = next(n for n, one in enumerate(path) if one.selected.sum() <= 8)
    assert scores[short] >= scores[0] - 0.06


def test_noise_goes_first():
    X, y = load_iris(return_X_y=True)
    noise = np.random.RandomState(0).normal(size=(150, 4))
    wide = np.hstack([noise, X])
    path = eliminate(fitted(wide, y).model_, wide, y)
    half = next(one for one in path if one.selected.sum() <= 8)
    assert half.selected[:, 4:].sum() >= 2 * half.selected[:, :4].sum()


def test_costs_are_what_it_takes_to_be_without_a_pair():
    """To second order: held to a training without the pair, its widths as they were."""
    X, y = load_iris(return_X_y=True)
    model = fitted(X, y, ridge=1.0).model_
    first = eliminate(model, X, y)[0]
    samples = Samples(first.columns.matrix(X), np.eye(3)[y], np.ones(150))
    first, problem, vector = trained_on(first, samples, 200)
    pairs = [(i, j) for i in range(2) for j in range(4)]
    costs = removal_costs(first, problem, vector, pairs)
    rises = []
    for pair in pairs:
        shorter = without(first, [pair])
        widths = {"widths": first.parameters.widths}
        shorter = replace(
            shorter,
            parameters=replace(shorter.parameters, **widths),
            start=replace(shorter.start, widths=first.start.widths),
        )
        _, other, there = trained_on(shorter, samples, 200)
        rises.append(other.value(there) - problem.value(vector))
    small = np.array(rises) < np.median(rises)
    np.testing.assert_allclose(costs[small], np.array(rises)[small], rtol=0.5, atol=0.2)
    assert np.corrcoef(np.argsort(np.argsort(costs)), np.argsort(np.argsort(rises)))[0, 1] > 0.8


def test_of_a_network_without_selection_and_of_kinds():
    import pandas as pd

    generator = np.random.RandomState(0)
    X = pd.DataFrame({"size": generator.normal(size=120), "age": generator.normal(size=120)})
    X["kind"] = pd.Categorical(generator.choice(["oak", "fir", "elm"], 120))
    X.loc[::9, "age"] = np.nan
    y = np.where((X["kind"] == "oak") | (X["size"] > 1), "yes", "no")
    path = eliminate(fitted(X, y, selection="none").model_, X, y)
    assert [int(one.selected.sum()) for one in path] == [6, 5, 4, 3, 2, 1]
    assert not path[3].selected[:, 1].any()
    assert "kind is oak" in str(path[3].rules)


def test_other_classes_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="which is not among the classes"):
        eliminate(fitted(X, y).model_, X, y + 5)
