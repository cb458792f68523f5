"""An expert's hand on the rules."""

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork, classifier
from rule_tables import SOFT
from sample_tables import clinic
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, log_loss
from sklearn.utils.class_weight import compute_sample_weight

from unfis import UNFISClassifier

X, Y = load_iris(return_X_y=True, as_frame=True)
LENGTH, WIDTH = "petal length (cm)", "petal width (cm)"


@pytest.fixture(scope="module")
def clf():
    """Three rules, each for a class."""
    return UNFISClassifier(consequents="constant").fit(X, Y)


@pytest.fixture(scope="module")
def scorecard():
    """One rule without a condition, in whole points."""
    return UNFISClassifier().fit(X, Y)


@pytest.fixture(scope="module")
def counting():
    """A rule with a condition, and one that speaks otherwise; the second counts in points."""
    model = UNFISClassifier(2, ridge=0.5).fit(X, Y)
    assert model.model_.in_condition.tolist() == [[False, False, True, False], [False] * 4]
    return model


@pytest.fixture(scope="module")
def soft():
    return RuleNetwork(**SOFT).fit(X, Y)


def state(model):
    """All that an edit must not touch."""
    arrays = {
        name: getattr(model.parameters_, name).copy() for name in model.parameters_.shape.blocks
    }
    return arrays, model.selected_.copy(), dict(model.choices_), str(model.rules_), model.path_


def assert_same(one, other):
    for name, array in one[0].items():
        np.testing.assert_array_equal(array, other[0][name])
    np.testing.assert_array_equal(one[1], other[1])
    assert one[2:] == other[2:]


def test_a_dropped_condition_no_longer_counts(clf):
    before = state(clf)
    edited = clf.edit(drop=[(2, WIDTH)])
    assert not edited.selected_[1, 3]
    assert edited.selected_.sum() == clf.selected_.sum() - 1
    assert WIDTH not in [c.input for c in edited.rules_[1].conditions]
    assert_same(before, state(clf))


@pytest.mark.parametrize("selection", ["soft", "none", "decisive"])
def test_a_forbidden_input_stays_out_of_all_learning(selection):
    model = classifier(2, selection=selection, ridge=0.5).fit(X, Y)
    assert model.selected_[:, 3].any()
    edited = model.edit(forbid=[WIDTH, (1, 0)], refit=True, X=X, y=Y)
    assert not edited.selected_[:, 3].any()
    assert not edited.selected_[0, 0]
    edited.partial_fit(X, Y)
    assert not edited.selected_[:, 3].any()
    other = X.assign(**{WIDTH: 77})
    np.testing.assert_array_equal(edited.predict_proba(other), edited.predict_proba(X))
    assert edited.edits_.changes[0] == f"Forbade {WIDTH} in all rules."
    assert edited.edits_.changes[1] == "Forbade sepal length (cm) in rule 1."


@pytest.mark.parametrize("refit", [False, True])
def test_a_fixed_centre_is_where_the_expert_put_it(soft, refit):
    given = {"X": X, "y": Y} if refit else {}
    edited = soft.edit(centres={(1, LENGTH): 2.0}, refit=refit, **given)
    condition = next(c for c in edited.rules_[0].conditions if c.input == LENGTH)
    assert condition.centre == pytest.approx(2.0, abs=1e-12)
    edited.partial_fit(X, Y)
    condition = next(c for c in edited.rules_[0].conditions if c.input == LENGTH)
    assert condition.centre == pytest.approx(2.0, abs=1e-12)
    again = edited.edit(drop=[(2, WIDTH)], refit=True, X=X, y=Y)
    condition = next(c for c in again.rules_[0].conditions if c.input == LENGTH)
    assert condition.centre == pytest.approx(2.0, abs=1e-12)


def test_a_new_fit_knows_nothing_of_edits(soft):
    edited = soft.edit(centres={(1, LENGTH): 2.0}, forbid=[WIDTH])
    edited.fit(X, Y)
    np.testing.assert_allclose(edited.predict_proba(X), soft.predict_proba(X))


def test_a_removed_rule_is_gone(clf):
    edited = clf.edit(remove=[1], refit=True, X=X, y=Y)
    assert len(edited.rules_) == 2
    assert edited.choices_["n_rules"] == 2
    assert edited.choices_["parts"] == edited.model_.parts
    assert edited.choices_["by"] == "user"
    with pytest.raises(ValueError, match="There is no path to choose from"):
        edited.at(parts=1)


def test_several_edits_at_once_count_rules_as_before(soft):
    edited = soft.edit(remove=[1], drop=[(2, "sepal width (cm)")], centres={(2, LENGTH): 5})
    assert edited.selected_.tolist() == [[True, False, True, True]]
    assert edited.rules_[0].conditions[1].centre == pytest.approx(5)


def test_the_cost_is_measured_on_the_rows_that_are_given(clf):
    rows = X.iloc[::3], Y.iloc[::3]
    edited = clf.edit(drop=[(2, WIDTH)], X=rows[0], y=rows[1])
    report = edited.edits_
    assert (report.models, report.rows, report.given) == (("before", "edited"), 50, True)
    for place, model in enumerate((clf, edited)):
        assert report.loss[place] == pytest.approx(log_loss(rows[1], model.predict_proba(rows[0])))
        expected = accuracy_score(rows[1], model.predict(rows[0]))
        assert report.accuracy[place] == pytest.approx(expected)
    text = str(report)
    assert f"Rule 2: dropped {WIDTH}." in text
    assert "On 50 given rows" in text


def test_without_rows_the_cost_is_that_on_the_training_rows(clf):
    report = clf.edit(drop=[(2, WIDTH)]).edits_
    assert (report.rows, report.given) == (150, False)
    assert report.loss[0] == pytest.approx(log_loss(Y, clf.predict_proba(X)))


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 5.0, 2: 0.5}])
def test_the_loss_told_is_the_one_that_a_fit_minimises(given, class_weight):
    """Weighted by rows and classes; the accuracy is by rows alone."""
    generator = np.random.default_rng(0)
    weights = generator.uniform(0.5, 3.0, size=len(X))
    settings = {"class_weight": class_weight, **SOFT}
    model = classifier(**settings).fit(X, Y, sample_weight=weights)
    rows = {"X": X, "y": Y, "sample_weight": weights} if given else {}
    report = model.edit(drop=[(2, WIDTH)], **rows).edits_
    learned = weights * compute_sample_weight(class_weight, Y)
    if class_weight == "balanced":  # of rows by their weights
        learned = weights / np.bincount(Y, weights)[Y]
    expected = log_loss(Y, model.predict_proba(X), sample_weight=learned)
    assert report.loss[0] == pytest.approx(expected)
    assert report.accuracy[0] == pytest.approx(model.score(X, Y, sample_weight=weights))


def test_refitting_wins_back_some_of_the_cost(clf):
    report = clf.edit(drop=[(2, WIDTH)], refit=True, X=X, y=Y).edits_
    assert report.models == ("before", "edited", "refitted")
    assert report.loss[0] < report.loss[2] < report.loss[1]


def test_an_edit_of_nothing_is_a_copy(clf):
    same = clf.edit()
    assert same is not clf
    np.testing.assert_array_equal(same.predict_proba(X), clf.predict_proba(X))
    assert same.edits_.loss[0] == same.edits_.loss[1]


def test_nothing_may_be_left(scorecard, soft):
    """A model without inputs says the same of all rows."""
    for model in (scorecard, soft):
        for refit in (False, True):
            given = {"X": X, "y": Y} if refit else {}
            empty = model.edit(forbid=list(X.columns), refit=refit, **given)
            assert np.ptp(empty.predict_proba(X), axis=0).max() == 0
            assert not empty.selected_.any()
            assert empty.model_.scorecard is None
            assert empty.explain(X)[0].change is None
            assert str(empty.rules_)


def test_a_new_fit_forgets_the_report(soft):
    edited = soft.edit(forbid=[WIDTH])
    edited.fit(X, Y)
    assert not hasattr(edited, "edits_")


def test_inputs_with_numbers_for_names():
    table = X.set_axis([3, 2, 1, 0], axis=1)
    model = RuleNetwork(**SOFT).fit(table, Y)
    assert model.edit(drop=[(1, 3)]).edits_.changes == ("Rule 1: dropped 3.",)
    assert not model.edit(drop=[(1, 3)]).selected_[0, 0]


def test_what_is_said_once_or_twice_or_without_a_list(soft):
    assert soft.edit(forbid=WIDTH).selected_[:, 3].any() is np.False_
    assert len(soft.edit(drop=[(1, WIDTH), (1, WIDTH)]).edits_.changes) == 1
    assert len(soft.edit(remove=1).rules_) == 1
    edited = soft.edit(centres={(1, LENGTH): np.float32(2.0), (2, LENGTH): np.int64(5)})
    assert edited.rules_[1].conditions[2].centre == pytest.approx(5)


def test_categories_are_dropped_and_forbidden_too():
    table, labels = clinic()
    model = RuleNetwork(**SOFT).fit(table, labels)
    edited = model.edit(forbid=["ward"], drop=[(1, "smoker")])
    assert not edited.selected_[:, 1].any()
    other = table.assign(ward=pd.Categorical(["east"] * len(table), ["east", "north", "west"]))
    np.testing.assert_allclose(edited.predict_proba(other), edited.predict_proba(table))
    np.testing.assert_allclose(
        edited.rules_.predict_proba(table), edited.predict_proba(table), atol=1e-12
    )


def test_a_rule_that_loses_all_its_conditions_speaks_otherwise_and_is_the_last(clf):
    edited = clf.edit(drop=[(1, LENGTH)])
    assert [rule.otherwise for rule in edited.rules_] == [False, False, True]
    assert edited.rules_[2].biases == clf.rules_[0].biases
    moved, former = edited.rules_[0].conditions, clf.rules_[1].conditions
    assert [(c.input, c.centre) for c in moved] == [(c.input, c.centre) for c in former]
    assert "Otherwise" in str(edited.rules_)
    np.testing.assert_allclose(edited.rules_.predict_proba(X), edited.predict_proba(X), atol=1e-12)
    refitted = clf.edit(drop=[(1, LENGTH)], centres={(2, LENGTH): 4.5}, refit=True, X=X, y=Y)
    (centre,) = [c.centre for c in refitted.rules_[0].conditions if c.input == LENGTH]
    assert centre == pytest.approx(4.5)
    assert refitted.edits_.loss[2] < refitted.edits_.loss[1]


def test_mixed_rules_may_all_lose_their_conditions(soft):
    edited = soft.edit(drop=[(1, name) for name in X.columns])
    assert edited.rules_[0].conditions == ()
    assert not edited.rules_[0].otherwise


def test_only_one_rule_can_be_left_without_a_condition(clf, counting):
    with pytest.raises(ValueError, match=r"rules 1 and 2\. Remove some too, such as remove=\[1\]"):
        counting.edit(drop=[(1, LENGTH)])
    with pytest.raises(ValueError, match=r"got none in rules 1 and 2 and 3\. .* remove=\[1, 2\]"):
        clf.edit(forbid=list(X.columns))
    # What the sentence tells to do can be done.
    assert len(counting.edit(drop=[(1, LENGTH)], remove=[1]).rules_) == 1
    only = clf.edit(forbid=list(X.columns), remove=[1, 2])
    assert np.ptp(only.predict_proba(X), axis=0).max() == 0


def test_a_rule_that_is_left_alone_needs_no_condition(clf):
    edited = clf.edit(remove=[1, 3])
    assert edited.rules_[0].conditions == ()
    assert edited.model_.parts == 0


def points_of(model):
    """What each input adds for each class, in points: per step of a number."""
    card = model.model_.scorecard
    return {
        (i, effect.input): np.array(effect.slopes) * effect.step / card.units[i]
        for i, rule in enumerate(model.rules_)
        for effect in rule.effects
    }


def test_dropped_inputs_are_out_of_both_parts_and_the_other_points_stay(scorecard, counting):
    for model, rule in ((scorecard, 1), (counting, 2)):
        edited = model.edit(drop=[(rule, WIDTH)])
        assert not edited.selected_[rule - 1, 3]
        before, after = points_of(model), points_of(edited)
        assert before.keys() - after.keys() == {(rule - 1, WIDTH)}
        for name, points in after.items():
            np.testing.assert_allclose(points, before[name], atol=1e-9)
        # It spoke for some classes, at most for all but one.
        fewer = np.count_nonzero(before[rule - 1, WIDTH])
        assert 1 <= fewer <= 2
        assert edited.choices_["parts"] == model.model_.parts - fewer
        assert not np.allclose(edited.predict_proba(X), model.predict_proba(X))
        other = X.assign(**{WIDTH: 77})
        np.testing.assert_array_equal(edited.predict_proba(other), edited.predict_proba(X))


def test_a_forbidden_input_is_out_of_both_parts(counting):
    edited = counting.edit(forbid=["sepal length (cm)", (2, LENGTH)])
    expected = counting.selected_.copy()
    assert expected[0, 2]
    assert expected[1, 2]
    expected[:, 0] = expected[1, 2] = False
    assert edited.selected_.tolist() == expected.tolist()
    assert edited.model_.in_condition.tolist() == counting.model_.in_condition.tolist()


def test_points_go_with_the_rules_that_are_kept(counting):
    edited = counting.edit(remove=[1])
    assert edited.model_.scorecard.units == counting.model_.scorecard.units[1:]
    before = {name: points for (rule, name), points in points_of(counting).items() if rule == 1}
    after = {name: points for (_, name), points in points_of(edited).items()}
    assert after.keys() == before.keys()
    for name, points in after.items():
        np.testing.assert_array_equal(points, before[name])


def test_a_refit_rounds_the_points_anew(scorecard):
    refitted = scorecard.edit(forbid=[LENGTH], refit=True, X=X, y=Y)
    points = np.array(list(points_of(refitted).values()))
    np.testing.assert_allclose(points, points.round(), atol=1e-9)
    assert 1 <= np.abs(points).max() <= 9 + 1e-9
    assert refitted.model_.scorecard.units != scorecard.model_.scorecard.units
    loss = refitted.edits_.loss
    assert loss[2] < loss[1]


WRONG = {
    "drop names the input 'petal', which is none of: 'sepal length": {"drop": [(1, "petal")]},
    "drop must name rules from 1 to 3, got rule 4": {"drop": [(4, LENGTH)]},
    "drop must name rules by number, from 1 to 3; got 'one'": {"drop": [("one", LENGTH)]},
    r"drop must name inputs of rules as \(rule, input\), such as \(1, 'age'\); got 1": {
        "drop": [1]
    },
    "drop names sepal length .* in rule 1, which is not in it": {"drop": [(1, 0)]},
    "forbid names the input 9": {"forbid": [9]},
    "remove must name rules from 1 to 3, got rule 0": {"remove": [0]},
    "remove must leave at least one rule": {"remove": [1, 2, 3]},
    "centres names petal width .* in rule 1, which has no condition on it": {
        "centres": {(1, WIDTH): 1.0}
    },
    r"centres must be a dict such as \{\(1, 'age'\): 50\}": {"centres": [(1, LENGTH, 2)]},
    "drop names the input True": {"drop": [(1, True)]},
    "remove must be a list, got 1.5": {"remove": 1.5},
    "The centre of petal length .* must be a finite number, got nan": {
        "centres": {(1, LENGTH): float("nan")}
    },
    "edit needs X and y to refit": {"refit": True},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_edits_are_named_and_nothing_is_changed(clf, message):
    before = state(clf)
    with pytest.raises(ValueError, match=message):
        clf.edit(**WRONG[message])
    assert_same(before, state(clf))


def test_the_centre_of_a_category_cannot_be_fixed():
    table, labels = clinic()
    model = RuleNetwork(**SOFT).fit(table, labels)
    with pytest.raises(ValueError, match="centres must name numbers; ward is a category"):
        model.edit(centres={(1, "ward"): 1})
