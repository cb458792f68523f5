"""The benchmarks of speed do what they say, on tables so small that no time means anything."""

import sys

import elimination
import fit_profile
import jobs
import machine
import measuring
import numpy as np
import out_of_core
import profiled
import pytest
import scale
import speed
import summary
from measuring import Line, Quartiles
from sklearn.linear_model import LogisticRegression

from unfis import UNFISClassifier
from unfis.learning import system as learning_system
from unfis_paper.reproduction.systems.adapter import ComparedSystem

SOFT = UNFISClassifier(2, selection="soft", ridge=0.15, random_state=0)


def here(work, limit=0.0, threads=None, **arguments):
    """In place of a process of its own."""
    return work(**arguments)


@pytest.fixture
def folder(tmp_path):
    jobs.write_table(tmp_path, 300, 5)
    return tmp_path


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


def test_a_child_finds_fails_or_is_stopped(folder):
    found = measuring.in_child(jobs.fit, model=LogisticRegression(), folder=folder)
    assert found["accuracy"] > 50
    assert found["finite"] == 1
    assert found["data"] == 300 * 5 * 8
    failed = measuring.in_child(jobs.fit, model=LogisticRegression(), folder=folder / "nowhere")
    assert failed["failed"].startswith("FileNotFoundError")
    stopped = measuring.in_child(jobs.fit, 0.01, model=LogisticRegression(), folder=folder)
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


def test_jobs_measure_what_the_summary_asks_for(folder, monkeypatch):
    monkeypatch.setattr(jobs, "product_rate", lambda threads: 1e9 * threads)
    monkeypatch.setattr(jobs, "CALLS", 2)
    found = jobs.fit(SOFT, folder)
    assert found["finite"] == 1
    assert found["seconds"] > 0
    found = jobs.curvature(SOFT, folder)
    assert found["share"] == pytest.approx(found["operations_per_thread_second"] / 1e9)
    assert 0 < found["product_share_of_fit"] < 1
    models = {"default": SOFT, "histogram boosting": LogisticRegression()}
    many = jobs.predict_many(models, folder, 100, rounds=2)
    assert {name: len(values) for name, values in many.items()} == dict.fromkeys(models, 2)
    few = jobs.predict_few({"default": SOFT}, folder, rounds=1)
    assert set(few) == {"default, 1 row", "default, 1,000 rows"}


def test_small_tables_on_the_same_splits(monkeypatch):
    def broken(seed):
        raise RuntimeError("no luck")

    systems = {
        "default": ComparedSystem("default", lambda seed: SOFT),
        "EBM": ComparedSystem("EBM", lambda seed: LogisticRegression(max_iter=5000)),
        "HTSK": ComparedSystem("HTSK", lambda seed: None, packages=("no_such_package",)),
        "PyTSK": ComparedSystem("PyTSK", broken),
    }
    monkeypatch.setattr(speed, "SYSTEMS", systems)
    lines = list(speed.small(2, speed.QUICK, tables=("iris",)))
    notes = {line.system: line.note for line in lines if line.note}
    assert notes == {"HTSK": "not installed: no_such_package", "PyTSK": "RuntimeError: no luck"}
    recorded = summary.Recorded(lines)
    assert set(recorded.of("small", "default", table="iris")) == {0, 1}
    assert recorded.ratio("small", "default", "EBM", "iris").median > 0
    assert "not installed: no_such_package" in summary.medians(recorded)


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


def test_speed_replaces_the_lines_of_its_parts(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(speed, "in_child", here)
    monkeypatch.setattr(speed, "OURS_WIDE", SOFT)
    monkeypatch.setattr(speed, "BOOSTING", LogisticRegression())
    output = tmp_path / "speed.csv"
    old = [
        Line("wide", "old", "ours", 0, "seconds", 1.0),
        Line("few", "", "kept", 0, "seconds", 2.0),
    ]
    measuring.write_rows(output, [line._asdict() for line in old])
    call = ["speed.py", "--quick", "--rounds", "1", "--output", str(output), "--only"]
    for parts in (["wide", "large"], []):
        monkeypatch.setattr("sys.argv", [*call, *parts])
        speed.main()
    lines = measuring.read_lines(output)
    assert old[1] in lines
    assert old[0] not in lines
    assert {line.system for line in lines if line.part == "large"} == {"ours", "histogram boosting"}
    assert "fit, 100 x 30, soft, 2 rules" in capsys.readouterr().out


def test_imports_are_timed_in_turns(monkeypatch):
    monkeypatch.setattr(speed, "IMPORTS", ("import json", "import csv"))
    lines = list(speed.imports(1, speed.QUICK))
    assert len(lines) == 4
    assert all(line.value > 0 for line in lines)


def test_starts_of_commands_are_timed_in_turns(monkeypatch):
    called = []
    monkeypatch.setattr(speed.subprocess, "run", lambda call, **_: called.append(call[1:3]))
    lines = list(speed.starts(1, speed.QUICK))
    assert {line.system for line in lines} > {"import sklearn", "unfis predict"}
    assert len(called) == 15  # of three rounds the first is not counted
    assert len(lines) == 10
    told = summary.summarised(lines, speed.Path("nowhere.csv"))
    assert "| unfis predict, iris / python -c 'import sklearn' | 0.5 |" in told


def test_scale_goes_on_and_gives_up(tmp_path, monkeypatch, capsys):
    axis = scale.Axis((200, 400), ("none, 2 rules",), 200, quick=(100, 200))
    monkeypatch.setattr(scale, "AXES", {"rows": axis})
    monkeypatch.setattr(
        scale, "MODELS", {"none, 2 rules": {"n_rules": 2, "ridge": 0.15, "selection": "soft"}}
    )
    monkeypatch.setattr(scale, "in_child", here)
    output = tmp_path / "scale.csv"
    monkeypatch.setattr("sys.argv", ["scale.py", "--quick", "--output", str(output)])
    scale.main()
    first = output.read_text()
    assert "| rows | none, 2 rules | 200 to 200 |" in capsys.readouterr().out
    monkeypatch.setattr(scale, "in_child", lambda *_, **__: {"failed": "over 1 s"})
    scale.main()
    assert output.read_text() == first  # nothing was measured again
    output.unlink()
    scale.main()
    notes = [row["note"] for row in measuring.read_rows(output)]
    assert notes == ["over 1 s", "not tried: over 1 s at 100"]


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


def test_a_profile_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(profiled, "ENOUGH", 0.01)
    monkeypatch.setattr(fit_profile, "in_child", here)
    monkeypatch.setattr(fit_profile, "product_rate", lambda threads, dtype: 2e9)
    monkeypatch.setattr(fit_profile, "exponential_rate", lambda threads, dtype: 1e8)
    monkeypatch.setattr(fit_profile, "QUICK_CASES", {("iris", "soft"): SOFT})
    output = tmp_path / "profile.md"
    monkeypatch.setattr("sys.argv", ["fit_profile.py", "--quick", "--output", str(output)])
    fit_profile.main()
    text = output.read_text()
    assert "Made by `benchmarks/fit_profile.py`; do not edit it." in text
    assert text.count("| iris | soft |") == 2
    shares = profiled.profiled_fit("iris", SOFT)
    assert sum(shares[group] for group in profiled.ORDER) == pytest.approx(1)
    assert shares["other Python"] < 0.6


def test_machine_rates_are_positive():
    assert machine.product_rate(1, np.float32, size=50, repeats=1) > 0
    assert machine.exponential_rate(2, rounds=2, repeats=1) > 0
    assert measuring.peak_memory() > 1_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limit of memory in no file")
def test_a_fit_under_a_limit_of_memory():
    found = out_of_core.measure(5000, 3000)
    assert found["table_megabytes"] == pytest.approx(0.8)
    assert 0 < found["reading_seconds"] < found["seconds"]
    assert 0 < found["anonymous_megabytes"] <= found["reserved_megabytes"] < 3000
    assert found["accuracy"] > 80


def test_orders_of_elimination_are_compared_at_the_same_lengths():
    rows = elimination.run("iris", 0)
    lengths = [
        [row["parts"] for row in rows if row["method"] == name] for name in elimination.METHODS
    ]
    assert all(own == list(elimination.LENGTHS) for own in lengths)
    assert all(50 < row["accuracy"] <= 100 for row in rows)
