"""A rule base is the network: its plain data predicts the same."""

import json
from dataclasses import replace

import numpy as np
import pytest
from rule_tables import AVERAGED_KINDS, names_of_sets, settings

from unfis.arrays import softmax
from unfis.network import forward, network_logits
from unfis.rules import RuleBase, Scorecard


@pytest.mark.parametrize("kind", settings())
@pytest.mark.parametrize("name", names_of_sets())
def test_a_rule_base_read_back_predicts_what_the_network_does(model, name, kind):
    clf, X, _ = model(name, kind)
    again = RuleBase.from_dict(clf.rules_.to_dict())
    assert again == clf.rules_
    np.testing.assert_allclose(again.predict_proba(X), clf.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_averaged_rules_predict_what_the_network_does(model, name, kind):
    clf, X, _ = model(name, kind)
    base, columns = clf.rules_, clf.model_.columns
    again = RuleBase.from_dict(json.loads(base.to_json()))
    assert again == base
    assert base.combination == "averaged probabilities"
    expected = softmax(network_logits(clf.parameters_, columns.matrix(columns.values(X))))
    np.testing.assert_allclose(again.predict_proba(X), expected, rtol=0, atol=1e-12)
    assert [rule.otherwise for rule in base] == [
        i == clf.parameters_.otherwise for i in range(len(base))
    ]


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_averaged_rules_are_taken_apart_as_the_network_does_it(model, kind):
    clf, X, _ = model("clinic", kind)
    columns = clf.model_.columns
    values = columns.values(X)
    found, network = (
        clf.rules_.arrays.evaluate(values),
        forward(clf.parameters_, columns.matrix(values)),
    )
    np.testing.assert_allclose(found.log_firing, network.log_firing, atol=1e-9)
    np.testing.assert_allclose(found.strengths, network.strengths, atol=1e-12)
    together = (found.strengths[:, :, None] * found.said).sum(axis=1)
    np.testing.assert_allclose(together, softmax(found.logits), atol=1e-12)


def test_if_and_then_have_inputs_of_their_own(model):
    clf, X, _ = model("clinic", "averaged")
    fitted = clf.model_
    for i, rule in enumerate(clf.rules_):
        for parts, mask in (
            (rule.conditions, fitted.in_condition),
            (rule.effects, fitted.in_consequent),
        ):
            assert [part.input for part in parts] == [X.columns[j] for j in np.flatnonzero(mask[i])]
    assert (fitted.selected == (fitted.in_condition | fitted.in_consequent)).all()
    assert (fitted.in_condition & ~fitted.in_consequent).any()
    assert (~fitted.in_condition & fitted.in_consequent).any()


@pytest.mark.parametrize("kind", [*AVERAGED_KINDS, "soft"])
def test_firing_without_an_input_is_that_of_rows_where_it_is_unknown(model, kind):
    clf, X, _ = model("clinic", kind)
    arrays, values = clf.rules_.arrays, clf.model_.columns.values(X)
    found = arrays.evaluate(values)
    for index, j in enumerate(arrays.used):
        unknown = values.copy()
        unknown[:, j] = np.nan
        expected = arrays.evaluate(unknown).log_firing
        np.testing.assert_allclose(found.log_firing_without(index), expected, atol=1e-9)


def test_a_scorecard_counts_in_whole_points(model):
    clf, X, _ = model("clinic", "averaged")
    fitted = clf.model_
    widths = [item.columns.stop - item.columns.start for item in fitted.columns.inputs]
    scales = np.concatenate([item.scales for item in fitted.columns.inputs])
    steps = np.array([10.0, 1.0, 1.0, 5.0, 1.0])
    units, points = np.array([0.3, 0.2, 0.5]), np.arange(30).reshape(3, 2, 5) % 7 - 3
    per_column = np.repeat(points * units[:, None, None] / steps, widths, axis=2) * scales
    consequents = fitted.network.consequents.copy()
    consequents[:, :, 1:] = per_column * fitted.network.selection.in_consequent[:, None, :]
    card = Scorecard(tuple(units), tuple(steps), (40.0, 0.0, 0.0, 120.0, 0.0))
    network = replace(fitted.network, consequents=consequents)
    base = replace(fitted, network=network, scorecard=card, known_rules=None).rules
    age = list(X.columns).index("age (years)")
    counted = 0
    for i, rule in enumerate(base):
        assert rule.unit == units[i]
        for effect in rule.effects:
            found = effect.points(rule.unit)
            if effect.input == "age (years)":
                assert (effect.step, effect.origin) == (10.0, 40.0)
                assert found == tuple(points[i, :, age])
                counted += 1
            elif effect.kind != "number":
                assert (effect.step, effect.origin) == (None, 0.0)
                assert np.shape(found) == np.shape(effect.slopes)
    assert counted
    assert RuleBase.from_dict(base.to_dict()) == base


@pytest.mark.parametrize("kind", ["decisive", "soft", "three rules", *AVERAGED_KINDS])
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
    clf, X, _ = model("iris", "soft")
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
    effect = next(e for e in clf.rules_[0].effects if e.input == "ward")
    assert [len(slopes) for slopes in effect.slopes] == [3, 3]
