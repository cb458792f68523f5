"""What runs were done with is written down, once, with an identifier."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from unfis import UNFISClassifier, __version__
from unfis_paper.compared import EFNNClassifier
from unfis_paper.reproduction.circumstances import Circumstances, configuration
from unfis_paper.reproduction.systems.adapter import ComparedSystem


def cannot_be_built(seed):
    raise RuntimeError("broken import")


def ends_the_interpreter(seed):
    raise SystemExit(3)


SYSTEMS = {
    "dummy": ComparedSystem("dummy", lambda seed: DummyClassifier()),
    "absent": ComparedSystem(
        "absent", lambda seed: None, packages=("numpy", "no_such_package_here")
    ),
    "broken": ComparedSystem("broken", cannot_be_built),
    "leaving": ComparedSystem("leaving", ends_the_interpreter),
    "own": ComparedSystem("own", lambda seed: UNFISClassifier(max_rules=3)),
    "compared": ComparedSystem("compared", lambda seed: EFNNClassifier(2)),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "circumstances.json"


def test_versions_and_configurations_are_written_down_once(path):
    identifiers = {Circumstances(path).begin(SYSTEMS, 2) for _ in range(2)}
    (found,) = json.loads(path.read_text())
    assert identifiers == {found["id"]}
    assert found["versions"]["numpy"] == np.__version__
    assert found["versions"]["unfis"] == __version__
    assert found["versions"]["no_such_package_here"] == "not installed"
    assert found["systems"]["dummy"] == "DummyClassifier()"
    assert found["systems"]["absent"] == "not installed: no_such_package_here"
    assert found["systems"]["broken"] == "RuntimeError: broken import"
    assert found["systems"]["leaving"] == "SystemExit: 3"


def test_other_systems_are_other_circumstances(path):
    first, second = (
        Circumstances(path).begin(systems, 2) for systems in (SYSTEMS, {"dummy": SYSTEMS["dummy"]})
    )
    assert first != second
    known = Circumstances(path)
    assert [one["id"] for one in known.known] == [first, second]
    assert known.configuration(second, "dummy") == "DummyClassifier()"
    assert known.configuration(second, "own") is None
    assert known.configuration("nowhere", "own") is None


def test_a_changed_default_of_our_own_is_seen():
    """Of the project's own systems all settings are recorded, not only those that were changed."""
    text = configuration(SYSTEMS["own"])
    assert "max_rules=3" in text
    assert "tolerance=None" in text
    assert "warm_up=100" in configuration(SYSTEMS["compared"])


def test_sessions_have_their_wall_time(path, monkeypatch):
    """Written every ten seconds, so that what is killed has it too."""
    seconds = iter([100.0, 105.0, 112.0, 113.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(seconds))
    circumstances = Circumstances(path)
    circumstances.begin({"dummy": SYSTEMS["dummy"]}, 2)
    for count, written in ((1, 0), (2, 2), (3, 2)):
        assert circumstances.count() == count
        (found,) = json.loads(path.read_text())
        assert found["sessions"][0]["runs"] == written
    assert found["sessions"] == [{"runs": 2, "jobs": 2, "seconds": 12.0}]
    circumstances.write()
    (found,) = json.loads(path.read_text())
    assert found["sessions"] == [{"runs": 3, "jobs": 2, "seconds": 13.0}]


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"id": 1}]', '{"id": 1, "systems": {}}'])
def test_a_damaged_file_is_named(path, text):
    path.write_text(text)
    with pytest.raises(ValueError, match=r"circumstances\.json must be a list of circumstances"):
        Circumstances(path)
