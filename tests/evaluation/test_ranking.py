import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from unfis.evaluation.ranking import area, average_precision, roc_auc


@pytest.fixture(params=[2, 4])
def answers(request):
    """Classes of 300 rows and probabilities with ties among them."""
    generator = np.random.RandomState(0)
    count = request.param
    codes = np.repeat(np.arange(count), [300 - 30 * (count - 1), *[30] * (count - 1)])
    logits = generator.standard_normal((300, count)) + 1.5 * (codes[:, None] == np.arange(count))
    shares = np.exp(np.round(logits, 1))
    # Ties in fewer digits than are compared: a last digit would break them.
    return codes, np.round(shares / shares.sum(axis=1, keepdims=True), 7)


def test_areas_are_those_of_scikit_learn(answers):
    codes, shares = answers
    given = shares[:, 1] if shares.shape[1] == 2 else shares
    found, precision = roc_auc(codes, shares), average_precision(codes, shares)
    assert found.value == pytest.approx(roc_auc_score(codes, given, multi_class="ovr"))
    targets = (codes == 1) if shares.shape[1] == 2 else np.eye(shares.shape[1])[codes]
    assert precision.value == pytest.approx(average_precision_score(targets, given))
    for one in (found, precision):
        assert 0 < one.low < one.value < one.high < 1
    assert precision.baseline == pytest.approx(targets.mean())
    assert found.baseline == 0.5


def test_delong_by_hand():
    """Three against two, with one tie."""
    positive = np.array([True, True, True, False, False])
    value, parts = area(positive, np.array([0.9, 0.5, 0.3, 0.5, 0.1]))
    # Won of two negatives: 2, 1.5, 1; of three positives: 1.5, 3.
    assert value == pytest.approx(4.5 / 6)
    variance = np.var([1, 0.75, 0.5], ddof=1) / 3 + np.var([0.5, 1], ddof=1) / 2
    assert np.square(parts).sum() == pytest.approx(variance)


def test_the_interval_holds_what_it_should():
    """Normal scores one deviation apart: the area is Phi(1 / sqrt(2)) = 0.7602."""
    generator = np.random.RandomState(0)
    codes = np.repeat([0, 1], [200, 20])
    inside = 0
    for _ in range(300):
        share = 1 / (1 + np.exp(-generator.standard_normal(220) - codes))
        found = roc_auc(codes, np.column_stack([1 - share, share]))
        inside += found.low <= 0.7602 <= found.high
    assert 0.91 < inside / 300 < 0.99


def test_no_interval_is_a_point():
    """All five ranked right may be chance; one row of a class says next to nothing."""
    codes = np.repeat([0, 1], [40, 5])
    found = roc_auc(codes, np.column_stack([1 - codes, codes]).astype(float))
    assert found.value == 1
    assert found.low < 0.6
    codes = np.repeat([0, 1], [40, 1])
    share = np.linspace(0, 1, 41)
    found = roc_auc(codes, np.column_stack([1 - share, share]))
    assert found.low < 0.25


def test_absent_classes_are_not_ranked():
    shares = np.full((4, 3), 1 / 3)
    assert roc_auc(np.zeros(4, dtype=int), shares) is None
    assert average_precision(np.zeros(4, dtype=int), shares) is None
    assert roc_auc(np.array([0, 0, 1, 1]), shares).value == 0.5
    assert average_precision(np.array([0, 0, 1, 1]), shares).value == 0.5


def test_of_two_classes_the_rarer_is_looked_for():
    shares = np.column_stack([np.linspace(0, 1, 10), np.linspace(1, 0, 10)])
    rare_first = average_precision(np.repeat([1, 0], [8, 2]), shares)
    assert (rare_first.value, rare_first.baseline) == (1, 0.2)
    assert average_precision(np.repeat([0, 1], 5), shares).value < 0.5


def test_last_digits_make_no_order():
    codes = np.array([0, 1, 0, 1, 1, 0])
    shares = np.array([0.2, 0.2, 0.7, 0.7, 0.7, 0.2])
    noisy = shares * (1 + np.array([3, -2, 1, -3, 2, -1]) * 1e-16)
    exact, found = (np.column_stack([1 - one, one]) for one in (shares, noisy))
    assert roc_auc(codes, found) == roc_auc(codes, exact)
    assert average_precision(codes, found) == average_precision(codes, exact)
