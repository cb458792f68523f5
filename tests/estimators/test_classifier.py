import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from networks import classifier, load
from sklearn.datasets import load_iris, make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unfis import UNFISClassifier

IRIS = load_iris(return_X_y=True, as_frame=True)
# One training of a network of known size, without anything chosen by the data.
SOFT = {"n_rules": 3, "selection": "soft", "ridge": 0.15}


def test_attributes_after_fit():
    X, y = IRIS
    clf = classifier(**SOFT, random_state=0).fit(X, y)
    assert clf.classes_.tolist() == [0, 1, 2]
    assert clf.n_features_in_ == 4
    assert clf.feature_names_in_.tolist() == list(X.columns)
    assert clf.parameters_.shape == (3, 4, 3)
    assert clf.n_iter_ == len(clf.history_["loss"]) >= 1
    assert set(clf.history_) == {"loss", "step", "damping", "seconds"}
    assert clf.converged_ is True
    assert [i.kind for i in clf.inputs_] == ["number"] * 4
    assert (np.diff(clf.history_["loss"]) <= 0).all()


def test_probabilities_logits_and_decisions_agree():
    X, y = IRIS
    clf = UNFISClassifier().fit(X, y)
    probabilities = clf.predict_proba(X)
    np.testing.assert_allclose(np.log(probabilities), clf.predict_log_proba(X), atol=1e-8)
    assert (clf.classes_[clf.decision_function(X).argmax(axis=1)] == clf.predict(X)).all()
    assert clf.score(X, y) == (clf.predict(X) == y).mean()


@pytest.mark.parametrize("labels", [["a", "b", "c"], [False, True], [-1, 7, 300], [1.0, 2.0, 4.0]])
def test_labels_of_every_kind(labels):
    X, y = IRIS
    named = np.array(labels)[y.to_numpy() % len(labels)]
    clf = UNFISClassifier().fit(X, named)
    assert clf.classes_.tolist() == sorted(labels)
    assert clf.predict(X).dtype == named.dtype
    assert UNFISClassifier().fit(X, pd.Series(named)).predict(X).tolist() == clf.predict(X).tolist()
    assert UNFISClassifier().fit(X, pl.Series(named)).predict(X).tolist() == clf.predict(X).tolist()


def test_a_frame_an_array_and_polars_give_the_same_model():
    X, y = IRIS
    expected = UNFISClassifier().fit(X, y).predict_proba(X)
    array = X.to_numpy()
    wide = np.zeros((150, 8))
    wide[:, ::2] = array
    frozen = array.copy()
    frozen.setflags(write=False)
    for table in (array, wide[:, ::2], np.asfortranarray(array), frozen, array.tolist()):
        np.testing.assert_allclose(UNFISClassifier().fit(table, y).predict_proba(table), expected)
    polars = pl.from_pandas(X)
    clf = UNFISClassifier().fit(polars, y)
    np.testing.assert_allclose(clf.predict_proba(polars), expected)
    assert clf.feature_names_in_.tolist() == list(X.columns)
    single = UNFISClassifier().fit(array.astype(np.float32), y)
    np.testing.assert_allclose(single.predict_proba(array.astype(np.float32)), expected, atol=1e-4)


def mixed_table(rows=200, seed=0):
    """Numbers, a category that decides, a boolean, and holes everywhere."""
    generator = np.random.default_rng(seed)
    colour = generator.choice(["blue", "green", "red"], rows)
    size = generator.normal(size=rows)
    y = np.where((colour == "red") | (size > 1), "yes", "no")
    frame = pd.DataFrame({"size": size, "colour": colour, "old": generator.random(rows) < 0.5})
    frame = frame.astype({"old": "boolean"})
    for name in frame:
        frame.loc[generator.random(rows) < 0.1, name] = None
    return frame, y


def test_categories_booleans_and_missing_values():
    X, y = mixed_table()
    clf = UNFISClassifier().fit(X, y)
    assert clf.score(X, y) > 0.85
    assert [(i.name, i.kind) for i in clf.inputs_] == [
        ("size", "number"),
        ("colour", "category"),
        ("old", "boolean"),
    ]
    assert clf.inputs_[1].categories == ("blue", "green", "red")
    assert clf.parameters_.shape.features == 5  # size, three colours, old
    nothing = pd.DataFrame({"size": [None], "colour": [None], "old": [None]})
    assert np.isfinite(clf.predict_proba(nothing)).all()
    # The model tells the categories apart as the data does.
    probes = pd.DataFrame({"size": 0.0, "colour": ["red", "blue"], "old": True})
    assert clf.predict(probes).tolist() == ["yes", "no"]
    plain = UNFISClassifier().fit(pl.from_pandas(X), y)
    np.testing.assert_allclose(plain.predict_proba(X), clf.predict_proba(X), atol=1e-8)


def test_a_model_of_a_frame_predicts_arrays_by_position():
    X, y = mixed_table()
    clf = UNFISClassifier().fit(X, y)
    array = X.astype(object).where(X.notna(), None).to_numpy()
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        np.testing.assert_allclose(clf.predict_proba(array), clf.predict_proba(X))


def test_lists_of_text_and_holes():
    rows = [[1.0, "u"], [2.0, float("nan")], [3.0, "v"], [4.0, None], [2.0, "v"], [1.0, "u"]] * 5
    clf = classifier(**SOFT, categorical_features=[1]).fit(rows, [0, 1, 1, 1, 1, 0] * 5)
    assert clf.inputs_[1].categories == ("u", "v")
    assert clf.predict([[1.0, "u"], [3.0, float("nan")]]).tolist() == [0, 1]


def test_an_all_missing_column_of_any_kind():
    X, y = mixed_table()
    empty = X.assign(size=np.nan, colour=None)
    with pytest.warns(UserWarning, match="too few different rows to cross-validate"):
        clf = UNFISClassifier().fit(empty, y)
    assert np.isfinite(clf.predict_proba(empty)).all()


def test_a_category_named_in_an_array():
    generator = np.random.default_rng(0)
    code = generator.integers(1, 5, size=300)
    X = np.column_stack([generator.normal(size=300), code])
    y = np.isin(code, [1, 3])
    clf = UNFISClassifier(categorical_features=[1]).fit(X, y)
    assert clf.score(X, y) == 1.0
    assert clf.inputs_[1].categories == (1.0, 2.0, 3.0, 4.0)


def test_constant_consequents_have_no_slopes():
    X, y = IRIS
    constant = UNFISClassifier(consequents="constant").fit(X, y)
    assert not constant.parameters_.consequents[:, :, 1:].any()


@pytest.mark.parametrize(
    "changed", [{"n_rules": 5}, {"consequents": "constant"}, {"categorical_features": [0]}]
)
def test_a_model_that_goes_on_cannot_change_its_network(changed):
    X, y = IRIS
    clf = UNFISClassifier().fit(X, y).set_params(**changed)
    name = next(iter(changed))
    with pytest.raises(ValueError, match=f"{name} was .* when learning began and is .* now"):
        clf.partial_fit(X, y)
    assert clf.fit(X, y).partial_fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("first", ["partial_fit", "fit"])
def test_partial_fit_remembers_what_came_before(first):
    """The second batch holds one class only; the first must not be forgotten."""
    X, y = IRIS
    clf = getattr(UNFISClassifier(), first)(X, y)
    rows = np.flatnonzero(y == 2)
    clf.partial_fit(X.iloc[rows], y.iloc[rows])
    assert clf.score(X, y) > 0.9


def test_fit_forgets_an_earlier_stream():
    X, y = IRIS
    clf = UNFISClassifier().partial_fit(X, y).set_params(n_rules=2).fit(X, y).partial_fit(X, y)
    assert clf.parameters_.shape.rules == 2
    fresh = UNFISClassifier(2).fit(X, y).partial_fit(X, y)
    np.testing.assert_allclose(clf.predict_proba(X), fresh.predict_proba(X), atol=1e-8)


def test_class_weight_moves_the_decision():
    X, y = make_classification(400, 5, weights=[0.9], flip_y=0.1, random_state=0)
    plain = UNFISClassifier().fit(X, y).predict(X).mean()
    balanced = UNFISClassifier(class_weight="balanced").fit(X, y).predict(X).mean()
    heavy = UNFISClassifier(class_weight={1: 50.0}).fit(X, y).predict(X).mean()
    assert plain < balanced < heavy


# Powers of ten: what is a round number in one unit is one in the other.
@pytest.mark.parametrize("size", [1e-200, 1e200])
@pytest.mark.parametrize("settings", [{}, SOFT], ids=["default", "soft"])
def test_inputs_of_any_size_are_learned_from_alike(size, settings, tmp_path):
    """The model of the same table in other units, in all that it says and keeps."""
    X, y = load_iris(return_X_y=True)
    usual = classifier(**settings).fit(X, y)
    other = classifier(**settings).fit(size * X, y)
    np.testing.assert_array_equal(other.selected_, usual.selected_)
    expected = usual.predict_proba(X)
    np.testing.assert_allclose(other.predict_proba(size * X), expected, atol=1e-9)
    np.testing.assert_allclose(other.rules_.predict_proba(size * X), expected, atol=1e-9)
    np.testing.assert_allclose(other.coverage(size * X), usual.coverage(X), atol=0.01)
    assert [r.label for r in other.rules_] == [r.label for r in usual.rules_]
    other.save(tmp_path / "m.json")
    np.testing.assert_array_equal(
        load(tmp_path / "m.json").predict_proba(size * X), other.predict_proba(size * X)
    )
    told = other.explain(size * X)
    assert "nan" not in told.to_text() + str(other.rules_) + other.rules_.to_text(detail="full")
    changes = [(row, told[row].change) for row in range(0, 150, 10)]
    for row, change in changes:
        moved = size * X[[row]]
        moved[0, int(change.input[1:])] = change.to
        assert other.predict(moved)[0] == change.prediction != told[row].prediction


def test_one_row_per_class_and_constant_columns():
    X = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]])
    with pytest.warns(UserWarning, match="too few different rows to cross-validate"):
        clf = UNFISClassifier(ridge=0.1).fit(X, ["a", "b", "c"])
    assert clf.predict(X).tolist() == ["a", "b", "c"]
    with pytest.warns(UserWarning, match="too few different rows to cross-validate"):
        constant = UNFISClassifier().fit(np.ones((10, 2)), np.arange(10) < 7)
    np.testing.assert_allclose(constant.predict_proba([[1.0, 1.0]])[0, 1], 0.7, atol=1e-2)


@pytest.mark.parametrize("selection", ["decisive", "soft"])
def test_many_inputs(selection):
    X, y = make_classification(60, 10_000, n_informative=20, shuffle=False, random_state=0)
    clf = classifier(2, selection=selection, ridge=0.15).fit(X, y)
    assert np.isfinite(clf.predict_proba(100 * X)).all()
    if selection == "soft":
        assert clf.score(X, y) > 0.95
    else:  # sixty rows do not tell the twenty inputs that matter from the others: few are kept
        assert clf.choices_["parts"] <= 5
        assert log_loss(y, clf.predict_proba(X)) < np.log(2)


def test_pickle_cross_validation_and_pipelines():
    X, y = IRIS
    clf = UNFISClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))
    assert cross_val_score(UNFISClassifier(), X, y).mean() > 0.93
    assert make_pipeline(StandardScaler(), UNFISClassifier()).fit(X, y).score(X, y) > 0.93


def test_verbose_writes_to_standard_error(capsys):
    X, y = IRIS
    UNFISClassifier(verbose=True).fit(X, y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "TrustRegion iteration 1 of at most" in captured.err
    assert captured.err.endswith("; converged\n")


def test_single_precision_gives_the_model_of_its_values_in_double(monkeypatch):
    X, y = load_iris(return_X_y=True)
    single = X.astype(np.float32)
    one = UNFISClassifier(2, ridge=0.3).fit(single, y)
    other = UNFISClassifier(2, ridge=0.3).fit(single.astype(float), y)
    np.testing.assert_array_equal(one.predict_proba(single), other.predict_proba(single))
    assert one.model_.columns.values(single).dtype == np.float32


def test_a_large_table_is_learned_block_by_block(monkeypatch):
    """The same probabilities whether the table is encoded at once or by its rows."""
    X, y = load_iris(return_X_y=True)
    at_once = UNFISClassifier(2, ridge=0.3).fit(X, y).predict_proba(X)
    monkeypatch.setattr("unfis.data.columns.MOST_ENCODED", 100)
    by_rows = UNFISClassifier(2, ridge=0.3).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(by_rows, at_once, atol=1e-9)


def test_subclasses_may_have_parameters_of_their_own_and_fewer():
    class More(UNFISClassifier):
        def __init__(self, n_rules=2, *, ridge=1.0, extra=1):
            super().__init__(n_rules, ridge=ridge)
            self.extra = extra

    class Fewer(UNFISClassifier):
        def __init__(self, ridge=1.0):
            super().__init__(2, ridge=ridge)

    X, y = load_iris(return_X_y=True)
    expected = UNFISClassifier(2, ridge=1.0).fit(X, y).predict_proba(X)
    for model in (More(), Fewer()):
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), expected)


def test_attributes_say_what_they_are():
    names = [name for name in dir(UNFISClassifier) if name.endswith("_") and name[0] != "_"]
    assert "rules_" in names
    assert [name for name in names if not getattr(UNFISClassifier, name).__doc__] == []


def test_importance_takes_a_table_in_memory(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = UNFISClassifier(2, ridge=0.3).fit(X, y)
    X.assign(target=y).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="only fit and edit take blocks and files"):
        clf.importance(tmp_path / "t.parquet", "target")
