"""A fitted model is a value: nothing that fails, or is done to a copy of it, changes it."""

import copy

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
SMALL = {"n_rules": 2, "ridge": 0.3, "random_state": 0}


def learned(learner, **settings):
    """A model in the middle of a stream: a network with this learner, or rules without one."""
    settings = {**SMALL, **settings}
    model = (
        UNFISNetworkClassifier(**settings, learner=learner)
        if learner
        else UNFISClassifier(**settings)
    )
    model.partial_fit(X[FIRST], Y[FIRST], classes=[0, 1, 2])
    return model.partial_fit(X[SECOND], Y[SECOND])


def assert_same_model(one, other):
    """They predict the same, tell the same and go on to learn the same, bit for bit."""
    for _ in range(3):
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
        assert str(one.model_.rules) == str(other.model_.rules)
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
@pytest.mark.parametrize("learner", [None, *LEARNERS], ids=str)
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


COPIES = {
    "at": lambda clf: clf.at(clf.choices_["parts"]),
    "at another point": lambda clf: clf.at(min(of_chosen_rules(clf))),
    "edit": lambda clf: clf.edit(forbid=[0]),
    "edit and refit": lambda clf: clf.edit(forbid=[0], refit=True, X=X, y=Y),
}


def of_chosen_rules(clf):
    """The numbers of parts on the path, of as many rules as were chosen."""
    path, rules = clf.path_, clf.choices_["n_rules"]
    return [parts for parts, of in zip(path["parts"], path["rules"], strict=True) if of == rules]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_shares_nothing_that_changes(copied):
    model = learned(None, random_state=np.random.RandomState(0))
    before = copy.deepcopy(model)
    other = COPIES[copied](model)
    assert other.random_state is not model.random_state
    other.partial_fit(X[THIRD], Y[THIRD])
    assert_same_model(model, before)


@pytest.mark.parametrize("copied", COPIES)
def test_what_is_done_to_the_model_does_not_reach_its_copies(copied):
    model = learned(None)
    other = COPIES[copied](model)
    before = copy.deepcopy(other)
    model.partial_fit(X[THIRD], Y[THIRD])
    assert_same_model(other, before)


# Settings that another fit would take and that shape a network.
CHANGED = {
    "n_rules": 3,
    "max_rules": 7,
    "max_conditions": 1,
    "consequents": "constant",
    "categorical_features": [0],
    "ridge": 10.0,
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_asked_of_a_model_is_told_by_what_was_fitted(name, tmp_path):
    """Other settings count in the next fit; only to go on learning do they need to be the same."""
    model = UNFISClassifier(**SMALL).fit(X, Y)
    before = copy.deepcopy(model)
    model.set_params(**{name: CHANGED[name]})
    np.testing.assert_array_equal(model.predict_proba(X), before.predict_proba(X))
    assert model.importance(X, Y) == before.importance(X, Y)
    assert model.learned_from(X, Y)
    assert str(model.rules_) == str(before.rules_)
    assert str(model.explain(X[:3])) == str(before.explain(X[:3]))
    np.testing.assert_array_equal(model.coverage(X), before.coverage(X))
    for make in (COPIES["at another point"], COPIES["edit"]):
        np.testing.assert_array_equal(make(model).predict_proba(X), make(before).predict_proba(X))
    assert COPIES["edit"](model).edits_ == COPIES["edit"](before).edits_


@pytest.mark.parametrize("name", list(CHANGED)[:5])
def test_a_file_keeps_the_settings_of_the_network_that_is_in_it(name, tmp_path):
    model = UNFISClassifier(**SMALL).fit(X, Y)
    before = model.get_params()
    model.set_params(**{name: CHANGED[name]}).save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.get_params() == before
    assert again.partial_fit(X, Y).score(X, Y) > 0.8


def test_to_go_on_learning_settings_must_be_those_that_were_fitted():
    model = UNFISClassifier(**SMALL).fit(X, Y).set_params(consequents="constant")
    with pytest.raises(ValueError, match="consequents was 'linear' when learning began"):
        model.partial_fit(X, Y)

    def blocks():
        pytest.fail("was read")
        yield

    with pytest.raises(ValueError, match="consequents was 'linear' when learning began"):
        model.edit(refit=True, X=blocks())
    with pytest.raises(ValueError, match="ridge must be"):
        model.set_params(ridge=-1.0).edit(refit=True, X=blocks())
    with pytest.raises(ValueError, match="remove must name rules"):
        model.edit(remove=[9], X=blocks())
