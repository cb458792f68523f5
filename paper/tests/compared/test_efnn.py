"""EFNN and EFNHN: ARD chooses neurons, and clouds move with a stream."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from unfis_paper.compared import EFNHNClassifier, EFNNClassifier
from unfis_paper.compared.ard import relevant_neurons
from unfis_paper.compared.neurons import neuron_outputs

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)


@pytest.mark.parametrize(
    "estimator", [EFNNClassifier(random_state=2), EFNHNClassifier(n_moves=2, random_state=2)]
)
def test_neurons_that_do_not_count_are_left_out(estimator):
    is_setosa = (Y == 0).astype(int)
    system = estimator.fit(X, is_setosa).system_
    clouds = system.clouds
    every = neuron_outputs(X, clouds.centres, clouds.radius, system.weights, system.elements)
    relevant = relevant_neurons(every, np.eye(2)[is_setosa])
    assert 0 < relevant.sum() < len(relevant)
    np.testing.assert_array_equal(system.kept, relevant)
    np.testing.assert_array_equal(system.activations(X), every[:, relevant])


@pytest.mark.parametrize("kind", [EFNNClassifier, EFNHNClassifier])
def test_more_granularity_gives_more_clouds(kind):
    counts = [len(kind(granularity=g).fit(X, Y).system_.clouds.centres) for g in (1, 2, 11)]
    assert counts[0] < counts[1] < counts[2]


def test_clouds_of_a_hydrocarbon_network_move_with_a_stream():
    """The nearest one by (x - c) / (n + 1), and no other."""
    clf = EFNHNClassifier(n_moves=2, random_state=0).fit(X, Y)
    centres, sizes = clf.system_.clouds.centres.copy(), clf.system_.clouds.sizes.copy()
    row = np.array([9.0, 9, 9, 9])
    nearest = np.linalg.norm(centres - row, axis=1).argmin()
    clf.partial_fit([row], [2])
    centres[nearest] = (sizes[nearest] * centres[nearest] + row) / (sizes[nearest] + 1)
    np.testing.assert_allclose(clf.system_.clouds.centres, centres)
    assert clf.system_.clouds.sizes[nearest] == sizes[nearest] + 1
