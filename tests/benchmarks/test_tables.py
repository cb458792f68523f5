"""Made tables are the same ones always, and need curved borders."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from tables import CURVED, available, load


@pytest.mark.parametrize("name", CURVED)
def test_made_tables_need_curved_borders_and_are_always_the_same(name):
    X, y = load(name)
    pd.testing.assert_frame_equal(X, load(name)[0])
    assert X.shape == (400, 2)
    assert np.bincount(y).min() > 100
    straight = LogisticRegression().fit(X[:200], y[:200]).score(X[200:], y[200:])
    curved = KNeighborsClassifier().fit(X[:200], y[:200]).score(X[200:], y[200:])
    assert curved > 0.85
    assert straight < curved - 0.05
    assert name not in available()
