import copy
import json
import pickle
from dataclasses import replace
from importlib.metadata import PackageNotFoundError

import numpy as np
import pandas as pd
import pytest
import sklearn
from networks import RuleNetwork, classifier, load
from rule_tables import AVERAGED_KINDS, averaged, fitted, names_of_sets, settings, table_of

import unfis
from unfis import GqLM, UNFISClassifier
from unfis.model_file import ModelFileError
from unfis.rules import Scorecard


@pytest.fixture(scope="module")
def model():
    X, y = table_of("clinic")
    return UNFISClassifier(2, ridge=0.3, consequents="constant").fit(X, y), X, y


@pytest.mark.parametrize("name", names_of_sets())
def test_a_model_read_back_is_the_same_and_gives_the_same_bytes(tmp_path, name):
    for kind in settings():
        model, X, _ = fitted(name, kind)
        path = tmp_path / f"{kind}.json"
        model.save(path, target="answer", held_out={"accuracy": np.float64(0.5), "rows": 12})
        again = load(path)
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        assert again.classes_.dtype == model.classes_.dtype
        assert again.rules_ == model.rules_
        assert again.get_params() == model.get_params()
        np.testing.assert_array_equal(again.selected_, model.selected_)
        np.testing.assert_array_equal(again.coverage(X), model.coverage(X))
        assert again.origin_.target == "answer"
        assert again.origin_.held_out == {"accuracy": 0.5, "rows": 12}
        again.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("consequents", ["linear", "constant"])
@pytest.mark.parametrize("selection", ["none", "soft", "decisive"])
def test_models_of_several_classes_and_kinds_go_on_where_they_were_read(
    tmp_path, selection, consequents
):
    """Rules that add nothing for a class were read as rules that must not, and could not learn."""
    generator = np.random.default_rng(0)
    kinds, x = generator.integers(0, 8, 300), generator.normal(size=300)
    says = np.stack([2 * (kinds == 1) + x, 2 * (kinds == 2) - x, x**2, 0 * x])
    answers = (says + generator.gumbel(size=says.shape)).argmax(axis=0)
    table = pd.DataFrame({"kind": pd.Categorical.from_codes(kinds, list("abcdefgh")), "x": x})
    made = classifier(2, selection=selection, consequents=consequents, ridge=0.3)
    made.fit(table, answers).save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert again.model_.parts == made.model_.parts
    again.partial_fit(table, answers)
    assert again.score(table, answers) > made.score(table, answers) - 0.05


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_averaged_models_are_read_back_the_same(tmp_path, model, kind):
    clf, X, _ = model
    made = averaged(clf, *AVERAGED_KINDS[kind])
    steps, origins = (10.0, 1.0, 1.0, 5.0, 1.0), (40.0, 0.0, 0.0, 120.0, 0.0)
    card = Scorecard((0.5,) * len(made.rules_), steps, origins)
    counted = copy.copy(made)
    counted.model_ = replace(made.model_, scorecard=card)
    for some in (made, counted):
        some.save(tmp_path / "m.json")
        again = load(tmp_path / "m.json")
        np.testing.assert_array_equal(again.predict_proba(X), some.predict_proba(X))
        assert again.rules_ == some.rules_
        assert again.model_.scorecard == some.model_.scorecard
        np.testing.assert_array_equal(again.model_.in_condition, some.model_.in_condition)
        np.testing.assert_array_equal(again.model_.in_consequent, some.model_.in_consequent)
        found, saved = (one.model_.network.selection for one in (again, some))
        assert (found.in_classes == saved.in_classes).all()
        again.save(tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False]),
        np.array([3, -7]),
        np.array([1.0, 2.0]),
        np.array(["b", "a"]),
        np.array(["b", "a"], dtype=object),
    ],
)
def test_labels_keep_their_kind(tmp_path, labels):
    X = np.arange(40.0).reshape(20, 2)
    y = labels[np.arange(20) % 2]
    model = UNFISClassifier(1, ridge=1.0).fit(X, y)
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert not hasattr(again, "feature_names_in_")


def test_two_fits_of_the_same_data_give_the_same_file(tmp_path, model):
    _, X, y = model
    for name in ("a", "b"):
        UNFISClassifier(2).fit(X, y).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_settings_of_every_kind_are_kept(tmp_path, model):
    _, X, y = model
    columns = X.columns.get_indexer(["ward", "sex"])
    made = RuleNetwork(
        2,
        selection="soft",
        learner=GqLM(max_iter=3),
        ridge=0.5,
        class_weight={"ill": 2.0, "well": 1.0},
        categorical_features=columns,
        random_state=np.int64(4),
    )
    made.fit(X, y).save(tmp_path / "m.json")
    again = load(tmp_path / "m.json").get_params()
    assert again["class_weight"] == {"ill": 2.0, "well": 1.0}
    assert again["categorical_features"] == columns.tolist()
    assert (again["random_state"], again["learner__max_iter"]) == (4, 3)
    assert type(again["learner"]) is GqLM


def test_it_keeps_no_training_row(tmp_path, model):
    clf, X, _ = model
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    explained = again.explain(X[:2])
    assert explained[0].neighbours == ()
    assert "training rows" not in explained[0].to_text().split("\n\n")[-1]
    assert explained[0].inputs == clf.explain(X[:2])[0].inputs


def test_it_knows_the_rows_it_learned_from(tmp_path, model):
    clf, X, y = model
    clf.save(tmp_path / "m.json")
    for some in (clf, load(tmp_path / "m.json")):
        assert some.learned_from(X, y)
        assert not some.learned_from(X[:-1], y[:-1])
        assert not some.learned_from(X, np.roll(y, 1))
        assert not some.learned_from(X, np.full(len(X), "dead"))


def test_a_model_read_back_can_be_edited_and_learn_on(tmp_path, model):
    clf, X, y = model
    edited = clf.edit(centres={(1, "age (years)"): 44.0})
    edited.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    with pytest.raises(ValueError, match="A model file keeps no training rows"):
        again.edit(forbid=["ward"])
    refitted = again.edit(forbid=["ward"], refit=True, X=X, y=y)
    assert refitted.rules_.rules[0].conditions[0].centre == pytest.approx(44.0)
    assert "ward" not in {c.input for rule in refitted.rules_ for c in rule.conditions}
    went_on = copy.deepcopy(again).partial_fit(X[:50], y[:50])
    assert went_on.origin_.rows == len(X) + 50
    assert len(went_on.rules_) == 2


@pytest.mark.parametrize("kind", settings())
def test_models_of_every_kind_go_on_learning(tmp_path, model, kind):
    _, X, y = model
    settings()[kind].fit(X, y).save(tmp_path / "m.json")
    again = load(tmp_path / "m.json").partial_fit(X[:60], y[:60])
    assert np.isfinite(again.predict_proba(X)).all()
    assert again.score(X, y) > 0.8


def test_what_a_user_keeps_beside_a_model_is_checked(tmp_path, model):
    with pytest.raises(ValueError, match=r"held_out\.rows must be a whole number"):
        model[0].save(tmp_path / "m.json", held_out={"rows": "many"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (
            lambda model: model.model_.path["cv_accuracy"].__setitem__(0, 1.0000000000000004),
            r"learned\.path\.cv_accuracy\[0\] must be a finite number at least 0 and at most 1",
        ),
        (lambda model: model.set_params(ridge=-1.0), "settings: ridge must be"),
        (lambda model: model.parameters_.thresholds.__setitem__(0, np.inf), r"network\.thresholds"),
        (lambda model: model.parameters_.thresholds.__setitem__(0, 9.0), "the same as network"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, model, spoil, words):
    clf, X, y = model
    path = tmp_path / "m.json"
    clf.save(path)
    before = path.read_bytes()
    spoiled = UNFISClassifier(2).fit(X, y)
    assert spoiled.rules_  # told before it was spoiled
    spoil(spoiled)
    with pytest.raises(ModelFileError, match=r"m\.json was not written, .* back: .*" + words):
        spoiled.save(path)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["m.json"]


def test_a_model_too_large_for_a_file_is_not_written(tmp_path, model, monkeypatch):
    monkeypatch.setattr("unfis.model_file.text.MOST_BYTES", 1000)
    with pytest.raises(ModelFileError, match=r"was not written: .* 1,000 bytes"):
        model[0].save(tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


def test_other_points_of_the_path_are_not_in_the_file(tmp_path, model):
    _, X, y = model
    clf = UNFISClassifier().fit(X, y)
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    for name in ("rules", "parts", "conditions", "chosen"):
        assert again.path_[name] == clf.path_[name]
    chosen = clf.choices_["parts"]
    assert again.at(chosen).choices_["parts"] == chosen
    with pytest.raises(ValueError, match="keeps the chosen model alone"):
        again.at(min(clf.path_["parts"]))


def test_names_that_are_no_text_and_intervals(tmp_path):
    ages = pd.Series(np.arange(60.0))
    table = pd.DataFrame({0: pd.cut(ages, 3), 1: np.sin(ages)})
    clf = RuleNetwork(2, selection="soft", ridge=0.15).fit(table, np.array([True, False] * 30))
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_proba(table), clf.predict_proba(table))


def test_labels_and_learners_that_a_file_cannot_hold(tmp_path, model):
    class OwnLearner(unfis.TrustRegion):
        pass

    clf, X, y = model
    own = RuleNetwork(2, ridge=0.3, learner=OwnLearner()).fit(X, y)
    with pytest.raises(ValueError, match=r"can name the learners .*, got OwnLearner"):
        own.save(tmp_path / "m.json")
    days = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    dated = pickle.loads(pickle.dumps(clf))
    dated.model_ = replace(clf.model_, columns=replace(clf.model_.columns, classes=days))
    with pytest.raises(ValueError, match="must be text, numbers or truth values"):
        dated.save(tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


def test_a_model_is_saved_by_packages_that_were_not_installed(tmp_path, model, monkeypatch):
    """As from a folder on the path, where nothing is known of them but what their modules say."""

    def none(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", none)
    model[0].save(tmp_path / "m.json")
    versions = load(tmp_path / "m.json").origin_.versions
    assert versions["unfis"] == unfis.__version__
    assert versions["numpy"] == np.__version__
    assert versions["scikit-learn"] == sklearn.__version__


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        UNFISClassifier().save(tmp_path / "m.json")


def test_the_file_is_plain_json(tmp_path, model):
    clf, X, _ = model
    clf.save(tmp_path / "m.json")
    data = json.loads((tmp_path / "m.json").read_text())
    assert (data["format"], data["version"]) == ("unfis model", 1)
    assert (data["settings"]["points"], data["settings"]["max_rules"]) == ("auto", None)
    rules = unfis.RuleBase.from_dict(data["rules"])
    np.testing.assert_allclose(rules.predict_proba(X), clf.predict_proba(X), atol=1e-12)
