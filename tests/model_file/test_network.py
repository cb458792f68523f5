"""Files of networks: what comes back is what was saved, and wrong files are refused by name."""

import copy
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_file.saved import document_of, signed, table

from unfis import GqLM, Momentum, TrustRegion, UNFISNetworkClassifier, load
from unfis.learning.loop import Learner
from unfis.model_file import ModelFileError, read_model

KINDS = {
    "default": ({}, "three"),
    "no selection": ({"selection": "none", "n_rules": 3, "ridge": 0.3}, "two"),
    "constant": ({"consequents": "constant", "ridge": 1.0}, "three"),
    "raw": ({"scale": False, "n_rules": 2, "ridge": 1.0}, "two"),
    "one rule": ({"n_rules": 1, "class_weight": {"yes": 2.0, "no": 1.0}}, "two"),
    "learner": ({"n_rules": 2, "ridge": 0.3, "learner": TrustRegion(damping=2.0)}, "three"),
    "seeded": ({"initialisation": "knn", "random_state": np.int64(3), "max_rules": 2}, "two"),
    "early": ({"early_stopping": True, "random_state": np.random.RandomState(0)}, "two"),
}


def fitted(kind):
    parameters, target = KINDS[kind]
    X, targets = table()
    return UNFISNetworkClassifier(**parameters).fit(X, targets[target])


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return document_of(fitted("default"), tmp_path_factory.mktemp("network"))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_saved_comes_back(kind, tmp_path):
    X, _ = table()
    net = fitted(kind)
    net.save(tmp_path / "net.json", target="ill", held_out={"accuracy": 0.8})
    again = load(tmp_path / "net.json")
    assert type(again) is UNFISNetworkClassifier
    np.testing.assert_array_equal(again.predict_proba(X), net.predict_proba(X))
    np.testing.assert_array_equal(again.classes_, net.classes_)
    assert again.classes_.dtype == net.classes_.dtype
    assert str(again.rules_) == str(net.rules_)
    np.testing.assert_array_equal(again.rules_.ends, net.rules_.ends)
    assert again.choices_ == net.choices_
    assert (again.n_iter_, again.converged_) == (net.n_iter_, net.converged_)
    assert again.origin_.fingerprint == net.origin_.fingerprint
    assert (again.origin_.target, again.origin_.held_out) == ("ill", {"accuracy": 0.8})
    kept = ("selection", "consequents", "ridge", "n_rules", "scale", "class_weight")
    assert {n: again.get_params()[n] for n in kept} == {n: net.get_params()[n] for n in kept}
    assert str(again.learner) == str(net.learner)
    assert list(again.feature_names_in_) == list(X.columns)


@pytest.mark.parametrize("kind", ["default", "no selection"])
def test_what_comes_back_goes_on_learning_as_what_was_saved(kind, tmp_path):
    """But for the curvature of the rows so far, of which a file says nothing."""
    X, targets = table()
    net, y = fitted(kind), targets[KINDS[kind][1]]
    net.save(tmp_path / "net.json")
    again = load(tmp_path / "net.json")
    for one in (net, again):
        one.set_params(warm_start=True).fit(X[:150], y[:150])
    np.testing.assert_array_equal(again.predict_proba(X), net.predict_proba(X))
    again.partial_fit(X, y)
    assert np.isfinite(again.predict_proba(X)).all()


def test_the_same_network_gives_the_same_bytes_and_no_row_of_the_table(tmp_path):
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for path in files:
        fitted("default").save(path)
    assert files[0].read_bytes() == files[1].read_bytes()
    lines = files[0].read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('  {"centres"') for line in lines) == 2 * len(
        fitted("default").rules_
    )


def test_a_file_has_the_shape_that_was_fitted_and_the_other_parameters_of_now(tmp_path):
    net = fitted("default").set_params(n_rules=7, ridge=3.0, learner=GqLM(damping=5.0))
    net.save(tmp_path / "net.json")
    again = load(tmp_path / "net.json")
    assert (again.n_rules, again.ridge, again.learner.damping) == ("auto", 3.0, 5.0)


def test_a_learner_that_no_file_can_name_is_refused(tmp_path):
    class Own(Momentum):
        """Another one."""

    net = fitted("default").set_params(learner=Own())
    with pytest.raises(ModelFileError, match=r"net\.json was not written: settings\.learner must"):
        net.save(tmp_path / "net.json")
    assert not (tmp_path / "net.json").exists()
    assert isinstance(net.learner, Learner)


def test_what_takes_rules_alone_says_so(document, tmp_path):
    path = tmp_path / "net.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"net\.json has the network of .*takes rules alone"):
        read_model(path)


def refused(document, tmp_path):
    """The message by which a document is refused."""
    path = tmp_path / "net.json"
    path.write_text(json.dumps(signed(document)), encoding="utf-8")
    with pytest.raises(ModelFileError) as error:
        load(path)
    return str(error.value)


WRONG = {
    "version must be one of 1": lambda d: d.update(version=2),
    "lacks 'thresholds'": lambda d: d.pop("thresholds"),
    "has 'code', which is not known": lambda d: d.update(code="x"),
    "rules[0].centres must be a list of 6": lambda d: d["rules"][0]["centres"].pop(),
    "rules[0].consequents[0] must be a list of 7": lambda d: d["rules"][0]["consequents"][0].pop(),
    "rules[0].logits must be a list": lambda d: d["rules"][0].update(logits=None),
    "rules[0].widths[0] must be a finite number": lambda d: d["rules"][0].update(
        widths=[1e200] * 6
    ),
    "start[0].widths[0] must be": lambda d: d["start"][0].update(widths=[-1.0] * 6),
    "start must be a list of": lambda d: d["start"].pop(),
    "thresholds must be a list of 3": lambda d: d["thresholds"].pop(),
    "choices['ridge'] must be": lambda d: d["choices"].pop("ridge"),
    "choices['n_rules'] must be": lambda d: d["choices"].update(n_rules=9),
    "settings.selection must be one of 'soft'": lambda d: d["settings"].update(selection="hard"),
    "settings must be the parameters of": lambda d: d["settings"].update(more=1),
    "n_rules must be a whole number above 0": lambda d: d["settings"].update(n_rules=-1),
    "settings.learner must be one of": lambda d: d["settings"].update(learner="adam"),
    "settings.learner must have the parameters of GqLM": lambda d: d["settings"].update(
        learner={"name": "gqlm", "parameters": {}}
    ),
    "classes.labels must be in order": lambda d: d["classes"]["labels"].reverse(),
    "inputs[3].categories must be those of": lambda d: d["inputs"][3].update(categories=["a", "a"]),
    "inputs[0].scale must be a finite number above 0": lambda d: d["inputs"][0].update(scale=0),
    "rules must be finite in the units": lambda d: (
        d["inputs"][0].update(scale=1e-300),
        d["rules"][0]["consequents"][0].__setitem__(1, 1e50),
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_named(message, document, tmp_path):
    wrong = copy.deepcopy(document)
    WRONG[message](wrong)
    told = refused(wrong, tmp_path)
    assert message in told
    assert told.startswith(str(tmp_path / "net.json"))


def test_what_was_changed_by_hand_is_refused(document, tmp_path):
    path = tmp_path / "net.json"
    changed = copy.deepcopy(document)
    changed["thresholds"][0] += 0.5
    path.write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(ModelFileError, match="checksum does not fit"):
        load(path)


def places(value, way=()):
    """The way to every value inside plain data."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(child, (*way, key))


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([1e308, -1e308, 1e-308, 10**400, -1, 2**70, "", "x", [], {}, [[]]]),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 999_999), JUNK)
def test_whatever_is_in_a_field_a_file_is_refused_or_predicts(document, tmp_path, place, junk):
    wrong = copy.deepcopy(document)
    ways = list(places(wrong))
    *way, last = ways[place * len(ways) // 1_000_000]
    parent = wrong
    for key in way:
        parent = parent[key]
    parent[last] = junk
    path = tmp_path / "net.json"
    path.write_text(json.dumps(signed(wrong)), encoding="utf-8")
    try:
        net = load(path)
    except ModelFileError:
        return
    X, _ = table()
    if list(getattr(net, "feature_names_in_", ())) == list(X.columns):
        try:
            found = net.predict_proba(X)
        except ValueError:  # the table is no longer read as it was
            return
        assert np.isfinite(found).all()
        assert str(net.rules_)
