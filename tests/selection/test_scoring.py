import numpy as np
import pytest
from reference import SHAPES, random_network, random_samples
from sklearn.metrics import log_loss

from unfis.arrays import softmax
from unfis.data.samples import Samples
from unfis.learning.objective import CrossEntropy
from unfis.network import network_logits
from unfis.selection import scoring
from unfis.selection.scoring import frequency_loss, network_loss

CODES = np.array([2, 0, 1, 1, 2])


def test_who_knows_only_frequencies_has_the_entropy_of_the_classes():
    targets, weights = np.eye(3)[[0, 0, 1]], np.array([1.0, 2.0, 1.0])
    found = frequency_loss(CrossEntropy(), Samples(np.zeros((3, 1)), targets, weights))
    assert found == pytest.approx(-0.75 * np.log(0.75) - 0.25 * np.log(0.25))


def test_the_mean_loss_is_that_of_scikit_learn_in_whatever_blocks(monkeypatch):
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1, samples=5)
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0])
    samples = Samples(X, CrossEntropy().encode(CODES, 3), weights)
    probabilities = softmax(network_logits(network, X))
    expected = log_loss(CODES, probabilities, sample_weight=weights, labels=range(3))
    assert network_loss(CrossEntropy(), network, samples) == pytest.approx(expected)
    monkeypatch.setattr(scoring, "SCORED_AT_ONCE", 2)
    assert network_loss(CrossEntropy(), network, samples) == pytest.approx(expected)
