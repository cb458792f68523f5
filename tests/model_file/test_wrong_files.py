"""Files that are wrong: refused by name, whatever is wrong with them."""

import copy
import json
import os
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from networks import RuleNetwork, load
from rule_tables import SOFT, averaged, table_of

import unfis
from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.model_file import ModelFileError
from unfis.model_file import text as model_text
from unfis.model_file.settings import OF_MACHINE
from unfis.model_file.text import document_checksum
from unfis.rules import Scorecard

X, Y = table_of("clinic")
GIVEN = ["IF age >= 60 AND smoker is yes THEN ill", "IF ward is east or west THEN well with 70 %"]


def saved(model, folder):
    """A model's file as plain data."""
    model.save(folder / "m.json", target="answer", held_out={"rows": 3})
    return json.loads((folder / "m.json").read_text())


@pytest.fixture(scope="module")
def model():
    return UNFISClassifier(2, ridge=0.3).fit(X, Y)


@pytest.fixture(scope="module")
def document(model, tmp_path_factory):
    return saved(model, tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module", params=["default", "mixed", "averaged", "given"])
def any_document(request, model, document, tmp_path_factory):
    if request.param == "default":
        return document
    if request.param == "mixed":
        return saved(RuleNetwork(**SOFT).fit(X, Y), tmp_path_factory.mktemp("mixed"))
    if request.param == "given":
        model = UNFISClassifier(given_rules=GIVEN).fit(X, Y)
        return saved(model, tmp_path_factory.mktemp("given"))
    made = averaged(model, 3, True)
    card = Scorecard((0.5, 0.5, 0.5), (10.0, 1.0, 1.0, 5.0, 1.0), (0.0,) * 5)
    made.model_ = replace(made.model_, scorecard=card)
    return saved(made, tmp_path_factory.mktemp("averaged"))


def places(value, path=()):
    """The way to every value inside plain data."""
    yield path
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(child, (*path, key))


def place_of(document, number):
    """The way to one of the values inside a document, by a number from 0 to 999,999."""
    found = [path for path in places(document) if path]
    return found[number * len(found) // 1_000_000]


def parent_of(data, path):
    for key in path[:-1]:
        data = data[key]
    return data


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([1e308, -1e308, 1e-308, 10**400, -1, 2**70, "", "x", [], {}, [[]], nested(50)]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
)


NUMBERS = st.integers(0, 999_999)


def write(path, data):
    path.write_text(json.dumps(data))
    return path


def refused(path):
    with pytest.raises(ModelFileError) as caught:
        unfis.load(path)
    return str(caught.value)


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(NUMBERS, st.booleans(), JUNK)
def test_a_changed_field_is_refused_and_named(any_document, tmp_path, number, gone, junk):
    changed, path = copy.deepcopy(any_document), place_of(any_document, number)
    parent, key = parent_of(changed, path), path[-1]
    before = parent[key]
    if gone:
        del parent[key]
    else:
        parent[key] = junk
        if type(parent[key]) is type(before) and parent[key] == before:
            return
    message = refused(write(tmp_path / "m.json", changed))
    names = [str(part) for part in path if isinstance(part, str)]
    named = any(name in message for name in [*names, "checksum", "network", "rules"])
    assert named, (path, message)


@settings(max_examples=125, suppress_health_check=list(HealthCheck))
@given(NUMBERS, JUNK)
def test_a_forged_checksum_loads_no_model_that_predicts_no_number(
    any_document, tmp_path, number, junk
):
    changed, path = copy.deepcopy(any_document), place_of(any_document, number)
    parent_of(changed, path)[path[-1]] = junk
    changed["checksum"] = document_checksum(changed)
    try:
        model = load(write(tmp_path / "m.json", changed))
    except ModelFileError:
        return
    same = [name for name in model.rules_.reader.names if name in X.columns]
    if len(same) == X.shape[1]:
        # A file without columns is that of a model which was learned from an array.
        table = X if hasattr(model, "feature_names_in_") else X.to_numpy(object)
        assert np.isfinite(model.predict_proba(table)).all()
        assert np.isfinite(model.rules_.predict_proba(X)).all()
        assert str(model.rules_)
        assert str(model.explain(table[:3])[0])


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_damaged_text_is_refused(document, tmp_path, data):
    text = json.dumps(document)
    place = data.draw(st.integers(0, len(text) - 2))
    kind = data.draw(st.sampled_from(["cut", "byte", "nan", "deep"]))
    if kind == "cut":
        damaged = text[:place].encode()
    elif kind == "byte":
        damaged = text[:place].encode() + b"\xff" + text[place + 1 :].encode()
    elif kind == "nan":
        damaged = text.replace('"rows": 120', '"rows": NaN').encode()
    else:
        damaged = text.replace('"rows": 120', '"rows": ' + "[" * (place + 2000), 1).encode()
    (tmp_path / "m.json").write_bytes(damaged)
    assert "m.json" in refused(tmp_path / "m.json")


def as_network(document, **changed):
    """A document that says it is of the network, with settings of it."""
    given = UNFISNetworkClassifier().get_params(deep=False) | changed
    own = {name: value for name, value in given.items() if name not in OF_MACHINE}
    document.update(estimator="UNFISNetworkClassifier", settings=own)


NAMED = {
    "estimator must be one of 'UNFISClassifier', 'UNF": lambda d: d.update(estimator="Forest"),
    "settings lacks 'selection'": lambda d: d.update(estimator="UNFISNetworkClassifier"),
    "format must be 'unfis model', got 'else'": lambda d: d.update(format="else"),
    "version is 2, and this unfis reads 1": lambda d: d.update(version=2),
    "version is '1', and this unfis reads 1": lambda d: d.update(version="1"),
    r"held_out_answers must have an entry for each of 2 classes": lambda d: d[
        "held_out_answers"
    ].pop(),
    r"held_out_answers\[0\] must have as many weights as likelihoods": lambda d: d[
        "held_out_answers"
    ][0]["weights"].pop(),
    r"held_out_answers\[1\]\.likelihoods must be in rising order": lambda d: d["held_out_answers"][
        1
    ]["likelihoods"].reverse(),
    r"held_out_answers\[1\]\.likelihoods\[0\] must be a finite number": lambda d: d[
        "held_out_answers"
    ][1]["likelihoods"].__setitem__(0, -0.1),
    "uncertainty.positions must rise": lambda d: d["uncertainty"]["positions"].reverse(),
    "uncertainty.root must have a row for each of the": lambda d: d["uncertainty"]["root"].pop(),
    r"uncertainty.root\[0\] must be a list of 1": lambda d: d["uncertainty"]["root"][0].append(0.0),
    r"uncertainty.root\[1\]\[0\] must be a finite number": lambda d: d["uncertainty"]["root"][
        1
    ].__setitem__(0, 1e200),
    r"uncertainty.positions\[0\] must be a whole number": lambda d: d["uncertainty"][
        "positions"
    ].__setitem__(0, -1),
    "the data lacks 'network'": lambda d: d.pop("network"),
    "the data has 'networks', which is not known": lambda d: d.update(networks=1),
    r"network\.widths\[0\] must be a list of 7, got a list of 6": lambda d: d["network"]["widths"][
        0
    ].pop(),
    r"network\.centres\[1\]\[0\] must be a finite number .*, got 1e\+101": lambda d: d["network"][
        "centres"
    ][1].__setitem__(0, 1e101),
    r"network\.logits\[0\]\[0\] must be one of 'in', 'if', 'then', 'out'": lambda d: d["network"][
        "logits"
    ][0].__setitem__(0, "maybe"),
    r"network\.logits must be words alone where inputs": lambda d: d["network"][
        "logits"
    ].__setitem__(0, ["if", 0.5, *d["network"]["logits"][0][2:]]),
    r"network\.combination must be one of 'mixed outputs', 'averaged": lambda d: d[
        "network"
    ].update(combination="sum"),
    r"rules\.rules\[0\] must count in points as scorecard says": lambda d: d.update(
        scorecard={"units": [0.5, 0.5], "steps": [1.0] * 5, "origins": [0.0] * 5}
    ),
    r"scorecard\.steps\[4\] must be a finite number above 0, got 0": lambda d: d.update(
        scorecard={"units": [0.5, 0.5], "steps": [1, 1, 1, 1, 0], "origins": [0.0] * 5}
    ),
    r"inputs\[0\]\.unit must be as in rules\.variables, 'years', got 'days'": lambda d: d["inputs"][
        0
    ].update(unit="days"),
    r"classes\.labels\[0\] must be of kind 'whole'": lambda d: d["classes"].update(kind="whole"),
    r"rules\.variables\[0\]\.decimals must be a whole number from 0": lambda d: d["rules"][
        "variables"
    ][0].update(decimals=-1),
    "rules must say the same as network": lambda d: d["network"]["thresholds"].__setitem__(0, 9.0),
    r"settings\.selection must be one of": lambda d: as_network(d, selection="hard"),
    r"settings\.learner must be one of": lambda d: as_network(d, learner="nope"),
    r"settings\.initialisation must be one of": lambda d: as_network(d, initialisation="x"),
    "settings: .*max_iter": lambda d: as_network(
        d, learner={"name": "gqlm", "parameters": {"max_iter": -1}}
    ),
    r"learned\.path\.chosen must be true for one": lambda d: d["learned"]["path"].update(
        chosen=[False] * len(d["learned"]["path"]["chosen"])
    ),
    r"held_out\.accuracy must be a finite number .*, got 5\.0": lambda d: d["held_out"].update(
        accuracy=5.0
    ),
    r"held_out\.seed must be a whole number": lambda d: d["held_out"].update(seed=-5),
    r"held_out\.fraction must be": lambda d: d["held_out"].update(fraction="x"),
    "checksum does not fit the other fields": lambda d: d.update(target="other"),
}


@pytest.mark.parametrize("message", NAMED)
def test_what_is_wrong_is_said(document, tmp_path, message):
    changed = copy.deepcopy(document)
    NAMED[message](changed)
    if message.startswith("settings"):  # whether a fit could have had them is asked last
        changed["checksum"] = document_checksum(changed)
    with pytest.raises(ModelFileError, match=message):
        unfis.load(write(tmp_path / "m.json", changed))


def test_a_field_twice_and_no_object(tmp_path):
    (tmp_path / "m.json").write_text('{"format": 1, "format": 2}')
    assert "'format' is there twice" in refused(tmp_path / "m.json")
    (tmp_path / "m.json").write_text("[1]")
    assert "must hold a JSON object, got list" in refused(tmp_path / "m.json")
    (tmp_path / "m.json").write_text("")
    assert "is not whole JSON" in refused(tmp_path / "m.json")


def test_no_file_is_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        unfis.load(tmp_path / "absent.json")


def test_a_whole_number_that_no_array_holds(document, tmp_path):
    for name in ("lowest", "highest"):
        changed = copy.deepcopy(document)
        changed["rules"]["variables"][0][name] = 2**70
        assert "checksum does not fit" in refused(write(tmp_path / "m.json", changed))
        changed["checksum"] = document_checksum(changed)
        assert len(unfis.load(write(tmp_path / "m.json", changed)).rules_) == 2


def test_a_field_is_repeated_in_part_only(document, tmp_path):
    long = "Z" * 100_000
    for path in [*places(document)][::3]:
        changed = copy.deepcopy(document)
        if path:
            parent_of(changed, path)[path[-1]] = long
        else:
            changed[long] = long
        assert len(refused(write(tmp_path / "m.json", changed))) < 400, path
    (tmp_path / "m.json").write_text(f'{{"{long}": 1, "{long}": 2}}')
    assert len(refused(tmp_path / "m.json")) < 400


def test_a_pipe_is_read_like_a_file(document, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(json.dumps(document)))
    writer.start()
    assert len(unfis.load(pipe).rules_) == 2
    writer.join(10)


def test_what_never_ends_is_read_up_to_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(model_text, "MOST_BYTES", 3_000_000)
    read = []
    opened = open

    class Counted:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

        def read(self, size):
            read.append(self.file.read(size))
            return read[-1]

    monkeypatch.setattr(
        model_text, "open", lambda *given, **how: Counted(opened(*given, **how)), raising=False
    )
    assert "has more than 3,000,000 bytes" in refused("/dev/zero")
    assert sum(map(len, read)) == 3_000_001
