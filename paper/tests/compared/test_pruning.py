"""ARD and Bolasso find the neurons that count."""

import numpy as np
import pytest

from unfis_paper.compared.ard import relevant_neurons
from unfis_paper.compared.bolasso import chosen_neurons

GENERATOR = np.random.RandomState(0)
Z = GENERATOR.normal(size=(200, 6))
CODES = (Z[:, 1] > 0).astype(int) + (Z[:, 4] > 0.5)
TARGETS = np.eye(3)[CODES]


def bolasso(outputs, targets):
    return chosen_neurons(outputs, targets, np.random.RandomState(0), share=1.0)


@pytest.mark.parametrize("prune", [relevant_neurons, bolasso])
def test_what_counts_is_kept(prune):
    kept = prune(Z, TARGETS)
    assert kept[[1, 4]].all()
    assert kept.sum() < 6


@pytest.mark.parametrize("prune", [relevant_neurons, bolasso])
def test_the_second_of_two_classes_says_nothing_more(prune):
    two = np.eye(2)[(Z[:, 1] > 0).astype(int)]
    np.testing.assert_array_equal(prune(Z, two), prune(Z, two[:, :1]))


@pytest.mark.parametrize("prune", [relevant_neurons, bolasso])
@pytest.mark.parametrize(
    ("outputs", "targets"), [(Z[:1], TARGETS[:1]), (Z, np.ones((200, 1))), (0 * Z, TARGETS)]
)
def test_where_none_counts_all_stay(prune, outputs, targets):
    assert prune(outputs, targets).all()


def test_bolasso_needs_a_share_of_the_samples():
    lenient, strict = (
        chosen_neurons(Z, TARGETS, np.random.RandomState(0), share=share) for share in (1 / 16, 1)
    )
    assert (strict <= lenient).all()
    assert strict.sum() < lenient.sum()
