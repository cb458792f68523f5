"""UNInull-FNN: its grid and the combinations that are drawn of it."""

import numpy as np
import pytest

from unfis_paper.compared import UNInullFNNClassifier
from unfis_paper.compared.uninull_fnn import set_combinations


@pytest.mark.parametrize(("sets", "inputs"), [(3, 6), (2, 9), (2, 13), (2, 40), (3, 100)])
def test_as_many_different_combinations_as_wanted(sets, inputs):
    """Of 729 or 512, too, where drawing with replacement would give some 360 or 320."""
    drawn = set_combinations(sets, inputs, 500, np.random.RandomState(0))
    assert drawn.shape == (500, inputs)
    assert len(np.unique(drawn, axis=0)) == 500
    assert set(np.unique(drawn)) == set(range(sets))


def test_few_combinations_are_all_there():
    found = set_combinations(2, 2, 500, np.random.RandomState(0))
    assert found.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_widths_by_hand():
    """Inputs from 0 to 3 and from 10 to 16, three sets: 1 / sqrt(2 pi) and 2 / sqrt(2 pi)."""
    X = np.array([[0.0, 10], [1, 16], [2, 11], [3, 12]])
    system = UNInullFNNClassifier(3, random_state=0).fit(X, [0, 1, 0, 1]).system_
    np.testing.assert_allclose(system.widths, [0.39894228, 0.79788456])
    assert set(system.centres[:, 0]) == {0.0, 1.5, 3.0}
    assert set(system.centres[:, 1]) == {10.0, 13.0, 16.0}
