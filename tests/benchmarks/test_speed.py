"""What the benchmarks of speed count and tell."""

import subprocess

import measuring
import numpy as np
import pytest
import summary
from measuring import Line, Quartiles


def test_every_work_has_its_turn_in_every_round():
    works = {name: (lambda name=name: name.upper()) for name in "abcdefgh"}
    turns = list(measuring.in_turns(works, 3))
    rounds = [[name for number, name, _ in turns if number == r] for r in range(3)]
    assert all(sorted(names) == list(works) for names in rounds)
    assert len({tuple(names) for names in rounds}) > 1
    assert all(found == name.upper() for _, name, found in turns)
    assert measuring.gathered(works, 2)["a"] == ["A", "A"]


def test_ratios_spread_and_growth():
    assert measuring.ratios({0: 2.0, 1: 9.0}, {0: 1.0, 2: 5.0}) == [2.0]
    assert Quartiles.of([1, 2, 3, 4, 5]) == (3, 2, 4)
    assert str(Quartiles.of([0.5])) == "0.5 (0.5 to 0.5)"
    assert measuring.growth_exponent([1, 10, 100], [2, 200, 20_000]) == pytest.approx(2)
    assert np.isnan(measuring.growth_exponent([1, 10], [0.0, 3.0]))


def test_a_child_finds_fails_or_is_stopped():
    assert measuring.in_child(dict, accuracy=95.0)["accuracy"] == 95
    failed = measuring.in_child(open, file="nowhere/to/be/found")
    assert failed["failed"].startswith("FileNotFoundError")
    stopped = measuring.in_child(subprocess.run, 0.01, args=["sleep", "9"])
    assert stopped == {"failed": "over 0.01 s"}


def test_lines_are_read_as_they_were_written(tmp_path):
    lines = [
        *measuring.lines_of("small", "iris", "EBM", 1, {"seconds": 0.25, "accuracy": 95.5}),
        *measuring.lines_of("small", "", "HTSK", 0, {"failed": "not installed: highfis"}),
    ]
    path = tmp_path / "results" / "speed.csv"
    measuring.write_rows(path, [line._asdict() for line in lines])
    assert measuring.read_lines(path) == lines


def test_a_rehearsal_is_never_recorded_as_the_real_thing():
    real = measuring.output_path(None, "speed.csv", quick=False)
    assert measuring.output_path(None, "speed.csv", quick=True) != real


def test_the_asked_beside_the_measured():
    def line(part, system, measure, value, table=""):
        return Line(part, table, system, 0, measure, value)

    lines = [
        line("small", "unfis", "seconds", 1.0, "iris"),
        line("small", "EBM", "seconds", 4.0, "iris"),  # interrupted before its accuracy
        line("small", "unfis", "accuracy", 95.0, "iris"),
        line("small", "logistic regression", "seconds", 0.1, "iris"),
        line("small", "HTSK", "seconds", 0.5, "iris"),
        line("small", "HTSK", "accuracy", 96.0, "iris"),
        line("many", "unfis", "seconds", 3.0),
        line("many", "histogram boosting", "seconds", 2.0),
        line("few", "unfis, 1 row", "seconds", 0.0005),
    ]
    told = summary.summarised(lines)
    assert "| default fit / EBM, iris | 0.5 | 0.25 (0.25 to 0.25) | yes |" in told
    assert "| default fit / logistic regression, iris |  | 10 (10 to 10) |  |" in told
    assert "| default fit / HTSK, iris | 1 if it is as accurate | 2 (2 to 2); 95.0 %" in told
    assert "| predict_proba, 1M x 20 / boosting | 1 | 1.5 (1.5 to 1.5) | no |" in told
    assert "| predict of 1 row | 1 ms | 0.5 (0.5 to 0.5) ms | yes |" in told
    assert "| default fit / EBM, wine | 0.5 | not measured |  |" in told


def test_memory_is_positive():
    assert measuring.peak_memory() > 1_000_000
