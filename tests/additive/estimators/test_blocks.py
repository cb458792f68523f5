"""A fit from blocks is the fit of the table in memory, and leaves nothing behind."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from additive.estimators.same import assert_same, measured
from block_tables import clinic, cut, numbers

from unfis.additive import UNFISClassifier, UNFISRegressor

QUICK = {"max_rules": 4, "max_conditions": 1}
LENGTHS = {"1,000 rows": 1_000, "7 blocks": 1_429, "1 block": 10_000}


def both(kind, X, y, length, weights=None, **settings):
    """The fits from blocks and of the table."""
    settings = {**QUICK, **settings}
    more = () if weights is None else (weights,)
    blocks = kind(**settings).fit(cut(X, y, length, *more))
    return blocks, kind(**settings).fit(X, y, weights)


@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("kind", [UNFISClassifier, UNFISRegressor])
def test_numbers_some_of_them_missing(kind, length):
    X, y = numbers(10_000)
    y = y if kind is UNFISClassifier else measured(X)
    assert_same(*both(kind, X, y, length), X)


@pytest.mark.parametrize("points", ["whole", "exact"])
@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
def test_all_kinds_of_columns_and_weights(length, points):
    X, y = clinic(10_000)
    weights = np.random.default_rng(1).choice([0, 0.5, 1, 3.0], 10_000)
    weights[1_000:3_000] = 0  # a weight of 0 is no row, also where a whole block has it
    found = both(UNFISClassifier, X, y, length, weights, class_weight="balanced", points=points)
    assert_same(*found, X)
    assert found[0].model_.names == found[1].model_.names


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_numbers_of_all_kinds_of_columns(loss):
    X, _ = clinic(8_000)
    y = pd.Series(np.random.default_rng(0).poisson(1 + (X["age"] > 50)), name="visits")
    weights = np.random.default_rng(1).choice([0, 0.1, 1, 3.0], 8_000)
    found = both(UNFISRegressor, X, y, 900, weights, loss=loss)
    assert_same(*found, X)
    assert found[0].model_.names == found[1].model_.names


def test_more_classes_with_directions_and_given_rules():
    X, y = numbers(8_000)
    y = np.where(X[:, 3] > 0.5, "maybe", y)
    given = {"given_rules": [{"if": {"x5": [0.5, None]}, "then": "yes"}]}
    assert_same(*both(UNFISClassifier, X, y, 700, **given), X)
    y = np.where(y == "maybe", "no", y)
    assert_same(*both(UNFISClassifier, X, y, 700, monotonic_cst=[1] * 16), X)
    assert_same(*both(UNFISRegressor, X, measured(X), 700, monotonic_cst=[-1] * 16), X)


def test_few_rows():
    X, y = clinic(300)
    assert_same(*both(UNFISClassifier, X, y, 7), X)
    assert_same(*both(UNFISClassifier, pl.from_pandas(X), pl.Series(y.tolist()), 100), X)


@pytest.mark.parametrize("kind", [UNFISClassifier, UNFISRegressor])
def test_a_parquet_file(kind, tmp_path):
    X, y = clinic(7_000)
    y = y if kind is UNFISClassifier else pd.Series(measured(X[["age"]].to_numpy()))
    y.name, weights = "outcome", np.random.default_rng(1).choice([1.0, 2.0], 7_000)
    file = tmp_path / "table.parquet"
    X.assign(outcome=y, counts=weights).to_parquet(file)
    found = kind(**QUICK).fit(file, "outcome", "counts")
    expected = kind(**QUICK).fit(X, y, weights)
    assert_same(found, expected, X)
    assert found.rules_ == expected.rules_
    assert found.model_.names == expected.model_.names


def test_single_precision_in_some_blocks():
    X, y = numbers(7_000, np.float32)
    double = X[3_000:] * np.float64(1.1)
    blocks = iter([(X[:3_000], y[:3_000]), (double, y[3_000:])])
    expected = UNFISClassifier(**QUICK).fit(np.concatenate([X[:3_000], double]), y)
    assert_same(UNFISClassifier(**QUICK).fit(blocks), expected, X)


def test_the_model_keeps_nothing_of_the_files():
    X, y = numbers(500)
    model = UNFISClassifier(**QUICK).fit(cut(X, y, 100))
    assert not isinstance(model.model_.searched.values, np.memmap)
    assert pickle.loads(pickle.dumps(model)).rules_ == model.rules_


X, Y = clinic(300)
MEASURES = X["age"] / 2
BAD = {
    "none": ([], "X gave no rows to learn from"),
    "infinite": ([(X, Y), (X.assign(dose=np.inf), Y)], "^Block 2: dose holds inf in row 0"),
    "labels": ([(X, Y), (X, Y[:-1])], "^Block 2: y must hold one label for each row of X: X has 3"),
    "one class": ([(X, Y.where(Y == "ill", "ill"))] * 2, "^y must hold at least two classes to"),
    "negative weights": ([(X, Y, np.full(300, -1.0))], "^Block 1: sample_weight must hold finite"),
    "no weights": ([(X, Y, np.zeros(300))] * 2, "^sample_weight must hold a number above 0"),
    "text": ([(X, Y), (X.assign(age="old"), Y)], "^Block 2: age holds text or categories, but nu"),
    "names": ([(X, Y), (X.rename(columns={"age": "years"}), Y)], "^Block 2: X lacks the column 'a"),
    "too large": ([(X.assign(dose=1e300 * X["age"]), Y)], "dose has values too large to standard"),
}


@pytest.mark.parametrize(("blocks", "message"), BAD.values(), ids=BAD)
def test_bad_blocks_leave_the_estimator_as_it_was(blocks, message):
    model = UNFISClassifier(**QUICK)
    with pytest.raises(ValueError, match=message):
        model.fit(iter(blocks))
    assert not hasattr(model, "n_features_in_")
    assert not hasattr(model, "model_")


def test_bad_numbers_in_blocks():
    for targets, message in (
        (MEASURES.where(MEASURES > 20), "^Block 2: Input y contains NaN"),
        (Y, "^Block 2: y must hold one number for each row"),
        (-MEASURES, "y must hold counts of at least 0 for loss='poisson'; got -"),
    ):
        with pytest.raises(ValueError, match=message):
            UNFISRegressor(loss="poisson").fit(iter([(X, MEASURES), (X, targets)]))


def test_the_old_model_stays_where_a_source_fails():
    def blocks():
        yield X, Y
        raise KeyboardInterrupt

    model = UNFISClassifier(**QUICK).fit(X, Y)
    before = model.model_
    with pytest.raises(KeyboardInterrupt):
        model.fit(blocks())
    assert model.model_ is before
