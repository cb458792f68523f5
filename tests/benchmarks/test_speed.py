"""What the benchmarks of speed count and tell."""

import subprocess

import machine
import measuring
import numpy as np
import profiled
import pytest
import summary
from measuring import Line, Quartiles

from unfis.learning import system as learning_system


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


def test_curvature_products_are_counted():
    plain = learning_system.added_products
    with machine.products_counted() as tally:
        system = learning_system.NormalEquations(np.zeros(3), np.zeros(3))
        system.add_rows(np.arange(30.0).reshape(10, 3))
    assert (tally.calls, tally.done) == (1, 10 * 3 * 4)
    assert tally.rate > 0
    assert learning_system.added_products is plain
    assert system.gram[2, 0] == pytest.approx(sum(3 * k * (3 * k + 2) for k in range(10)))


def test_exponentials_are_counted():
    plain = np.exp
    with machine.exponentials_counted() as tally:
        found = np.exp(np.zeros((4, 5)))
    assert tally.done == 20
    assert (found == 1).all()
    assert np.exp is plain


def test_the_asked_beside_the_measured(tmp_path):
    def line(part, system, measure, value, table=""):
        return Line(part, table, system, 0, measure, value)

    lines = [
        line("small", "default", "seconds", 1.0, "iris"),
        line("small", "EBM", "seconds", 4.0, "iris"),  # interrupted before its accuracy
        line("small", "default", "accuracy", 95.0, "iris"),
        line("small", "logistic regression", "seconds", 0.1, "iris"),
        line("small", "HTSK", "seconds", 0.5, "iris"),
        line("small", "HTSK", "accuracy", 96.0, "iris"),
        line("large", "ours", "memory", 30.0, "float64"),
        line("large", "ours", "data", 20.0, "float64"),
        line("wide", "ours", "seconds", 12.0, "2000 x 5000"),
        line("wide", "ours", "finite", 1.0, "2000 x 5000"),
        line("few", "default, 1 row", "seconds", 0.0005),
    ]
    grown = [
        {"axis": "rows", "model": "soft", "size": size, "seconds": size**1.5, "note": ""}
        for size in (1000, 10_000, 100_000)
    ]
    measuring.write_rows(tmp_path / "scale.csv", grown)
    told = summary.summarised(lines, tmp_path / "scale.csv")
    assert "| default fit / EBM, iris | 0.5 | 0.25 (0.25 to 0.25) | yes |" in told
    assert "| default fit / logistic regression, iris |  | 10 (10 to 10) |  |" in told
    assert "| default fit / HTSK, iris | 1 if it is as accurate | 2 (2 to 2); 95.0 %" in told
    assert "above the data / the data, float64 | 1 | 1.5 (1.5 to 1.5) | no |" in told
    assert "| growth with rows, 10,000 to 100,000, soft | 1.1 | 1.50 | no |" in told
    assert "| fit, 2000 x 5000, soft, 2 rules | 60 s, finite | 12 s, finite | yes |" in told
    assert "| predict of 1 row, default | 1 ms | 0.5 (0.5 to 0.5) ms | yes |" in told
    assert "| default fit / EBM, wine | 0.5 | not measured |  |" in told


def test_time_goes_to_groups_and_their_callers():
    unfis, numpy = "/any/unfis/", "/any/numpy/core.py"
    layers = (f"{unfis}network/layers.py", 1, "forward")
    products = (f"{unfis}learning/system.py", 2, "added_products")
    solver = (f"{unfis}learning/system.py", 3, "solver")
    sums, wrapper = ("~", 0, "<reduce>"), (numpy, 4, "sum")
    stats = {
        layers: (1, 1, 3.0, 6.0, {}),
        products: (1, 1, 1.0, 1.0, {}),
        solver: (1, 1, 2.0, 4.0, {}),
        wrapper: (1, 1, 1.0, 5.0, {layers: (1, 1, 0.6, 3.0), solver: (1, 1, 0.4, 2.0)}),
        sums: (1, 1, 4.0, 4.0, {wrapper: (1, 1, 4.0, 4.0)}),
    }
    shares = profiled.group_shares(stats)
    assert shares["forward"] == pytest.approx((3 + 0.6 * 5) / 11)
    assert shares["solves"] == pytest.approx((2 + 0.4 * 5) / 11)
    assert shares["matrix products"] == pytest.approx(1 / 11)


def test_machine_rates_are_positive():
    assert machine.product_rate(1, np.float32, size=50, repeats=1) > 0
    assert machine.exponential_rate(2, rounds=2, repeats=1) > 0
    assert measuring.peak_memory() > 1_000_000
