"""A fitted model is a value: nothing that fails, or is done to a copy of it, changes it."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis import LM, SGD, GqLM, Momentum, TrustRegion, UNFISClassifier
from unfis.network import Trainable

X, Y = load_iris(return_X_y=True)
ORDER = np.random.RandomState(0).permutation(150)
FIRST, SECOND, THIRD = np.array_split(ORDER, 3)
LEARNERS = [TrustRegion(), TrustRegion(batch_size=20), LM(), GqLM(), SGD(), Momentum()]
SMALL = {"n_rules": 2, "ridge": 0.3, "random_state": 0}


def learned(learner, **settings):
    """A model in the middle of a stream."""
    model = UNFISClassifier(**{**SMALL, **settings}, learner=learner)
    model.partial_fit(X[FIRST], Y[FIRST], classes=[0, 1, 2])
    return model.partial_fit(X[SECOND], Y[SECOND])


def assert_same_model(one, other):
    """They predict the same, tell the same and go on to learn the same, bit for bit."""
    for _ in range(3):
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
        assert str(one.rules_) == str(other.rules_)
        assert one.history_["loss"] == other.history_["loss"]
        one.partial_fit(X[THIRD], Y[THIRD])
        other.partial_fit(X[THIRD], Y[THIRD])


def interrupted(monkeypatch, call, place):
    """Do something, and stop it when it looks at the samples for that time; False if it ended."""
    linearise, seen = Trainable.linearise, []

    def stopping(*arguments):
        seen.append(arguments)
        if len(seen) == place:
            raise KeyboardInterrupt
        return linearise(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Trainable, "linearise", stopping)
        try:
            call()
        except KeyboardInterrupt:
            return True
    return False


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("selection", ["decisive", "soft"])
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_an_interrupted_partial_fit_never_was(monkeypatch, learner, selection):
    for place in (1, 2, 3):
        model = learned(learner, selection=selection)
        before = copy.deepcopy(model)
        batch = X[THIRD], Y[THIRD]
        assert interrupted(monkeypatch, lambda batch=batch, m=model: m.partial_fit(*batch), place)
        assert_same_model(model, before)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("seed", [0, None, "generator"])
def test_an_interrupted_partial_fit_draws_no_shuffle(monkeypatch, learner, seed):
    """Whatever the source of the shuffles: what the model goes on with is its own."""
    seed = np.random.RandomState(0) if seed == "generator" else seed
    model = learned(learner, selection="soft", random_state=seed)
    drawn = getattr(model._memory.state, "generator", None)
    before = drawn and drawn.get_state()
    assert interrupted(monkeypatch, lambda: model.partial_fit(X[THIRD], Y[THIRD]), 2)
    if drawn:
        assert drawn is not seed
        assert drawn is not np.random.mtrand._rand
        np.testing.assert_equal(drawn.get_state(), before)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_batch_that_diverges_leaves_a_model_that_goes_on():
    model = learned(Momentum(), selection="soft")
    before = copy.deepcopy(model)
    wild = copy.deepcopy(model).set_params(learner__learning_rate=1e300)
    wild.partial_fit(X[THIRD], Y[THIRD])
    assert not wild.converged_
    np.testing.assert_array_equal(wild.predict_proba(X), before.predict_proba(X))
    wild.set_params(learner__learning_rate=0.1).partial_fit(X[THIRD], Y[THIRD])
    assert np.isfinite(wild.predict_proba(X)).all()
    assert wild.n_iter_ == 1
