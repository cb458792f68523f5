"""A fit from blocks is the fit of the table in memory, bit for bit, and leaves nothing behind."""

import errno
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from block_tables import assert_same, clinic, cut, numbers, quick

from unfis import SGD, UNFISNetworkClassifier
from unfis.data.blocks import spool


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder of temporary files that is empty after every test, and while they are looked at."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert not list(tmp_path.iterdir())
    if sys.platform == "linux":
        assert str(tmp_path) not in Path("/proc/self/maps").read_text()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rows", [2000, 60_000])
def test_arrays(rows, dtype):
    X, y = numbers(rows, dtype)
    assert_same(quick().fit(cut(X, y, 700)), quick().fit(X, y), X)


def test_more_values_than_are_encoded_at_once():
    X, y = numbers(1 << 18)
    X = np.hstack([X, X[:, :4] ** 2])
    assert_same(quick().fit(cut(X, y, 50_000)), quick().fit(X, y), X[:1000])


def test_single_precision_in_some_blocks():
    X, y = numbers(1500, np.float32)
    double = X[800:] * np.float64(1.1)
    blocks = iter([(X[:800], y[:800]), (double, y[800:])])
    assert_same(quick().fit(blocks), quick().fit(np.concatenate([X[:800], double]), y), X)


@pytest.mark.parametrize("length", [7, 200, 5000])
def test_frames(length):
    X, y = clinic()
    assert_same(quick().fit(cut(X, y, length)), quick().fit(X, y), X)


def test_default_settings():
    X, y = clinic(300)
    default = UNFISNetworkClassifier
    assert_same(default().fit(cut(X, y, 100)), default().fit(X, y), X)


def test_polars():
    X, y = clinic(600)
    X = pl.from_pandas(X)
    y = pl.Series(y.tolist())
    assert_same(quick().fit(cut(X, y, 250)), quick().fit(X, y), X)


def test_frames_whose_dtypes_differ_from_block_to_block():
    X, y = clinic()
    blocks = list(cut(X, y, 200))
    blocks[1] = (
        blocks[1][0].astype({"age": float, "ward": "category", "stage": object}),
        blocks[1][1],
    )
    blocks[2] = blocks[2][0].convert_dtypes(), blocks[2][1]
    assert_same(quick().fit(iter(blocks)), quick().fit(X.astype({"stage": object}), y), X)


def test_arrays_with_named_categories():
    X, y = clinic()
    X, settings = X.to_numpy(dtype=object), {"categorical_features": [2, 4]}
    assert_same(quick(**settings).fit(cut(X, y, 250)), quick(**settings).fit(X, y), X)


@pytest.mark.parametrize("class_weight", [None, "balanced", {"ill": 3.0}])
def test_weights(class_weight):
    """A weight of 0 is no row, also where a whole block has it."""
    X, y = clinic()
    weights = np.random.RandomState(1).randint(0, 4, len(X)).astype(float)
    weights[300:500] = 0
    settings = {"class_weight": class_weight}
    whole = quick(**settings).fit(X, y, sample_weight=weights)
    assert_same(quick(**settings).fit(cut(X, y, 100, weights)), whole, X)


def test_many_classes_in_small_blocks_are_no_cause_for_a_warning():
    X, _ = numbers(600)
    y = np.arange(600) % 20
    settings = {"ridge": 1.0, "learner": SGD(max_iter=1)}
    assert_same(quick(**settings).fit(cut(X, y, 25)), quick(**settings).fit(X, y), X)


def test_warm_start_goes_on_with_known_columns():
    X, y = clinic()
    models = [quick(warm_start=True).fit(X[:400], y[:400]) for _ in range(2)]
    models[0].fit(cut(X, y, 150))
    assert_same(models[0], models[1].fit(X, y), X)
    with pytest.raises(ValueError, match=r"^Block 2: y holds the class 'new', which is not among"):
        models[0].fit(iter([(X, y), (X, y.where(y != "ill", "new"))]))


def test_the_model_keeps_nothing_of_the_files():
    X, y = numbers(20_000)
    clf = quick().fit(cut(X, y, 6000))
    again = pickle.loads(pickle.dumps(clf))
    assert_same(again, clf, X)
    assert str(again.rules_) == str(clf.rules_)
    assert type(clf.model_.ends) is np.ndarray


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("no more")])
def test_a_fit_that_ends_early_keeps_the_old_model(error, temporary):
    X, y = clinic()
    clf = quick().fit(X, y)
    old = clf.parameters_

    def blocks():
        for block in cut(X, y, 100):
            yield block
            if sys.platform != "win32":
                assert not list(temporary.iterdir())
        raise error

    with pytest.raises(type(error)):
        clf.fit(blocks())
    assert clf.parameters_ is old


def test_a_full_disk_keeps_the_old_model(monkeypatch):
    X, y = numbers(2000)
    clf = quick().fit(X, y)
    old, temporary_file = clf.parameters_, spool.temporary_file

    class Full:
        def __init__(self):
            self.file = temporary_file()

        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

        def __getattr__(self, name):
            return getattr(self.file, name)

    monkeypatch.setattr(spool, "temporary_file", Full)
    with pytest.raises(OSError, match="Make room in this folder of temporary files"):
        clf.fit(cut(X, y, 500))
    assert clf.parameters_ is old


def test_early_stopping_needs_the_table():
    def blocks():
        pytest.fail("was read")
        yield

    with pytest.raises(ValueError, match="early_stopping=True needs the whole table in memory"):
        quick(early_stopping=True).fit(blocks())


X, Y = clinic(300)
BLOCKS = {
    "none": ([], "X gave no rows to learn from"),
    "infinite": ([(X, Y), (X.assign(dose=np.inf), Y)], "^Block 2: dose holds inf in row 0"),
    "labels": ([(X, Y), (X, Y[:-1])], "^Block 2: y must hold one label for each row of X: X has 3"),
    "missing labels": ([(X, Y.where(Y != "ill", None))], "^Block 1: y holds missing labels"),
    "mixed labels": ([(X, Y), (X, Y.index % 2)], "^Block 2: y mixes labels of the kinds int, str"),
    "one class": ([(X, Y.where(Y == "ill", "ill"))] * 2, "^y must hold at least two classes to"),
    "measures": ([(X, X["dose"].fillna(0.5))], "^Block 1: Unknown label type"),
    "weights": ([(X, Y, Y)], "^Block 1: sample_weight must hold numbers"),
    "negative weights": ([(X, Y, np.full(300, -1.0))], "^Block 1: sample_weight must hold finite"),
    "large weights": ([(X, Y, np.full(300, 1e99))] * 2, "^sample_weight adds up to 6e.101, too"),
    "no weights": ([(X, Y, np.zeros(300))] * 2, "^sample_weight must hold a number above 0"),
    "text": ([(X, Y), (X.assign(age="old"), Y)], "^Block 2: age holds text or categories, but nu"),
    "dates": ([(X.assign(age=pd.Timestamp(0)), Y)], "^Block 1: age has dtype datetime64"),
    "names": ([(X, Y), (X.rename(columns={"age": "years"}), Y)], "^Block 2: X lacks the column 'a"),
    "identifiers": (
        [(X.assign(ward=[f"{i} {j}" for j in range(300)]), Y) for i in range(2)],
        "^ward holds text with 600 kinds in 600 rows",
    ),
}


@pytest.mark.parametrize(("blocks", "message"), BLOCKS.values(), ids=BLOCKS)
def test_bad_blocks(blocks, message):
    clf = quick()
    with pytest.raises(ValueError, match=message):
        clf.fit(iter(blocks))
    assert not hasattr(clf, "n_features_in_")


def test_warm_start_from_blocks_needs_the_same_network():
    X, y = numbers(200)
    model = quick(warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="n_rules was 2 when learning began and is 3 now"):
        model.set_params(n_rules=3).fit(iter([(X, y)]))


@pytest.mark.parametrize("method", ["predict", "predict_proba", "partial_fit"])
def test_only_fit_and_edit_take_blocks_and_files(method):
    X, y = numbers(200)
    model = quick().fit(X, y)
    rest = (y,) if method == "partial_fit" else ()
    for given in (iter([(X, y)]), "table.parquet"):
        with pytest.raises(ValueError, match=r"X must be a table, got .*: only fit and edit take"):
            getattr(model, method)(given, *rest)
