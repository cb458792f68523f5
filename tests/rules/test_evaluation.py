"""A rule base is the network: its plain data predicts the same."""

import numpy as np
import pytest
from rule_tables import names_of_sets, settings

from unfis.rules import RuleBase


@pytest.mark.parametrize("kind", settings())
@pytest.mark.parametrize("name", names_of_sets())
def test_a_rule_base_read_back_predicts_what_the_network_does(model, name, kind):
    clf, X, _ = model(name, kind)
    again = RuleBase.from_dict(clf.rules_.to_dict())
    assert again == clf.rules_
    np.testing.assert_allclose(again.predict_proba(X), clf.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["decisive", "soft", "three rules"])
def test_rows_far_from_all_rules_and_rows_of_nothing_known(model, kind):
    """Firing strengths far below the smallest number, inputs as large as numbers get, NaN."""
    clf, X, _ = model("wine", kind)
    rows = np.vstack([X.max() * 1e3, X.max() * 1e300, -X.max() * 1e200, np.full(13, np.nan)])
    table = X.iloc[:4].copy()
    table.loc[:, :] = np.clip(rows, -1e308, 1e308)
    expected = clf.predict_proba(table)
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(clf.rules_.predict_proba(table), expected, rtol=0, atol=1e-12)


def test_what_the_conditions_do_is_kept_apart(model):
    """log f is the sum of the conditions' logarithms, and a rule looks at nothing else."""
    clf, X, _ = model("iris")
    arrays = clf.rules_.arrays
    found = arrays.evaluate(clf.model_.columns.values(X))
    np.testing.assert_allclose(found.log_degrees.sum(axis=2), found.log_firing)
    out = ~clf.selected_[:, arrays.used]
    assert (found.log_degrees[:, out] == 0).all()
    assert (found.log_degrees <= 0).all()
    np.testing.assert_allclose(found.strengths.sum(axis=1), 1)


def test_a_condition_in_its_own_words(model):
    """The degree of a number is its Gaussian in the table's units, half at the interval's ends."""
    clf, X, _ = model("iris")
    base = clf.rules_
    for i, rule in enumerate(base.rules):
        for condition in rule.conditions:
            j = list(X.columns).index(condition.input)
            place = base.arrays.used.index(j)
            at = np.array([condition.centre, condition.centre + condition.width])
            degrees = np.exp(base.arrays.log_degrees_at(place, at)[:, i])
            np.testing.assert_allclose(degrees, [1, np.exp(-0.5)], rtol=1e-9)
            ends = np.array([end for end in condition.interval if end is not None])
            np.testing.assert_allclose(
                np.exp(base.arrays.log_degrees_at(place, ends)[:, i]), 0.5, rtol=1e-9
            )


@pytest.mark.parametrize("kind", ["soft", "constant"])
def test_the_interval_of_a_soft_condition_is_where_it_holds_by_half(model, kind):
    clf, X, _ = model("wine", kind)
    base = clf.rules_
    checked = 0
    for i, rule in enumerate(base.rules):
        for condition in rule.conditions:
            place = base.arrays.used.index(list(X.columns).index(condition.input))
            for end in condition.interval:
                if end is not None:
                    log_degree = base.arrays.log_degrees_at(place, np.array([end]))[0, i]
                    assert np.exp(log_degree) == pytest.approx(0.5, rel=1e-6)
                    checked += 1
    assert checked > 5


def test_categories_have_degrees_and_slopes_of_their_own(model):
    clf, _, _ = model("clinic", "soft")
    ward = next(c for c in clf.rules_[0].conditions if c.input == "ward")
    assert (ward.centre, ward.width, ward.interval) == (None, None, (None, None))
    assert len(ward.degrees) == 3
    assert all(0 < degree <= 1 for degree in ward.degrees)
    place = [c.input for c in clf.rules_[0].conditions].index("ward")
    assert all(len(c.slopes[place]) == 3 for c in clf.rules_[0].consequents)
