"""This project's own systems."""

import numpy as np
import pytest
from scipy.special import expit

from unfis import UNFISClassifier
from unfis.benchmark.ours import GRIDS, LEARNERS, OURS, TunedNetwork, size_of
from unfis.datasets import load_dataset

IRIS = load_dataset("iris")


def test_every_system_has_a_name_of_its_own():
    names = [system.name for system in OURS]
    assert len(names) == len(set(names))
    assert set(LEARNERS) <= set(names)
    assert not any(system.missing for system in OURS)


def test_the_papers_configuration_is_what_is_called_printed():
    printed = OURS[0].build(7)
    assert printed.get_params()["scale"] is False
    assert (printed.initialisation, printed.n_rules, printed.ridge) == ("knn", 2, 0.0)
    assert printed.random_state == 7
    assert OURS[0].coded


def test_how_much_there_is_to_read():
    clf = UNFISClassifier(2, selection="soft", ridge=0.15).fit(IRIS.frame, IRIS.target)
    found = size_of(clf)
    assert (found["rules"], found["conditions"]) == (2, 8)
    assert found["active"] == pytest.approx(expit(clf.parameters_.logits).sum(axis=1).mean())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", GRIDS)
def test_a_step_size_is_chosen_on_the_training_part_alone(learner):
    rows = np.arange(0, 150, 3)
    X, y = IRIS.frame.iloc[rows], IRIS.target.iloc[rows]
    tuned = TunedNetwork(learner, 0).fit(X, y)
    own, name, values = GRIDS[learner]
    chosen = tuned.network_.learner
    assert getattr(chosen, name) in values
    assert chosen.max_iter == own.max_iter
    assert tuned.predict_proba(X).shape == (50, 3)
    assert tuned.score(X, y) > 0.8
    again = TunedNetwork(learner, 0).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), tuned.predict_proba(X))
