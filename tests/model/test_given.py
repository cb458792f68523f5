"""Rules given by hand: kept as they read, and the rest learned around them."""

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier, load
from unfis.data.columns import Input
from unfis.model.given import half_point, kinds_set, range_set
from unfis.rules.borders import fulfils
from unfis.rules.given import GivenCondition

GIVEN = [
    "IF age >= 65 AND smoker is yes THEN ill",
    "IF ward is B or C AND 2 <= dose < 4 THEN well with 90 %",
]


def table(rows=400, seed=0, missing=0.0):
    draw = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": draw.integers(20, 90, rows).astype(float),
            "dose": draw.normal(3, 1.5, rows).round(2),
            "smoker": draw.random(rows) < 0.4,
            "ward": draw.choice(list("ABCD"), rows),
            "sex": draw.choice(["f", "m"], rows),
        }
    )
    odds = 0.05 * (X["age"] - 50) + 0.8 * X["smoker"] - 0.4 * (X["dose"] - 3)
    y = np.where(odds + draw.logistic(size=rows) > 0, "ill", "well")
    return X.mask(draw.random(X.shape) < missing) if missing else X, y


@pytest.fixture(scope="module")
def fitted():
    X, y = table()
    return UNFISClassifier(given_rules=GIVEN).fit(X, y), X, y


def as_written(X):
    """Where the given rules hold, as anybody reads them."""
    first = (X["age"] >= 65) & X["smoker"]
    second = X["ward"].isin(["B", "C"]) & (X["dose"] >= 2) & (X["dose"] < 4)
    return first.to_numpy(), second.to_numpy()


def test_they_read_as_the_expert_wrote_them(fitted):
    model, *_ = fitted
    told = str(model.rules_)
    assert "Rule 1  IF age is at least 65\n        AND smoker is true\n        THEN ill" in told
    assert "Rule 2  IF dose is at least 2 and below 4\n        AND ward is B or C" in told
    assert "Given by hand for well, of which it says 90 %." in told
    assert len(model.rules_) == 3
    assert model.rules_[2].otherwise
    assert [rule.given for rule in model.rules_] == ["ill", "well", None]


def test_they_hold_just_where_they_read_so(fitted):
    """But for rows that lie in two corners of a set at once, a few of a hundred."""
    model, X, _ = fitted
    found = model.rules_.arrays.evaluate(model.model_.columns.values(X))
    for i, (holds, rule) in enumerate(zip(as_written(X), model.rules_, strict=False)):
        fires = np.exp(found.log_firing[:, i]) > 0.5
        assert (fires == holds).mean() > 0.99
        read = np.ones(len(X), dtype=bool)
        for condition in rule.conditions:
            variable = model.rules_.by_name[condition.input]
            place = list(X.columns).index(condition.input)
            read &= fulfils(condition, variable, model.model_.columns.values(X)[:, place])
        np.testing.assert_array_equal(read, holds)
        assert rule.agreement > 0.9


def test_far_beyond_an_open_end_a_rule_still_holds(fitted):
    model, X, _ = fitted
    row = X.head(1).assign(age=1e6, smoker=True, ward="A")
    found = model.rules_.arrays.evaluate(model.model_.columns.values(row))
    assert found.log_firing[0, 0] == 0


def test_what_they_say_is_learned_unless_it_is_given(fitted):
    model, X, y = fitted
    first, second = as_written(X)
    said = [dict(zip(model.classes_, rule.probabilities, strict=True)) for rule in model.rules_]
    alone = first & ~second
    assert said[0]["ill"] == pytest.approx((y[alone] == "ill").mean(), abs=0.05)
    assert said[1]["well"] == pytest.approx(0.9, abs=1e-8)
    assert (y[second & ~first] == "well").mean() < 0.8  # not what the rows say


def test_a_rule_against_its_rows_says_so():
    X, y = table()
    model = UNFISClassifier(given_rules="IF age < 40 THEN ill").fit(X, y)
    rule = model.rules_[0]
    assert (rule.given, rule.label) == ("ill", "well")
    assert "Given by hand for ill, of which it says" in str(model.rules_)


def test_the_others_have_a_scorecard(fitted):
    model, *_ = fitted
    assert not model.model_.in_consequent[:2].any()
    assert model.model_.in_consequent[2].any()
    constant = UNFISClassifier(given_rules=GIVEN, consequents="constant").fit(*table())
    assert not constant.model_.in_consequent.any()


@pytest.mark.parametrize("settings", [{"points": "exact"}, {"ridge": 1.0}])
def test_with_other_settings_conditions_are_the_same(fitted, settings):
    model, X, y = fitted
    other = UNFISClassifier(given_rules=GIVEN, **settings).fit(X, y)
    for one, two in zip(model.rules_, other.rules_, strict=True):
        assert [c.term for c in one.conditions] == [c.term for c in two.conditions]
        for own, others in zip(one.conditions, two.conditions, strict=True):
            if own.centre is not None:
                assert others.centre == pytest.approx(own.centre, rel=1e-6)
                assert others.width == pytest.approx(own.width, rel=1e-2)


def test_whatever_learns_leaves_them_as_they_are(fitted, tmp_path):
    model, X, y = fitted
    other, labels = table(seed=1)
    model.save(tmp_path / "model.json")
    read = load(tmp_path / "model.json")
    np.testing.assert_allclose(read.predict_proba(other), model.predict_proba(other), atol=1e-12)
    assert str(read.rules_) == str(model.rules_)
    assert read.given_rules == GIVEN
    for later in (
        read.partial_fit(other, labels),
        model.edit(forbid=["sex"], refit=True, X=other, y=labels),
        UNFISClassifier(given_rules=GIVEN).partial_fit(X, y).partial_fit(other, labels),
    ):
        for one, two in zip(model.rules_, later.rules_, strict=True):
            assert [(c.term, c.centre, c.width, c.reach) for c in one.conditions] == [
                (c.term, c.centre, c.width, c.reach) for c in two.conditions
            ]
        assert later.rules_[1].probabilities[1] == pytest.approx(0.9, abs=1e-6)
        assert later.rules_[0].probabilities != model.rules_[0].probabilities


def test_edits_keep_rules_and_their_words_together(fitted):
    model = fitted[0]
    without = model.edit(remove=[1])
    assert [rule.given for rule in without.rules_] == ["well", None]
    assert "dose is at least 2 and below 4" in str(without.rules_)
    shorter = model.edit(drop=[(2, "ward")])
    assert [c.input for c in shorter.rules_[1].conditions] == ["dose"]
    with pytest.raises(ValueError, match="whose conditions were given"):
        model.edit(centres={(1, "age"): 70})


def test_missing_values_fulfil_them():
    X, y = table(missing=0.1)
    model = UNFISClassifier(given_rules=GIVEN).fit(X, y)
    row = X.head(1).assign(age=np.nan, smoker=True, ward="A")
    found = model.rules_.arrays.evaluate(model.model_.columns.values(row))
    assert found.log_firing[0, 0] == 0


def test_several_classes_and_shares_of_the_others():
    X, _ = table(600)
    draw = np.random.default_rng(3)
    y = np.where(X["age"] > 70, "old", np.where(draw.random(600) < 0.25, "rare", "usual"))
    model = UNFISClassifier(given_rules=["IF age > 70 THEN old with 70 %"]).fit(X, y)
    said = dict(zip(model.classes_, model.rules_[0].probabilities, strict=True))
    assert said["old"] == pytest.approx(0.7, abs=1e-8)
    rare, usual = ((y == label).mean() for label in ("rare", "usual"))
    assert said["rare"] == pytest.approx(0.3 * rare / (rare + usual), abs=1e-6)


def test_monotone_inputs_stay_so_beside_given_rules():
    X, y = table()
    model = UNFISClassifier(
        given_rules=["IF ward is A AND smoker is no THEN well"], monotonic_cst={"dose": 1, "age": 1}
    ).fit(X, y)
    draw = np.random.default_rng(5)
    low = X.sample(10_000, replace=True, random_state=5).reset_index(drop=True)
    high = low.assign(age=low["age"] + draw.exponential(9, 10_000), dose=low["dose"] + 1)
    rise = model.predict_proba(high)[:, 1] - model.predict_proba(low)[:, 1]
    assert rise.min() >= -1e-12


def test_a_class_that_only_given_rules_meet():
    X, _ = table()
    y = np.where(X["age"] > 60, "old", "young")
    model = UNFISClassifier(given_rules=["IF age > 60 THEN old"]).fit(X, y)
    assert (model.predict(X) == y).all()


def test_a_stream_may_begin_without_a_class():
    X, y = table()
    model = UNFISClassifier(given_rules=GIVEN)
    model.partial_fit(X[:200], y[:200], classes=["dead", "ill", "well"])
    assert np.isfinite(model.predict_proba(X)).all()
    late = np.where(X["age"] > 85, "dead", y)
    model.partial_fit(X[200:], late[200:])
    assert np.isfinite(model.predict_proba(X)).all()


def test_no_scorecard_is_learned_for_next_to_no_rows():
    X, y = table()
    model = UNFISClassifier(given_rules=["IF age > 0 THEN ill"]).fit(X, y)
    assert not model.model_.in_consequent.any()
    assert model.rules_[0].rows == len(X)


def test_a_rule_that_no_row_fulfils_must_say_how_sure_it_is():
    X, y = table()
    with pytest.raises(ValueError, match="rule 1: no row fulfils it, so that what it says cannot"):
        UNFISClassifier(given_rules=["IF age > 1000 THEN ill"]).fit(X, y)
    model = UNFISClassifier(given_rules=["IF age > 1000 THEN ill with 90 %"]).fit(X, y)
    assert model.rules_[0].rows == 0
    assert model.predict_proba(X.iloc[:1].assign(age=2000.0))[0, 0] == pytest.approx(0.9)


def test_two_rules_of_the_same_conditions_are_refused():
    rules = ["IF age > 60 AND dose < 2 THEN ill", "IF dose < 2 AND age > 60 THEN well with 90 %"]
    with pytest.raises(ValueError, match="rule 2: it has the same conditions as rule 1"):
        UNFISClassifier(given_rules=rules).fit(*table(60))


WRONG = {
    "rules": ({"n_rules": 3}, "n_rules=3 cannot be with given_rules"),
    "forbidden": ({"forbidden_inputs": ["age"]}, "rule 1: age is forbidden, and so is in no IF"),
    "direction": ({"monotonic_cst": {"dose": 1}}, "rule 2: dose has a direction to keep to"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_contradicts_them_is_a_sentence(wrong):
    settings, told = WRONG[wrong]
    with pytest.raises(ValueError, match=told):
        UNFISClassifier(given_rules=GIVEN, **settings).fit(*table(60))


def test_there_is_no_path_of_given_rules(fitted):
    with pytest.raises(ValueError, match="There is no path"):
        fitted[0].at(3)


@pytest.mark.parametrize(
    ("closed", "side", "expected"),
    [(True, 1, 59.5), (False, 1, 60.5), (True, -1, 60.5), (False, -1, 59.5)],
)
def test_an_end_on_which_rows_lie_has_them_inside_or_outside(closed, side, expected):
    years = np.arange(20.0, 90.0)
    assert half_point(60.0, closed, side, years, 5.0) == expected
    assert half_point(60.0, closed, side, years + 0.25, 5.0) == 60
    # No further than the set is soft.
    assert abs(half_point(60.0, closed, side, years, 0.1) - 60) == pytest.approx(0.1)


def test_sets_hold_by_half_at_their_ends():
    item = Input("dose", "number", (), slice(0, 1), np.array([3.0]), np.array([2.0]))
    values = np.random.default_rng(0).normal(3, 2, 500)
    for given in (
        GivenCondition(0, (2.0, None)),
        GivenCondition(0, (None, 4.0)),
        GivenCondition(0, (2.0, 4.0)),
    ):
        centre, width, reaches = range_set(given, item, values, np.ones(500))
        for end in given.ends:
            if end is not None:
                beyond = (end - 3.0) / 2.0 - centre[0]
                beyond -= np.clip(beyond, -reaches[0, 0], reaches[1, 0])
                degree = np.exp(-0.5 * beyond**2 / (width[0] ** 2 + 1e-6))
                assert degree == pytest.approx(0.5, abs=1e-6)
        assert (reaches > 0).all()


def test_a_single_value_is_a_narrow_set_that_is_not_learned():
    X, y = table()
    model = UNFISClassifier(given_rules="IF dose = 3.141 THEN ill").fit(X, y)
    assert model.model_.network.given.any()
    holds = model.rules_.arrays.evaluate(model.model_.columns.values(X.assign(dose=3.141)))
    assert holds.log_firing[0, 0] == pytest.approx(0)
    holds = model.rules_.arrays.evaluate(model.model_.columns.values(X.assign(dose=3.15)))
    assert holds.log_firing[0, 0] < -4


def test_kinds_that_are_named_hold_wholly_and_others_hardly():
    item = Input("ward", "category", tuple("ABCD"), slice(0, 4), np.full(4, 0.2), np.full(4, 0.4))
    given = GivenCondition(0, accepted=(1, 2))
    centres, widths, reaches = kinds_set(given, item, np.zeros(1), np.ones(1))
    deviations = item.kind_columns - centres
    deviations -= np.clip(deviations, -reaches[0], reaches[1])
    degrees = np.exp(-0.5 * np.square(deviations / widths).sum(axis=1))
    assert degrees[[1, 2]].tolist() == [1, 1]
    assert (degrees[[0, 3]] < 1e-7).all()
