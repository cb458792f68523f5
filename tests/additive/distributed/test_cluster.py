"""Workers that die, fits that are interrupted, what is sent, and tables that are refused."""

import os
import pickle
import signal

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from block_tables import clinic, numbers
from cluster_tasks import tasks_of
from dask import delayed

from unfis.additive.distributed import ClusterError, DaskUNFISClassifier
from unfis.additive.distributed.reading import DaskRows

QUICK = {"max_rules": 3, "max_conditions": 1}


class Watched(DaskUNFISClassifier):
    """A classifier to whose passes something happens."""

    def _read(self, *given, **named):
        table = super()._read(*given, **named)
        rows, watch = table.rows, self.watch
        return table._replace(rows=WatchedRows(rows.cluster, rows.blocks, rows.count, watch))


class WatchedRows(DaskRows):
    def __init__(self, cluster, blocks, count, watch):
        super().__init__(cluster, blocks, count)
        object.__setattr__(self, "watch", watch)

    def joined(self, work, join):
        found = super().joined(work, join)
        self.watch(work, found)
        return found


def watched(client, watch):
    model = Watched(**QUICK, client=client)
    model.watch = watch
    return model


def after(passes, event):
    """A watch that lets something happen after so many passes."""
    left = [passes]

    def watch(*_):
        left[0] -= 1
        if not left[0]:
            event()

    return watch


def blocks(X, y, parts=4):
    rows = np.array_split(np.arange(len(X)), parts)
    return [delayed((X[part], y[part])) for part in rows]


@pytest.fixture(scope="module")
def table():
    return blocks(*numbers(8_000))


@pytest.mark.parametrize("passes", [3, 9])
def test_a_worker_that_is_killed_takes_nothing_with_it(client, table, passes):
    """Before the search, and while the points of all rows are looked for."""
    expected = DaskUNFISClassifier(**QUICK, client=client).fit(table)
    victim, killed = next(iter(client.run(os.getpid).values())), []

    def kill():
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    found = watched(client, after(passes, kill)).fit(table)
    assert killed
    assert found.model_.rules == expected.model_.rules
    np.testing.assert_array_equal(found.model_.evidence, expected.model_.evidence)


def test_an_interrupt_leaves_no_task_and_the_old_model(client, table):
    model = watched(client, lambda *_: None).fit(table)
    before = model.model_

    def interrupt():
        assert tasks_of(client, seconds=0)
        raise KeyboardInterrupt

    model.watch = after(8, interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(table)
    assert model.model_ is before
    assert tasks_of(client) == []


def test_what_is_sent_does_not_grow_with_the_rows(client):
    """But for the rows that are searched, and hashes of about as many in each block."""
    searched, sizes = ("first_rows", "possible_copies"), []
    for rows in (8_000, 64_000):
        sizes.append({})

        def watch(work, found, sent=sizes[-1]):
            name = getattr(work, "func", work).__name__
            sent[name] = max(sent.get(name, 0), len(pickle.dumps((work, found))))

        watched(client, watch).fit(blocks(*numbers(rows)))
    few, many = sizes
    assert few.keys() == many.keys() > {"block_sums", "rule_sums", *searched}
    for name in few.keys() - {*searched}:
        assert many[name] < min(few[name] + 500, 10_000)
    assert many["first_rows"] < few["first_rows"] + 50_000
    assert many["possible_copies"] < 4 * 6_600 * 24


X, Y = clinic(60)
NUMBERS, LABELS = numbers(60)
LAZY = da.from_array(NUMBERS, chunks=(30, 16))


def given(*tables):
    return [delayed(table) for table in tables]


BAD = {
    "a table in memory": ((NUMBERS, LABELS), "got ndarray. UNFISClassifier takes tables"),
    "no labels": ((LAZY,), "y must hold the classes of the rows"),
    "an unknown column": (
        (dd.from_pandas(X.assign(ill=Y), npartitions=2), "il"),
        "Did you mean 'ill'?",
    ),
    "fewer labels": ((LAZY, LABELS[:50]), "X has 60 rows, y 50"),
    "no tuple": ((given(X),), r"Block 1 must be a tuple \(X, y\)"),
    "a column that others lack": (
        (given((X, Y), (X.assign(more=1), Y)),),
        "Block 2: X has the column 'more', which the first block lacks",
    ),
    "text where numbers were": (
        (given((X, Y), (X.assign(age="old"), Y)),),
        "Block 2: age holds text or categories, but numbers in the blocks before",
    ),
    "missing labels": ((given((X, Y), (X, [None] * 60)),), "Block 2: y holds missing labels"),
    "one class": ((given((X, ["a"] * 60), (X, ["a"] * 60)),), "at least two classes"),
    "fewer labels in a block": ((given((X, Y), (X, Y[:5])),), "Block 2: y must hold one label"),
    "no rows": ((given((X[:0], Y[:0])),), "all of its blocks are empty"),
    "no weight": ((given((X, Y, np.zeros(60))),), "got zero for every row"),
}


@pytest.mark.parametrize(("table", "words"), BAD.values(), ids=BAD)
def test_bad_tables(client, table, words):
    model = DaskUNFISClassifier(**QUICK, client=client)
    with pytest.raises(ValueError, match=words):
        model.fit(*table)
    assert not hasattr(model, "model_")
    assert not hasattr(model, "n_features_in_")


def test_clients_that_cannot_be_asked():
    with pytest.raises(ValueError, match=r"client must be a distributed\.Client or None, got 'tcp"):
        DaskUNFISClassifier(client="tcp://127.0.0.1:1").fit(given((X, Y)))
    assert issubclass(ClusterError, ConnectionError)
