"""Regions of any classifier: what is drawn is what it predicts."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.svm import LinearSVC

from unfis.plots import DecisionRegionsDisplay

NAMES = ["petal length (cm)", "petal width (cm)"]
make = DecisionRegionsDisplay.from_estimator


@pytest.fixture(scope="session")
def logistic(iris):
    return LogisticRegression(max_iter=1000).fit(*iris)


def row_at(X, names, display, i, j):
    """One row at a point of a grid, the others at the values that are held."""
    row = X.iloc[[0]].copy()
    for name, value in display.held.items():
        row[name] = value
    row[names[0]], row[names[1]] = display.across[j], display.upwards[i]
    return row


@pytest.mark.parametrize("kind", ["net", "logistic"])
def test_regions_are_the_classifiers_predictions(kind, iris, request):
    X, y = iris
    estimator = request.getfixturevalue(kind)
    display = make(estimator, X, y, NAMES, grid_resolution=7)
    assert display.input_names == NAMES
    for i, j in [(0, 0), (3, 5), (6, 2)]:
        row = row_at(X, NAMES, display, i, j)
        np.testing.assert_allclose(display.probabilities[i, j], estimator.predict_proba(row)[0])
        assert display.classes[display.answers[i, j]] == estimator.predict(row)[0]


def test_other_inputs_are_held_at_values_that_are_there(net, iris):
    X = iris[0]
    display = make(net, X, None, NAMES, grid_resolution=2)
    for name, value in display.held.items():
        assert value in set(X[name])
        assert abs(value - X[name].median()) < 0.1
    assert set(display.held) == set(X.columns) - set(NAMES)


def test_the_two_numbers_that_count_most_are_drawn(iris):
    generator = np.random.RandomState(0)
    X = pd.DataFrame(generator.normal(size=(200, 5)), columns=list("abcde"))
    y = X["b"] + 2 * X["d"] > 0
    display = make(LogisticRegression().fit(X, y), X, y, grid_resolution=3)
    assert display.input_names == ["b", "d"]


def test_arrays_and_frames_of_other_libraries_do_as_well(iris):
    X, y = iris
    array = X.to_numpy()
    model = LogisticRegression(max_iter=1000).fit(array, y)
    first = make(model, array, y, ["x2", "x3"], grid_resolution=5)
    second = make(model, array.tolist(), y, ["x2", "x3"], grid_resolution=5)
    np.testing.assert_array_equal(first.probabilities, second.probabilities)
    frame = pl.DataFrame(array, list(X))
    named = LogisticRegression(max_iter=1000).fit(X, y)
    third = make(named, frame, y, NAMES, grid_resolution=5)
    np.testing.assert_allclose(first.probabilities, third.probabilities)


def test_answers_by_a_threshold_are_drawn(iris):
    X, y = iris[0].iloc[50:], iris[1][50:]
    model = LogisticRegression(max_iter=1000).fit(X, y)
    wary = FixedThresholdClassifier(model, threshold=0.9, response_method="predict_proba")
    display = make(wary.fit(X, y), X, y, NAMES, grid_resolution=15)
    assert (display.answers != display.probabilities.argmax(axis=2)).any()
    np.testing.assert_array_equal(display.answers == 1, display.probabilities[..., 1] >= 0.9)


def test_the_surer_the_stronger_the_colour():
    sure = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.2, 0.8]]])
    ends = np.array([0.0, 1.0])
    display = DecisionRegionsDisplay(ends, ends, sure, ["a", "b"], ["x", "y"]).plot()
    image = display.image_.get_array()
    np.testing.assert_allclose(image[0, 1], 1.0)
    strength = 1 - image.min(axis=2)
    assert strength[1, 0] > strength[1, 1] > strength[0, 1] == 0
    assert not np.allclose(image[0, 0], image[1, 0])


def test_the_range_is_that_of_the_rows(logistic, iris):
    display = make(logistic, iris[0], inputs=NAMES)
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


def test_covered_is_what_is_near_rows(logistic, iris):
    near = make(logistic, iris[0], None, NAMES, grid_resolution=12)
    assert not near.covered[-1, 0]  # short and wide petals
    assert near.covered[0, 0]
    assert near.covered[-1, -1]


def test_rows_are_dots_by_class(net, iris, legend_labels, beside_data):
    display = make(net, *iris, NAMES)
    dots = [item.get_offsets() for item in display.ax_.collections if len(item.get_offsets()) > 1]
    assert [len(some) for some in dots] == [50, 50, 50]
    np.testing.assert_array_equal(dots[0], iris[0].iloc[:50, [2, 3]])
    classes = ["setosa", "versicolor", "virginica"]
    assert legend_labels(display.ax_) == [*classes, "not covered"]
    beside_data(display.ax_)


def test_rows_without_classes_are_dots_too(net, iris, draws):
    display = make(net, iris[0])
    assert len(display.ax_.collections[-1].get_offsets()) == 150
    draws(display.figure_)


def test_the_title_says_where_other_inputs_are_held(net, iris):
    X = iris[0]
    title = make(net, X, inputs=NAMES, at={"sepal width (cm)": 4.75}).ax_.get_title()
    held = title.replace("\N{NO-BREAK SPACE}", " ")
    assert held == "at sepal length (cm) = 5.8, sepal width (cm) = 4.75"


def test_a_value_that_is_given_counts(logistic, iris):
    X, at = iris[0], {"sepal width (cm)": 9.5}
    display = make(logistic, X, inputs=NAMES, at=at, grid_resolution=3)
    row = row_at(X, NAMES, display, 1, 2)
    assert row["sepal width (cm)"].item() == 9.5
    np.testing.assert_allclose(display.probabilities[1, 2], logistic.predict_proba(row)[0])


def test_a_long_title_is_cut_between_inputs():
    ends = np.array([0.0, 1.0])
    held = {f"a rather long name {i}": i / 7 for i in range(40)}
    grid = np.full((2, 2, 2), 0.5)
    display = DecisionRegionsDisplay(ends, ends, grid, ["a", "b"], ["x", "y"], held).plot()
    lines = display.ax_.get_title().split("\n")
    assert len(lines) == 3
    assert lines[-1].endswith("more")


def test_categories_are_held(mixed_net, mixed_table, draws):
    at = {"kind": "oak", "wild": False}
    display = make(mixed_net, *mixed_table, at=at, grid_resolution=5)
    assert set(display.input_names) == {"size", "age"}
    assert display.held == at
    draws(display.figure_)
    row = row_at(mixed_table[0].assign(kind="oak"), display.input_names, display, 2, 1)
    np.testing.assert_allclose(display.probabilities[2, 1], mixed_net.predict_proba(row)[0])
    with pytest.raises(ValueError, match=r"at must have a kind of kind that X has, .*; got 'ash'"):
        make(mixed_net, *mixed_table, at={"kind": "ash"})


def test_a_table_without_two_numbers_is_refused(mixed_net, mixed_table):
    with pytest.raises(ValueError, match="are numbers, got a table of 1 such: 'size'"):
        make(mixed_net, mixed_table[0].drop(columns="age"))


@pytest.mark.parametrize("inputs", [["size"], ["size", "size"], ["size", "kind"], "size", []])
def test_inputs_that_are_no_pair_of_numbers_are_refused(mixed_net, mixed_table, inputs):
    with pytest.raises(ValueError, match="two different inputs that are numbers, of 'size', 'age'"):
        make(mixed_net, mixed_table[0], inputs=inputs)


def test_values_to_hold_must_be_of_other_inputs(mixed_net, mixed_table):
    with pytest.raises(ValueError, match="not drawn, got 'size', which is"):
        make(mixed_net, mixed_table[0], inputs=["size", "age"], at={"size": 1.0})
    with pytest.raises(ValueError, match="got 'height'"):
        make(mixed_net, mixed_table[0], at={"height": 1.0})


def test_a_grid_of_one_is_refused(net, iris):
    with pytest.raises(ValueError, match="grid_resolution must be at least 2, got 1"):
        make(net, *iris, grid_resolution=1)


def test_a_classifier_without_probabilities_is_refused(iris):
    with pytest.raises(TypeError, match="estimator must have predict_proba, got LinearSVC"):
        make(LinearSVC().fit(*iris), *iris)


def test_a_constant_and_missing_values_are_drawn(net, iris, draws):
    X = iris[0].assign(**{"petal width (cm)": 0.2})
    X.iloc[::4, 2] = np.nan
    display = make(net, X, iris[1], NAMES, grid_resolution=4)
    assert display.upwards[[0, -1]].tolist() == [-0.3, 0.7]
    draws(display.figure_)


def test_one_class_everywhere_has_no_border(draws):
    ends = np.array([0.0, 1.0])
    grid = np.tile([0.9, 0.1], (2, 2, 1))
    draws(DecisionRegionsDisplay(ends, ends, grid, ["a", "b"], ["x", "y"]).plot().figure_)


def test_the_axes_given_are_used(net, iris):
    figure, ax = plt.subplots()
    display = make(net, *iris, NAMES, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful_net, hurtful_table, draws):
    display = make(hurtful_net, *hurtful_table, grid_resolution=20)
    texts = draws(display.figure_)
    assert any(text.startswith(r" _hidden \$a\$") for text in texts)
