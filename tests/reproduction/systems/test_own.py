"""Our own systems: the paper's networks, and by each learner with its step size chosen."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from unfis import SGD, GqLM, Momentum, UNFISClassifier
from unfis.datasets import load_dataset
from unfis.reproduction.systems import OURS
from unfis.reproduction.systems.own import GRIDS, SCALED, TUNED, TUNED_LEARNERS, TunedNetwork, tuned

IRIS = load_dataset("iris")
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_every_learner_tries_as_many_steps():
    assert {len(steps) for _, _, steps in GRIDS.values()} == {7}
    assert {learner.max_iter for learner, _, _ in GRIDS.values()} == {100}
    assert {name.removesuffix(TUNED) for name in TUNED_LEARNERS} == set(GRIDS)


def length_of_a_step(learner):
    """How far one step on 96 rows leads from the start."""
    X, y = IRIS.frame.iloc[:96], np.arange(96) % 3
    staying = GqLM(damping=1e15, max_iter=1)
    ends = [
        UNFISClassifier.paper(learner=one, random_state=0).fit(X, y).parameters_.to_vector()
        for one in (learner, staying)
    ]
    return np.linalg.norm(ends[0] - ends[1])


@pytest.mark.parametrize("index", [3, 5])
def test_steps_are_the_same_where_the_curvature_is_small(index):
    """Of GqLM on 32 rows, SGD, and Momentum once it has gathered ten steps, by a factor of two."""
    damping, rate, heavy = (GRIDS[name][2][index] for name in ("GqLM", "SGD", "Momentum"))
    whole = {"batch_size": None, "max_iter": 1}
    lengths = [
        length_of_a_step(GqLM(damping=3 * damping, smoothing=0.0, **whole)),  # for 3 times 32 rows
        length_of_a_step(SGD(rate, **whole)),
        10 * length_of_a_step(Momentum(heavy, **whole)),
    ]
    assert max(lengths) < 2 * min(lengths)


@pytest.mark.parametrize("learner", GRIDS)
def test_a_step_size_is_chosen_on_the_training_part_alone(learner):
    X, _, y, _ = train_test_split(IRIS.frame, IRIS.target, train_size=50, random_state=0)
    own, name, steps = GRIDS[learner]
    network = tuned(learner, 0).fit(X, y)
    assert network.step_ in steps
    chosen = network.network_.learner
    assert (getattr(chosen, name), chosen.max_iter) == (network.step_, own.max_iter)
    assert network.predict_proba(X).shape == (50, 3)
    assert network.score(X, y) > 0.8
    again = tuned(learner, 0).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), network.predict_proba(X))


def test_a_step_that_is_useless_is_not_chosen():
    steps = (1e15, 1e4)
    network = TunedNetwork("GqLM", 0, steps, epochs=5).fit(IRIS.frame, IRIS.target)
    assert network.step_ == 1e4


def test_every_system_has_a_name_of_its_own():
    names = [system.name for system in OURS]
    assert len(names) == len(set(names))
    assert set(TUNED_LEARNERS) <= set(names)
    assert not any(system.missing for system in OURS)


def test_the_papers_configuration_is_what_is_called_printed():
    printed = OURS[0].build(7)
    assert printed.get_params()["scale"] is False
    assert (printed.initialisation, printed.n_rules, printed.ridge) == ("knn", 2, 0.0)
    assert printed.random_state == 7
    assert OURS[0].coded


def test_scaled_differs_by_the_scale_alone():
    systems = {system.name: system for system in OURS}
    for scaled, printed in zip(SCALED, OURS[:2], strict=True):
        assert systems[scaled].coded
        ours, theirs = (system.build(3).get_params() for system in (systems[scaled], printed))
        assert {key for key in ours if str(ours[key]) != str(theirs[key])} == {"scale"}
