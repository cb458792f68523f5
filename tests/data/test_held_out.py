"""Answers to rows held out: by class in order, in digits that every processor agrees on."""

import numpy as np

from unfis.data.held_out import HeldOutAnswers


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
