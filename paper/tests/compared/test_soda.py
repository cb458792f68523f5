"""SODA, by hand and against its definition."""

import numpy as np
import pytest

from unfis_paper.compared.soda import (
    DirectionAwareClouds,
    both_distances,
    grid_cells,
    joint_densities,
    peaks_of,
    unit_directions,
)

ALL = np.ones(2)


def test_distances_by_hand():
    """(1, 0) to (0, 2): sqrt(5) and sqrt(1 - 0); to (3, 0): 2 and 0."""
    found = both_distances(np.array([[1.0, 0.0]]), np.array([[0.0, 2.0], [3.0, 0.0]]))
    np.testing.assert_allclose(found[:, 0], [[np.sqrt(5), 2], [1, 0]], atol=1e-7)
    np.testing.assert_array_equal(unit_directions(np.zeros((1, 2))), [[0, 0]])


def test_densities_by_hand():
    """Points (1, 0), (2, 0), (0, 1), by the paper's definition, not by its program's."""
    points = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    # mu = (1, 1/3), mean |x|^2 = 2; of directions (2/3, 1/3) and 1.
    by_distance = np.array([1 / 9, 10 / 9, 13 / 9]) + 2 - 10 / 9
    by_angle = np.array([2 / 9, 2 / 9, 8 / 9]) + 1 - 5 / 9
    expected = by_distance.sum() / (6 * by_distance) + by_angle.sum() / (6 * by_angle)
    np.testing.assert_allclose(joint_densities(points, np.ones(3)), expected)
    doubled = joint_densities(points, np.array([2.0, 1.0, 1.0]))
    repeated = joint_densities(points[[0, 0, 1, 2]], np.ones(4))
    np.testing.assert_allclose(doubled, [2 * repeated[0], *repeated[2:]])


def test_cells_and_peaks_by_hand():
    """In order of density: 1 opens a cell, 1.2 joins it, 3 opens one, 2.9 joins that."""
    points = np.array([[1.0, 1.0], [1.2, 1.2], [3.0, 3.0], [2.9, 2.9]])
    densities = np.array([4.0, 3.0, 2.0, 1.0])
    steps = np.array([0.5, 0.5])
    owners, cells = grid_cells(points, np.ones(4), densities, steps)
    assert owners.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(cells, [[1.1, 1.1], [2.95, 2.95]])
    assert peaks_of(cells, np.array([7.0, 3.0]), steps).tolist() == [0, 1]
    # Within two steps only the denser one is a peak.
    assert peaks_of(cells, np.array([7.0, 3.0]), 3 * steps).tolist() == [0]
    assert peaks_of(cells, np.array([3.0, 7.0]), 3 * steps).tolist() == [1]


def test_steps_are_the_mean_distances_of_two_rows_in_parts():
    X = np.random.RandomState(0).normal(2, 1, size=(40, 2))
    clouds = DirectionAwareClouds.from_rows(X, ALL, 6)
    distances = both_distances(X, X)
    expected = np.sqrt((distances**2).mean(axis=(1, 2))) / 6
    np.testing.assert_allclose(clouds.steps(ALL), expected)
    assert clouds.radius == pytest.approx(3 * expected[0])


def test_two_groups_are_two_clouds():
    generator = np.random.RandomState(0)
    X = np.vstack([generator.normal(at, 1, size=(20, 2)) for at in ([10, 0], [0, 10])])
    clouds = DirectionAwareClouds.from_rows(X, ALL, 2)
    assert sorted(clouds.sizes) == [20, 20]
    means = np.array([X[:20].mean(axis=0), X[20:].mean(axis=0)])
    order = clouds.centres[:, 0].argsort()[::-1]
    np.testing.assert_allclose(clouds.centres[order], means)


def test_an_input_of_weight_0_parts_nothing():
    generator = np.random.RandomState(0)
    X = np.column_stack([generator.normal(5, 0.1, 40), np.repeat([-100.0, 100.0], 20)])
    without, alone = (
        DirectionAwareClouds.from_rows(rows, weights, 2)
        for rows, weights in ((X, np.array([1.0, 0.0])), (X[:, :1], np.ones(1)))
    )
    np.testing.assert_allclose(without.centres[:, :1], alone.centres)
    assert len(DirectionAwareClouds.from_rows(X, np.ones(2), 2).centres) == 2


def test_row_by_row_a_distant_group_becomes_a_cloud_at_its_second_row():
    X = np.random.RandomState(0).normal((10, 0), 1, size=(30, 2))
    clouds = DirectionAwareClouds.from_rows(X, ALL, 4)
    count = len(clouds.centres)
    opened, removed = clouds.add(np.array([0.0, 10.0]), ALL)
    assert (opened, removed, len(clouds.centres)) == (False, [], count)
    opened, removed = clouds.add(np.array([0.0, 10.1]), ALL)
    assert opened
    np.testing.assert_allclose(clouds.centres[-1], [0.0, 10.05])
    assert clouds.cell_clouds.max() == len(clouds.centres) - 1


def test_cells_that_come_close_are_merged():
    """Cells of 3 rows at (10, 0) and 1 at (10.4, 0), and one more row there: 5 at (10.16, 0)."""
    clouds = DirectionAwareClouds.from_rows(np.array([[10.0, 0], [0, 10]] * 3), ALL, 2)
    clouds.cells, clouds.cell_sizes = np.array([[10.0, 0], [10.4, 0]]), np.array([3.0, 1.0])
    clouds.cell_clouds = np.array([0, -1])
    assert clouds.add(np.array([10.4, 0]), ALL) == (False, [])
    np.testing.assert_allclose(clouds.cells, [[10.16, 0]])
    assert (clouds.cell_sizes.tolist(), clouds.cell_clouds.tolist()) == ([5], [0])


def test_cells_and_clouds_stay_consistent_over_a_stream():
    generator = np.random.RandomState(0)
    clouds = DirectionAwareClouds(3, 3, most=5)
    weights = np.array([1.0, 0.5, 0.2])
    count = 0
    for x in generator.normal(size=(300, 3)) + np.repeat([[0, 0, 0], [4, 0, 0], [0, 4, 0]], 100, 0):
        opened, removed = clouds.add(x, weights)
        count += opened - len(removed)
        assert count == len(clouds.centres) == len(clouds.sizes) <= 5
        own = clouds.cell_clouds[clouds.cell_clouds >= 0]
        assert sorted(own) == list(range(count))
    assert clouds.rows == 300
    assert clouds.cell_sizes.sum() == 300


@pytest.mark.parametrize("X", [np.zeros((5, 2)), np.ones((1, 2)), np.array([[0.0, 0], [1, 1]])])
def test_few_rows(X):
    clouds = DirectionAwareClouds.from_rows(X, ALL, 6)
    assert 1 <= len(clouds.centres) <= len(np.unique(X, axis=0))
    clouds.add(X[0], ALL)
    assert clouds.radius > 0
