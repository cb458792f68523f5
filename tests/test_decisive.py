"""Selection that decides, as a user meets it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

import unfis.selection.decision
from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.network import forward

IRIS = load_iris(return_X_y=True, as_frame=True)
PATH = {
    "rules",
    "parts",
    "conditions",
    "longest_rule",
    "ridge",
    "training_loss",
    "cv_loss",
    "cv_loss_error",
    "cv_accuracy",
    "cv_accuracy_error",
    "criterion",
    "chosen",
}


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return UNFISClassifier().fit(X, y), X, y


def test_what_is_not_selected_makes_no_difference(wine):
    """Out means mu+ = 1 and alpha+ = 0 exactly: any value there gives the same probabilities."""
    clf, X, _ = wine
    unused = ~clf.selected_.any(axis=0)
    assert clf.selected_.shape == (clf.choices_["n_rules"], 13)
    assert unused.any()
    other = X.copy()
    other.loc[:, unused] = 1e6
    np.testing.assert_array_equal(clf.predict_proba(other), clf.predict_proba(X))


def test_processes_choose_the_same():
    X, y = IRIS
    alone = UNFISClassifier(random_state=3).fit(X, y)
    shared = UNFISClassifier(random_state=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(shared.predict_proba(X), alone.predict_proba(X))
    assert shared.path_ == alone.path_


def test_many_rows_of_few_kinds_are_learned():
    """Two inputs of two kinds each: all four rows are there when conditions are chosen."""
    generator = np.random.default_rng(0)
    X = generator.random((30_000, 3)) < [0.5, 0.5, 0.05]
    y = X[:, 0] ^ X[:, 1] ^ (generator.random(30_000) < 0.05)
    clf = UNFISClassifier(2, ridge=0.1, random_state=0)
    with pytest.warns(UserWarning, match="too few different rows"):
        clf.fit(X.astype(float), y)
    assert clf.score(X.astype(float), y) > 0.94


def test_rules_are_short_and_every_rule_leads_somewhere():
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, size=(400, 4))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0.2)
    clf = UNFISClassifier().fit(X, y)
    assert clf.score(X, y) > 0.95
    assert clf.choices_["parts"] <= 10  # four squares, two conditions each
    leaders = forward(clf.parameters_, clf.model_.columns.matrix(X)).strengths.argmax(axis=1)
    assert set(leaders) == set(range(len(clf.rules_)))


def test_the_path_is_recorded(wine):
    clf, _, _ = wine
    assert set(clf.path_) == PATH
    table = pd.DataFrame(clf.path_)
    chosen = table[table.chosen]
    assert len(chosen) == 1
    # Of three classes each slope is two numbers at most: it may speak for one of them alone.
    selection = clf.parameters_.selection
    classes = np.minimum(selection.in_classes.sum(axis=1), 2)
    assert set(classes[selection.in_consequent]) == {1, 2}
    numbers = selection.in_condition.sum() + classes.sum()
    assert chosen.parts.item() == clf.choices_["parts"] == numbers
    assert chosen.conditions.item() == clf.model_.in_condition.sum()
    assert chosen.ridge.item() == clf.choices_["ridge"]
    assert clf.choices_["by"] == "cross-validation"
    assert table.parts.is_monotonic_increasing
    # Held-out rows are harder than those that taught, and few parts are worse than many.
    assert (table.cv_loss > table.training_loss).all()
    assert table.cv_loss.iloc[0] > 2 * table.cv_loss.min()
    assert table.cv_accuracy.between(0, 1).all()
    assert (table.cv_loss_error > 0).all()


def test_another_point_of_the_path_without_choosing_again(wine, monkeypatch):
    clf, X, _ = wine
    before = clf.predict_proba(X)
    monkeypatch.setattr(unfis.selection.decision, "choose_path", None)  # whoever chooses now, fails
    same = clf.at(clf.choices_["parts"])
    np.testing.assert_array_equal(same.predict_proba(X), before)
    for parts in (2, 4, 7):
        model = clf.at(parts)
        assert model.choices_["parts"] <= parts
        assert model.choices_["by"] == "user"
        assert np.isfinite(model.predict_proba(X)).all()
        assert pd.DataFrame(model.path_).query("chosen").parts.item() == model.choices_["parts"]
    assert clf.at(1000).choices_["parts"] >= clf.choices_["parts"]
    assert len(clf.at(10, rules=1).rules_) == 1
    np.testing.assert_array_equal(clf.predict_proba(X), before)
    assert clf.choices_["by"] == "cross-validation"


def test_a_copy_at_another_point_shares_nothing(wine):
    clf, _, _ = wine
    model = clf.at(4)
    assert model.n_iter_ == 0
    assert not model.converged_
    count = model.selected_.sum()
    model.selected_[:] = True
    model.path_["cv_loss"][0] = 99.0
    model.choices_["seconds"]["path"] = -1.0
    assert clf.at(4).selected_.sum() == count
    assert clf.path_["cv_loss"][0] < 99
    assert clf.choices_["seconds"]["path"] > 0


def test_settings_that_changed_since_are_told_by_what_goes_on_learning(wine):
    clf, X, y = wine
    changed = clone(clf).fit(X, y).set_params(consequents="constant").at(4)
    np.testing.assert_array_equal(changed.predict_proba(X), clf.at(4).predict_proba(X))
    with pytest.raises(ValueError, match="consequents was 'linear' when learning began"):
        changed.partial_fit(X, y)


def test_the_path_tells_the_loss_of_the_model_itself(wine):
    clf, X, y = wine
    told = clf.path_["training_loss"][clf.path_["chosen"].index(True)]
    exact = clone(clf).set_params(points="exact").fit(X, y)
    assert told == pytest.approx(log_loss(y, exact.predict_proba(X)), rel=1e-6)


def test_points_that_are_not_there_are_told(wine):
    clf, X, y = wine
    with pytest.raises(ValueError, match=r"parts must be a whole number of at least 0, got 2\.5"):
        clf.at(2.5)
    with pytest.raises(ValueError, match=r"rules must be one of .* on the path, got 9"):
        clf.at(20, rules=9)
    two = UNFISClassifier(2).fit(X, y)
    least = min(two.path_["parts"])
    if least > 1:
        with pytest.raises(ValueError, match=f"parts must be at least {least}, the least on the"):
            two.at(least - 1)


def test_a_point_of_the_path_goes_on_learning(wine):
    clf, X, y = wine
    model = clf.at(6)
    count = model.selected_.sum()
    model.partial_fit(X, y)
    assert model.selected_.sum() == count
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("rules", [1, 3, "auto"])
def test_bounds_are_obeyed_exactly(most, rules):
    X, y = load_wine(return_X_y=True)
    clf = UNFISClassifier(rules, max_conditions=most).fit(X, y)
    lengths = clf.model_.in_condition.sum(axis=1) + clf.model_.in_consequent.sum(axis=1)
    assert 1 <= lengths.max() <= most
    assert max(clf.path_["longest_rule"]) <= most
    if rules != "auto":
        assert len(clf.selected_) == rules


def test_a_bound_is_no_worse_than_a_point_of_the_path_that_keeps_it():
    X, y = load_breast_cancer(return_X_y=True)
    free = UNFISClassifier(2, ridge=1.0).fit(X, y)
    bounded = UNFISClassifier(2, ridge=1.0, max_conditions=2).fit(X, y)
    kept = [
        loss
        for loss, longest in zip(free.path_["cv_loss"], free.path_["longest_rule"], strict=True)
        if longest <= 2
    ]
    assert min(bounded.path_["cv_loss"]) < 1.1 * min(kept)
    assert bounded.score(X, y) > 0.94


def test_the_number_of_rules():
    X, y = IRIS
    assert len(UNFISClassifier(max_rules=1).fit(X, y).selected_) == 1
    assert len(UNFISClassifier(5).fit(X, y).selected_) == 5
    # Four clusters in a row, in each of which the classes lie the other way round.
    generator = np.random.default_rng(0)
    cluster = generator.integers(0, 4, 600)
    table = 0.4 * generator.normal(size=(600, 2)) + 2.0 * np.column_stack([cluster, 0 * cluster])
    labels = (cluster % 2 == 1) ^ (table[:, 1] > 0)
    clf = UNFISClassifier(max_rules=4).fit(table, labels)
    assert clf.choices_["n_rules"] >= 3
    assert clf.score(table, labels) > 0.85


def test_tolerance_trades_length_against_loss():
    X, y = load_breast_cancer(return_X_y=True)
    lengths, losses = [], []
    for tolerance in (0.0, 0.002, 0.1):
        clf = UNFISClassifier(2, ridge=1.0, tolerance=tolerance).fit(X, y)
        lengths.append(clf.choices_["parts"])
        losses.append(clf.path_["cv_loss"][clf.path_["chosen"].index(True)])
    assert lengths[0] > lengths[1] > lengths[2]
    assert losses[0] < losses[1] < losses[2]
    assert losses[0] == min(clf.path_["cv_loss"])


def test_nothing_is_left_to_chance():
    X, y = IRIS
    one, other = (UNFISClassifier().fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    order = np.random.default_rng(0).permutation(150)
    moved = UNFISClassifier().fit(X.iloc[order], y.iloc[order])
    np.testing.assert_array_equal(moved.selected_, one.selected_)
    np.testing.assert_allclose(moved.predict_proba(X), one.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("seed", range(4, 7))
def test_last_digits_do_not_decide(seed):
    """Truth values make many rows as far, and inputs as good, as others; another unit of an input
    gives its standardised values other last digits, as another processor does.
    """
    generator = np.random.default_rng(seed)
    X = generator.integers(0, 2, size=(400, 7)).astype(float)
    y = X.sum(axis=1) + 0.7 * generator.normal(size=400) > 3.5
    factors, shifts = generator.uniform(0.3, 3, size=7), generator.uniform(-2, 2, size=7)
    one = UNFISClassifier().fit(X, y)
    other = UNFISClassifier().fit(factors * X + shifts, y)
    np.testing.assert_array_equal(one.selected_, other.selected_)
    assert one.choices_["ridge"] == other.choices_["ridge"]
    np.testing.assert_allclose(one.path_["cv_loss"], other.path_["cv_loss"], atol=1e-9)


def test_accuracy_with_few_numbers():
    """Over two splits of each of three sets, beside the soft network of all inputs."""
    decisive, soft, lengths = [], [], []
    for load in (load_iris, load_wine, load_breast_cancer):
        X, y = load(return_X_y=True)
        for seed in range(2):
            parts = train_test_split(X, y, test_size=0.3, random_state=seed)
            X_train, X_test, y_train, y_test = parts
            clf = UNFISClassifier().fit(X_train, y_train)
            decisive.append(clf.score(X_test, y_test))
            lengths.append(clf.choices_["parts"])
            other = UNFISNetworkClassifier().fit(X_train, y_train)
            soft.append(other.score(X_test, y_test))
    assert np.mean(decisive) > np.mean(soft) - 0.02
    assert np.mean(lengths) < 11  # of 21 in one rule of all inputs


def test_categories_are_selected_as_a_whole_in_an_if_and_by_kinds_in_a_then():
    generator = np.random.default_rng(0)
    colour = generator.choice(["blue", "green", "red", "white"], 300)
    noise = generator.normal(size=300)
    y = np.isin(colour, ["red", "blue"])
    X = pd.DataFrame({"noise": noise, "colour": colour})
    clf = UNFISClassifier().fit(X, y)
    assert clf.selected_[:, 1].any()
    assert clf.score(X, y) == 1.0
    selection, columns = clf.parameters_.selection, clf.inputs_[1].columns
    whole = selection.in_condition[:, columns]
    assert (whole.all(axis=1) == whole.any(axis=1)).all()
    # Kinds that are left out say nothing, neither of the other ones nor of the classes.
    inside = np.broadcast_to(selection.in_classes[:, :, columns], (len(whole), 2, 4))
    assert not clf.parameters_.consequents[:, :, 1:][:, :, columns][~inside].any()
    assert clf.model_.in_consequent[:, 1].any() == inside.any()


def test_a_class_of_one_row():
    X, y = IRIS
    rare = y.to_numpy().copy()
    rare[7] = 3
    with pytest.warns(UserWarning, match=r'Fewer than 10 rows are of "3" \(1\): what rules say'):
        clf = UNFISClassifier().fit(X, rare)
    assert clf.choices_["by"] == "cross-validation"
    assert clf.predict_proba(X).shape == (150, 4)


def test_too_few_rows_are_chosen_by_an_information_criterion():
    X, y = IRIS
    rows = [0, 1, 2, 60, 61, 62, 120]
    with pytest.warns(UserWarning, match="too few different rows to cross-validate"):
        clf = UNFISClassifier().fit(X.iloc[rows], y.iloc[rows])
    assert clf.choices_["by"] == "information criterion"
    assert np.isnan(clf.path_["cv_loss"]).all()
    assert np.isfinite(clf.path_["criterion"]).all()
    assert clf.path_["chosen"][int(np.argmin(clf.path_["criterion"]))]


def test_as_many_rules_as_rows():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(24, 3))
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    for rules in (16, 20, 24):
        clf = UNFISClassifier(rules, ridge=0.3).fit(X, y)
        assert len(clf.selected_) == rules
        assert np.isfinite(clf.predict_proba(X)).all()


# Without a ridge to speak of the final training may not settle, and says so.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_large_weights_are_many_rows():
    """Beside large weights no prior counts: enough rows of both labels everywhere, and there is a
    minimum without one. Of fewer rows each machine would end elsewhere.
    """
    generator = np.random.default_rng(0)
    X = generator.normal(size=(600, 3))
    truth = X[:, 0] + 0.5 * X[:, 1] > 0
    y = truth ^ (generator.random(600) < 0.2)
    for weight in (1e-3, 1e8):
        clf = UNFISClassifier().fit(X, y, sample_weight=np.full(600, weight))
        assert clf.score(X, truth) > 0.9


def test_a_stream_that_begins_with_few_rows_is_told_that_they_decide():
    X, y = IRIS
    with pytest.warns(UserWarning, match="conditions stay what the first batch made them"):
        UNFISClassifier().partial_fit(X.iloc[[0, 60, 120]], y.iloc[[0, 60, 120]])


def test_streams_keep_the_conditions():
    X, y = IRIS
    clf = UNFISClassifier().fit(X, y)
    selected = clf.selected_.copy()
    clf.partial_fit(X.iloc[:50], y.iloc[:50])
    np.testing.assert_array_equal(clf.selected_, selected)
    assert clf.score(X, y) > 0.9


@pytest.mark.parametrize("seed", [11, 17])
def test_as_many_rules_that_name_a_class_as_there_are_classes(seed):
    """Of rows that decide a set alone, one ridge's leave-one-out loss says nothing of others'."""
    X, y = load_iris(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    clf = UNFISClassifier(consequents="constant", max_rules=6).fit(X_train, y_train)
    assert len(clf.rules_) >= 3
    assert clf.score(X_test, y_test) > 0.85
