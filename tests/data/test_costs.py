"""The answer that is expected to cost least."""

import numpy as np
import pytest

from unfis.data.costs import decision_threshold, free_error, least_costly, regrets, threshold_costs


def test_least_costly_is_the_least_expected_cost():
    generator = np.random.default_rng(0)
    probabilities = generator.dirichlet(np.ones(4), 200)
    costs = tuple(map(tuple, (generator.random((4, 4)) + 2 * (1 - np.eye(4))).tolist()))
    expected = [
        min(range(4), key=lambda k: sum(p[c] * costs[c][k] for c in range(4)))
        for p in probabilities
    ]
    assert least_costly(probabilities, costs).tolist() == expected
    assert least_costly(probabilities, ()).tolist() == probabilities.argmax(axis=1).tolist()


def test_what_the_right_answer_costs_decides_nothing():
    costs = ((2.0, 3.0), (14.0, 4.0))
    assert regrets(costs).tolist() == [[0, 1], [10, 0]]
    assert decision_threshold(costs, 1) == pytest.approx(1 / 11)
    probabilities = np.column_stack([1 - np.linspace(0, 1, 101), np.linspace(0, 1, 101)])
    plain = least_costly(probabilities, ((0.0, 1.0), (10.0, 0.0)))
    np.testing.assert_array_equal(least_costly(probabilities, costs), plain)


def test_a_threshold_as_costs():
    probabilities = np.array([[0.81, 0.19], [0.79, 0.21]])
    assert least_costly(probabilities, threshold_costs(0.2)).tolist() == [0, 1]
    assert decision_threshold((), 0) == 0.5


def test_an_error_that_is_free():
    assert free_error(((0, 1), (1, 0))) is None
    assert free_error(((0, 1, 1), (1, 0, 0), (1, 1, 0))) == (1, 2)
