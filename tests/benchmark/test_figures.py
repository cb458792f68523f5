import pytest

from unfis.benchmark.figures import FIGURES, score_matrix

pytest.importorskip("matplotlib").use("Agg")


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_the_same_twice(results, tmp_path, name):
    paths = [tmp_path / f"{number}.svg" for number in range(2)]
    texts = [FIGURES[name](results, ["iris", "wine"], path) for path in paths]
    assert texts[0] == texts[1]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_ranks_are_of_systems_that_ran_on_every_set(results, tmp_path):
    partial = results[~((results["set"] == "wine") & (results["system"] == "tree"))]
    systems, sets, scores = score_matrix(partial, ["iris", "wine"])
    assert sets == ["iris", "wine"]
    assert "tree" not in systems
    assert "xanfis" not in systems
    assert not any("tuned" in system for system in systems)
    assert scores.shape == (2, len(systems))
    text = FIGURES["figure-ranks"](partial, ["iris", "wine"], tmp_path / "ranks.svg")
    assert "UNFIS, as printed         1.00" in text


def test_learners_are_compared_set_by_set(results, tmp_path):
    text = FIGURES["figure-learners"](results, ["iris"], tmp_path / "learners.svg")
    assert [line.split()[0] for line in text.splitlines()[3:]] == [
        "GqLM",
        "LM",
        "SGD",
        "Momentum",
        "TrustRegion",
    ]
