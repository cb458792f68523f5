"""The same fit with its rows on the workers of a cluster."""

import pickle

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from block_tables import clinic, numbers
from dask import delayed
from sklearn.base import clone

from unfis import UNFISClassifier, load
from unfis.distributed import DaskUNFISClassifier

QUICK = {"n_rules": 2, "ridge": 0.1, "points": "exact", "random_state": 0}
AUTO = {"n_rules": "auto", "ridge": "auto", "points": "auto"}
# Where rows are cut: uneven, and with an empty block.
CUTS = {
    1: [],
    2: [450],
    3: [100, 550],
    7: [1, 1, 30, 400, 401, 850],
}


def in_blocks(cuts, *arrays):
    """Delayed blocks of a table."""
    parts = zip(*(np.split(np.arange(len(arrays[0])), cuts) for _ in arrays), strict=True)
    blocks = [[take(one, rows) for one, rows in zip(arrays, part, strict=True)] for part in parts]
    return [delayed(tuple)(block) for block in blocks]


def take(array, rows):
    return array.iloc[rows] if hasattr(array, "iloc") else array[rows]


def assert_equal(found, expected, tolerance=1e-10):
    """Two models are the same up to the last digits of sums."""
    vectors = found.parameters_.to_vector(), expected.parameters_.to_vector()
    finite = np.isfinite(vectors[1])
    np.testing.assert_array_equal(np.isfinite(vectors[0]), finite)
    for one, other in zip(*(vector[finite] for vector in vectors), strict=True):
        assert abs(one - other) <= tolerance * max(1.0, abs(other))
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    assert found.classes_.dtype == expected.classes_.dtype
    kept, wanted = found.model_.sample, expected.model_.sample
    for name in ("rows", "values", "codes", "total", "ends"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(wanted, name))
    np.testing.assert_allclose(kept.weights, wanted.weights, rtol=1e-12)
    assert found.n_iter_ == expected.n_iter_
    assert found.converged_ == expected.converged_


def fitted(client, blocks, **settings):
    return DaskUNFISClassifier(**{**QUICK, "client": client, **settings}).fit(blocks)


@pytest.mark.parametrize("parts", CUTS)
def test_numbers_some_of_them_missing(client, parts):
    X, y = numbers(900)
    expected = UNFISClassifier(**QUICK).fit(X, y)
    assert_equal(fitted(client, in_blocks(CUTS[parts], X, y)), expected)


@pytest.mark.parametrize("parts", CUTS)
def test_categories_and_classes_that_some_blocks_lack(client, parts):
    X, y = clinic()
    expected = UNFISClassifier(**QUICK).fit(X, y)
    found = fitted(client, in_blocks(CUTS[parts], X, y))
    assert_equal(found, expected)
    for one, other in zip(found.inputs_, expected.inputs_, strict=True):
        assert (one.name, one.kind, one.categories) == (other.name, other.kind, other.categories)
    np.testing.assert_array_equal(found.feature_names_in_, expected.feature_names_in_)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"yes": 3.0}])
def test_weights_some_of_them_none(client, class_weight):
    X, y = numbers(900)
    weights = np.random.RandomState(1).randint(0, 4, 900) / 2
    weights[400:401] = 0
    expected = UNFISClassifier(**QUICK, class_weight=class_weight).fit(X, y, weights)
    blocks = in_blocks(CUTS[7], X, y, weights)
    assert_equal(fitted(client, blocks, class_weight=class_weight), expected)


def test_single_precision(client):
    X, y = numbers(900, np.float32)
    expected = UNFISClassifier(**QUICK).fit(X, y)
    assert_equal(fitted(client, in_blocks(CUTS[3], X, y)), expected)


def test_everything_chosen_by_the_same_rows_of_very_many(client):
    generator = np.random.RandomState(0)
    X = generator.normal(size=(41_000, 3)).round(3)
    y = np.where(X[:, 0] + (X[:, 1] > 0) > 0.5, "a", "b")
    y[generator.rand(41_000) < 0.02] = "rare"
    expected = UNFISClassifier(random_state=0, max_rules=2).fit(X, y)
    blocks = in_blocks([7_000, 7_000, 31_000], X, y)
    found = fitted(client, blocks, **AUTO, max_rules=2)
    assert {**found.choices_, "seconds": None} == {**expected.choices_, "seconds": None}
    np.testing.assert_array_equal(found.selected_, expected.selected_)
    np.testing.assert_allclose(
        found.predict_proba(X[:500]), expected.predict_proba(X[:500]), atol=1e-6
    )
    assert_equal(found, expected, tolerance=1e-6)
    intervals = found.predict_interval(X[:5]), expected.predict_interval(X[:5])
    np.testing.assert_allclose(*intervals, atol=1e-6)


def test_everything_chosen_of_all_kinds_of_columns(client):
    X, y = clinic()
    expected = UNFISClassifier(random_state=0).fit(X, y)
    blocks = in_blocks(CUTS[7], X, y)
    found = fitted(client, blocks, **AUTO)
    assert str(found.rules_) == str(expected.rules_)
    assert found.origin_ == expected.origin_
    np.testing.assert_allclose(found.path_["cv_loss"], expected.path_["cv_loss"], rtol=1e-6)


def test_arrays_of_other_blocks_than_their_labels(client):
    X, y = numbers(900)
    expected = UNFISClassifier(**QUICK).fit(X, y)
    model = DaskUNFISClassifier(**QUICK, client=client)
    weights = np.ones(900)
    model.fit(da.from_array(X, chunks=(250, 5)), da.from_array(y, chunks=400), weights)
    assert_equal(model, expected)


def test_data_frames_by_the_names_of_their_columns(client):
    X, y = clinic()
    weights = pd.Series(np.linspace(0.5, 1.5, 900))
    expected = UNFISClassifier(**QUICK).fit(X, y, weights)
    table = dd.from_pandas(X.assign(illness=y, counts=weights), npartitions=4)
    model = DaskUNFISClassifier(**QUICK, client=client).fit(table, "illness", "counts")
    assert_equal(model, expected)
    inputs = table.drop(columns=["illness", "counts"])
    model.fit(inputs, table["illness"], table["counts"].to_dask_array())
    assert_equal(model, expected)


def test_columns_in_another_order(client):
    X, y = clinic()
    expected = UNFISClassifier(**QUICK).fit(X, y)
    blocks = [delayed((X[:400], y[:400])), delayed((X[400:][X.columns[::-1]], y[400:]))]
    assert_equal(fitted(client, blocks), expected)


def test_an_ordinary_model_of_it(client, tmp_path):
    X, y = clinic()
    model = fitted(client, in_blocks([300], X, y))
    local = model.to_local()
    assert type(local) is UNFISClassifier
    assert local.get_params()["n_rules"] == 2
    local.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X))
    assert str(local.rules_) == str(model.rules_)


def test_copies_share_the_client_and_files_have_none(client):
    X, y = clinic()
    model = fitted(client, in_blocks([300], X, y))
    assert clone(model).client is client
    assert "client" in model.get_params()
    assert set(model.get_params()) == {*UNFISClassifier().get_params(), "client", "checkpoint"}
    stored = pickle.loads(pickle.dumps(model))
    assert stored.client is None
    np.testing.assert_array_equal(stored.predict(X), model.predict(X))


def test_answers_block_by_block(client):
    X, y = numbers(900)
    model = fitted(client, in_blocks([300], X, y))
    expected, lazy = model.to_local(), da.from_array(X, chunks=(250, 5))
    classes, shares = model.predict(lazy), model.predict_proba(lazy)
    assert classes.chunks == ((250, 250, 250, 150),)
    assert classes.dtype == expected.classes_.dtype
    np.testing.assert_array_equal(client.gather(client.compute(classes)), expected.predict(X))
    found = client.gather(client.compute(shares))
    np.testing.assert_allclose(found, expected.predict_proba(X), rtol=1e-10)
    explained = client.gather(client.compute(model.explain(lazy[:250])[0]))
    assert str(explained[3]) == str(expected.explain(X[:250])[3])


def test_answers_to_data_frames_and_delayed_blocks(client):
    X, y = clinic()
    model = fitted(client, in_blocks([300], X, y))
    table = dd.from_pandas(X, npartitions=4)
    young = table[table["age"] < 20]  # in some partitions there may be none
    found = model.predict(young)
    expected = model.predict(X[X["age"] < 20])
    np.testing.assert_array_equal(client.gather(client.compute(found)), expected)
    parts = client.gather(client.compute(model.predict_proba([delayed(X[:0]), delayed(X[:9])])))
    np.testing.assert_array_equal(np.concatenate(parts), model.predict_proba(X[:9]))
