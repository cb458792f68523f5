import numpy as np
import pytest
from scipy import stats

from unfis_paper.reproduction import figures
from unfis_paper.reproduction.figures import (
    FIGURES,
    Ranks,
    critical_difference_figure,
    mean_accuracies,
    rank,
)
from unfis_paper.reproduction.results import Recorded

pytest.importorskip("matplotlib").use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_the_same_twice(frame, tmp_path, name):
    recorded = Recorded(frame, ["IRI", "WIN"])
    paths = [tmp_path / f"{number}.svg" for number in range(2)]
    texts = [FIGURES[name](recorded, path) for path in paths]
    assert texts[0] == texts[1]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_ranks_in_text(recorded, tmp_path):
    text = FIGURES["figure-ranks"](recorded, tmp_path / "ranks.svg")
    assert "UNFIS, as printed         1.00" in text
    assert "Friedman p = " in text


def test_learners_are_compared_set_by_set(frame, tmp_path, monkeypatch):
    """With deviations in text and picture, none of which is cut off."""
    drawn = []
    monkeypatch.setattr(figures, "save", lambda figure, path: drawn.append(figure))
    chosen = (frame["set"] == "iris") & (frame["system"] == "GqLM, tuned")
    frame.loc[chosen, "accuracy"] = [0.0, 1.0, 1.0, 1.0, 1.0]
    text = FIGURES["figure-learners"](Recorded(frame, ["IRI"]), tmp_path / "learners.svg")
    names = [line.split()[0] for line in text.splitlines()[3:]]
    assert names == ["GqLM", "LM", "SGD", "Momentum", "TrustRegion"]
    assert "80.00 ± 44.72" in text
    (ax,) = drawn[0].axes
    ends = [segment[1, 1] for bar in ax.collections for segment in bar.get_segments()]
    assert max(ends) == pytest.approx(80 + 100 * np.std([0, 1, 1, 1, 1], ddof=1))
    assert max(ends) < ax.get_ylim()[1]


def test_one_run_and_none_are_drawn_too(frame, tmp_path):
    for some in (frame[frame["seed"] < 1], frame.iloc[:0]):
        text = FIGURES["figure-learners"](Recorded(some, ["IRI"]), tmp_path / "learners.svg")
        assert "nan" not in text
        assert (tmp_path / "learners.svg").exists()


def test_ranks_are_of_systems_that_ran_on_every_set(frame):
    partial = frame[~((frame["set"] == "wine") & (frame["system"] == "tree"))]
    scores = mean_accuracies(Recorded(partial, ["IRI", "WIN"]))
    assert list(scores.index) == ["iris", "wine"]
    assert not {"tree", "xanfis"} & set(scores.columns)
    assert not any("tuned" in system for system in scores.columns)
    assert scores.columns[np.argmin(rank(scores.to_numpy()).means)] == "UNFIS, as printed"


def test_a_set_that_nothing_ran_on_is_left_out(frame):
    some = Recorded(frame[frame["set"].isin(["iris", "autism"])])
    assert list(mean_accuracies(some).index) == ["autism", "iris"]


def test_one_system_has_no_rank(frame):
    assert rank(mean_accuracies(Recorded(frame[frame["system"] == "tree"])).to_numpy()) is None
    assert rank(mean_accuracies(Recorded(frame.iloc[:0])).to_numpy()) is None


def test_the_picture_joins_what_is_not_told_apart():
    """Each system at its rank; bars from 1.0 to 2.5 and from 2.5 to 4.0; the critical length."""
    found = Ranks(np.array([4.0, 1.0, 2.5]), 0.01, 1.5)
    figure = critical_difference_figure(["third", "first", "second"], found, "title")
    (ax,) = figure.axes
    bars = [
        tuple(segment[:, 0])
        for collection in ax.collections
        for segment in collection.get_segments()
        if segment[0, 1] == segment[1, 1] > 0
    ]
    assert bars == [pytest.approx((0.95, 2.55)), pytest.approx((2.45, 4.05))]
    stems = {float(line.get_xdata()[0]) for line in ax.lines if len(line.get_xdata()) == 3}
    assert stems == {1.0, 2.5, 4.0}
    lengths = [np.ptp(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]
    assert lengths == [1.5]
    texts = [text.get_text().strip() for text in ax.texts]
    assert {"first  1.00", "second  2.50", "4.00  third"} <= set(texts)
    pyplot.close(figure)


@pytest.mark.parametrize(("count", "every"), [(20, 1), (25, 2)])
def test_numbers_of_many_ranks_do_not_touch(count, every):
    found = Ranks(np.arange(1.0, count + 1), 0.01, 3.0)
    figure = critical_difference_figure(["system"] * count, found, "title")
    numbers = [text.get_text() for text in figure.axes[0].texts if text.get_text().isdigit()]
    assert numbers == [str(rank) for rank in range(1, count + 1, every)]
    pyplot.close(figure)


def test_ranks_and_the_critical_difference():
    """Four systems on 14 sets: CD = 2.569 sqrt(4 * 5 / (6 * 14)) = 1.25 (Demsar, 2006)."""
    scores = np.tile([0.9, 0.8, 0.7, 0.6], (14, 1))
    scores[0] = [0.6, 0.7, 0.8, 0.9]
    found = rank(scores)
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    np.testing.assert_allclose(found.means, [(13 + 4) / 14, (26 + 3) / 14, (39 + 2) / 14, 53 / 14])
    assert found.p_value == pytest.approx(stats.friedmanchisquare(*scores.T).pvalue)


def test_ties_share_their_ranks():
    assert rank(np.array([[0.5, 0.5, 0.1], [0.5, 0.5, 0.1]])).means.tolist() == [1.5, 1.5, 3]


def test_groups_are_the_largest_and_no_group_is_within_another():
    means = np.array([3.0, 1.0, 1.5, 2.0, 6.0])
    assert Ranks(means, 0.01, 1.0).groups() == [(1.0, 2.0), (2.0, 3.0)]
    assert Ranks(means, 0.01, 9.0).groups() == [(1.0, 6.0)]
    assert Ranks(means, 0.01, 0.1).groups() == []
