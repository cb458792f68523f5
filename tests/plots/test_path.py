from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import PathDisplay

UNKNOWN = [np.nan] * 4


def path_of(**columns):
    path = {
        "rules": [3, 3, 2, 2],
        "parts": [6, 3, 4, 2],
        "cv_loss": [0.1, 0.4, 0.2, 0.5],
        "cv_loss_error": [0.01] * 4,
        "cv_accuracy": [0.9, 0.7, 0.8, 0.6],
        "cv_accuracy_error": [0.02] * 4,
        "criterion": UNKNOWN,
        "chosen": [False, False, True, False],
    }
    return SimpleNamespace(path_={**path, **columns})


def test_each_number_of_rules_has_its_line(legend_labels, beside_data):
    display = PathDisplay.from_estimator(path_of())
    assert [line.get_xdata().tolist() for line in display.lines_] == [[2, 4], [3, 6]]
    assert [line.get_ydata().tolist() for line in display.lines_] == [[0.6, 0.8], [0.7, 0.9]]
    assert legend_labels(display.ax_) == ["2 rules", "3 rules", "chosen"]
    assert display.ax_.get_ylabel() == "cross-validated accuracy"
    assert np.transpose(display.chosen_line_.get_data()).tolist() == [[4, 0.8]]
    beside_data(display.ax_)


def test_errors_are_a_band():
    display = PathDisplay.from_estimator(path_of())
    corners = display.ax_.collections[0].get_paths()[0].vertices
    assert {0.58, 0.62, 0.78, 0.82} <= set(np.round(corners[:, 1], 6).tolist())


def test_the_path_of_a_model_is_drawn(decisive):
    display = PathDisplay.from_estimator(decisive, metric="loss")
    lines = [np.transpose(line.get_data()).tolist() for line in display.ax_.get_lines()]
    drawn = {tuple(point) for points in lines for point in points}
    assert drawn == set(zip(decisive.path_["parts"], decisive.path_["cv_loss"], strict=True))
    chosen = decisive.path_["chosen"].index(True)
    assert display.chosen_line_.get_xdata() == [decisive.path_["parts"][chosen]]
    assert display.ax_.get_xlabel() == "parts of all rules together"
    assert display.ax_.get_ylabel() == "cross-validated loss (nats per row)"


@pytest.mark.parametrize(("metric", "best"), [("accuracy", [0.6, 0.9]), ("loss", [0.5, 0.1])])
def test_a_line_goes_through_the_best_of_each_length(metric, best):
    """Two paths may have networks of the same size: a line through both would go up and down."""
    values = {"cv_loss": [0.1, 0.4, 0.7, 0.5], "cv_accuracy": [0.9, 0.7, 0.5, 0.6]}
    path = path_of(rules=[2] * 4, parts=[6, 6, 2, 2], **values)
    (line,) = PathDisplay.from_estimator(path, metric=metric).lines_
    assert line.get_xdata().tolist() == [2, 6]
    assert line.get_ydata().tolist() == best


def test_without_cross_validation_the_criterion_is_drawn(draws):
    columns = ["cv_loss", "cv_loss_error", "cv_accuracy", "cv_accuracy_error"]
    unknown = dict.fromkeys(columns, UNKNOWN)
    display = PathDisplay.from_estimator(path_of(**unknown, criterion=[1.0, 2.0, 3.0, 4.0]))
    assert [line.get_ydata().tolist() for line in display.lines_] == [[4, 3], [2, 1]]
    assert display.ax_.get_ylabel() == "information criterion (nats per row)"
    assert not any("standard error" in text for text in draws(display.figure_))


def test_unknown_values_are_left_out(draws):
    display = PathDisplay.from_estimator(path_of(cv_accuracy=[0.9, np.nan, 0.8, 0.6]))
    assert display.lines_[1].get_xdata().tolist() == [6]
    draws(display.figure_)


def test_the_axes_given_are_used():
    figure, ax = plt.subplots()
    display = PathDisplay.from_estimator(path_of(), ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_a_model_without_a_path_is_refused(soft):
    with pytest.raises(ValueError, match="rules that were given or edited have no path"):
        PathDisplay.from_estimator(soft)


def test_an_unknown_metric_is_refused():
    with pytest.raises(ValueError, match='metric must be "accuracy" or "loss", got \'criterion\''):
        PathDisplay.from_estimator(path_of(), metric="criterion")
    with pytest.raises(ValueError, match=r"metric must be one of .*, got 'time'"):
        PathDisplay([1], [1], [1.0], [0.1], [True], "time")
