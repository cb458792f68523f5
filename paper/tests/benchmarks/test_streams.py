"""The benchmark of streams: they drift as they say, and what is answered was not learned from."""

import drift
import numpy as np
import pandas as pd
import pytest
import streams
from drift import STREAMS, bent_border, stream
from joblib import parallel_config


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_the_same_one_always(name):
    (X, y), (same, labels) = (stream(name, 2000, 3) for _ in range(2))
    np.testing.assert_array_equal(X, same)
    np.testing.assert_array_equal(y, labels)
    assert X.shape == (2000, drift.INPUTS)
    assert 0.3 < y.mean() < 0.7
    assert not np.array_equal(X, stream(name, 2000, 4)[0])


def agreement(name, angles, rows):
    """How often labels are those of a border that does not drift."""
    X, y = stream(name, 4000, 0)
    return (bent_border(X, np.full(4000, angles)) == y)[rows].mean()


def test_they_drift_as_they_say():
    first, last = slice(200), slice(-200, None)
    assert agreement("no drift", 0.0, slice(None)) == 1
    assert agreement("rotating boundary", 0.0, first) > 0.9
    assert agreement("rotating boundary", np.pi, last) > 0.9
    assert agreement("rotating boundary", 0.0, last) < 0.6
    assert agreement("abrupt swap of classes", 0.0, slice(2000)) == 1
    assert agreement("abrupt swap of classes", 0.0, slice(2000, None)) == 0
    assert agreement("growing noise", 0.0, first) > 0.97
    assert agreement("growing noise", 0.0, last) == pytest.approx(0.6, abs=0.1)


class Remembers:
    """Answers 1 for rows that it has learned from, which must be none of those asked."""

    def __init__(self):
        self.seen = set()

    def partial_fit(self, X, y, classes=None):
        self.seen |= {row.tobytes() for row in X}

    def predict(self, X):
        return np.array([int(row.tobytes() in self.seen) for row in X])


def test_rows_are_answered_before_they_are_learned_from(monkeypatch):
    monkeypatch.setitem(streams.SYSTEMS, "remembers", lambda seed: Remembers())
    lines = streams.run("no drift", "remembers", 0, 1000)
    _, y = stream("no drift", 1000, 0)
    assert [line["row"] for line in lines] == [400, 600, 800, 1000]
    assert lines[-1]["so_far"] == pytest.approx(100 * (y[200:] == 0).mean())
    assert lines[-1]["window"] == pytest.approx(100 * (y[-500:] == 0).mean())


def test_a_rehearsal_records_elsewhere_and_prints_all(monkeypatch, tmp_path, capsys):
    path = tmp_path / "streams.csv"
    monkeypatch.setattr(streams, "SYSTEMS", {"ALMMo-0": streams.SYSTEMS["ALMMo-0"]})
    monkeypatch.setattr("sys.argv", ["streams.py", "--quick", "--output", str(path)])
    with parallel_config("threading"):
        streams.main()
    assert set(pd.read_csv(path)["stream"]) == set(STREAMS)
    told = capsys.readouterr().out
    assert "| ALMMo-0 | " in told
    assert all(name in told for name in STREAMS)


def test_a_long_stream_is_timed(monkeypatch, capsys):
    monkeypatch.setattr(streams, "LONG_ROWS", 30)
    monkeypatch.setattr(streams, "SYSTEMS", {"ALMMo-0": streams.SYSTEMS["ALMMo-0"]})
    monkeypatch.setattr("sys.argv", ["streams.py", "--speed"])
    streams.main()
    assert "seconds for 30 rows of 10 inputs" in capsys.readouterr().out


def test_the_picture_has_a_line_for_each_system(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    drawn = []
    monkeypatch.setattr(streams, "save", lambda figure, path: drawn.append(figure))
    results = pd.DataFrame(
        {"stream": name, "system": system, "seed": seed, "row": row, "window": 50.0 + seed}
        for name in STREAMS
        for system in ("ALMMo-0", "unfis")
        for seed in (0, 1)
        for row in (400, 600)
    )
    streams.draw(results, tmp_path / "figure.svg")
    (figure,) = drawn
    assert [ax.get_title() for ax in figure.axes] == list(STREAMS)
    for ax in figure.axes:
        assert [line.get_label() for line in ax.lines] == ["ALMMo-0", "unfis"]
        assert ax.lines[0].get_ydata().tolist() == [50.5, 50.5]
