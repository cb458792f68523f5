"""How good answers were, in words."""

import numpy as np
import pytest
from rare_tables import loans, measured, outcomes_of
from scipy.special import expit

from unfis.app.tables.figures import (
    calibration_sentences,
    figure_sentences,
    performance_sentences,
    verdict,
)
from unfis.evaluation.errors import errors_of


def sentences(found, row="row"):
    return performance_sentences(found, row) + verdict(found)


def test_always_no_is_called_that():
    codes, shares = loans(1.5)
    found = measured(codes, shares, np.zeros(1000, dtype=int))
    assert found.is_rare
    assert not found.beats_baseline
    told = sentences(found, "held-out row")
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
    told = sentences(measured(codes, shares, np.zeros(1000, dtype=int)))
    assert told[-1] == 'No better than always answering "no".'


def test_what_finds_the_rare_class_is_told_first():
    codes, shares = loans(4)
    told = sentences(measured(codes, shares, (shares[:, 1] > 0.1).astype(int)))
    assert not any("better" in sentence for sentence in told)
    assert " rows where it answered so." in told[0]


def test_without_a_rare_class_accuracy_is_told_first():
    told = sentences(measured(*loans(8, 100, 40)))
    assert [sentence.split()[0] for sentence in told] == ["Right", "ROC"]


def test_few_rows_may_be_chance():
    codes, answers = np.repeat([0, 1], 5), np.array([0, 0, 0, 1, 1, 1, 1, 1, 0, 1])
    shares = np.eye(2)[answers] * 0.8 + 0.1
    found = measured(codes, shares, answers)
    assert not found.beats_baseline
    assert 'Perhaps no better than always answering "no"' in " ".join(sentences(found))


def test_costs_are_told_first():
    codes, shares = loans(6)
    costs = ((0.0, 1.0), (50.0, 0.0))
    found = measured(codes, shares, (shares[:, 1] > 1 / 51).astype(int), costs)
    assert 'always answering "yes" costs 0.980' in sentences(found)[0]
    never = measured(codes, shares, np.zeros(1000, dtype=int), costs)
    assert 'No better than always answering "yes".' in sentences(never)


def test_one_class_alone_has_nothing_to_be_better_than():
    found = measured(np.zeros(5, dtype=int), np.full((5, 2), 0.5))
    assert "better" not in " ".join(sentences(found))


def test_of_several_classes():
    codes = np.repeat([0, 1, 2], [80, 80, 10])
    found = measured(codes, np.eye(3)[codes] * 0.7 + 0.1, classes=("a", "b", "c"))
    assert found.positive is None
    assert sentences(found)[0].startswith("Balanced accuracy 100.0 %")
    assert any(one.startswith("Average precision 1.000") for one in sentences(found))


@pytest.mark.parametrize(
    ("intercept", "slope", "words"),
    [
        (0.0, 1.0, "neither too near 0 and 1 nor too far from them"),
        (0.0, 0.5, 'The probabilities of "yes" are too near 0 and 1 (slope 0.'),
        (0.0, 2.0, "are not near enough to 0 and 1 (slope "),
        (0.7, 1.0, 'On average "yes" is more frequent than its probabilities say (intercept 0.'),
        (-0.7, 1.0, "is less frequent than its probabilities say (intercept -0."),
        (0.0, 1.0, "is as frequent as its probabilities say"),
    ],
)
def test_calibration_in_words(intercept, slope, words):
    log_odds, outcomes = outcomes_of(intercept=intercept, slope=slope)
    told = calibration_sentences("yes", outcomes, expit(log_odds))
    assert len(told) == 3
    assert words in " ".join(told)
    share = outcomes.mean()
    assert told[0].endswith(f"where its share, said of every row, has {share * (1 - share):.4f}.")


def test_rows_told_apart_have_no_slope_to_tell():
    outcomes = np.arange(20) >= 10
    told = calibration_sentences("yes", outcomes, np.where(outcomes, 0.9, 0.1))
    assert told[-1].startswith("There is no slope and no intercept to tell")


def test_errors_of_numbers():
    true = np.arange(40.0)
    told = figure_sentences(errors_of(true, true + np.tile([1.0, -1.0], 20)), "held-out row")
    assert told[0] == "On 40 held-out rows, beside always predicting their mean:"
    assert told[1] == ("Root mean squared error 1 (95 % interval 1 to 1); the mean has 11.5.")
    assert told[3].startswith("R2, the explained share of the variance, 0.992 (95 % interval 0.99")
    assert len(told) == 4
    none = figure_sentences(errors_of(true, np.full(40, 19.5)))
    assert none[-1] == "No better than the mean."
    signs = np.tile([1.0, -1.0], 4)
    weak = figure_sentences(errors_of(signs, np.array([1.0, -1, 1, -1, 1, -1, 1, 1])))
    assert weak[-1] == "Perhaps no better than the mean: the interval reaches as far."
    assert errors_of(np.ones(3), np.ones(3)).r2 is None
