"""Costs and thresholds as a user gives them, and the threshold that held-out answers choose."""

from types import SimpleNamespace

import numpy as np
import pytest

from unfis.data.costs import decision_threshold
from unfis.model.operating_point import chosen_threshold, given_costs, held_out_threshold

TWO, THREE = ["no", "yes"], ["a", "b", "c"]


def held_out(rows=4000, seed=0):
    """True probabilities of the second class, and classes drawn by them."""
    generator = np.random.default_rng(seed)
    probabilities = generator.beta(1, 8, rows)
    return (generator.random(rows) < probabilities).astype(int), probabilities, np.ones(rows)


def cost_at(threshold, codes, probabilities, weights, costs):
    answers = (probabilities > threshold).astype(int)
    return float(weights @ np.array(costs)[codes, answers])


def test_costs_of_missing_classes():
    assert given_costs({"yes": 10}, None, TWO) == ((0, 1), (10, 0))
    assert given_costs({"b": 3}, None, THREE) == ((0, 1, 1), (3, 0, 3), (1, 1, 0))
    assert given_costs({}, None, TWO) == ((0, 1), (1, 0))


def test_a_table_stays_what_it_is():
    table = [[1, 2, 3], [9, 0, 4], [5, 6, 1]]
    assert given_costs(table, None, THREE) == tuple(map(tuple, table))
    assert given_costs(np.array(table), None, THREE) == tuple(map(tuple, table))
    assert given_costs(None, None, THREE) == ()


@pytest.mark.parametrize("threshold", [0.2, {"yes": 0.2}, {"no": 0.8}])
def test_a_threshold_is_costs(threshold):
    costs = given_costs(None, threshold, TWO)
    assert decision_threshold(costs, 1) == pytest.approx(0.2)
    assert decision_threshold(costs, 0) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("costs", "threshold", "classes", "message"),
    [
        ({"maybe": 2}, None, TWO, "costs names 'maybe', which is not among"),
        ({"yes": 0}, None, TWO, "numbers above 0"),
        ({"yes": "ten"}, None, TWO, "numbers above 0"),
        ({"yes": True}, None, TWO, "numbers above 0"),
        ([[0, 1]], None, TWO, "a table of 2 rows"),
        ([[0, 1], [1]], None, TWO, "a table of 2 rows"),
        ("cheap", None, TWO, "a table of 2 rows"),
        ([[0, -1], [1, 0]], None, TWO, "from 0 to 1e\\+100, got -1"),
        ([[0, np.nan], [1, 0]], None, TWO, "got nan"),
        ([[0, np.inf], [1, 0]], None, TWO, "got inf"),
        ([[0, 1], [3, 5]], None, TWO, "got 3 for 'yes' answered 'no' and 5 for 'yes' answered"),
        (np.zeros((2, 2)), None, TWO, "higher for every wrong answer"),
        (None, 1.2, TWO, "threshold must be a number above 0 and below 1"),
        (None, 0, TWO, "threshold must be a number above 0 and below 1"),
        (None, np.nan, TWO, "threshold must be a number above 0 and below 1"),
        (None, "best", TWO, "threshold must be a number above 0 and below 1"),
        (None, {"maybe": 0.2}, TWO, "threshold names 'maybe'"),
        (None, {"yes": 0.2, "no": 0.3}, TWO, "must name one class"),
        (None, 0.2, THREE, "got 0.2 for 3 classes"),
        (None, "auto", THREE, "got 'auto' for 3 classes"),
        ({"yes": 2}, 0.2, TWO, "Leave one of them out"),
    ],
)
def test_what_is_wrong_is_a_sentence(costs, threshold, classes, message):
    with pytest.raises(ValueError, match=message):
        given_costs(costs, threshold, classes)


def test_true_probabilities_keep_what_follows_from_the_costs():
    for seed in range(5):
        found = chosen_threshold(*held_out(seed=seed), ((0, 1), (10, 0)))
        assert found == pytest.approx(1 / 11, abs=0.03)


def test_wrong_probabilities_are_answered_by_what_costs_least():
    """They are all cut to a tenth: so is the threshold."""
    codes, probabilities, weights = held_out(20_000)
    costs = ((0, 1), (10, 0))
    found = chosen_threshold(codes, 0.1 * probabilities, weights, costs)
    assert found == pytest.approx(0.1 / 11, rel=0.3)
    least = min(
        cost_at(t, codes, 0.1 * probabilities, weights, costs) for t in np.linspace(0, 0.1, 400)
    )
    assert cost_at(found, codes, 0.1 * probabilities, weights, costs) <= 1.001 * least


def test_without_costs_the_classes_count_alike():
    codes, probabilities, weights = held_out(20_000)
    squeezed = 0.5 + 0.01 * probabilities  # no probability is below a half
    found = chosen_threshold(codes, squeezed, weights)
    recalls = [np.mean((squeezed > found)[codes == c] == c) for c in (0, 1)]
    best = max(
        np.mean([np.mean((squeezed > t)[codes == c] == c) for c in (0, 1)])
        for t in np.linspace(0.5, 0.51, 400)
    )
    assert np.mean(recalls) >= best - 0.002


def test_it_is_in_the_middle_and_does_not_hinge_on_last_digits():
    probabilities = np.repeat([0.6, 0.7, 0.8, 0.9], 20)
    codes = np.repeat([0, 0, 1, 1], 20)
    costs = ((0, 1), (4, 0))
    assert chosen_threshold(codes, probabilities, np.ones(80), costs) == pytest.approx(0.75)
    digits = 1 + 1e-14 * np.random.default_rng(0).normal(size=80)
    moved = chosen_threshold(codes, probabilities * digits, np.ones(80), costs)
    assert moved == pytest.approx(0.75, abs=1e-9)


def test_a_weight_of_two_is_two_rows():
    codes, probabilities, _ = held_out(500)
    weights = np.random.default_rng(1).integers(1, 4, 500)
    twice = np.repeat(np.arange(500), weights)
    costs = ((0, 1), (30, 0))
    one = chosen_threshold(codes, probabilities**2, weights.astype(float), costs)
    other = chosen_threshold(codes[twice], probabilities[twice] ** 2, np.ones(len(twice)), costs)
    assert one == pytest.approx(other, abs=1e-12)


def test_the_unit_of_costs_does_not_matter():
    codes, probabilities, weights = held_out(500)
    found = [
        chosen_threshold(codes, probabilities**2, weights, ((0, unit), (10 * unit, 0)))
        for unit in (1e-90, 1.0, 1e90)
    ]
    assert found == pytest.approx([found[1]] * 3)


def test_held_out_answers_are_needed():
    with pytest.raises(ValueError, match="threshold='auto' needs answers to rows"):
        held_out_threshold(SimpleNamespace(held_out=None), ())
    codes, probabilities, weights = held_out(500)
    likelihoods = np.where(codes == 1, probabilities, 1 - probabilities)
    kept = SimpleNamespace(codes=codes, likelihoods=likelihoods, weights=weights)
    found = held_out_threshold(SimpleNamespace(held_out=kept), ((0, 1), (10, 0)))
    assert found == pytest.approx(
        chosen_threshold(codes, probabilities, weights, ((0, 1), (10, 0))), abs=1e-12
    )
