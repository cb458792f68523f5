"""What is told of classes of few rows."""

import numpy as np
import pytest

from unfis import UNFISNetworkClassifier
from unfis.estimators.advice import few_rows_words


def test_classes_of_few_rows_are_named_with_how_many_they_have():
    classes = np.array(["a", "b", "c", "never"])
    told = few_rows_words(classes, np.array([9, 10, 1, 0]))
    assert told.startswith('Fewer than 10 rows are of "a" (9) and of "c" (1): what rules say')
    assert few_rows_words(classes, np.array([10, 10, 0, 0])) == ""


def test_of_very_many_some_are_named():
    told = few_rows_words(np.arange(30), np.ones(30))
    assert '"9" (1) and of 20 more: ' in told
    assert '"10"' not in told


def test_a_network_warns_once():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(60, 2))
    y = np.where(np.argsort(np.argsort(-X[:, 0])) < 7, "yes", "no")
    with pytest.warns(UserWarning, match=r'are of "yes" \(7\)') as caught:
        UNFISNetworkClassifier(2, ridge=0.3).fit(X, y)
    assert len(caught) == 1
