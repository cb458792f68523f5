import json

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, log_loss

from unfis.model.performance import performance

GENERATOR = np.random.RandomState(0)


def loans(strength, rows=1000, rare=20):
    """Classes of which the second is rare, and probabilities that know of it so much."""
    codes = np.repeat([0, 1], [rows - rare, rare])
    logits = GENERATOR.standard_normal(rows) + strength * codes - 4
    share = 1 / (1 + np.exp(-logits))
    return codes, np.column_stack([1 - share, share])


def measured(codes, shares, answers=None, costs=(), classes=("no", "yes")):
    answers = shares.argmax(axis=1) if answers is None else answers
    return performance(list(classes), codes, shares, answers, costs)


def test_figures_are_those_of_scikit_learn():
    codes, shares = loans(3)
    answers = (shares[:, 1] > 0.1).astype(int)
    found = measured(codes, shares, answers)
    assert found.accuracy.value == pytest.approx((codes == answers).mean())
    assert found.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(codes, answers))
    assert found.log_loss.value == pytest.approx(log_loss(codes, shares))
    assert found.log_loss.baseline == pytest.approx(log_loss(codes, [[0.98, 0.02]] * 1000))
    assert (found.accuracy.baseline, found.balanced_accuracy.baseline) == (0.98, 0.5)
    assert (found.rows, found.most_frequent, found.positive) == ((980, 20), "no", "yes")


def test_always_no_is_called_that():
    codes, shares = loans(1.5)
    found = measured(codes, shares, np.zeros(1000, dtype=int))
    assert found.is_rare
    assert not found.beats_baseline
    told = found.sentences("held-out row")
    assert told[0] == (
        'Found 0 of 20 "yes" (95 % interval 0.0 to 16.1 %); it was answered nowhere.'
    )
    assert told[1] == (
        "Balanced accuracy 50.0 % (95 % interval 49.8 to 58.1 %), where always answering "
        '"no" has 50.0 %.'
    )
    assert told[2].startswith("ROC AUC 0.")
    assert told[3].startswith('Average precision of "yes" 0.')
    assert told[3].endswith("where chance has 0.020.")
    assert told[4] == (
        "Right on 980 of 1,000 held-out rows: 98.0 % (95 % interval 96.9 to 98.7 %), where "
        'always answering "no" is right on 98.0 % too.'
    )
    assert told[5] == 'No better than always answering "no".'
    assert told[6].startswith("Its probabilities do tell the classes apart")


def test_noise_is_not_said_to_tell_classes_apart():
    codes, shares = loans(0)
    told = measured(codes, shares, np.zeros(1000, dtype=int)).sentences()
    assert told[-1] == 'No better than always answering "no".'


def test_what_finds_the_rare_class_beats_the_baseline():
    codes, shares = loans(4)
    found = measured(codes, shares, (shares[:, 1] > 0.1).astype(int))
    assert found.beats_baseline
    assert found.accuracy.value < found.accuracy.baseline
    assert not any("better" in sentence for sentence in found.sentences())
    assert " rows where it answered so." in found.sentences()[0]


def test_without_a_rare_class_accuracy_leads():
    codes, shares = loans(8, 100, 40)
    found = measured(codes, shares)
    assert not found.is_rare
    assert found.leading is found.accuracy
    assert [sentence.split()[0] for sentence in found.sentences()] == ["Right", "ROC"]


def test_few_rows_may_be_chance():
    codes, answers = np.repeat([0, 1], 5), np.array([0, 0, 0, 1, 1, 1, 1, 1, 0, 1])
    shares = np.eye(2)[answers] * 0.8 + 0.1
    found = measured(codes, shares, answers)
    assert not found.beats_baseline
    assert 'Perhaps no better than always answering "no"' in " ".join(found.sentences())


def test_costs_lead_where_there_are_any():
    """A missed yes costs 50: always answering yes costs 0.98 a row, always no 1."""
    codes, shares = loans(6)
    costs = ((0.0, 1.0), (50.0, 0.0))
    found = measured(codes, shares, (shares[:, 1] > 1 / 51).astype(int), costs)
    assert found.cost.baseline == pytest.approx(0.98)
    assert (found.cheapest, found.most_frequent) == ("yes", "no")
    assert found.leading is found.cost
    assert found.beats_baseline
    assert 'always answering "yes" costs 0.980' in found.sentences()[0]
    never = measured(codes, shares, np.zeros(1000, dtype=int), costs)
    assert never.cost.value == 1
    assert 'No better than always answering "yes".' in never.sentences()


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
    assert "better" not in " ".join(found.sentences())


def test_of_several_classes():
    codes = np.repeat([0, 1, 2], [80, 80, 10])
    found = measured(codes, np.eye(3)[codes] * 0.7 + 0.1, classes=("a", "b", "c"))
    assert found.positive is None
    assert found.sentences()[0].startswith("Balanced accuracy 100.0 %")
    assert any(one.startswith("Average precision 1.000") for one in found.sentences())


def test_plain_data():
    found = measured(*loans(2)).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["rows"], found["baseline"], found["rare"], found["cost"]) == (
        *(1000, 0.98, True, None),
    )
    assert found["roc_auc_low"] < found["roc_auc"] < found["roc_auc_high"]
