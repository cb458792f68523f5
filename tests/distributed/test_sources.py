"""What cannot be learned from is refused in a sentence, and leaves the model as it was."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from block_tables import clinic, numbers
from dask import delayed
from distributed import Client

from unfis.distributed import ClusterError, DaskUNFISClassifier, cluster_client

X, Y = clinic(60)
NUMBERS, LABELS = numbers(60)
LAZY = da.from_array(NUMBERS, chunks=(30, 16))


def blocks(*tables):
    return [delayed(table) for table in tables]


BAD = {
    "a table in memory": ((NUMBERS, LABELS), "got ndarray. UNFISClassifier takes tables"),
    "no labels": ((LAZY,), "y must hold the classes of the rows"),
    "an unknown column": (
        (dd.from_pandas(X.assign(ill=Y), npartitions=2), "il"),
        "Did you mean 'ill'?",
    ),
    "fewer labels": ((LAZY, LABELS[:50]), "X has 60 rows, y 50"),
    "labels that are not lazy": ((dd.from_pandas(X, npartitions=2), Y), "y must be a dask array"),
    "labels in other blocks": (
        (dd.from_pandas(X, npartitions=2), dd.from_pandas(Y, npartitions=3)),
        "y must come in the 2 blocks of X, got 3",
    ),
    "an array of one dimension": ((LAZY[:, 0], LABELS), "got a dask array of 1-D"),
    "labels beside blocks": ((blocks((X, Y)), Y), "y must be None where X is a list"),
    "no tuple": ((blocks(X),), r"Block 1 must be a tuple \(X, y\)"),
    "a column that others lack": (
        (blocks((X, Y), (X.assign(more=1), Y)),),
        "Block 2: X has the column 'more', which the first block lacks",
    ),
    "other numbers of columns": (
        (blocks((NUMBERS, LABELS), (NUMBERS[:, 1:], LABELS)),),
        r"Block 2: X has rows of shape \(15,\), but of \(16,\) in the first block",
    ),
    "arrays and data frames": ((blocks((X, Y), (X.to_numpy(), Y)),), "Block 2"),
    "text where numbers were": (
        (blocks((X, Y), (X.assign(age="old"), Y)),),
        "Block 2: age holds text or categories, but numbers in the blocks before",
    ),
    "missing labels": ((blocks((X, Y), (X, [None] * 60)),), "Block 2: y holds missing labels"),
    "one class": ((blocks((X, ["a"] * 60), (X, ["a"] * 60)),), "at least two classes"),
    "text and numbers as classes": ((blocks((X, ["a"] * 60), (X, [1] * 60)),), "Block 2: y mixes"),
    "fewer labels in a block": ((blocks((X, Y), (X, Y[:5])),), "Block 2: y must hold one label"),
    "no rows": ((blocks((X[:0], Y[:0])),), "all of its blocks are empty"),
    "no weight": ((blocks((X, Y, np.zeros(60))),), "got zero for every row"),
    "a negative weight": ((blocks((X, Y, -np.ones(60))),), "Block 1: sample_weight must hold"),
}


@pytest.mark.parametrize(("given", "words"), BAD.values(), ids=BAD)
def test_bad_tables(client, given, words):
    model = DaskUNFISClassifier(ridge=0.1, client=client)
    with pytest.raises(ValueError, match=words):
        model.fit(*given)
    assert not hasattr(model, "model_")


@pytest.mark.filterwarnings("ignore:Fewer than 10 rows are of:UserWarning")
def test_a_bad_table_leaves_the_old_model(client):
    model = DaskUNFISClassifier(ridge=0.1, client=client).fit(blocks((X, Y)))
    before = model.model_
    with pytest.raises(ValueError, match="Block 2"):
        model.fit(blocks((NUMBERS, LABELS), (NUMBERS[:, 1:], LABELS)))
    assert model.model_ is before
    assert model.n_features_in_ == X.shape[1]


def test_clients_that_cannot_be_asked():
    table = blocks((X, Y))
    with pytest.raises(ValueError, match="There is no Dask client: make one"):
        DaskUNFISClassifier().fit(table)
    with pytest.raises(ValueError, match=r"client must be a distributed\.Client or None, got 'tcp"):
        DaskUNFISClassifier(client="tcp://127.0.0.1:1").fit(table)
    with Client(n_workers=1, processes=False, dashboard_address=None, set_as_default=False) as one:
        pass
    with pytest.raises(ValueError, match="client is closed and has no scheduler"):
        DaskUNFISClassifier(client=one).fit(table)


def test_an_address_where_nobody_answers(monkeypatch):
    monkeypatch.setattr("unfis.distributed.cluster.PATIENCE_TO_CONNECT", 0.5)
    with (
        pytest.raises(ClusterError, match="No Dask scheduler answers at 'tcp://127"),
        cluster_client(address="tcp://127.0.0.1:1"),
    ):
        pass


def test_labels_in_pandas_beside_an_array_of_known_blocks(client):
    model = DaskUNFISClassifier(ridge=0.1, client=client)
    model.fit(LAZY, pd.Series(LABELS))
    assert model.n_features_in_ == 16


@pytest.mark.filterwarnings("ignore:Fewer than 10 rows are of:UserWarning")
def test_a_table_without_names_after_one_with_them(client):
    model = DaskUNFISClassifier(ridge=0.1, client=client).fit(blocks((X, Y)))
    assert list(model.feature_names_in_) == list(X.columns)
    model.fit(blocks((NUMBERS, LABELS)))
    assert not hasattr(model, "feature_names_in_")
