"""A fitted model is a value: nothing that fails, or is done to a copy of it, changes it."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis import (
    LM,
    SGD,
    GqLM,
    Momentum,
    TrustRegion,
    UNFISClassifier,
    UNFISNetworkClassifier,
    load,
)
from unfis.network import Trainable

X, Y = load_iris(return_X_y=True)
ORDER = np.random.RandomState(0).permutation(150)
FIRST, SECOND, THIRD = np.array_split(ORDER, 3)
LEARNERS = [TrustRegion(), TrustRegion(batch_size=20), LM(), GqLM(), SGD(), Momentum()]
NETWORK = {"n_rules": 2, "ridge": 0.3, "random_state": 0}


def learned(learner, **settings):
    """A network in the middle of a stream."""
    model = UNFISNetworkClassifier(**{**NETWORK, **settings}, learner=learner)
    model.partial_fit(X[FIRST], Y[FIRST], classes=[0, 1, 2])
    return model.partial_fit(X[SECOND], Y[SECOND])


def assert_same_model(one, other):
    """They predict the same, print the same and go on to learn the same, bit for bit."""
    for _ in range(3):
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
        assert str(one.rules_) == str(other.rules_)
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
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_an_interrupted_partial_fit_never_was(monkeypatch, learner):
    for place in (1, 2, 3):
        model = learned(learner)
        before = copy.deepcopy(model)
        batch = X[THIRD], Y[THIRD]
        assert interrupted(monkeypatch, lambda batch=batch, m=model: m.partial_fit(*batch), place)
        assert_same_model(model, before)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("seed", [0, None, "generator"])
def test_an_interrupted_partial_fit_draws_no_shuffle(monkeypatch, learner, seed):
    """Whatever the source of the shuffles: what the model goes on with is its own."""
    seed = np.random.RandomState(0) if seed == "generator" else seed
    model = learned(learner, random_state=seed)
    drawn = getattr(model.model_.memory.state, "generator", None)
    before = drawn and drawn.get_state()
    assert interrupted(monkeypatch, lambda: model.partial_fit(X[THIRD], Y[THIRD]), 2)
    if drawn:
        assert drawn is not seed
        assert drawn is not np.random.mtrand._rand  # noqa: SLF001 - the global generator
        np.testing.assert_equal(drawn.get_state(), before)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_batch_that_diverges_leaves_a_model_that_goes_on():
    model = learned(Momentum())
    before = copy.deepcopy(model)
    wild = copy.deepcopy(model).set_params(learner__learning_rate=1e300)
    wild.partial_fit(X[THIRD], Y[THIRD])
    assert not wild.converged_
    np.testing.assert_array_equal(wild.predict_proba(X), before.predict_proba(X))
    wild.set_params(learner__learning_rate=0.1).partial_fit(X[THIRD], Y[THIRD])
    assert np.isfinite(wild.predict_proba(X)).all()
    assert wild.n_iter_ == 1


def rules():
    """Rules before the next batch."""
    return UNFISClassifier(max_rules=4).fit(X[FIRST], Y[FIRST])


def test_an_interrupted_batch_of_rules_never_was(monkeypatch):
    model = rules()
    before = copy.deepcopy(model)

    def interrupt(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("unfis.model.fitted.after_batch", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model.partial_fit(X[THIRD], Y[THIRD])
    assert_same_model(model, before)


COPIES = {
    "at": lambda clf: clf.at(clf.model_.length),
    "at another length": lambda clf: clf.at(1),
    "edit": lambda clf: clf.edit(drop=[0], refit=False),
    "edit and refit": lambda clf: clf.edit(X, Y, drop=[0]),
    "with_decision": lambda clf: clf.with_decision(costs={0: 5.0, 1: 1.0, 2: 1.0}),
    "copy": copy.copy,
    "pickle": lambda clf: pickle.loads(pickle.dumps(clf)),
}


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_shares_nothing_that_changes(copied):
    model = rules()
    before = copy.deepcopy(model)
    other = COPIES[copied](model)
    other.set_params(max_rules=2).partial_fit(X[THIRD], Y[THIRD])
    assert model.max_rules == 4
    assert_same_model(model, before)


@pytest.mark.parametrize("copied", COPIES)
def test_what_is_done_to_the_model_does_not_reach_its_copies(copied):
    model = rules()
    other = COPIES[copied](model)
    before = copy.deepcopy(other)
    model.set_params(max_rules=2).partial_fit(X[THIRD], Y[THIRD])
    assert other.max_rules == before.max_rules
    assert_same_model(other, before)


# Settings that another fit would take.
CHANGED = {
    "max_rules": 2,
    "max_conditions": 1,
    "points": "exact",
    "categorical_features": [0],
    "ridge": 10.0,
    "costs": {0: 5.0, 1: 1.0, 2: 1.0},
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_fitted_model_stays_as_it_was_fitted(name, tmp_path):
    """Other settings count in the next fit; a file has those of the model that is in it."""
    model = UNFISClassifier().fit(X, Y)
    before = copy.deepcopy(model)
    model.set_params(**{name: CHANGED[name]})
    np.testing.assert_array_equal(model.predict_proba(X), before.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), before.predict(X))
    np.testing.assert_array_equal(model.feature_importances_, before.feature_importances_)
    assert model.learned_from(X, Y)
    assert model.rules_ == before.rules_
    assert str(model.explain(X[:3])) == str(before.explain(X[:3]))
    for make in COPIES.values():
        np.testing.assert_array_equal(make(model).predict_proba(X), make(before).predict_proba(X))
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.get_params() == before.get_params()
    assert again.partial_fit(X, Y).score(X, Y) > 0.9
