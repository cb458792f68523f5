"""What a user may get wrong: the error is a sentence with the name, and no fitted model is lost."""

import datetime
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from unfis import (
    LM,
    SGD,
    GqLM,
    TrustRegion,
    UNFISClassifier,
    UNFISNetworkClassifier,
    UNFISRegressor,
)
from unfis.estimators.progress import fits_told_to

X, Y = load_iris(return_X_y=True, as_frame=True)
# One training of a network of known size, without anything chosen by the data.
SOFT = {"n_rules": 3, "selection": "soft", "ridge": 0.15}
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
    "missing labels": (X, np.where(Y == 0, None, "a"), "y holds missing labels"),
    "regression": (X, X.iloc[:, 0], "Unknown label type"),
    "dates": (
        np.array([["2020-01-01"]] * 4, dtype="M8[D]"),
        [0, 1, 0, 1],
        "X holds dates or times",
    ),
    "text": (np.array([["a", 1.0]] * 4, dtype=object), [0, 1, 0, 1], "x0 holds 'a'"),
}


@pytest.mark.parametrize(("table", "labels", "message"), TABLES.values(), ids=TABLES)
def test_bad_tables(table, labels, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier().fit(table, labels)


def with_column(values):
    return X.assign(extra=pd.Series(values, index=X.index, dtype=object))


FRAMES = {
    "twice the same name": (pd.concat([X, X], axis=1), "several columns named"),
    "no columns": (X.iloc[:, :0], r"0 feature\(s\)"),
    "dates": (with_column([datetime.date(2020, 1, 1)] * 150), "extra holds datetime.date"),
    "complex": (X.assign(extra=1j), "extra has dtype complex128"),
    "complex objects": (with_column([1j] * 150), "extra holds 1j where a number was expected"),
    "bytes": (with_column([b"a"] * 150), "extra holds b'a' where a number was expected"),
    "lists": (with_column([[1, 2]] * 150), r"extra holds \[1, 2\] where a number was expected"),
    "lazy": (pl.from_pandas(X).lazy(), r"X is a LazyFrame, not yet a table; call its collect\(\)"),
    "arrow": (pl.from_pandas(X).to_arrow(), "X is a Table; turn it into a pandas or polars"),
}


@pytest.mark.parametrize(("table", "message"), FRAMES.values(), ids=FRAMES)
def test_bad_frames(table, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier().fit(table, Y)


LABELS = {
    "text and numbers": (np.array(["a", 1, 2] * 50, dtype=object), "y mixes labels of the kinds"),
    "pandas NA": (pd.array(["a", pd.NA, "b"] * 50, dtype="string"), "y holds missing labels"),
}


@pytest.mark.parametrize(("labels", "message"), LABELS.values(), ids=LABELS)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier().fit(X, labels)


def test_objects_that_are_labels_and_numbers_after_all():
    clf = UNFISClassifier().fit(X, Y.astype(object))
    assert clf.classes_.tolist() == [0, 1, 2]
    holes = with_column([1, pd.NA, 3.5] * 50)
    assert np.isfinite(UNFISClassifier().fit(holes, Y).predict_proba(holes)).all()


def test_columns_named_by_numbers_must_keep_their_order():
    numbered = X.set_axis(range(4), axis=1)
    clf = UNFISClassifier().fit(numbered, Y)
    with pytest.raises(
        ValueError, match=r"columns \[0, 1, 2, 3\] in this order, got \[3, 2, 1, 0\]"
    ):
        clf.predict(numbered[[3, 2, 1, 0]])


# Those of rules are in test_rule_estimators.py and estimators/.
SETTINGS = {
    "max_rules": ("many", "max_rules must be an integer from 1; got 'many'"),
    "max_conditions": (0, "max_conditions must be an integer from 1 to 3; got 0"),
    "max_conditions ": (1.5, "max_conditions must be an integer from 1 to 3; got 1.5"),
    "points": (5, "points must be 'whole' or 'exact'; got 5"),
    "tolerance": (-0.1, "tolerance must be a number of at least 0, or None; got -0.1"),
    "ridge": ("some", "ridge must be 'auto' or a number above 0; got 'some'"),
    "class_weight": ("heavy", "class_weight must be one of None, 'balanced'; got 'heavy'"),
    "categorical_features": (["nose"], "'nose' is none of them"),
    "categorical_features ": ("nose", "must be one of 'from_dtype'; got 'nose'"),
}


@pytest.mark.parametrize(("name", "value", "message"), [(k, *v) for k, v in SETTINGS.items()])
def test_bad_settings(name, value, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(**{name.strip(): value}).fit(X, Y)


NETWORK_SETTINGS = {
    "n_rules": (0, "n_rules must be a whole number above 0, or 'auto', got 0"),
    "selection": ("hard", "selection must be one of 'soft', 'none'; got 'hard'"),
    "selection ": ("decisive", "selection must be one of 'soft', 'none'; got 'decisive'"),
    "learner": ("adam", "learner must be one of 'trust-region', .*; got 'adam'"),
    "initialisation": ("zeros", "initialisation must be one of 'knn', 'k-means'; got 'zeros'"),
    "scale": ("yes", "scale must be one of True, False; got 'yes'"),
    "early_stopping": (2, "early_stopping must be one of True, False; got 2"),
    "validation_fraction": (1.0, "validation_fraction must be a number above 0 and below 1, got"),
}


@pytest.mark.parametrize("name", NETWORK_SETTINGS)
def test_bad_settings_of_the_network(name):
    value, message = NETWORK_SETTINGS[name]
    with pytest.raises(ValueError, match=message):
        UNFISNetworkClassifier(**{name.strip(): value}).fit(X, Y)


def test_bad_class_weights():
    with pytest.raises(ValueError, match=r"class_weight names 7, which is not among \[0, 1, 2\]"):
        UNFISClassifier(class_weight={7: 1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight must hold finite numbers above 0"):
        UNFISClassifier(class_weight={1: -1.0}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight must hold finite numbers above 0"):
        UNFISClassifier(class_weight={1: "much"}).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight must be None, 'balanced' or a dictionary"):
        UNFISClassifier(class_weight=3).fit(X, Y)


@pytest.mark.parametrize("limit", [0, -1, "soon", np.nan, np.inf, True])
def test_wrong_time_limit(limit):
    with pytest.raises(ValueError, match="time_limit must be a number above 0, or None; got"):
        UNFISClassifier(time_limit=limit).fit(X, Y)


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_wrong_number_of_jobs(n_jobs):
    with pytest.raises(ValueError, match="n_jobs must be a whole number other than 0"):
        UNFISNetworkClassifier(n_jobs=n_jobs).fit(X, Y)


@pytest.mark.parametrize("learner", [GqLM(damping=-1.0), LM(damping=-1.0), TrustRegion(damping=-1)])
def test_negative_damping(learner):
    with pytest.raises(ValueError, match="damping must be a number above 0, got -1"):
        UNFISNetworkClassifier(learner=learner).fit(X, Y)


WEIGHTS = {
    "length": (np.ones(3), "one number for each of the 150 rows, got shape"),
    "negative": (np.full(150, -1.0), "finite numbers of at least 0, got -1"),
    "missing": (np.full(150, np.nan), "finite numbers of at least 0, got nan"),
    "zero": (np.zeros(150), "got zero for every row"),
    "text": (["a"] * 150, "sample_weight must hold numbers"),
    "huge": (np.full(150, 1e300), "adds up to .*, too large to compute with"),
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


METHODS = ("predict", "predict_proba", "decision_function")


@pytest.mark.parametrize("kind", [UNFISClassifier, UNFISRegressor, UNFISNetworkClassifier])
def test_predict_before_fit(kind):
    for method in METHODS if kind is not UNFISRegressor else METHODS[:1]:
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(kind(), method)(X)


@pytest.mark.parametrize("bad", [{"max_rules": -1}, {"time_limit": -1}, {"costs": "high"}])
def test_a_failed_fit_leaves_the_fitted_model_whole(bad):
    clf = UNFISClassifier().fit(X, Y)
    before, state = clf.predict_proba(X), dict(vars(clf))
    other = pd.DataFrame({"a": [1.0, np.inf], "b": [2.0, 3.0]})
    for call in (
        lambda: clf.fit(other, [0, 1]),
        lambda: clf.fit(X.to_numpy(), np.zeros(150)),
        lambda: clf.fit(X[X.columns[:2]], np.arange(150) % 2, np.full(150, -1.0)),
        lambda: clf.partial_fit(X, np.full(150, 9)),
        lambda: clf.edit(drop=[99]),
        lambda: clf.at(99),
    ):
        with pytest.raises(ValueError, match=r"must|holds|lengths|rules"):
            call()
        assert vars(clf) == state
    with pytest.raises(ValueError, match=f"{next(iter(bad))} must"):
        clf.set_params(**bad).fit(X[X.columns[:2]].to_numpy(), np.arange(150) % 2)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    assert clf.n_features_in_ == 4


def test_an_interrupted_fit_leaves_the_fitted_model_whole():
    clf = UNFISClassifier().fit(X, Y)
    before, state = clf.predict_proba(X), dict(vars(clf))

    def interrupt(progress):
        if progress.share > 0:
            raise KeyboardInterrupt

    with fits_told_to(interrupt), pytest.raises(KeyboardInterrupt):
        clf.fit(X.to_numpy()[:, :2], Y == 1)
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    assert vars(clf) == state


def test_not_converged_is_a_warning_with_advice():
    with pytest.warns(ConvergenceWarning, match="max_iter=1 .*Raise max_iter"):
        clf = UNFISNetworkClassifier(**SOFT, learner=TrustRegion(max_iter=1)).fit(X, Y)
    assert not clf.converged_
    learner = SGD(learning_rate=0.02, max_iter=5)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        UNFISNetworkClassifier(**SOFT, learner=learner, random_state=0).fit(X, Y)


def test_a_diverging_learner_keeps_finite_parameters():
    learner = SGD(learning_rate=1e200, max_iter=50)
    raw = {**SOFT, "ridge": 0.0, "scale": False}
    clf = UNFISNetworkClassifier(**raw, learner=learner, random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"(diverged|raised).*Try a smaller step"):
        clf.fit(X, Y)
    assert np.isfinite(clf.parameters_.to_vector()).all()
    assert np.isfinite(clf.predict_proba(X)).all()


def test_inputs_of_wildly_different_sizes_are_told():
    wild = X.to_numpy() * [1e12, 1, 1, 1]
    with pytest.warns(ConvergenceWarning, match=r"(no step that lowers|max_iter).*scale=True"):
        UNFISNetworkClassifier(2, selection="soft", scale=False).fit(wild, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        UNFISClassifier().fit(wild, Y)


def test_a_training_that_fell_and_rose_again_has_not_converged():
    wine, cultivar = load_wine(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="GqLM raised the objective"):
        clf = UNFISNetworkClassifier.paper(random_state=0).fit(wine, cultivar)
    assert min(clf.history_["loss"]) < 0.6 * clf.history_["loss"][-1]


def test_a_diverging_stream_is_told():
    learner = SGD(learning_rate=1e200)
    clf = UNFISNetworkClassifier(learner=learner, ridge=0.0, scale=False, random_state=0)
    with pytest.warns(ConvergenceWarning, match="diverged"):
        clf.partial_fit(X, Y)


def test_a_warning_made_an_error_does_not_lose_the_model():
    clf = UNFISNetworkClassifier(**SOFT, learner=TrustRegion(max_iter=1))
    with pytest.raises(ConvergenceWarning):
        clf.fit(X, Y)
    assert clf.predict(X).shape == (150,)


def test_early_stopping_with_too_few_rows():
    clf = UNFISNetworkClassifier(2, early_stopping=True, validation_fraction=0.9)
    with pytest.raises(ValueError, match="leaves none to learn from"):
        clf.fit([[0.0], [1.0]], [0, 1])


def test_partial_fit_names_a_class_it_does_not_know():
    clf = UNFISClassifier().partial_fit(X, Y)
    with pytest.raises(
        ValueError, match=r"the class 5, which is not among the classes \[0, 1, 2\]"
    ):
        clf.partial_fit(X, np.full(150, 5))
    with pytest.raises(ValueError, match=r"those of the first call, \[0, 1, 2\], got \[7, 8\]"):
        clf.partial_fit(X, Y, classes=[7, 8])


@pytest.mark.parametrize(
    "estimator",
    [UNFISClassifier(), *(UNFISNetworkClassifier(selection=s) for s in ("soft", "none"))],
)
def test_extreme_rows_never_give_nan(estimator):
    rows = pd.DataFrame([[1e308, -1e308, 0, np.nan], [np.nan] * 4], columns=X.columns)
    assert np.isfinite(estimator.fit(X, Y).predict_proba(rows)).all()
