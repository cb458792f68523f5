"""unfis predict says where it does not know, and is not silent where it cannot."""

import io
import json

import pandas as pd
import pytest
from calling import call, clinic, done, refused

from unfis.additive import load


@pytest.fixture(scope="module")
def strange():
    frame = clinic(30, seed=5)
    frame.loc[[6, 11], "dose"] = 1e9
    return frame


@pytest.fixture(scope="module")
def inputs(strange):
    X = strange[["age", "dose", "ward", "smoker"]]
    return X.assign(smoker=strange["smoker"] == "yes")


def test_rows_unlike_any_are_counted_in_a_note(model, strange):
    result = call("predict", model, "-", input=strange.to_csv(index=False).encode())
    assert result.returncode == 0
    words = result.stderr.decode()
    assert words.startswith(
        "2 rows have values unlike training's, the first is row 7: do not rely on their answers."
    )
    assert "--abstain" in words
    one = strange.drop(index=11).to_csv(index=False).encode()
    result = call("predict", model, "-", "--json", input=one)
    assert result.stderr.decode().startswith("Row 7 has a value unlike training's: ")


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_columns_of_doubt(tmp_path, model, strange, inputs, ending):
    path, out = tmp_path / "in.csv", tmp_path / f"out.{ending}"
    strange.to_csv(path, index=False)
    options = ("--coverage", "--set", "--abstain", "--confidence", 0.8)
    result = call("predict", model, path, "-o", out, *options)
    assert (result.returncode, result.stderr) == (0, b"")
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "xlsx": pd.read_excel}[ending]
    found, clf = read(out), load(model)
    assert list(found.columns[-4:]) == ["prediction", "coverage", "set", "why"]
    answers = ["don't know" if one is None else one for one in clf.abstain(inputs, 0.8)]
    assert found["prediction"].tolist() == answers
    assert found["why"].fillna("").tolist() == clf.caveats(inputs, 0.8).tolist()
    assert found["coverage"].tolist() == pytest.approx(clf.coverage(inputs), abs=1e-6)
    names = [" or ".join(clf.classes_[row]) or "none" for row in clf.predict_set(inputs, 0.8)]
    assert found["set"].tolist() == names


def test_why_leaves_the_answer(model, strange, inputs):
    text = done("predict", model, "-", "--why", input=strange.to_csv(index=False).encode())
    found, clf = pd.read_csv(io.StringIO(text), keep_default_na=False), load(model)
    last = found[["prediction", "why"]].to_numpy().tolist()
    assert [answer for answer, _ in last] == clf.predict(inputs).tolist()
    assert last[6][1] == clf.caveats(inputs)[6] != ""


def test_the_same_as_json(model, strange, inputs):
    options = ("--json", "--abstain", "--set", "--coverage")
    lines = done("predict", model, "-", *options, input=strange.to_csv(index=False).encode())
    told, clf = [json.loads(line) for line in lines.splitlines()], load(model)
    assert [one["prediction"] for one in told] == clf.abstain(inputs).tolist()
    assert [one["set"] for one in told] == [
        clf.classes_[row].tolist() for row in clf.predict_set(inputs)
    ]
    assert told[6]["coverage"] < 1
    assert told[6]["why"].startswith("dose is 1,000,000,000; training had ")


def test_a_wrong_confidence_and_a_model_that_cannot_tell(tmp_path, model, table):
    words = refused("predict", model, table, "--set", "--confidence", 1.2, code=2)
    assert "--confidence must be a number above 0 and below 1, got 1.2" in words
    path = tmp_path / "m.json"
    load(model).at(0).save(path)
    words = refused("predict", path, table, "--set")
    assert "There are no answers to rows that were held out" in words


@pytest.fixture(scope="module")
def doses(tmp_path_factory):
    """A model of a number, and its table."""
    place = tmp_path_factory.mktemp("doses")
    frame = clinic(300)[["age", "ward", "smoker", "dose"]]
    frame.assign(dose=frame["dose"] + frame["age"] / 10).to_csv(place / "t.csv", index=False)
    done("fit", "t.csv", "-t", "dose", "-o", "m.json", cwd=place)
    return place


def test_a_number_has_an_interval(doses):
    text = done("predict", "m.json", "t.csv", "--interval", "--why", "--explain", cwd=doses)
    found = pd.read_csv(io.StringIO(text))
    added = ["prediction", "prediction from", "prediction to", "why", "explanation"]
    assert list(found.columns[-5:]) == added
    inputs = found[["age", "ward"]].assign(smoker=found["smoker"] == "yes")
    reg = load(doses / "m.json")
    assert found["prediction"].tolist() == pytest.approx(reg.predict(inputs), rel=1e-8)
    ends = found[["prediction from", "prediction to"]].to_numpy()
    assert ends == pytest.approx(reg.predict_interval(inputs), rel=1e-8)
    inside = (ends[:, 0] <= found["dose"]) & (found["dose"] <= ends[:, 1])
    assert inside.mean() > 0.9
    lines = done("predict", "m.json", "t.csv", "--set", "--json", cwd=doses).splitlines()
    told = json.loads(lines[0])
    assert told["prediction"] == pytest.approx(reg.predict(inputs)[0])
    assert told["interval"] == pytest.approx(reg.predict_interval(inputs)[0].tolist())
    assert "probabilities" not in told


def test_a_number_far_from_training_is_not_relied_on(doses):
    rows = b"age,ward,smoker\n1000,Nord,yes\n40,West,no\n"
    found = pd.read_csv(
        io.StringIO(done("predict", "m.json", "-", "--abstain", input=rows, cwd=doses))
    )
    assert found["prediction"][0] == "don't know"
    assert found["why"][0].startswith("age is 1000; training had ")
    assert float(found["prediction"][1]) > 0


def test_a_number_has_no_probabilities(doses):
    words = refused("predict", "m.json", "t.csv", "--proba", code=2, cwd=doses)
    assert "--proba is for classes, and this model predicts a number" in words
    words = refused("evaluate", "m.json", "t.csv", "--cost", "ill=3", code=2, cwd=doses)
    assert "--cost is for classes" in words


def test_a_number_is_explained_and_measured(doses):
    told = done("explain", "m.json", "t.csv", "--row", 2, cwd=doses)
    assert told.startswith("Row 2 (t.csv, line 3), which is ")
    assert "\ndose: " in told
    plain = json.loads(done("evaluate", "m.json", "t.csv", "-g", "ward", "--json", cwd=doses))
    kept = load(doses / "m.json").model_.origin.held_out
    for name in ("rows", "rmse", "mae_low", "r2_high"):
        assert plain[name] == pytest.approx(kept[name])
    assert {one["group"] for one in plain["groups"]["ward"]["groups"]} == {"Nord", "Süd", "West"}
    assert "By ward:" in done("evaluate", "m.json", "t.csv", "-g", "ward", cwd=doses)
