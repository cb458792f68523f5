import numpy as np
import pytest
from reference import SHAPES, random_network, random_samples
from sklearn.metrics import log_loss

from unfis.arrays import softmax
from unfis.data.samples import OneHotRows, Samples, targets_of
from unfis.model import training
from unfis.network import network_logits
from unfis.selection.scoring import mean_loss

CODES = np.array([2, 0, 1, 1, 2])


@pytest.mark.parametrize("rows", [slice(None), slice(1, 3), np.array([4, 0])])
def test_targets_made_of_rows_are_the_targets(monkeypatch, rows):
    expected = np.eye(3)[CODES]
    np.testing.assert_array_equal(targets_of(CODES, 3), expected)
    monkeypatch.setattr(training, "MOST_TARGETS", 10)
    made = targets_of(CODES, 3)
    assert isinstance(made, OneHotRows)
    assert (len(made), made.shape) == (5, expected.shape)
    np.testing.assert_array_equal(made[rows], expected[rows])
    np.testing.assert_array_equal(made.argmax(axis=1), CODES)


def test_the_mean_loss_is_that_of_scikit_learn_in_whatever_blocks(monkeypatch):
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1, samples=5)
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0])
    samples = Samples(X, targets_of(CODES, 3), weights)
    probabilities = softmax(network_logits(network, X))
    expected = log_loss(CODES, probabilities, sample_weight=weights, labels=range(3))
    assert mean_loss(network, samples) == pytest.approx(expected)
    monkeypatch.setattr(training, "BLOCK_ROWS", 2)
    assert mean_loss(network, samples) == pytest.approx(expected)
