"""Parameters of both estimators: each does something, and what cannot be is refused."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator

from unfis import UNFISClassifier, UNFISRegressor
from unfis.data.costs import least_costly

BOTH = [UNFISClassifier, UNFISRegressor]
ANOTHER = {
    "max_rules": 5,
    "max_conditions": 1,
    "tolerance": 1.0,
    "points": "exact",
    "ridge": 0.5,
    "class_weight": "balanced",
    "loss": "squared_error",
    "costs": {1: 2.0},
    "categorical_features": None,
    "interaction_cst": "no_interactions",
    "time_limit": 1000.0,
    "verbose": False,
}


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def fitted(cancer):
    return UNFISClassifier(max_rules=8).fit(*cancer)


@pytest.mark.parametrize("estimator", BOTH)
def test_at_most_fifteen_parameters_by_name_only(estimator):
    parameters = inspect.signature(estimator).parameters.values()
    assert len(parameters) <= 15
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters)


@pytest.mark.parametrize("estimator", BOTH)
def test_parameters_are_cloned_and_set(estimator):
    names = estimator().get_params()
    settings = {name: value for name, value in ANOTHER.items() if name in names}
    assert set(names) - set(settings) == {"monotonic_cst", "given_rules"}
    made = estimator(**settings, monotonic_cst=[1, 0], given_rules=[{"if": {0: [1, None]}}])
    assert clone(made).get_params() == made.get_params()
    assert estimator().set_params(**settings).get_params() == {**names, **settings}


SOME = {"max_rules", "max_conditions", "points", "ridge", "categorical_features"}


@pytest.mark.parametrize("names", [SOME, set(ANOTHER) - SOME], ids=["some", "others"])
@pytest.mark.parametrize("estimator", BOTH)
def test_scikit_learn_checks_with_other_parameters(estimator, names):
    names = names & set(estimator().get_params()) - {"costs"}  # which the checks' classes have not
    made = estimator(**{name: ANOTHER[name] for name in names})
    assert len(check_estimator(made, on_skip=None, on_fail="raise")) > 50


def test_answers_are_expected_to_cost_least(cancer, fitted):
    X, _ = cancer
    costly = UNFISClassifier(max_rules=8, costs={0: 10}).fit(*cancer)
    np.testing.assert_array_equal(costly.predict_proba(X), fitted.predict_proba(X))
    table = ((0.0, 10.0), (1.0, 0.0))
    assert costly.model_.costs == table
    expected = least_costly(costly.predict_proba(X), table)
    np.testing.assert_array_equal(costly.predict(X), expected)
    assert (costly.predict(X) == 0).sum() > (fitted.predict(X) == 0).sum()
    assert (costly.at(2).predict(X) == least_costly(costly.at(2).predict_proba(X), table)).all()
    # A threshold of 1 in 11 by a table.
    by_table = UNFISClassifier(max_rules=8, costs=[[0, 10], [1, 0]]).fit(*cancer)
    np.testing.assert_array_equal(by_table.predict(X), costly.predict(X))
    np.testing.assert_array_equal(costly.predict(X) == 0, costly.predict_proba(X)[:, 0] >= 1 / 11)


def test_without_costs_the_most_probable_class_is_answered(cancer, fitted):
    X, _ = cancer
    most = fitted.predict_proba(X).argmax(axis=1)
    np.testing.assert_array_equal(fitted.predict(X), fitted.classes_[most])


def held_out(model):
    """The mean loss of each length on held-out rows, by weight."""
    weights = model.searched.weights
    return model.losses @ weights / weights.sum()


def test_the_shortest_model_within_the_tolerance(cancer):
    X, y = load_diabetes(return_X_y=True)
    lengths = []
    for tolerance in (0.0, 0.5, 1.0, 3.0):
        model = UNFISRegressor(tolerance=tolerance).fit(X, y).model_
        means = held_out(model)
        best = int(means.argmin())
        differences = model.losses[: best + 1] - model.losses[best]
        shares = model.searched.weights / model.searched.weights.sum()
        more = differences @ shares
        spread = np.sqrt(((differences - more[:, None]) ** 2 @ shares) * (shares**2).sum())
        within = np.flatnonzero(more <= tolerance * spread + 1e-12)
        assert model.length == within[0]
        lengths.append(model.length)
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < lengths[0]


def test_a_walk_ends_with_its_time():
    X, y = load_diabetes(return_X_y=True)
    with pytest.warns(UserWarning, match="time_limit=1e-09 left no time for longer models"):
        model = UNFISRegressor(time_limit=1e-9).fit(X, y).model_
    assert len(model.path) == 2
    assert len(model.rules.rules) <= 1
    assert UNFISRegressor(time_limit=1e6).fit(X, y).rules_ == UNFISRegressor().fit(X, y).rules_


def test_one_line_says_how_far_it_is(capsys, cancer):
    UNFISClassifier(max_rules=3, verbose=True).fit(*cancer)
    shown = capsys.readouterr().err.splitlines()
    assert all(line.startswith("UNFISClassifier: search for rules, ") for line in shown)
    assert [line.endswith("; done") for line in shown] == [False] * (len(shown) - 1) + [True]
    UNFISClassifier(max_rules=3).fit(*cancer)
    assert not capsys.readouterr().err


def test_parameters_are_searched(cancer):
    search = GridSearchCV(UNFISClassifier(), {"max_rules": [1, 4]}, cv=3).fit(*cancer)
    assert search.best_params_ == {"max_rules": 4}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"tolerance": -1}, "tolerance must be a number of at least 0, or None; got -1"),
        ({"tolerance": "some"}, "tolerance must be a number of at least 0"),
        ({"time_limit": 0}, "time_limit must be a number above 0, or None; got 0"),
        ({"time_limit": True}, "time_limit must be a number above 0, or None; got True"),
        ({"costs": {5: 2}}, "costs names 5, which is not among"),
        ({"costs": [[0, 1]]}, "costs must be a table of 2 rows"),
        ({"costs": [[1, 0], [1, 0]]}, "costs must be higher for every wrong answer"),
    ],
)
def test_what_cannot_be_is_refused(cancer, parameters, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(**parameters).fit(*cancer)
