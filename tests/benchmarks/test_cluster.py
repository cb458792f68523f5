"""The benchmark of clusters does what it says, and its cost model what a cluster would."""

import pytest
from cluster_model import Cluster, Table, fitted, measured_points, predicted, report, round_seconds


def test_rounds_of_work():
    cluster = Cluster(2, 0.0, 0.0, task=0.0, latency=0.0)
    assert round_seconds(cluster, 4, 1.0, 0.0) == 2.0
    assert round_seconds(cluster, 5, 1.0, 0.0) == 3.0
    # A scheduler that is slower than the workers is what counts.
    slow = Cluster(1000, 0.0, 0.0, task=1.0, latency=0.0)
    assert round_seconds(slow, 10, 0.5, 0.0) == 10.5


def test_more_workers_help_until_the_scheduler_is_what_counts():
    table = Table(1e10, 100, 20_000)
    seconds = [
        predicted(Cluster(workers, 1e-7, 1e-9), table).seconds for workers in (1, 8, 64, 4096, 8192)
    ]
    assert seconds[0] / seconds[1] > 7
    assert seconds[2] < seconds[1] / 6
    assert seconds[3] / seconds[4] < 1.05


def test_the_model_is_held_beside_what_was_measured(tmp_path):
    rates = Cluster(1, 1e-7, 1e-9, small=0.05, latency=0.0)
    lines = ["part,rows,workers,measure,value"]
    for rows in (2_000_000, 20_000_000):
        told = predicted(rates, Table(rows, 20, max(8, rows // 500_000)))
        lines.append(f"speed,{rows},1,seconds,{told.seconds}")
        lines.append(f"speed,{rows},1,seconds_after_reading,{told.after}")
    path = tmp_path / "measured.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    points = measured_points(path)
    found, _ = fitted(points, 20)
    assert found.reading == pytest.approx(1e-7, rel=0.01)
    assert found.passing == pytest.approx(1e-9, rel=0.02)
    assert found.small == pytest.approx(0.05, rel=0.1)
    assert any("20,000,000, 1" in line and "0 %" in line for line in report(points))
