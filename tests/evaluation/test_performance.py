import json

import numpy as np
import pytest
from rare_tables import loans, measured
from sklearn.metrics import balanced_accuracy_score, log_loss


def test_figures_are_those_of_scikit_learn():
    codes, shares = loans(3)
    answers = (shares[:, 1] > 0.1).astype(int)
    found = measured(codes, shares, answers)
    assert found.accuracy.value == pytest.approx((codes == answers).mean())
    assert found.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(codes, answers))
    assert found.log_loss.value == pytest.approx(log_loss(codes, shares))
    assert found.log_loss.baseline == pytest.approx(log_loss(codes, [[0.98, 0.02]] * 1000))
    assert (found.accuracy.baseline, found.balanced_accuracy.baseline) == (0.98, 0.5)
    assert (found.most_frequent, found.positive) == ("no", "yes")
    assert found.confusion.sum(axis=1).tolist() == [980, 20]


def test_what_finds_the_rare_class_beats_the_baseline():
    codes, shares = loans(4)
    found = measured(codes, shares, (shares[:, 1] > 0.1).astype(int))
    assert found.beats_baseline
    assert found.accuracy.value < found.accuracy.baseline


def test_always_no_does_not():
    codes, shares = loans(1.5)
    found = measured(codes, shares, np.zeros(1000, dtype=int))
    assert found.is_rare
    assert not found.beats_baseline


def test_without_a_rare_class_accuracy_leads():
    codes, shares = loans(8, 100, 40)
    found = measured(codes, shares)
    assert not found.is_rare
    assert found.leading is found.accuracy


def test_costs_lead_where_there_are_any():
    """A missed yes costs 50: always answering yes costs 0.98 a row, always no 1."""
    codes, shares = loans(6)
    costs = ((0.0, 1.0), (50.0, 0.0))
    found = measured(codes, shares, (shares[:, 1] > 1 / 51).astype(int), costs)
    assert found.cost.baseline == pytest.approx(0.98)
    assert (found.cheapest, found.most_frequent) == ("yes", "no")
    assert found.leading is found.cost
    assert found.beats_baseline
    assert measured(codes, shares, np.zeros(1000, dtype=int), costs).cost.value == 1


@pytest.mark.parametrize(
    ("rows", "rare"),
    [([80, 20], False), ([81, 19], True), ([10] * 10, False), ([90, 90, 20], True)],
)
def test_what_is_rare(rows, rare):
    codes = np.repeat(np.arange(len(rows)), rows)
    shares = np.eye(len(rows))[codes]
    assert measured(codes, shares, classes=range(len(rows))).is_rare is rare


def test_one_class_alone_is_measured_as_far_as_it_can_be():
    found = measured(np.zeros(5, dtype=int), np.full((5, 2), 0.5))
    assert (found.roc_auc, found.average_precision, found.accuracy.value) == (None, None, 1)


def test_plain_data():
    found = measured(*loans(2)).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["rows"], found["baseline"], found["rare"], found["cost"]) == (
        *(1000, 0.98, True, None),
    )
    assert found["roc_auc_low"] < found["roc_auc"] < found["roc_auc_high"]
