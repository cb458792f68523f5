from itertools import product

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import scale

from unfis.data.samples import weighted_mean
from unfis.network.grouping import (
    kmeans_shares,
    main_axis_scores,
    nearest_means,
    principal_splits,
)

# Two groups of four on a line, around 0 and 10.
LINE = np.array([-1.0, 0.0, 0.2, 1.0, 9.0, 10.0, 10.2, 11.0])[:, None]


def test_principal_splits_by_hand():
    labels = principal_splits(LINE, np.ones(8), 2)
    assert len(set(labels[:4])) == len(set(labels[4:])) == 1
    assert labels[0] != labels[4]
    assert principal_splits(np.zeros((4, 2)), np.ones(4), 3).tolist() == [0, 0, 0, 0]


def test_main_axis_is_the_same_from_either_gram_matrix():
    generator = np.random.default_rng(0)
    wide = generator.normal(size=(5, 9))
    weights = generator.uniform(0.5, 2, size=5)
    centred = (wide - weighted_mean(wide, weights)) * np.sqrt(weights)[:, None]
    axis = np.linalg.svd(centred)[2][0]
    expected = centred @ axis / np.sqrt(weights)
    scores = main_axis_scores(wide, weights)
    assert abs(np.corrcoef(scores, expected)[0, 1]) == pytest.approx(1)


def test_the_first_class_is_in_the_first_group():
    """And not now in the one, now in the other, as the sign of an axis falls."""
    generator = np.random.default_rng(0)
    for rows, columns in [(30, 4), (12, 40)]:
        for _ in range(20):
            Z = np.hstack(
                [generator.normal(size=(rows, columns)), 9 * np.eye(2)[[0, 1] * (rows // 2)]]
            )
            labels = principal_splits(Z - Z.mean(axis=0), np.ones(rows), 2)
            assert labels.tolist() == [0, 1] * (rows // 2)


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_last_digits_do_not_decide_where_all_axes_are_alike(parts):
    """In a whole factorial design every axis has the same variance, and points are as near to two
    means."""
    Z = np.array(list(product([-1.0, 0.0, 1.0], repeat=3)))
    generator = np.random.default_rng(0)
    usual = kmeans_shares(Z, np.ones(27), parts)
    for _ in range(20):
        nearly = Z + 1e-15 * generator.normal(size=Z.shape)
        np.testing.assert_array_equal(kmeans_shares(nearly, np.ones(27), parts), usual)


def test_nearest_means_by_hand():
    """From {0, 1, 9}, {10}: the means 10/3 and 10 take 9 to 10; then nothing moves."""
    points = np.array([0.0, 1.0, 9.0, 10.0])[:, None]
    labels = nearest_means(points, np.ones(4), np.array([0, 0, 0, 1]))
    assert labels.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("table", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("groups", [2, 3, 5])
def test_groups_are_those_of_scikit_learn(table, groups):
    Z = scale(table(return_X_y=True)[0])
    weights = np.random.default_rng(0).integers(1, 4, size=len(Z)).astype(float)
    Z = Z - weighted_mean(Z, weights)
    first = principal_splits(Z, weights, groups)
    seeds = np.array([weighted_mean(Z, weights * (first == i)) for i in range(groups)])
    model = KMeans(groups, init=seeds, n_init=1, tol=0.0).fit(Z, sample_weight=weights)
    np.testing.assert_array_equal(nearest_means(Z, weights, first), model.labels_)


def test_points_far_from_0_are_grouped_alike():
    """Squares of a billion would leave no digits for differences of one."""
    shares = kmeans_shares(LINE + 1e9, np.ones(8), 2)
    assert sorted(np.flatnonzero(share).tolist() for share in shares) == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
    ]


def test_a_group_that_loses_its_points_is_left_out():
    """The mean of {-10, 10} lies among the points of the other group, which take both of it."""
    points = np.array([-10.0, 10.0, -9.0, 9.0, 0.5])[:, None]
    labels = nearest_means(points, np.ones(5), np.array([0, 0, 1, 2, 3]))
    assert set(labels) == {1, 2, 3}


def test_fewer_different_points_than_groups_make_some_groups_alike():
    shares = kmeans_shares(np.array([[0.0], [0.0], [1.0], [1.0]]), np.ones(4), 3)
    assert [share.tolist() for share in shares] in (
        [[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]],
        [[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]],
    )
