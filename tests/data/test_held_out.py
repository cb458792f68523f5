"""Answers to rows held out: by class in order, in digits that every processor agrees on."""

import numpy as np
import pytest

from unfis.data.held_out import HeldOutAnswers, rounded_likelihoods


def test_they_are_sorted_by_class_and_known_alone():
    losses = -np.log([0.5, 0.25, 1.0, 0.125])
    losses[2] = np.nan
    found = HeldOutAnswers.of_losses(np.array([1, 0, 0, 1]), losses, np.array([1.0, 2, 3, 4]))
    assert found.codes.tolist() == [0, 1, 1]
    assert found.likelihoods.tolist() == [0.25, 0.125, 0.5]
    assert [part.tolist() for part in found.of_class(1)] == [[0.125, 0.5], [4.0, 1.0]]
    assert [part.tolist() for part in found.of_class(2)] == [[], []]
    assert found.counting(np.array([10.0, 1.0])).weights.tolist() == [20.0, 4.0, 1.0]


def test_none_where_none_was_held_out():
    assert HeldOutAnswers.of_losses(np.zeros(2, int), np.full(2, np.nan), np.ones(2)) is None


@pytest.mark.parametrize(
    ("value", "kept"),
    [(0.1234564999, 0.123456), (1 - 1e-9, 1.0), (0.00012345678, 0.000123457), (0.0, 0.0)],
)
def test_likelihoods_have_six_digits(value, kept):
    assert rounded_likelihoods(np.array([value])).tolist() == [kept]
    assert rounded_likelihoods(np.array([kept])).tolist() == [kept]


def test_what_is_less_than_a_float_can_scale_is_nothing():
    assert rounded_likelihoods(np.array([1e-300, 5e-324])).tolist() == [0.0, 0.0]
