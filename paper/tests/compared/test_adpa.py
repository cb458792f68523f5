"""ADPA, by hand and against its definition."""

import numpy as np
import pytest

from unfis_paper.compared.adpa import (
    Clouds,
    cloud_centres,
    densities_of,
    filtered_centres,
    local_peaks,
)


def test_densities_by_hand():
    """Points 0, 1, 3, of which the second occurs twice: pi = (11, 5, 17), sum f pi = 38, N = 4."""
    points, counts = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, 1.0])
    expected = [38 / (8 * 11), 2 * 38 / (8 * 5), 38 / (8 * 17)]
    np.testing.assert_allclose(densities_of(points, counts), expected)


def test_peaks_by_hand():
    """From the densest, 2, to 1, 0, then 5 and 6: the way rises at 6, its end, and at 2."""
    points = np.array([[0.0], [1.0], [2.0], [5.0], [6.0]])
    densities = np.array([1.0, 2.0, 3.0, 1.0, 2.0])
    assert local_peaks(points, densities).tolist() == [2, 4]


def test_two_groups_are_two_clouds():
    X = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [10.2]])
    np.testing.assert_allclose(np.sort(cloud_centres(X), axis=0), [[0.1], [10.1]])
    clouds = Clouds.from_rows(X)
    assert sorted(clouds.sizes) == [3, 3]
    assert clouds.rows == 6


@pytest.mark.parametrize(
    ("granularity", "expected"), [(1, [1.8, 6.0, 14.0]), (2, [0.0, 1.8, 6.0, 14.0])]
)
def test_a_pass_of_the_filter_by_hand(granularity, expected):
    """Centres 0, 1.8, 6, 14 are apart by 1.8, 6, 14, 4.2, 12.2 and 8.2, on average 7.73.

    Those up to it are 4.0 on average, so that 1.8 is below half of that and of the first two the
    one with more rows stays; those up to 4.0 are 1.8, and nothing is below half of that.
    """
    centres = np.array([[0.0], [1.8], [6.0], [14.0]])
    beside = np.array([[-0.1], [0.1]])
    X = np.vstack([centre + beside for centre in centres[[0, 1, 1, 2, 3]]])
    found = filtered_centres(X, centres, granularity)
    np.testing.assert_allclose(found[:, 0], expected)


def test_a_cloud_of_one_point_is_dropped():
    """Two rows at 5 have no variance; they go to the nearest of the others."""
    X = np.array([[0.0], [0.2], [5.0], [5.0], [9.0], [9.2]])
    found = filtered_centres(X, np.array([[0.1], [5.0], [9.1]]), 2)
    np.testing.assert_allclose(found, [[0.1], [9.1]])


def test_clouds_by_hand_row_by_row():
    clouds = Clouds(1)
    # The first row is a cloud.
    assert clouds.add(np.array([0.0])).opened
    # mu = 2, q = 8, spread sqrt(8), r = 1.41: 4 is as far from mu as 0, and 4 away from it.
    assert clouds.add(np.array([4.0])).opened
    assert clouds.radius == pytest.approx(np.sqrt(8) / 2)
    # mu = 1.27: its distance 1.47 is between the centres' 1.27 and 2.73, and 0.2 < r = 1.37.
    assert clouds.add(np.array([-0.2])).opened is False
    np.testing.assert_allclose(clouds.centres, [[-0.1], [4.0]])
    np.testing.assert_array_equal(clouds.sizes, [2, 1])


def test_a_row_that_is_the_most_central_opens_a_cloud():
    clouds = Clouds(1)
    for value in (0.0, 4.0):
        clouds.add(np.array([value]))
    # mu = 2: at distance 0 from it, below 2 of both centres.
    assert clouds.add(np.array([2.0])).opened


def test_mean_and_radius_are_those_of_all_rows():
    X = np.random.RandomState(0).normal(size=(50, 3))
    clouds = Clouds(3)
    for x in X:
        clouds.add(x)
    at_once = Clouds.from_rows(X)
    np.testing.assert_allclose(clouds.mean, at_once.mean)
    assert clouds.radius == pytest.approx(at_once.radius)
    assert clouds.radius == pytest.approx(np.sqrt(2 * X.var(axis=0).sum()) / 2)
    assert clouds.sizes.sum() == 50


def test_the_smallest_cloud_goes_where_there_would_be_too_many():
    clouds = Clouds(1, most=2)
    for value in (0.0, 0.0, 8.0):
        clouds.add(np.array([value]))
    change = clouds.add(np.array([100.0]))
    assert (change.opened, change.removed) == (True, [1])
    np.testing.assert_array_equal(clouds.centres, [[0.0], [100.0]])


def test_a_cloud_that_is_like_another_is_not_added():
    far = [0.0, 4.0, 2.0]
    counts = []
    for most_similar in (None, 0.1):
        clouds = Clouds(1, most_similar=most_similar)
        for value in far:
            clouds.add(np.array([value]))
        counts.append(len(clouds.centres))
    assert counts == [3, 2]


def test_clouds_do_not_depend_on_units():
    """A power of 2, so that all digits are the same."""
    X = np.random.RandomState(0).normal(size=(60, 2))
    unit = 2.0**-40
    at_once, smaller = Clouds.from_rows(X), Clouds.from_rows(X * unit)
    assert len(at_once.centres) > 3
    np.testing.assert_array_equal(smaller.centres, at_once.centres * unit)
    assert smaller.radius == at_once.radius * unit
    streams = Clouds(2), Clouds(2)
    for x in X:
        streams[0].add(x)
        streams[1].add(x * unit)
    np.testing.assert_array_equal(streams[1].centres, streams[0].centres * unit)


@pytest.mark.parametrize("X", [np.zeros((5, 2)), np.ones((1, 3)), np.array([[0.0], [1.0]])])
def test_few_rows(X):
    clouds = Clouds.from_rows(X)
    assert 1 <= len(clouds.centres) <= len(np.unique(X, axis=0))
    assert clouds.radius > 0


def test_joining_moves_the_nearest_however_far():
    clouds = Clouds.from_rows(np.array([[0.0], [0.0]]))
    clouds.join(np.array([9.0]))
    np.testing.assert_allclose(clouds.centres, [[3.0]])
    assert clouds.rows == 3
