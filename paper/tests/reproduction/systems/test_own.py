"""Our own systems: the paper's networks, step sizes that are chosen, and what is measured."""

import numpy as np
import pandas as pd
import pytest
from printed_derivatives import MENDED, probability_derivatives
from scipy.special import expit
from sklearn.model_selection import train_test_split

from unfis import SGD, GqLM, Momentum, UNFISClassifier, UNFISNetworkClassifier
from unfis_paper.datasets import load_dataset
from unfis_paper.reproduction.systems import OURS
from unfis_paper.reproduction.systems.own import (
    GRIDS,
    SCALED,
    TUNED,
    TUNED_LEARNERS,
    TunedNetwork,
    largest_curvature,
    rules_and_conditions,
    size_and_curvature,
    size_of,
    tuned,
)

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
        UNFISNetworkClassifier.paper(learner=one, random_state=0).fit(X, y).parameters_.to_vector()
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


def test_how_much_there_is_to_read():
    net = UNFISNetworkClassifier(2, ridge=0.15).fit(IRIS.frame, IRIS.target)
    found = size_of(net, IRIS.frame, IRIS.target)
    assert (found["rules"], found["conditions"]) == (2, 8)
    assert found["active"] == pytest.approx(expit(net.parameters_.logits).sum(axis=1).mean())
    clf = UNFISClassifier(max_rules=3).fit(IRIS.frame, IRIS.target)
    found = rules_and_conditions(clf, IRIS.frame, IRIS.target)
    conditions = clf.rules_.count("IF ") + clf.rules_.count("AND ")
    assert (found["rules"], found["conditions"]) == (len(clf.model_.rules.rules), conditions)
    assert found["active"] == conditions / found["rules"]


def test_selections_that_are_out_and_in():
    """A category of several columns has one selection."""
    frame = IRIS.frame.assign(colour=pd.Series(["red", "green", "blue"] * 50).astype("category"))
    every = UNFISNetworkClassifier(2, selection="none", ridge=0.15).fit(frame, IRIS.target)
    found = size_of(every, frame, IRIS.target)
    assert found["selections_in"] == found["conditions"] == 2 * 5
    assert (found["active"], found["selections_out"]) == (5, 0)
    soft = UNFISNetworkClassifier.paper(random_state=0).fit(IRIS.frame, IRIS.target)
    selections = expit(soft.parameters_.logits)
    found = size_of(soft, IRIS.frame, IRIS.target)
    assert found["selections_out"] == (selections < 1e-3).sum()
    assert found["selections_in"] == (selections > 0.999).sum()


@pytest.mark.parametrize("scale", [False, True])
def test_the_largest_eigenvalue_is_that_of_the_papers_matrices(scale):
    """sum_c J_c' J_c with J as the paper writes it, batch by batch."""
    X, y = IRIS.frame.iloc[::3], IRIS.target.iloc[::3]
    clf = UNFISNetworkClassifier.paper(scale=scale, random_state=0, learner=GqLM(max_iter=3)).fit(
        X, y
    )
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
    clf = UNFISNetworkClassifier.paper(random_state=0).fit(X, y)
    found = size_and_curvature(clf, X, y)
    assert found["curvature_end"] == largest_curvature(clf, X, y)
    staying = GqLM(damping=1e12, max_iter=1)
    still = UNFISNetworkClassifier.paper(random_state=0, learner=staying).fit(X, y)
    assert found["curvature_start"] == pytest.approx(largest_curvature(still, X, y), rel=1e-3)
    assert found["curvature_start"] != pytest.approx(found["curvature_end"], rel=0.1)
