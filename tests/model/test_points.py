"""Models that count in whole points: what they keep to, whatever they learned from."""

import copy
from dataclasses import replace

import numpy as np
import pytest
from networks import RuleNetwork
from rule_tables import averaged, numbers_of_any_size
from sample_tables import clinic, ten_classes
from scipy.special import softmax
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import log_loss

from unfis import UNFISClassifier
from unfis.model.points import whole_points, with_points, with_reference_class
from unfis.network import Selection

X, Y = load_iris(return_X_y=True, as_frame=True)
ORDER = np.random.RandomState(0).permutation(150)


def exact_points(model):
    """All numbers of a model's consequents in units of their rule, one class's taken off."""
    found, variables = [], model.rules_.by_name
    for rule in model.rules_:
        for effect in rule.effects:
            slopes = np.array(effect.slopes, dtype=float).reshape(len(model.classes_), -1)
            if variables[effect.input].categories:
                slopes = slopes - slopes[:, [int(effect.origin)]]
            found.extend(np.ravel(slopes * (effect.step or 1.0) / rule.unit))
    return np.array(found)


def assert_whole_points(model):
    """At most so many as settings say: by default 5, or 9 of three classes and more."""
    points, most = exact_points(model), model.points
    if most == "auto":
        most = 5 if len(model.classes_) == 2 else 9
    assert len(points)
    np.testing.assert_allclose(points, points.round(), atol=1e-6)
    assert np.abs(points).max() <= most + 1e-6
    assert "points" in str(model.rules_).lower()


def test_a_stream_counts_in_whole_points_after_every_batch():
    values, labels = X.to_numpy(), Y.to_numpy()
    model = UNFISClassifier()
    for batch in np.array_split(ORDER, 4):
        model.partial_fit(values[batch], labels[batch], classes=[0, 1, 2])
        assert_whole_points(model)
    assert model.score(values, labels) > 0.85


def test_a_stream_goes_on_from_before_it_was_rounded():
    """Steps that are smaller than a point add up: the same is learned as without any."""
    values, labels = X.to_numpy(), Y.to_numpy()
    counted, exact = (UNFISClassifier(points=points) for points in ("auto", "exact"))
    for batch in np.array_split(ORDER, 10):
        for model in (counted, exact):
            model.partial_fit(values[batch], labels[batch], classes=[0, 1, 2])
    np.testing.assert_array_equal(
        counted.model_.memory.network.consequents, exact.model_.network.consequents
    )
    losses = [log_loss(labels, model.predict_proba(values)) for model in (counted, exact)]
    assert losses[0] < losses[1] + 0.1


def test_rows_that_are_learned_again_leave_the_points_as_good():
    """What was remembered held the start of each class where the first one's threshold had been."""
    values, labels = X.to_numpy(), Y.to_numpy()
    model = UNFISClassifier().fit(values, labels)
    before = log_loss(labels, model.predict_proba(values))
    for _ in range(3):
        model.partial_fit(values, labels)
        assert_whole_points(model)
        assert log_loss(labels, model.predict_proba(values)) < before + 0.003


def test_a_batch_of_one_class_does_not_ruin_the_points():
    values, labels = X.to_numpy(), Y.to_numpy()
    model = UNFISClassifier().partial_fit(values, labels)
    for number in range(3):
        alone = np.flatnonzero(labels == number)[:10]
        model.partial_fit(values[alone], labels[alone])
        assert_whole_points(model)
        assert model.score(values, labels) > 0.93


def test_whole_weights_are_repeated_rows():
    values, labels = X.to_numpy(), Y.to_numpy()
    weights = np.random.RandomState(1).randint(0, 4, 150)
    weighted = UNFISClassifier().fit(values, labels, sample_weight=weights)
    repeated = UNFISClassifier().fit(np.repeat(values, weights, axis=0), np.repeat(labels, weights))
    assert_whole_points(weighted)
    assert weighted.model_.scorecard.steps == repeated.model_.scorecard.steps
    assert weighted.model_.scorecard.origins == repeated.model_.scorecard.origins
    np.testing.assert_allclose(
        weighted.predict_proba(values), repeated.predict_proba(values), atol=1e-6
    )


def test_weights_of_classes_move_the_starts():
    values, labels = load_breast_cancer(return_X_y=True)
    plain = UNFISClassifier().fit(values, labels)
    heavy = UNFISClassifier(class_weight={0: 30.0, 1: 1.0}).fit(values, labels)
    for model in (plain, heavy):
        assert_whole_points(model)
    assert (
        heavy.predict_proba(values)[:, 0].mean() > plain.predict_proba(values)[:, 0].mean() + 0.01
    )


def test_missing_values_and_categories_count_too():
    table, labels = clinic()
    model = UNFISClassifier().fit(table, labels)
    assert table.isna().any().all()
    assert_whole_points(model)
    np.testing.assert_allclose(
        model.rules_.predict_proba(table), model.predict_proba(table), atol=1e-12
    )
    assert model.score(table, labels) > 0.85


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_numbers_of_any_size_have_the_same_points(size):
    usual, other = (UNFISClassifier().fit(factor * X, Y) for factor in (1.0, size))
    np.testing.assert_allclose(exact_points(other), exact_points(usual), atol=1e-6)
    for name in ("steps", "origins"):
        found, expected = (getattr(one.model_.scorecard, name) for one in (other, usual))
        np.testing.assert_allclose(found, np.multiply(expected, size), rtol=1e-9)


def test_columns_of_different_sizes_count_together():
    table, labels = numbers_of_any_size()
    model = UNFISClassifier().fit(table, labels)
    assert_whole_points(model)
    assert "-0\n" not in str(model.rules_)
    assert model.score(table, labels) > 0.9


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_flags_and_rare_counts_are_not_clipped(share):
    """The least step of a flag or of a count is many deviations of it; its points must reach it."""
    generator = np.random.default_rng(0)
    flag = (generator.random(2000) < share).astype(float)
    count = generator.poisson(0.08, 2000).astype(float)
    noise = generator.normal(size=2000)
    table = np.column_stack([flag, count, noise])
    odds = -2 + 3 * flag + 2.5 * count
    labels = generator.random(2000) < 1 / (1 + np.exp(-odds))
    whole, exact = (UNFISClassifier(points=p).fit(table, labels) for p in (5, "exact"))
    assert_whole_points(whole)
    difference = whole.predict_proba(table) - exact.predict_proba(table)
    assert np.abs(difference).mean() < 0.03
    assert np.abs(difference[flag == 1]).mean() < 0.06


@pytest.mark.parametrize("seed", range(4))
def test_classes_as_frequent_as_each_other_are_tied_and_the_first_is_the_answer(seed):
    """The last digit, another one on every processor, told the answer to all rows."""
    noise = np.random.default_rng(seed).normal(size=(60, 2))
    model = UNFISClassifier(1, consequents="constant").fit(noise, ["heads", "tails"] * 30)
    assert model.rules_[0].label == "heads"
    assert set(model.predict(noise)) == {"heads"}
    np.testing.assert_array_equal(model.predict_proba(noise), 0.5)


@pytest.mark.parametrize("points", [1, 3, 5, 20])
def test_points_are_at_most_those_that_are_given(points):
    for labels in (Y, Y > 0):
        model = UNFISClassifier(points=points).fit(X, labels)
        assert_whole_points(model)
        assert model.score(X, labels) > 0.9


def test_what_is_not_yet_rounded_makes_up_for_what_is():
    """Points that are rounded all at once cost more than those that are in turns."""
    table, labels = load_breast_cancer(return_X_y=True)
    for given, answers in ((table, labels), (X, Y)):
        exact, whole = (UNFISClassifier(points=p).fit(given, answers) for p in ("exact", "auto"))
        at_once = copy.copy(exact)
        settings = replace(exact.model_.settings, points="auto")
        at_once.model_ = with_points(replace(exact.model_, settings=settings), None)
        losses = [log_loss(answers, m.predict_proba(given)) for m in (exact, whole, at_once)]
        assert losses[0] - 1e-3 < losses[1] < losses[2]


@pytest.fixture(scope="module")
def ten():
    """A model of two rules whose inputs speak for two of ten classes, one of them for all."""
    table, labels = ten_classes()
    clf = averaged(RuleNetwork(2, selection="soft").fit(table, labels), 2, True)
    model, generator = clf.model_, np.random.default_rng(0)
    consequents = model.network.consequents.copy()
    consequents[:, :, 1:] *= model.network.selection.in_consequent[:, None, :]
    for rule, item in np.ndindex(2, len(model.columns.inputs)):
        columns = model.columns.inputs[item].columns
        if item != 1:
            silent = generator.permutation(10)[2:]
            consequents[rule, silent, 1 + columns.start : 1 + columns.stop] = 0
    selection = Selection.decided(model.network.selection.in_condition, consequents[:, :, 1:] != 0)
    network = replace(model.network, consequents=consequents).with_selection(selection)
    return replace(model, network=network, settings=replace(model.settings, points=5)), table


def test_what_speaks_for_few_classes_keeps_its_zeros(ten):
    model, table = ten
    values = model.columns.values(table)
    network = with_reference_class(model.network)
    before, after = (one.consequents[:, :, 1:] for one in (model.network, network))
    some = (before == 0).any(axis=1, keepdims=True)
    np.testing.assert_array_equal(np.where(some, after, 0), np.where(some, before, 0))
    # The input that spoke for all of them now does for all but one, the same in both rules.
    full = (before != 0).all(axis=1)
    assert full.any()
    silent = {np.flatnonzero(after[i, :, j] == 0).item() for i, j in np.argwhere(full)}
    assert len(silent) == 1
    found = replace(model, network=network).probabilities(values)
    np.testing.assert_allclose(found, model.probabilities(values), atol=1e-12)


def test_whole_points_of_few_classes_are_points_of_these(ten):
    model, table = ten
    pointed = with_points(model, None)
    before, after = (one.network.consequents[:, :, 1:] for one in (model, pointed))
    some = (before == 0).any(axis=1, keepdims=True)
    assert (after[np.broadcast_to(some, after.shape) & (before == 0)] == 0).all()
    for item in model.columns.inputs:  # every input that counted still does
        counted, told = (one[:, :, item.columns].any(axis=(1, 2)) for one in (before, after))
        np.testing.assert_array_equal(told, counted)
    assert pointed.parts <= model.parts
    values = pointed.columns.values(table)
    found = pointed.rules.arrays.evaluate(values).logits
    np.testing.assert_allclose(softmax(found, axis=1), pointed.probabilities(values), atol=1e-12)


def test_points_below_a_half_are_0_and_the_largest_is_not():
    found = whole_points(np.array([[0.4, -0.3, 2.6], [0.1, -0.4, 0.0]]), 5)
    np.testing.assert_array_equal(found, [[0, 0, 3], [0, -1, 0]])
    assert not np.signbit(found[found == 0]).any()


def table_of_close_inputs():
    """Two inputs that hardly differ, and count against each other."""
    generator = np.random.default_rng(0)
    first = generator.normal(size=400)
    values = np.column_stack([first, first + 0.15 * generator.normal(size=400)])
    odds = values @ [9.0, -8.2]
    return values, (odds + generator.logistic(size=400) > 0).astype(int)


def test_points_are_finer_where_few_would_lose_much_of_what_was_learned():
    values, labels = table_of_close_inputs()
    models = [
        UNFISClassifier(max_rules=1, points=points).fit(values, labels)
        for points in ("exact", 5, "auto")
    ]
    exact, coarse, auto = (log_loss(labels, model.predict_proba(values)) for model in models)
    known = np.log(2) - exact
    assert coarse - exact > 0.05 * known
    assert auto - exact <= 0.05 * known
    assert np.abs(exact_points(models[2])).max() <= 9 + 1e-6
