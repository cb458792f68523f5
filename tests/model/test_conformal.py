"""Conformal sets: of exchangeable rows no more than was said miss their class, in each class."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.data.held_out import HeldOutAnswers
from unfis.model.conformal import ConformalSets, check_confidence, conformal_threshold

CLASSES = np.array(["no", "yes", "maybe"])


def held_out_of(generator, rows, classes=3):
    codes = generator.randint(0, classes, rows)
    likelihoods = generator.beta(2 + codes, 1)
    return HeldOutAnswers.of_losses(codes, -np.log(likelihoods), np.ones(rows))


@pytest.mark.parametrize(("rows", "rank"), [(18, 0), (19, 1), (38, 1), (39, 2), (199, 10)])
def test_the_threshold_counts_the_row_in_question(rows, rank):
    """The floor((n + 1) (1 - confidence))-th of n; a class of fewer rows is never left out."""
    likelihoods = np.linspace(0.1, 0.9, rows)
    found = conformal_threshold(likelihoods, np.ones(rows), 0.95)
    assert found == (likelihoods[rank - 1] if rank else 0.0)


def test_a_class_without_rows_is_never_left_out():
    assert conformal_threshold(np.empty(0), np.empty(0), 0.5) == 0


def test_a_weight_counts_as_so_many_rows():
    likelihoods, weights = np.array([0.2, 0.3, 0.7]), np.array([1, 3, 40])
    found = conformal_threshold(likelihoods, weights.astype(float), 0.9)
    assert found == conformal_threshold(np.repeat(likelihoods, weights), np.ones(44), 0.9) == 0.3


def test_of_exchangeable_rows_each_class_is_covered():
    generator = np.random.RandomState(0)
    covered = np.zeros(3)
    for _ in range(200):
        # Ranks do not depend on the distribution.
        conformal = ConformalSets.of(CLASSES, held_out_of(generator, 150), 0.9)
        for code in range(3):
            probabilities = np.zeros((100, 3))
            probabilities[:, code] = generator.beta(2 + code, 1, 100)
            covered[code] += conformal.sets(probabilities)[:, code].mean() / 200
    assert (covered > 0.895).all()
    assert (covered < 0.93).all()


@settings(deadline=None, max_examples=50)
@given(
    seed=st.integers(0, 1000),
    rows=st.integers(1, 200),
    less=st.floats(0.01, 0.98),
    more=st.floats(0.0, 1.0),
)
def test_more_confidence_gives_larger_sets(seed, rows, less, more):
    generator = np.random.RandomState(seed)
    held_out, probabilities = held_out_of(generator, rows), generator.dirichlet([1, 1, 1], 50)
    more = less + more * (0.99 - less)
    small, large = (
        ConformalSets.of(CLASSES, held_out, confidence).sets(probabilities)
        for confidence in (less, more)
    )
    assert (large >= small).all()


def test_what_differs_in_last_digits_is_the_same():
    conformal = ConformalSets(CLASSES[:2], np.array([1.0, 0.3]))
    assert conformal.sets(np.array([[1 - 1e-12, 1e-12], [0.7, 0.3 - 1e-12]])).tolist() == [
        [True, False],
        [False, True],
    ]


def test_doubts_in_words():
    conformal = ConformalSets(CLASSES, np.array([0.4, 0.3, 0.2]))
    probabilities = np.array(
        [
            *([0.9, 0.1, 0], [0.6, 0.4, 0], [0.4, 0.3, 0.3]),
            *([0.9, 0, 0], [0.9, 0, 0], [0.1, 0.1, 0.1], [0.39, 0.1, 0.25]),
        ]
    )
    coverage = np.array([1.0, 0.5, 0.5, 0.0, 0.01, 0.5, 0.5])
    answers = probabilities.argmax(axis=1)
    assert conformal.doubts(probabilities, answers, coverage) == [
        "",
        "cannot tell no from yes",
        "cannot tell no, yes and maybe apart",
        "unlike anything learned from",
        "hardly like anything learned from",
        "like no class",
        "unusual for no, usual for maybe",
    ]
    assert conformal.labels(probabilities)[:2] == [("no",), ("no", "yes")]


def test_a_class_of_too_few_rows_is_told():
    conformal = ConformalSets(CLASSES[:2], np.array([0.4, 0.0]))
    told = conformal.doubts(np.array([[1.0, 0], [0.1, 0.9]]), np.array([0, 1]), np.ones(2))
    assert told == ["too few rows of yes to rule it out", ""]


@pytest.mark.parametrize("confidence", [1.2, 0, 1, -1, np.nan, "0.95", None, True])
def test_a_wrong_confidence(confidence):
    words = r"confidence must be a number above 0 and below 1, such as 0\.95; got "
    with pytest.raises(ValueError, match=words):
        check_confidence(confidence)
