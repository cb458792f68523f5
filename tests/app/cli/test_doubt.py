"""unfis predict says where it does not know, and is not silent where it cannot."""

import json

import pandas as pd
import pytest
from calling import call, clinic, done, refused

from unfis import load
from unfis.model_file.text import read_document, write_document


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
        "2 rows are unlike anything learned from, the first is row 7: their answers are guesses."
    )
    assert "--abstain" in words
    one = strange.drop(index=11).to_csv(index=False).encode()
    result = call("predict", model, "-", "--json", input=one)
    assert result.stderr.decode().startswith("Row 7 is unlike anything learned from: its answer")


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
    assert found["why"].fillna("").tolist() == clf.doubts(inputs, 0.8).tolist()
    assert found["coverage"].tolist() == pytest.approx(clf.coverage(inputs), abs=1e-6)
    names = [" or ".join(clf.classes_[row]) or "none" for row in clf.predict_set(inputs, 0.8)]
    assert found["set"].tolist() == names


def test_why_leaves_the_answer(model, strange, inputs):
    text = done("predict", model, "-", "--why", input=strange.to_csv(index=False).encode())
    last = [line.rsplit(",", 2)[1:] for line in text.splitlines()[1:]]
    clf = load(model)
    assert [answer for answer, _ in last] == clf.predict(inputs).tolist()
    assert last[6][1] == "unlike anything learned from"


def test_the_same_as_json(model, strange, inputs):
    options = ("--json", "--abstain", "--set", "--coverage")
    lines = done("predict", model, "-", *options, input=strange.to_csv(index=False).encode())
    told, clf = [json.loads(line) for line in lines.splitlines()], load(model)
    assert [one["prediction"] for one in told] == clf.abstain(inputs).tolist()
    assert [one["set"] for one in told] == [
        clf.classes_[row].tolist() for row in clf.predict_set(inputs)
    ]
    assert told[6]["coverage"] == 0
    assert told[6]["why"] == "unlike anything learned from"


def test_a_wrong_confidence_and_a_model_that_cannot_tell(tmp_path, model, table):
    words = refused("predict", model, table, "--set", "--confidence", 1.2, code=2)
    assert "--confidence must be a number above 0 and below 1, got 1.2" in words
    document = read_document(model) | {"held_out_answers": None}
    write_document(tmp_path / "m.json", document)
    assert "no answers to rows held out" in refused("predict", tmp_path / "m.json", table, "--set")
