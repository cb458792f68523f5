import numpy as np
import pytest

from unfis.reproduction import figures
from unfis.reproduction.figures import FIGURES
from unfis.reproduction.results import Recorded

pytest.importorskip("matplotlib").use("Agg")


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
