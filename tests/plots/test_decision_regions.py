import json
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from networks import RuleNetwork

from unfis.plots import DecisionRegionsDisplay
from unfis.rules import RuleBase

NAMES = ["petal length (cm)", "petal width (cm)"]


def test_regions_are_the_models_predictions(decisive, iris):
    display = DecisionRegionsDisplay.from_estimator(decisive, grid_resolution=7)
    assert display.input_names == ["petal length (cm)", "petal width (cm)"]
    row = iris[0].median()
    for i, j in [(0, 0), (3, 5), (6, 2)]:
        row["petal width (cm)"], row["petal length (cm)"] = display.upwards[i], display.across[j]
        expected = decisive.predict_proba(row.to_frame().T)[0]
        np.testing.assert_allclose(display.probabilities[i, j], expected)


def test_the_surer_the_stronger_the_colour():
    sure = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.2, 0.8]]])
    ends = np.array([0.0, 1.0])
    display = DecisionRegionsDisplay(ends, ends, sure, ["a", "b"], ["x", "y"]).plot()
    image = display.image_.get_array()
    np.testing.assert_allclose(image[0, 1], 1.0)
    strength = 1 - image.min(axis=2)
    assert strength[1, 0] > strength[1, 1] > strength[0, 1] == 0
    assert not np.allclose(image[0, 0], image[1, 0])


def test_the_range_is_that_of_the_training_rows(decisive, iris):
    display = DecisionRegionsDisplay.from_estimator(decisive)
    lengths = iris[0]["petal length (cm)"]
    assert display.across[[0, -1]].tolist() == [lengths.min(), lengths.max()]
    assert display.probabilities.shape == (200, 200, 3)


def test_what_the_data_does_not_cover_is_grey(legend_labels):
    sure = np.tile([0.9, 0.1], (2, 2, 1))
    ends = np.array([0.0, 1.0])
    covered = np.array([[True, False], [True, True]])
    display = DecisionRegionsDisplay(
        ends, ends, sure, ["a", "b"], ["x", "y"], covered=covered
    ).plot()
    image = display.image_.get_array()
    grey = np.ptp(image, axis=2) < 1e-9
    np.testing.assert_array_equal(grey, ~covered)
    assert legend_labels(display.ax_) == ["a", "b", "not covered"]
    display = DecisionRegionsDisplay(ends, ends, sure, ["a", "b"], ["x", "y"]).plot()
    assert legend_labels(display.ax_) == ["a", "b"]


def test_coverage_is_that_of_the_rules_and_of_the_rows_drawn(decisive, iris):
    display = DecisionRegionsDisplay.from_estimator(decisive, grid_resolution=12)
    row = iris[0].median()
    for i, j in [(0, 0), (11, 0), (0, 11), (11, 11), (6, 6)]:
        row["petal width (cm)"], row["petal length (cm)"] = display.upwards[i], display.across[j]
        assert display.covered[i, j] == (decisive.coverage(row.to_frame().T)[0] > 0.01)
    assert display.covered.any()
    assert not display.covered.all()
    drawn = DecisionRegionsDisplay.from_estimator(decisive, X=iris[0], grid_resolution=12)
    assert drawn.covered.sum() < display.covered.sum()
    assert not (drawn.covered & ~display.covered).any()


def test_rules_without_if_cover_only_what_is_near_rows(scorecard, iris):
    """They hold everywhere, and say nothing of where there is data."""
    everywhere = DecisionRegionsDisplay.from_estimator(scorecard, NAMES, grid_resolution=12)
    assert everywhere.covered.all()
    near = DecisionRegionsDisplay.from_estimator(scorecard, NAMES, X=iris[0], grid_resolution=12)
    assert not near.covered[-1, 0]  # short and wide petals
    assert near.covered[0, 0]


def test_regions_are_of_what_is_answered_at_these_costs(decisive):
    dear = decisive.deciding(costs={"virginica": 50})
    regions = DecisionRegionsDisplay.from_estimator(dear, grid_resolution=15)
    plain = DecisionRegionsDisplay.from_estimator(decisive, grid_resolution=15)
    np.testing.assert_array_equal(regions.probabilities, plain.probabilities)
    answers = dear.rules_.answers(regions.probabilities)
    assert (answers != plain.probabilities.argmax(axis=2)).any()
    green = np.array([0, 158, 115]) / 255  # of the third class
    likely = answers == 2
    image, strength = regions.image_.get_array(), 1 - green
    shown = likely & regions.covered & (regions.probabilities.max(axis=2) > 0.5)
    tint = (1 - image[shown]) / (1 - image[shown]).max(axis=1, keepdims=True)
    np.testing.assert_allclose(tint, np.tile(strength / strength.max(), (shown.sum(), 1)))


def test_rows_are_dots_by_class(decisive, iris, legend_labels, beside_data):
    display = DecisionRegionsDisplay.from_estimator(decisive, X=iris[0], y=iris[1])
    dots = [item.get_offsets() for item in display.ax_.collections if len(item.get_offsets()) > 1]
    assert [len(some) for some in dots] == [50, 50, 50]
    np.testing.assert_array_equal(dots[0], iris[0].iloc[:50, [2, 3]])
    classes = ["setosa", "versicolor", "virginica"]
    assert legend_labels(display.ax_) == [*classes, "not covered"]
    beside_data(display.ax_)


def test_rows_without_classes_are_dots_too(decisive, iris, draws):
    display = DecisionRegionsDisplay.from_estimator(decisive, X=iris[0])
    assert len(display.ax_.collections[-1].get_offsets()) == 150
    draws(display.figure_)


def test_the_title_says_where_other_inputs_are_held(scorecard):
    title = DecisionRegionsDisplay.from_estimator(scorecard, NAMES).ax_.get_title()
    assert title.replace("\N{NO-BREAK SPACE}", " ") == "at sepal width (cm) = 3"
    at = {"sepal width (cm)": 4.5}
    display = DecisionRegionsDisplay.from_estimator(scorecard, NAMES, at=at)
    assert display.held == at
    assert "4.5" in display.ax_.get_title()


def test_inputs_in_then_alone_are_used_too(scorecard, iris):
    display = DecisionRegionsDisplay.from_estimator(scorecard, NAMES, grid_resolution=3)
    used = {effect.input for effect in scorecard.rules_[0].effects}
    assert set(display.held) == used - set(NAMES)
    assert display.held
    row = iris[0].median()
    row[NAMES[0]], row[NAMES[1]] = display.across[2], display.upwards[1]
    expected = scorecard.predict_proba(row.to_frame().T)[0]
    np.testing.assert_allclose(display.probabilities[1, 2], expected)


def test_a_long_title_is_cut_between_inputs():
    ends = np.array([0.0, 1.0])
    held = {f"a rather long name {i}": i / 7 for i in range(40)}
    grid = np.full((2, 2, 2), 0.5)
    display = DecisionRegionsDisplay(ends, ends, grid, ["a", "b"], ["x", "y"], held).plot()
    lines = display.ax_.get_title().split("\n")
    assert len(lines) == 3
    assert lines[-1].endswith("more")


def test_categories_are_held(mixed, mixed_table, draws):
    at = {"kind": "oak", "wild": False}
    display = DecisionRegionsDisplay.from_estimator(
        mixed, X=mixed_table[0], y=mixed_table[1], at=at, grid_resolution=5
    )
    assert set(display.input_names) == {"size", "age"}
    draws(display.figure_)
    row = mixed_table[0].iloc[[0]].assign(kind="oak", wild=False)
    row[display.input_names[0]], row[display.input_names[1]] = display.across[1], display.upwards[2]
    np.testing.assert_allclose(display.probabilities[2, 1], mixed.predict_proba(row)[0])


def test_an_array_and_saved_rules_do_as_well(iris):
    model = RuleNetwork(2, selection="soft", ridge=0.15).fit(iris[0].to_numpy(), iris[1])
    first = DecisionRegionsDisplay.from_estimator(model, ["x2", "x3"], grid_resolution=5)
    saved = RuleBase.from_dict(json.loads(model.rules_.to_json()))
    second = DecisionRegionsDisplay.from_estimator(saved, ["x2", "x3"], grid_resolution=5)
    np.testing.assert_allclose(first.probabilities, second.probabilities)


def test_an_unused_number_makes_up_for_a_missing_one(decisive):
    rule = decisive.rules_[0]
    display = DecisionRegionsDisplay.from_estimator(replace(decisive.rules_, rules=(rule,)))
    assert display.input_names[0] == "petal length (cm)"


def test_a_model_without_two_numbers_is_refused(mixed):
    base = mixed.rules_
    variables = [replace(v, kind="category") if v.name == "age" else v for v in base.variables]
    with pytest.raises(
        ValueError, match="two inputs that are numbers, got a model of 1 such: 'size'"
    ):
        DecisionRegionsDisplay.from_estimator(replace(base, variables=tuple(variables)))


@pytest.mark.parametrize("inputs", [["size"], ["size", "size"], ["size", "kind"], "size", []])
def test_inputs_that_are_no_pair_of_numbers_are_refused(mixed, inputs):
    with pytest.raises(ValueError, match="two different inputs that are numbers, of 'size', 'age'"):
        DecisionRegionsDisplay.from_estimator(mixed, inputs)


def test_values_to_hold_must_be_of_other_inputs(mixed):
    with pytest.raises(ValueError, match="not drawn, got 'size', which is"):
        DecisionRegionsDisplay.from_estimator(mixed, ["size", "age"], at={"size": 1.0})
    with pytest.raises(ValueError, match="got 'height'"):
        DecisionRegionsDisplay.from_estimator(mixed, at={"height": 1.0})


def test_a_grid_of_one_is_refused(decisive):
    with pytest.raises(ValueError, match="grid_resolution must be at least 2, got 1"):
        DecisionRegionsDisplay.from_estimator(decisive, grid_resolution=1)


def test_one_class_everywhere_has_no_border(draws):
    ends = np.array([0.0, 1.0])
    grid = np.tile([0.9, 0.1], (2, 2, 1))
    draws(DecisionRegionsDisplay(ends, ends, grid, ["a", "b"], ["x", "y"]).plot().figure_)


def test_the_axes_given_are_used(decisive):
    figure, ax = plt.subplots()
    display = DecisionRegionsDisplay.from_estimator(decisive, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, hurtful_table, draws):
    X, y = hurtful_table
    display = DecisionRegionsDisplay.from_estimator(hurtful, X=X, y=y, grid_resolution=20)
    texts = draws(display.figure_)
    assert any(text.startswith(r" _hidden \$a\$") for text in texts)
