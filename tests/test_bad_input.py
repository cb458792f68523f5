"""What a user may get wrong: the error is a sentence with the name, and no fitted model is lost."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from unfis import LM, SGD, GqLM, TrustRegion, UNFISClassifier

X, Y = load_iris(return_X_y=True, as_frame=True)
HOLE = X.copy()
HOLE.iloc[3, 1] = np.inf

TABLES = {
    "empty": (X.iloc[:0], Y.iloc[:0], "0 sample"),
    "no columns": (np.empty((5, 0)), [0, 1, 0, 1, 0], "0 feature"),
    "one class": (X, np.zeros(150), "at least two classes to tell apart, got one class"),
    "short labels": (X, Y[:-1], "X has 150 rows, y 149 labels"),
    "infinite": (HOLE, Y, r"sepal width \(cm\) holds inf in row 3"),
    "infinite array": (HOLE.to_numpy(), Y, "x1 holds inf in row 3"),
    "complex": (X.to_numpy() + 1j, Y, "Complex data not supported"),
    "one dimension": (X.iloc[:, 0].to_numpy(), Y, "Expected 2D array, got 1D"),
    "too few rows": (X.iloc[49:51], Y.iloc[49:51], "n_rules=3 for 2 rows"),
    "missing labels": (X, np.where(Y == 0, None, "a"), "y holds missing labels"),
    "regression": (X, X.iloc[:, 0], "Unknown label type"),
    "text": (np.array([["a", 1.0]] * 4, dtype=object), [0, 1, 0, 1], "x0 holds 'a'"),
}


@pytest.mark.parametrize(("table", "labels", "message"), TABLES.values(), ids=TABLES)
def test_bad_tables(table, labels, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier().fit(table, labels)


SETTINGS = {
    "n_rules": (0, "n_rules must be a whole number above 0, got 0"),
    "selection": ("hard", "selection must be one of 'soft', 'none'; got 'hard'"),
    "consequents": ("cubic", "consequents must be one of 'linear', 'constant'; got 'cubic'"),
    "learner": ("adam", "learner must be one of 'trust-region', .*; got 'adam'"),
    "initialisation": ("zeros", "initialisation must be one of 'knn', 'k-means'; got 'zeros'"),
    "ridge": (-1.0, "ridge must be a number of at least 0, got -1.0"),
    "scale": ("yes", "scale must be one of True, False; got 'yes'"),
    "early_stopping": (2, "early_stopping must be one of True, False; got 2"),
    "validation_fraction": (1.0, "validation_fraction must be a number above 0 and below 1, got"),
    "class_weight": ("heavy", "class_weight must be one of None, 'balanced'; got 'heavy'"),
    "unseen_categories": ("guess", "unseen_categories must be one of 'missing', 'error'"),
    "categorical_features": (["nose"], "'nose' is none of them"),
}


@pytest.mark.parametrize(("name", "value", "message"), [(k, *v) for k, v in SETTINGS.items()])
def test_bad_settings(name, value, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(**{name: value}).fit(X, Y)


def test_bad_class_weights():
    with pytest.raises(ValueError, match=r"class_weight names 7, which is not among \[0, 1, 2\]"):
        UNFISClassifier(class_weight={7: 1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight must hold finite numbers above 0"):
        UNFISClassifier(class_weight={1: -1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight must be None, 'balanced' or a dictionary"):
        UNFISClassifier(class_weight=3).fit(X, Y)


@pytest.mark.parametrize("learner", [GqLM(damping=-1.0), LM(damping=-1.0), TrustRegion(damping=-1)])
def test_negative_damping(learner):
    with pytest.raises(ValueError, match="damping must be a number above 0, got -1"):
        UNFISClassifier(learner=learner).fit(X, Y)


WEIGHTS = {
    "length": (np.ones(3), "one number for each of the 150 rows, got shape"),
    "negative": (np.full(150, -1.0), "finite numbers of at least 0, got -1"),
    "missing": (np.full(150, np.nan), "finite numbers of at least 0, got nan"),
    "zero": (np.zeros(150), "got zero for every row"),
}


@pytest.mark.parametrize(("weights", "message"), WEIGHTS.values(), ids=WEIGHTS)
def test_bad_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier().fit(X, Y, sample_weight=weights)


def test_bad_tables_at_predict_time():
    clf = UNFISClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(X.rename(columns={"petal width (cm)": "width"}))
    with pytest.raises(ValueError, match="must be in the same order"):
        clf.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="petal width"):
        clf.predict(X.drop(columns="petal width (cm)"))
    with pytest.raises(ValueError, match="holds inf in row 3"):
        clf.predict_proba(HOLE)
    with pytest.raises(ValueError, match=r"sepal length \(cm\) holds 'long'"):
        clf.predict(X.assign(**{"sepal length (cm)": "long"}))


def test_predict_before_fit():
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(UNFISClassifier(), method)(X)


def test_a_failed_fit_leaves_the_fitted_model_whole():
    clf = UNFISClassifier().fit(X, Y)
    before = clf.predict_proba(X)
    other = pd.DataFrame({"a": [1.0, np.inf], "b": [2.0, 3.0]})
    for call in (
        lambda: clf.fit(other, [0, 1]),
        lambda: clf.fit(X.to_numpy(), np.zeros(150)),
        lambda: clf.partial_fit(X, np.full(150, 9)),
        lambda: clf.set_params(n_rules=-1).fit(X, Y),
    ):
        with pytest.raises(ValueError, match=r"must|holds"):
            call()
        np.testing.assert_array_equal(clf.predict_proba(X), before)


def test_an_interrupted_fit_leaves_the_fitted_model_whole():
    clf = UNFISClassifier().fit(X, Y)
    before = clf.predict_proba(X)

    class Interrupted(TrustRegion):
        def iterate(self, problem, vector, state):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        clf.set_params(learner=Interrupted()).fit(X, Y)
    np.testing.assert_array_equal(clf.predict_proba(X), before)


def test_not_converged_is_a_warning_with_advice():
    with pytest.warns(ConvergenceWarning, match="max_iter=1 .*Raise max_iter"):
        clf = UNFISClassifier(learner=TrustRegion(max_iter=1)).fit(X, Y)
    assert not clf.converged_
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        UNFISClassifier(learner=SGD(learning_rate=0.02, max_iter=5), random_state=0).fit(X, Y)


def test_a_diverging_learner_keeps_finite_parameters():
    learner = SGD(learning_rate=1e200, max_iter=50)
    clf = UNFISClassifier(learner=learner, ridge=0.0, scale=False, random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"(diverged|raised).*Try a smaller step"):
        clf.fit(X, Y)
    assert np.isfinite(clf.parameters_.to_vector()).all()
    assert np.isfinite(clf.predict_proba(X)).all()


def test_early_stopping_with_too_few_rows():
    clf = UNFISClassifier(2, early_stopping=True, validation_fraction=0.9)
    with pytest.raises(ValueError, match="leaves none to learn from"):
        clf.fit([[0.0], [1.0]], [0, 1])


def test_partial_fit_names_a_class_it_does_not_know():
    clf = UNFISClassifier().partial_fit(X, Y)
    with pytest.raises(
        ValueError, match=r"the class 5, which is not among the classes \[0, 1, 2\]"
    ):
        clf.partial_fit(X, np.full(150, 5))


def test_extreme_rows_never_give_nan():
    clf = UNFISClassifier().fit(X, Y)
    rows = pd.DataFrame([[1e308, -1e308, 0, np.nan], [np.nan] * 4], columns=X.columns)
    for selection in ("soft", "none"):
        clf = UNFISClassifier(selection=selection).fit(X, Y)
        assert np.isfinite(clf.predict_proba(rows)).all()
