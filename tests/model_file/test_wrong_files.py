"""Files that are wrong: refused by name, whatever is wrong with them, and in no time."""

import copy
import json
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_file.saved import SETTINGS, document_of, fitted, signed, table

from unfis import load
from unfis.export import export
from unfis.model_file import ModelFileError
from unfis.model_file.text import document_bytes, first_bytes


@pytest.fixture(scope="module", params=SETTINGS)
def any_document(request, tmp_path_factory):
    return document_of(fitted(request.param), tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return document_of(fitted("two"), tmp_path_factory.mktemp("model"))


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
    with pytest.raises(ModelFileError, match=r"m\.json") as caught:
        load(path)
    return str(caught.value)


@settings(max_examples=80, suppress_health_check=list(HealthCheck), deadline=None)
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
    of_others = ["checksum", "folds", "models", "found"]  # which then do not fit
    assert any(name in message for name in names + of_others), (path, message)


@settings(max_examples=80, suppress_health_check=list(HealthCheck), deadline=None)
@given(NUMBERS, JUNK)
def test_a_forged_checksum_loads_no_model_that_answers_nothing(
    any_document, tmp_path, number, junk
):
    X, _ = table()
    changed, path = copy.deepcopy(any_document), place_of(any_document, number)
    parent_of(changed, path)[path[-1]] = junk
    try:
        model = load(write(tmp_path / "m.json", signed(changed)))
    except ModelFileError:
        return
    assert model.rules_
    assert export(model.model_, "python")
    assert model.at(1).rules_
    values = np.where(np.isnan(X.select_dtypes(float).to_numpy()), 0.0, 1.0)
    rows = np.column_stack([30 * values, np.zeros((len(X), 2))])
    assert np.isfinite(model.model_.predictions(rows)).all()


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
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
        damaged = text.replace('"rows": 240', '"rows": NaN').encode()
    else:
        damaged = text.replace('"rows": 240', '"rows": ' + "[" * (place + 2000), 1).encode()
    (tmp_path / "m.json").write_bytes(damaged)
    assert "m.json cannot be read: " in refused(tmp_path / "m.json")


def first_rule(condition=None, **others):
    """A change of the first rule: another condition on its first input, or other fields."""

    def change(document):
        rule = document["rules"][0]
        rule |= others
        if condition is not None:
            rule["if"][next(iter(rule["if"]))] = condition

    return change


def change(*path, to):
    def changed(document):
        parent_of(document, path)[path[-1]] = to

    return changed


WARD = r"rules\[0\]\.if\['ward'\]"
AGE = r"rules\[0\]\.if\['age \(years\)'\]"


def age(**condition):
    names = {name.replace("_", " "): value for name, value in condition.items()}
    return first_rule(**{"if": {"age (years)": names}})


def same_names(document):
    document["columns"][1] = document["inputs"][1]["name"] = "age (years)"


NAMED = {
    "format must be 'unfis rules'; got 'else'": change("format", to="else"),
    "version is 2, and this unfis reads 1": change("version", to=2),
    "version is '1', and this unfis reads 1": change("version", to="1"),
    "classes must suit the task, regression; got 2": change("task", to="regression"),
    "link must be 'logistic' of 2 classes": change("link", to="exp"),
    "the data has 'more', which is not known": change("more", to=1),
    r"rules\[0\] has 'codes', which is not known": first_rule(codes=1),
    r"classes\.labels\[0\] must be of kind 'whole'": change("classes", "kind", to="whole"),
    r"classes\.labels must be in order": change("classes", "labels", to=["yes", "no"]),
    r"the model\.start must be a list of 1": change("start", to=[0, 0]),
    r"start\[0\] must be a finite number .* got 1e\+201": change("start", to=[1e201]),
    "unit must be a finite number above 0": change("unit", to=0),
    "rules, start and unit must be as in models, of path": first_rule(points=3),
    r"rules\[0\]\.points must be a finite number": first_rule(points=None),
    rf"{WARD}\.is\[0\] must be one of the categories": first_rule({"is": ["moon"]}),
    rf"{WARD}\.is must be a list": first_rule({"is": "east"}),
    rf"{WARD}\.is must name categories once": first_rule({"is": ["größe", "east"]}),
    rf"{WARD}\.unknown must be .* at most 1": first_rule({"is": ["east"], "unknown": 2}),
    rf"{WARD} must have 'is': it is about a category": first_rule({"from": 2}),
    rf"{WARD} must be a dict with some of .* got 7": first_rule(7),
    rf"{WARD} must be a dict with some of .* got {{'above all': 7}}": first_rule({"above all": 7}),
    r"rules\[0\]\.if names 'moon', which is none of the inputs": first_rule(**{"if": {"moon": {}}}),
    r"rules\[0\]\.then must be one of the classes": first_rule(then="no"),
    rf"{AGE} must have rising borders": age(above=9, fully_from=5),
    rf"{AGE} must have 'from', or 'above' and 'fully from'": age(above=9),
    rf"{AGE} must have 'is' alone, and of no number": age(**{"is": [1]}),
    rf"{AGE}\['from'\] must be a finite number .* got 1e\+301": age(**{"from": 1e301}),
    rf"{AGE} must be known: 1, or known: 0": age(known=0),
    r"inputs\[0\]\.scale must be a finite number above 0": change("inputs", 0, "scale", to=0),
    r"inputs\[0\]\.categories must be those of a number": change("inputs", 0, "categories", to=[1]),
    "inputs must have a name each": same_names,
    r"inputs must be a list of at least 1": change("inputs", to=[]),
    "columns must be the names of the inputs": change("columns", 0, to="dose"),
    "costs must be a table of 2 rows": change("costs", to=[[0]]),
    r"constraints names 'x', which is none of the inputs": change(
        "constraints", "signs", to={"x": 1}
    ),
    r"settings\.points must be one of 'whole'": change("settings", "points", to="half"),
    r"settings must be the parameters of UNFIS": change("settings", to={"points": "whole"}),
    r"settings\['costs'\] must be a list of at least 1": change(
        "settings", "costs", to={"a": {"pairs": [[[], 1]]}}
    ),
    "length must be below": change("length", to=99),
    "folds must be a list of at most 100 lists": change("folds", to=[[]] * 101),
    "as many models": change("folds", 0, to=[]),
    r"path\[0\] must be a whole number from 0": change("path", 0, to=-1),
    r"path must name models by their places": change("path", 0, to=10**6),
    r"models\[1\]\.rules\[0\] must be a whole number from": change(
        "models", 1, "rules", 0, 0, to=999
    ),
    r"models\[1\]\.rules\[0\] must be a list of at": change("models", 1, "rules", 0, to=[]),
    r"models\[1\]\.rules\[0\] found must be": change("models", 1, "rules", 0, 2, to=6),
    "fixed must be places of rules": change("fixed", to=[5]),
    r"origin\.rows must be a whole number from 1": change("origin", "rows", to=0),
    r"calibration\.scores\[0\] must be a list": change("calibration", "scores", 0, to=1),
    "calibration must have as many weights": change("calibration", "weights", 0, to=[]),
    "calibration must have rising": change("calibration", "borders", to=[2, 1]),
    "calibration must have scores and weights of 2": change("calibration", "scores", to=[]),
    "estimate must have .* numbers": change("estimate", "numbers", to=[]),
    r"estimate\.precision must be symmetric": change("estimate", "precision", 0, 1, to=1e9),
    "checksum does not fit the other fields": change("target", "column", to="other"),
}  # fmt: skip


@pytest.mark.parametrize("message", NAMED)
def test_what_is_wrong_is_said(document, tmp_path, message):
    changed = copy.deepcopy(document)
    NAMED[message](changed)
    changed = changed if message.startswith("checksum") else signed(changed)
    with pytest.raises(ModelFileError, match=r"m\.json cannot be read: .*" + message):
        load(write(tmp_path / "m.json", changed))


def test_what_is_no_document(tmp_path):
    for text, words in (
        ('{"format": 1, "format": 2}', "'format' is there twice"),
        ("[1]", "must hold a JSON object; got list"),
        ("", "is not whole JSON"),
        ('{"rows": ' + "1" * 5_000 + "}", "digits"),
    ):
        (tmp_path / "m.json").write_text(text)
        assert words in refused(tmp_path / "m.json")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "absent.json")


def test_a_field_is_repeated_in_part_only(document, tmp_path):
    long = "Z" * 100_000
    for path in [*places(document)][::40]:
        changed = copy.deepcopy(document)
        if path:
            parent_of(changed, path)[path[-1]] = long
        else:
            changed[long] = long
        assert len(refused(write(tmp_path / "m.json", changed))) < 400, path


def huge(document, **changed):
    return json.dumps(signed(document | changed))


def test_huge_files_are_read_or_refused_soon(document, tmp_path):
    """Far longer than these take, and far shorter than their square."""
    keys = ", ".join(f'"k{n}": 1' for n in range(100_000))
    numbers = {"kind": "number", "categories": [], "whole": False, "pair": None, "offset": 0,
               "scale": 1, "low": None, "high": None, "missing": False}  # fmt: skip
    inputs = document["inputs"] + [numbers | {"name": f"x{n}"} for n in range(20_000)]
    rules = [{"if": {"ward": {"is": ["east"]}}, "then": "yes", "evidence": None}] * 20_000
    texts = (
        "{" + keys + ', "k99999": 2}',
        huge(document, inputs=inputs, columns=None),
        huge(document, **{"more rules": document["more rules"] + rules}),
        huge(document, folds=[[]] * 100_000),
        huge(document, path=[0] * 100_000),
        "[" * 5_000_000,
    )
    for text in texts:
        (tmp_path / "m.json").write_text(text)
        begin = time.process_time()
        try:
            load(tmp_path / "m.json")
        except ModelFileError as error:
            assert len(str(error)) < 400  # noqa: PT017
        assert time.process_time() - begin < 15


def test_what_never_ends_is_read_up_to_a_bound(document):
    with pytest.raises(ModelFileError, match="more than 3,000,000 bytes"):
        first_bytes("/dev/zero", 3_000_000)
    with pytest.raises(ModelFileError, match="may have 1,000 bytes, and this one would have"):
        document_bytes(document, 1_000)
