"""Sums over what workers hold are those of one problem in memory."""

import numpy as np
import pytest
from block_tables import numbers
from dask import delayed

from unfis import UNFISClassifier
from unfis.distributed.cluster import Cluster
from unfis.distributed.problem import PIECE_ROWS, DaskProblem
from unfis.distributed.reading import read_distributed
from unfis.estimators.model_classifier import training_rows
from unfis.estimators.tables import read_labelled
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import ALL
from unfis.model.settings import Settings
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start

ROWS = 1300


@pytest.fixture
def problems(client):
    """The same problem on workers, in uneven blocks, and here."""
    X, y = numbers(ROWS)
    weights = np.linspace(0.5, 1.5, ROWS)
    model = UNFISClassifier(class_weight={"yes": 2.0})
    settings = Settings(**model.get_params())
    here = training_rows(
        read_labelled(model, X, y, weights, settings), model.class_weight, CrossEntropy()
    )
    start = kmeans_start(*here.samples, 3)
    network = trainable(CrossEntropy(), start, "soft", "linear")
    prior = start_prior(network, start, 0.3, "linear")
    parts = np.split(np.arange(ROWS), [1, 1, 700])
    with Cluster(client) as cluster:
        blocks = [delayed((X[rows], y[rows], weights[rows])) for rows in parts]
        read = read_distributed(cluster, blocks, settings)
        there = read.training_rows(model.class_weight, CrossEntropy())
        yield tuple(rows.problem(network, CrossEntropy(), prior) for rows in (there, here))


def vector_of(problem):
    return problem.model.start + 0.01 * np.random.RandomState(0).normal(
        size=len(problem.prior.mean)
    )


ROWS_OF_PARTS = {
    "all": ALL,
    "every third": slice(None, None, 3),
    "some, in no order": np.random.RandomState(0).permutation(ROWS)[:400],
}


@pytest.mark.parametrize("rows", ROWS_OF_PARTS.values(), ids=ROWS_OF_PARTS)
def test_parts_of_the_samples(problems, rows):
    there, here = (problem.subset(rows) for problem in problems)
    assert isinstance(there, DaskProblem)
    vector = vector_of(here)
    assert there.samples == here.samples
    assert there.outputs == here.outputs
    np.testing.assert_allclose(there.weight, here.weight, rtol=1e-12)
    np.testing.assert_allclose(there.share, here.share, rtol=1e-12)
    np.testing.assert_allclose(there.value(vector), here.value(vector), rtol=1e-12)
    np.testing.assert_allclose(there.gradient(vector), here.gradient(vector), atol=1e-9)
    found, expected = there.system(vector), here.system(vector)
    np.testing.assert_allclose(found.solve(0.1), expected.solve(0.1), atol=1e-9)


def test_the_curvature_of_some_for_that_of_all(problems):
    some = np.random.RandomState(1).permutation(ROWS)[:300]
    there, here = problems
    vector = vector_of(here)
    found, expected = (one.evaluate(vector, one.subset(some)) for one in (there, here))
    np.testing.assert_allclose(found.value, expected.value, rtol=1e-12)
    systems = found.system(), expected.system()
    assert type(systems[0]) is type(systems[1])
    np.testing.assert_allclose(systems[0].rhs, systems[1].rhs, atol=1e-9)
    diagonals = [system.curvature_diagonal() for system in systems]
    np.testing.assert_allclose(*diagonals, rtol=1e-10)
    direction = np.random.RandomState(2).normal(size=len(vector))
    along = [system.curvature_along(direction) for system in systems]
    np.testing.assert_allclose(*along, rtol=1e-10)


def test_a_part_is_in_pieces_of_its_own_and_remembered(problems, monkeypatch):
    monkeypatch.setattr("unfis.distributed.problem.PIECE_ROWS", 100)
    assert PIECE_ROWS > 100
    there, here = problems
    rows = np.random.RandomState(0).permutation(ROWS)[:250]
    part = there.subset(rows)
    assert part.rows.counts.tolist() == [100, 100, 50]
    assert there.subset(rows.copy()) is part
    vector = vector_of(here)
    np.testing.assert_allclose(part.value(vector), here.subset(rows).value(vector), rtol=1e-12)
    again = part.subset(np.arange(7))
    np.testing.assert_allclose(
        again.value(vector), here.subset(rows).subset(np.arange(7)).value(vector), rtol=1e-12
    )
