"""Sets as curves."""

import numpy as np
import pytest

from unfis.network.layers import EPSILON
from unfis.plots.sets import curve_points, selected_membership


@pytest.mark.parametrize("selection", [0.05, 0.5, 0.99])
def test_membership_is_the_papers_muplus(selection):
    points = np.linspace(-3, 5, 33)
    membership = np.exp(-((points - 1) ** 2) / (2 * 0.7**2))
    expected = (membership + EPSILON) / ((1 - selection) * membership + selection + EPSILON)
    np.testing.assert_allclose(selected_membership(points, 1, 0.7, selection), expected)


def test_at_its_ends_the_selection_takes_the_set_or_leaves_it():
    points = np.linspace(-3, 5, 33)
    membership = np.exp(-((points - 1) ** 2) / (2 * 0.7**2))
    np.testing.assert_allclose(selected_membership(points, 1, 0.7, 1), membership)
    np.testing.assert_array_equal(selected_membership(points, 1, 0.7, 0), 1)


def test_a_narrow_set_is_not_missed():
    points = curve_points(0, 1000, 333.3, 0.01)
    assert (np.diff(points) > 0).all()
    assert points[[0, -1]].tolist() == [0, 1000]
    assert selected_membership(points, 333.3, 0.01, 1).max() == pytest.approx(1)


def test_a_set_beyond_the_range_adds_no_points():
    assert curve_points(0, 1, 50, 0.1)[[0, -1]].tolist() == [0, 1]
