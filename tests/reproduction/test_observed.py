"""What is measured of this project's own models."""

import numpy as np
import pandas as pd
import pytest
from paper.printed import probability_derivatives
from paper.test_errata import MENDED
from scipy.special import expit

from unfis import GqLM, UNFISClassifier
from unfis.datasets import load_dataset
from unfis.reproduction.observed import largest_curvature, size_and_curvature, size_of

IRIS = load_dataset("iris")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_how_much_there_is_to_read():
    clf = UNFISClassifier(2, selection="soft", ridge=0.15).fit(IRIS.frame, IRIS.target)
    found = size_of(clf, IRIS.frame, IRIS.target)
    assert (found["rules"], found["conditions"]) == (2, 8)
    assert found["active"] == pytest.approx(expit(clf.parameters_.logits).sum(axis=1).mean())


def test_selections_that_are_out_and_in():
    """Decided ones are exactly so; a category of several columns has one selection."""
    frame = IRIS.frame.assign(colour=pd.Series(["red", "green", "blue"] * 50).astype("category"))
    clf = UNFISClassifier(2, max_conditions=3, ridge=0.15).fit(frame, IRIS.target)
    found = size_of(clf, frame, IRIS.target)
    assert found["selections_in"] == clf.selected_.sum() == found["conditions"]
    assert found["selections_out"] == 2 * 5 - clf.selected_.sum() > 0
    assert found["active"] == clf.selected_.sum(axis=1).mean()
    soft = UNFISClassifier.paper(random_state=0).fit(IRIS.frame, IRIS.target)
    selections = expit(soft.parameters_.logits)
    found = size_of(soft, IRIS.frame, IRIS.target)
    assert found["selections_out"] == (selections < 1e-3).sum()
    assert found["selections_in"] == (selections > 0.999).sum()


@pytest.mark.parametrize("scale", [False, True])
def test_the_largest_eigenvalue_is_that_of_the_papers_matrices(scale):
    """sum_c J_c' J_c with J as the paper writes it, batch by batch."""
    X, y = IRIS.frame.iloc[::3], IRIS.target.iloc[::3]
    clf = UNFISClassifier.paper(scale=scale, random_state=0, learner=GqLM(max_iter=3)).fit(X, y)
    matrix = X.to_numpy()
    if scale:
        matrix = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0)
    largest = 0.0
    for start in range(0, 50, 32):
        rows = matrix[start : start + 32]
        J = np.array([probability_derivatives(clf.parameters_, x, **MENDED) for x in rows])
        gram = np.einsum("kcp,kcq->pq", J, J)
        largest = max(largest, np.linalg.eigvalsh(gram)[-1])
    assert largest_curvature(clf, X, y) == pytest.approx(largest, rel=1e-6)


def test_the_curvature_is_taken_at_the_start_and_at_the_end():
    X, y = IRIS.frame.iloc[::3], IRIS.target.iloc[::3]
    clf = UNFISClassifier.paper(random_state=0).fit(X, y)
    found = size_and_curvature(clf, X, y)
    assert found["curvature_end"] == largest_curvature(clf, X, y)
    staying = GqLM(damping=1e12, max_iter=1)
    still = UNFISClassifier.paper(random_state=0, learner=staying).fit(X, y)
    assert found["curvature_start"] == pytest.approx(largest_curvature(still, X, y), rel=1e-3)
    assert found["curvature_start"] != pytest.approx(found["curvature_end"], rel=0.1)
