"""CurvesDisplay, PairDisplay and PathDisplay."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from unfis.additive import UNFISClassifier
from unfis.additive.model.curves import curve, curves_of, maps_of
from unfis.additive.plots import CurvesDisplay, PairDisplay, PathDisplay, RulesDisplay
from unfis.additive.plots.drawing import apart, wrapped


def test_each_input_has_a_panel_the_most_important_first(regressor, words):
    display = CurvesDisplay.from_estimator(regressor)
    titles = [ax.get_title(loc="left") for ax in display.axes_]
    inputs = [one.input for one in curves_of(regressor.model_)]
    assert titles == [regressor.model_.names.inputs[j] for j in inputs]
    assert "1 or 2 (" in {text[:8] for text in words(display.figure_)}


def test_a_line_has_the_places_of_its_curve(regressor, words):
    display = CurvesDisplay.from_estimator(regressor, feature="size (cm)")
    (ax,), (one,) = display.axes_, display.curves
    lines = [np.transpose(line.get_data()).tolist() for line in ax.get_lines()]
    assert np.transpose([one.places, one.points[0]]).tolist() in lines
    assert [[one.scale.values[0] - 0.09 * np.ptp(one.scale.values), one.unknown[0]]] in [
        np.round(line, 9).tolist() if len(line) > 1 else line for line in lines
    ]
    assert "unknown" in words(display.figure_)
    stairs = ax.patches[0].get_data()
    np.testing.assert_array_equal(stairs.edges, one.borders)


def test_several_classes_are_named_at_their_lines(three, words):
    display = CurvesDisplay.from_estimator(three, feature="size (cm)")
    (one,) = display.curves
    shown = words(display.figure_)
    for output in one.outputs:
        assert three.model_.names.outputs[output].replace("$", r"\$") in shown


@pytest.mark.parametrize("width", [3.9, 12.8])
def test_panels_fit_the_width(three, width, words):
    display = CurvesDisplay.from_estimator(three, width=width)
    words(display.figure_)
    boxes = [ax.get_window_extent() for ax in display.axes_]
    assert all(box.width > 80 for box in boxes)
    columns = {round(box.x0) for box in boxes}
    assert (len(columns) == 1) == (width < 5)


def test_axes_given_are_used(regressor):
    count = len(curves_of(regressor.model_))
    figure, axes = plt.subplots(1, count)
    display = CurvesDisplay.from_estimator(regressor, ax=axes)
    assert display.axes_.tolist() == axes.tolist()
    _, ax = plt.subplots()
    assert CurvesDisplay.from_estimator(regressor, ax=ax).figure_ is ax.figure
    with pytest.raises(ValueError, match=f"ax must have {count} Axes, one for each panel; got 1"):
        CurvesDisplay.from_estimator(regressor, ax=axes[:1])
    with pytest.raises(ValueError, match="ax must be part of a grid"):
        CurvesDisplay.from_estimator(regressor, ax=figure.add_axes((0, 0, 1, 1)))


def test_a_pair_is_a_map(regressor, words):
    display = PairDisplay.from_estimator(regressor)
    first = maps_of(regressor.model_)[0]
    np.testing.assert_array_equal(
        display.mesh_.get_array().reshape(first.points.shape), first.points
    )
    names = regressor.model_.names.inputs
    assert set(display.names) == {"kind", "wild"}
    assert {"oak", "fir", "elm", "True", "False"} <= set(words(display.figure_))
    turned = PairDisplay.from_estimator(regressor, features=["wild", names.index("kind")])
    assert turned.names == ("wild", "kind")
    both = PairDisplay.from_estimator(regressor, features=["stage", "kind"], singles=True)
    alone = curve(regressor.model_, names.index("stage"))
    np.testing.assert_allclose(np.ptp(both.pair.points, axis=1)[0], np.ptp(alone.points))


def test_the_path_is_the_mean_of_held_out_losses(two, words):
    display, model = PathDisplay.from_estimator(two), two.model_
    weights = model.searched.weights
    means = [np.average(row, weights=weights) for row in model.losses]
    np.testing.assert_allclose(display.line_.get_ydata(), means)
    assert display.chosen_line_.get_xdata().tolist() == [model.length]
    assert display.errors[np.argmin(means)] == 0.0
    assert f"chosen: {model.length}" in words(display.figure_)


def test_accuracy_is_of_rows_that_folds_have_not_seen(two, table, numbers):
    display, model = PathDisplay.from_estimator(two, metric="accuracy"), two.model_
    right = np.zeros(len(table))
    for fold, held in zip(model.folds, model.searched.held, strict=True):
        answers = fold[model.length].predictions(model.searched.values)[:, 1] > 0.5
        right += held * (answers == model.searched.targets)
    assert display.values[model.length] == pytest.approx(right.mean())
    assert display.values[0] == pytest.approx(max(np.mean(numbers > 9), np.mean(numbers <= 9)))


def test_a_model_without_a_path_says_so(two, regressor):
    for without in (replace(two.model_, path=()), replace(two.model_, losses=None)):
        with pytest.raises(ValueError, match="edited or read from a file"):
            PathDisplay.from_estimator(without)
    with pytest.raises(ValueError, match="metric must be 'loss' or 'accuracy'; got 'time'"):
        PathDisplay.from_estimator(two, metric="time")
    with pytest.raises(ValueError, match="metric must be 'loss' where the target is a number"):
        PathDisplay.from_estimator(regressor, metric="accuracy")


def test_wrong_estimators_are_refused():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        RulesDisplay.from_estimator(UNFISClassifier())
    with pytest.raises(TypeError, match=r"must be a fitted UNFISClassifier .*; got 'text'"):
        CurvesDisplay.from_estimator("text")
    other = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="must be a UNFISClassifier or UNFISRegressor"):
        PathDisplay.from_estimator(other)


def test_unknown_inputs_are_refused(regressor, two):
    with pytest.raises(ValueError, match=r"feature must be one of 'size \(cm\)', .* got 'age'"):
        CurvesDisplay.from_estimator(regressor, feature="age")
    with pytest.raises(ValueError, match=r"feature must be one of .* got 4"):
        CurvesDisplay.from_estimator(regressor, feature=4)
    with pytest.raises(ValueError, match="features must be two inputs, such as a list"):
        PairDisplay.from_estimator(regressor, features="kind")
    with pytest.raises(ValueError, match="features must be two different inputs"):
        PairDisplay.from_estimator(regressor, features=["kind", 1])
    with pytest.raises(ValueError, match="two inputs that a rule looks at together: "):
        PairDisplay.from_estimator(regressor.at(1), features=["stage", "size (cm)"])
    with pytest.raises(ValueError, match="class_of_interest must be None where the target"):
        PairDisplay.from_estimator(regressor, class_of_interest="a")
    with pytest.raises(ValueError, match="rules on two inputs together; this one has none"):
        PairDisplay.from_estimator(two.at(0))
    with pytest.raises(ValueError, match="rules on one input alone; this one has none"):
        CurvesDisplay.from_estimator(two.at(0))
    with pytest.raises(ValueError, match="no rule looks at 'stage' alone"):
        CurvesDisplay.from_estimator(two.at(0), feature="stage")


def test_words_are_broken_into_lines_of_like_length():
    assert wrapped("IF oldpeak is high (above 1.3, fully from 2.9)", 40).count("\n") == 1
    assert wrapped("a b", 3) == "a b"
    assert max(map(len, wrapped("x" * 50 + "_y is 71 %", 20).split("\n"))) <= 20
    assert "71 %" in wrapped("x" * 18 + " 71 %", 20).replace("\xa0", " ")
    assert wrapped("from -0.5 to -1", 7).split("\n") == ["from", "-0.5", "to -1"]
    assert wrapped("$", 5) == r"\$"


def test_places_are_moved_apart_as_little_as_needed():
    assert apart(np.array([5.0, 1.0]), 1.0, 0.0, 10.0).tolist() == [5.0, 1.0]
    found = apart(np.array([10.0, 10.0, 0.0]), 2.0, 0.0, 10.0)
    assert sorted(found) == [0.0, 8.0, 10.0]
    crowded = apart(np.zeros(6), 4.0, 0.0, 10.0)
    assert sorted(crowded) == [0, 2, 4, 6, 8, 10]
