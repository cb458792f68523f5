"""Weights of inputs: row by row as of all rows, and by leaving each out."""

import numpy as np
import pytest

from unfis_paper.compared.feature_weights import ClassScatter

GENERATOR = np.random.RandomState(0)
CODES = np.arange(90) % 3
X = GENERATOR.normal(size=(90, 4))
X[:, 0] += 5 * CODES
X[:, 1] += CODES


def scatter_of(rows, codes):
    scatter = ClassScatter(3, rows.shape[1])
    scatter.add_rows(rows, codes)
    return scatter


def test_row_by_row_is_all_at_once():
    scatter = scatter_of(X, CODES)
    apart = X - np.array([X[c::3].mean(axis=0) for c in range(3)])[CODES]
    within = apart.T @ apart
    np.testing.assert_allclose(scatter.within, within)
    total = (X - X.mean(0)).T @ (X - X.mean(0))
    np.testing.assert_allclose(scatter.within + scatter.between, total)


def test_leaving_out_by_its_definition():
    scatter = scatter_of(X, CODES)
    within = scatter.within + 1e-6 * np.trace(scatter.within) / 4 * np.eye(4)
    left = []
    for j in range(4):
        others = [k for k in range(4) if k != j]
        part = np.ix_(others, others)
        left.append(np.trace(np.linalg.inv(within[part]) @ scatter.between[part]))
    expected = 1 - (np.array(left) - min(left)) / (max(left) - min(left))
    np.testing.assert_allclose(scatter.weights(), expected)
    assert scatter.weights()[0] == 1
    assert scatter.weights().min() == 0


def test_by_hand_of_two_inputs():
    """The one that parts the classes has weight 1, the one that does not 0."""
    rows = np.array([[0.0, 1], [0, -1], [4, 1], [4, -1], [1, 1], [5, -1]])
    weights = scatter_of(rows, np.array([0, 0, 1, 1, 0, 1])).weights()
    np.testing.assert_array_equal(weights, [1, 0])


@pytest.mark.parametrize(
    ("rows", "codes"),
    [(X[:1], CODES[:1]), (X[:9], np.zeros(9, int)), (X[:, :1], CODES), (0 * X, CODES)],
)
def test_where_nothing_tells_inputs_apart_all_count(rows, codes):
    np.testing.assert_array_equal(scatter_of(rows, codes).weights(), 1)
