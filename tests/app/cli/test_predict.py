"""unfis predict: the same rows, whatever the file, with predictions beside them."""

import io
import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from calling import COMMAND, call, clinic, done, refused

from unfis.additive import UNFISClassifier, load


def frame_of(text, **style):
    return pd.read_csv(io.StringIO(text), keep_default_na=False, dtype=str, **style)


def expected(model, frame):
    X = frame[["age", "dose", "ward", "smoker"]].assign(smoker=frame["smoker"] == "yes")
    return load(model).predict_proba(X)


def test_cells_stay_as_they_are(tmp_path, model, table):
    lines = table.read_text(encoding="utf-8").splitlines()
    odd = tmp_path / "odd.csv"
    quoted = [line.replace("West", '"West"') for line in lines]
    odd.write_text("\n".join(quoted), encoding="utf-8")
    out = tmp_path / "out.csv"
    assert done("predict", model, odd, "-o", out) == ""
    after = out.read_text(encoding="utf-8").splitlines()
    assert after[0] == lines[0] + ",prediction"
    assert [line.rsplit(",", 1)[0] for line in after] == lines
    labels = load(model).classes_[expected(model, clinic()).argmax(axis=1)]
    assert [line.rsplit(",", 1)[1] for line in after[1:]] == labels.tolist()


def test_probabilities_in_the_style_of_the_table(tmp_path, model):
    path = tmp_path / "table.csv"
    clinic(seed=1).to_csv(
        path, sep=";", decimal=",", index=False, encoding="cp1252", lineterminator="\r\n"
    )
    out = tmp_path / "out.csv"
    done("predict", model, path, "--proba", "-o", out)
    text = out.read_bytes().decode("cp1252")
    assert text.count("\r\n") == text.count("\n") == 91
    found = pd.read_csv(io.StringIO(text), sep=";", decimal=",")
    assert found["ward"].tolist() == clinic(seed=1)["ward"].tolist()
    told = found[["probability ill", "probability well"]].to_numpy()
    np.testing.assert_allclose(told, expected(model, clinic(seed=1)), atol=1e-6)


def test_columns_are_found_by_name(tmp_path, model):
    frame = clinic(seed=2)
    shuffled = frame[["ward", "outcome", "dose", "smoker", "age"]].assign(extra="x")
    text = done("predict", model, "-", "--proba", input=shuffled.to_csv(index=False).encode())
    found = frame_of(text)
    assert list(found.columns[:6]) == list(shuffled.columns)
    told = found["probability ill"].astype(float)
    np.testing.assert_allclose(told, expected(model, frame)[:, 0], atol=1e-6)


def test_a_column_that_rules_need_must_be_there(tmp_path, model, table):
    frame = clinic().rename(columns={"dose": "dosis"})
    words = refused("predict", model, "-", input=frame.to_csv(index=False).encode())
    assert (
        "standard input has no column 'dose', which the rules look at. Did you mean 'dosis'?"
        in words
    )


def test_a_column_that_no_rule_needs_may_be_absent(tmp_path, table):
    path = tmp_path / "small.json"
    done("fit", table, "-t", "outcome", "--rules", 1, "--max-conditions", 1, "-o", path)
    fitted = load(path).model_
    (used,) = (fitted.names.inputs[j] for rule in fitted.rules.rules for j in rule.inputs)
    result = call("predict", path, "-", input=clinic()[[used]].to_csv(index=False).encode())
    assert result.returncode == 0
    assert b"lacks columns that no rule looks at: " in result.stderr
    assert result.stdout.count(b"\n") == 91


def test_unseen_categories_and_missing_cells_are_missing(model):
    frame = clinic(30).astype(object)
    frame.loc[:4, "ward"] = "Ost"
    frame.loc[5:9, ["age", "smoker"]] = "NA"
    # To explain, all columns are read, whether or not a rule looks at them.
    result = call(
        "predict", model, "-", "--proba", "--explain", input=frame.to_csv(index=False).encode()
    )
    assert result.returncode == 0
    told = result.stderr.decode()
    assert told.startswith("ward has categories that were not seen in training: Ost. They are")
    known = clinic(30).assign(smoker=clinic(30)["smoker"] == "yes").astype(object)
    known.loc[:4, "ward"], known.loc[5:9, ["age", "smoker"]] = None, None
    X = known[["age", "dose", "ward", "smoker"]].astype({"age": float, "dose": float})
    told = frame_of(result.stdout.decode())["probability ill"].astype(float)
    np.testing.assert_allclose(told, load(model).predict_proba(X)[:, 0], atol=1e-6)


def test_a_cell_that_is_no_number_is_named(tmp_path, model):
    frame = clinic(30).astype(object)
    frame.loc[11, "dose"] = "much"
    frame.to_csv(tmp_path / "t.csv", index=False)
    out = tmp_path / "out.csv"
    out.write_text("old")
    words = refused("predict", model, tmp_path / "t.csv", "-o", out)
    assert "t.csv, line 13: 'dose' is 'much'; a number was expected, as in training." in words
    frame.loc[11, "dose"] = "inf"
    frame.to_csv(tmp_path / "t.csv", index=False)
    words = refused("predict", model, tmp_path / "t.csv", "-o", out)
    assert "'dose' is 'inf'; a finite number was expected" in words
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "t.csv"]


def test_explanations_in_one_line(model, table):
    found = frame_of(done("predict", model, table, "--explain"))
    assert found["explanation"].str.match(r"(ill|well) \(.*%\): ").all()
    assert found["explanation"].str.contains("would be|No change").all()
    first = [text.split(" (")[0] for text in found["explanation"]]
    assert first == found["prediction"].tolist()


def test_json_lines(model, table):
    lines = done("predict", model, table, "--json", "--explain").splitlines()
    told = [json.loads(line) for line in lines]
    assert [one["row"] for one in told] == list(range(1, 91))
    probabilities = expected(model, clinic())
    np.testing.assert_allclose([one["probabilities"]["ill"] for one in told], probabilities[:, 0])
    assert all(one["explanation"]["answer"] == one["prediction"] for one in told)


def test_predictions_of_predictions_get_another_name(tmp_path, model, table):
    once = done("predict", model, table)
    again = frame_of(done("predict", model, "-", input=once.encode()))
    assert list(again.columns[-2:]) == ["prediction", "prediction 2"]
    assert again["prediction"].tolist() == again["prediction 2"].tolist()


@pytest.mark.parametrize("source", ["csv", "parquet", "xlsx"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "xlsx"])
def test_from_any_file_to_any_other(tmp_path, model, source, ending):
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    path, out = tmp_path / f"in.{source}", tmp_path / f"out.{ending}"
    frame = clinic(20, seed=3)
    write = {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[source]
    write(path, index=False)
    done("predict", model, path, "-o", out, "--proba")
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "xlsx": pd.read_excel}
    found = pd.read_csv(out, sep="\t") if ending == "tsv" else read[ending](out)
    np.testing.assert_allclose(found["probability ill"], expected(model, frame)[:, 0], atol=1e-6)
    assert found["dose"].astype(float).tolist() == frame["dose"].tolist()
    assert found["patient_id"].astype(int).tolist() == frame["patient_id"].tolist()


def test_a_hundred_thousand_rows_over_several_blocks(tmp_path, model):
    frame = clinic(1000, seed=4)
    frame["note"] = 'two\nlines, "quoted"'
    large = pd.concat([frame] * 100, ignore_index=True)
    path, out = tmp_path / "large.csv", tmp_path / "out.csv"
    large.to_csv(path, index=False)
    assert path.stat().st_size > 4_194_304
    done("predict", model, path, "--proba", "-o", out)
    found = pd.read_csv(out)
    assert len(found) == 100_000
    pd.testing.assert_frame_equal(found[list(large.columns)], pd.read_csv(path))
    told = found["probability ill"].to_numpy().reshape(100, 1000)
    np.testing.assert_allclose(told, np.tile(expected(model, frame)[:, 0], (100, 1)), atol=1e-6)


def test_a_reader_that_has_seen_enough_ends_it_silently(tmp_path, model):
    path = tmp_path / "large.csv"
    pd.concat([clinic()] * 200).to_csv(path, index=False)
    process = subprocess.Popen(
        [*COMMAND, "predict", str(model), str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline().rstrip().endswith(b",prediction")
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 1


def test_a_model_fitted_on_an_array_says_how_it_calls_its_columns(tmp_path, table):
    X = clinic()[["age", "dose"]].to_numpy()
    path = tmp_path / "array.json"
    UNFISClassifier(max_rules=1).fit(X, clinic()["outcome"]).save(path)
    words = refused("predict", path, table)
    assert "has no column 'x0', which the rules look at. The model was fitted on columns " in words
    named = clinic().rename(columns={"age": "x0", "dose": "x1"}).to_csv(index=False).encode()
    assert done("predict", path, "-", input=named).count("\n") == 91


def test_a_model_that_is_none(tmp_path, table):
    assert "clinic.csv cannot be read: it is not whole JSON" in refused("predict", table, table)
    assert "No such file" in refused("predict", tmp_path / "no.json", table)


FORMULAS = ["=1+cmd|' /C calc'!A0", "@SUM(1+1)"]


@pytest.fixture(scope="module")
def formulas(tmp_path_factory):
    """A table whose names, cells and classes look like formulas, and a model of it."""
    place = tmp_path_factory.mktemp("formulas")
    frame = clinic()[["age", "dose", "outcome"]].assign(note="=2+2")
    frame["outcome"] = np.where(frame["outcome"] == "ill", *FORMULAS)
    frame.rename(columns={"dose": "=A1"}).to_csv(place / "t.csv", index=False)
    done("fit", "t.csv", "-t", "outcome", "-o", "m.json", "--rules", 2, cwd=place)
    return place


def test_no_file_has_a_formula_that_was_text(formulas):
    openpyxl = pytest.importorskip("openpyxl")
    out = formulas / "out.xlsx"
    assert done("predict", "m.json", "t.csv", "--proba", "--explain", "-o", out, cwd=formulas) == ""
    rows = list(openpyxl.load_workbook(out).active.iter_rows())
    assert {cell.data_type for row in rows for cell in row} == {"s", "n"}
    head = [cell.value for cell in rows[0]]
    assert head[:4] == ["age", "=A1", "outcome", "note"]
    assert {row[head.index("prediction")].value for row in rows[1:]} <= set(FORMULAS)
    assert {row[head.index("note")].value for row in rows[1:]} == {"=2+2"}


def test_in_text_cells_and_classes_stay_as_they_are_and_what_is_added_is_no_formula(formulas):
    result = call("predict", "m.json", "t.csv", "--proba", "--explain", cwd=formulas)
    assert "would take the class" in result.stderr.decode()
    assert "in an .xlsx file it is text" in result.stderr.decode()
    found = frame_of(result.stdout.decode())
    given = frame_of((formulas / "t.csv").read_text(encoding="utf-8"))
    pd.testing.assert_frame_equal(found[list(given.columns)], given)
    assert set(found["prediction"]) <= set(FORMULAS)
    for text in [*found.columns[4:], *found["explanation"]]:
        assert not text.startswith(("=", "+", "-", "@"))
    assert found["explanation"].str.startswith("'").all()


def test_classes_that_are_numbers_or_signs_are_no_formulas(tmp_path):
    frame = clinic()[["age", "dose"]].assign(outcome=np.where(clinic()["code"] == 7, "+", "-"))
    for outcome in (frame["outcome"], frame["outcome"] + "1"):
        frame.assign(outcome=outcome).to_csv(tmp_path / "t.csv", index=False)
        done("fit", "t.csv", "-t", "outcome", "-o", "m.json", "--rules", 1, cwd=tmp_path)
        assert call("predict", "m.json", "t.csv", cwd=tmp_path).stderr == b""


LONG = "Z" * 100_000


@pytest.mark.parametrize("column", ["age", "smoker"])
def test_a_cell_that_is_refused_is_repeated_in_part_only(tmp_path, model, column):
    frame = clinic(30).astype(object)
    frame.loc[11, column] = LONG
    frame.to_csv(tmp_path / "t.csv", index=False)
    words = refused("predict", model, tmp_path / "t.csv", "--explain", "-o", tmp_path / "out.csv")
    assert f"t.csv, line 13: '{column}' is 'ZZZ" in words
    assert len(words) < 300


def test_names_that_are_refused_are_repeated_in_part_only(tmp_path, model):
    for name in ("age", "dose"):
        frame = clinic(30).rename(columns={name: LONG})
        frame.to_csv(tmp_path / "t.csv", index=False)
        assert len(refused("predict", model, tmp_path / "t.csv")) < 500
        words = refused("fit", tmp_path / "t.csv", "-t", "no", "-o", tmp_path / "m.json", code=2)
        assert len(words) < 500
    for arguments in (["rules", LONG], ["predict", model, LONG]):
        assert len(refused(*arguments)) < 500
    assert len(refused("fit", "t.csv", "-t", "a", "-o", "m", f"--{LONG}", code=2)) < 1100
