import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis import load
from unfis.plots import TrainingDisplay


def test_the_curve_is_the_history(net):
    display = TrainingDisplay.from_estimator(net)
    iterations, losses = display.lines_[0].get_data()
    assert losses.tolist() == net.history_["loss"]
    assert iterations.tolist() == list(range(1, net.n_iter_ + 1))
    assert display.ax_.get_title() == f"trust-region: {net.n_iter_} iterations, converged"
    assert display.ax_.get_xlabel() == "iteration"
    assert display.ax_.get_yscale() == "linear"


def test_learners_are_compared_in_one_picture(net, mixed_net, legend_labels, beside_data):
    display = TrainingDisplay.from_estimators({"first": net, "second": mixed_net})
    labels = legend_labels(display.ax_)
    assert [label.split(":")[0] for label in labels] == ["first", "second"]
    assert len({line.get_marker() for line in display.lines_}) == 2
    beside_data(display.ax_)


def test_a_wide_span_is_logarithmic():
    scales = [
        TrainingDisplay({"a": losses}, {"a": False}).plot().ax_.get_yscale()
        for losses in ([101, 1], [99, 1], [100, 0], [1, -1], [np.inf, 1], [np.nan])
    ]
    assert scales == ["log", "linear", "linear", "linear", "linear", "linear"]


def test_one_iteration_is_told_instead_of_a_dot(draws):
    display = TrainingDisplay({"a": [0.5]}, {"a": True}).plot()
    assert display.lines_ == []
    assert not display.ax_.axison
    assert "a: 1 iteration, converged, loss 0.5" in draws(display.figure_)


def test_one_iteration_beside_more_is_a_point_at_one(draws):
    losses, converged = {"a": [0.5], "b": [0.5, 0.4]}, {"a": True, "b": True}
    display = TrainingDisplay(losses, converged).plot()
    assert len(display.lines_) == 2
    draws(display.figure_)
    low, high = display.ax_.get_xlim()
    assert [tick for tick in display.ax_.get_xticks() if low <= tick <= high] == [1, 2]


def test_a_learner_given_as_an_object_is_named_by_its_class(net):
    class Estimator:
        learner = object()
        history_ = net.history_
        converged_ = False

    title = TrainingDisplay.from_estimator(Estimator()).ax_.get_title()
    assert title == f"object: {net.n_iter_} iterations, not converged"


def test_the_axes_given_are_used(net):
    figure, ax = plt.subplots()
    display = TrainingDisplay.from_estimator(net, name="mine", ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert ax.get_title().startswith("mine: ")


def test_a_model_without_training_is_refused(net, tmp_path):
    net.save(tmp_path / "net.json")
    with pytest.raises(ValueError, match="that was read from a file has no training of its own"):
        TrainingDisplay.from_estimator(load(tmp_path / "net.json"))


def test_names_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="must have the same names, at least one"):
        TrainingDisplay({"a": [1.0]}, {"b": True})
    with pytest.raises(ValueError, match="must have the same names, at least one"):
        TrainingDisplay.from_estimators({})


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful_net, draws):
    models = {item.name: hurtful_net for item in hurtful_net.inputs_}
    texts = draws(TrainingDisplay.from_estimators(models).figure_)
    assert all(len(text) < 80 for text in texts)
