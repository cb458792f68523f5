"""The same fit with its rows on the workers of a cluster."""

import pickle

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from additive.estimators.same import assert_same, measured
from block_tables import clinic, numbers
from dask import delayed
from sklearn.base import clone

from unfis.additive import UNFISClassifier, UNFISRegressor
from unfis.additive.distributed import DaskUNFISClassifier, DaskUNFISRegressor

QUICK = {"max_rules": 3, "max_conditions": 1}
ROWS = 7_000  # more than are searched
# Where rows are cut: uneven, and with an empty block.
CUTS = {1: [], 2: [3_500], 3: [100, 5_500], 7: [1, 1, 300, 400, 4_001, 6_850]}
KINDS = {DaskUNFISClassifier: UNFISClassifier, DaskUNFISRegressor: UNFISRegressor}


def in_blocks(cuts, *arrays):
    """Delayed blocks of a table."""
    parts = np.split(np.arange(len(arrays[0])), cuts)
    blocks = [[take(one, rows) for one in arrays] for rows in parts]
    return [delayed(tuple)(block) for block in blocks]


def take(array, rows):
    return array.iloc[rows] if hasattr(array, "iloc") else array[rows]


@pytest.mark.parametrize("parts", CUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_some_of_them_missing(client, kind, parts):
    X, y = numbers(ROWS)
    y = y if kind is DaskUNFISClassifier else measured(X)
    expected = KINDS[kind](**QUICK).fit(X, y)
    assert_same(kind(**QUICK, client=client).fit(in_blocks(CUTS[parts], X, y)), expected, X)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_categories_weights_and_classes_that_some_blocks_lack(client, class_weight):
    X, y = clinic(ROWS)
    weights = np.random.default_rng(1).integers(0, 4, ROWS) / 2
    weights[400:401] = 0
    settings = {**QUICK, "class_weight": class_weight}
    expected = UNFISClassifier(**settings).fit(X, y, weights)
    blocks = in_blocks(CUTS[7], X, y, weights)
    found = DaskUNFISClassifier(**settings, client=client).fit(blocks)
    assert_same(found, expected, X)
    assert found.model_.names == expected.model_.names
    np.testing.assert_array_equal(found.feature_names_in_, expected.feature_names_in_)


def test_columns_in_another_order_of_a_small_table(client):
    X, y = clinic(900)
    blocks = [delayed((X[:400], y[:400])), delayed((X[400:][X.columns[::-1]], y[400:]))]
    found = DaskUNFISClassifier(**QUICK, client=client).fit(blocks)
    assert_same(found, UNFISClassifier(**QUICK).fit(X, y), X)


def test_data_frames_by_the_names_of_their_columns(client):
    X, y = clinic(900)
    weights = pd.Series(np.linspace(0.5, 1.5, 900))
    expected = UNFISClassifier(**QUICK).fit(X, y.rename("illness"), weights)
    table = dd.from_pandas(X.assign(illness=y, counts=weights), npartitions=4)
    model = DaskUNFISClassifier(**QUICK, client=client).fit(table, "illness", "counts")
    assert_same(model, expected, X)
    assert model.rules_ == expected.rules_


def test_arrays_of_other_blocks_than_their_labels(client):
    X, y = numbers(900)
    model = DaskUNFISClassifier(**QUICK, client=client)
    model.fit(da.from_array(X, chunks=(250, 5)), da.from_array(y, chunks=400), np.ones(900))
    assert_same(model, UNFISClassifier(**QUICK).fit(X, y), X)


def test_an_ordinary_model_of_it_and_copies(client):
    X, y = clinic(600)
    model = DaskUNFISClassifier(**QUICK, client=client).fit(in_blocks([300], X, y))
    local = model.to_local()
    assert type(local) is UNFISClassifier
    assert local.max_rules == 3
    np.testing.assert_array_equal(local.predict_proba(X), model.predict_proba(X))
    assert clone(model).client is client
    assert set(model.get_params()) == {*UNFISClassifier().get_params(), "client"}
    stored = pickle.loads(pickle.dumps(model))
    assert stored.client is None
    np.testing.assert_array_equal(stored.predict(X), model.predict(X))


def test_answers_block_by_block(client):
    X, y = numbers(900)
    model = DaskUNFISClassifier(**QUICK, client=client).fit(in_blocks([300], X, y))
    lazy = da.from_array(X, chunks=(250, 5))
    classes, shares = model.predict(lazy), model.predict_proba(lazy)
    assert classes.chunks == ((250, 250, 250, 150),)
    np.testing.assert_array_equal(client.gather(client.compute(classes)), model.predict(X))
    found = client.gather(client.compute(shares))
    np.testing.assert_allclose(found, model.predict_proba(X), rtol=1e-10)
    parts = client.gather(client.compute(model.predict([delayed(X[:0]), delayed(X[:9])])))
    np.testing.assert_array_equal(np.concatenate(parts), model.predict(X[:9]))
    other = DaskUNFISRegressor(**QUICK, client=client).fit(in_blocks([300], X, measured(X)))
    found = client.gather(client.compute(other.predict(lazy)))
    np.testing.assert_allclose(found, other.predict(X), rtol=1e-10)
