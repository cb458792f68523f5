"""unfis fit on files as people have them."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import time

import pandas as pd
import pytest
from calling import COMMAND, call, clinic, done, refused

FORMS = {
    "comma": {},
    "semicolons and decimal commas": {"sep": ";", "decimal": ","},
    "tabs": {"sep": "\t"},
    "byte-order mark": {"encoding": "utf-8-sig"},
    "Latin-1": {"encoding": "latin-1"},
    "UTF-16": {"encoding": "utf-16", "sep": "\t"},
    "Windows": {"lineterminator": "\r\n", "quoting": 1},
}


def fit(path, *more, target="outcome"):
    output = path.with_name("out.json")
    return json.loads(done("fit", path, "-t", target, "-o", output, "--json", *more))


def test_it_tells_columns_rules_and_accuracy(folder):
    told = (folder / "fit.txt").read_text(encoding="utf-8")
    assert "clinic.csv: 90 rows, 10 columns" in told
    assert "patient_id  left out  an identifier" in told
    assert "age         number    from 1" in told
    assert "ward        category  3 kinds (Nord, Süd, West)" in told
    assert "smoker      boolean   no or yes" in told
    assert "visit       left out  dates" in told
    assert "clinic      left out  constant, always A" in told
    assert "empty       left out  every cell is missing" in told
    assert "code        left out  tells the same as outcome" in told
    assert "outcome     target    2 classes (ill" in told
    assert "  IF " in told
    assert "held-out rows: " in told
    assert "% interval" in told
    assert "Next: unfis report model.json clinic.csv" in told
    kept = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    assert kept["target"]["column"] == "outcome"
    again = {"fraction", "seed", "table"}
    figures = {"rows", "accuracy", "low", "high", "baseline", "balanced_accuracy", "roc_auc_low"}
    held_out = kept["origin"]["held_out"]
    assert set(held_out) >= again | figures
    assert held_out["rows"] == 27
    assert held_out["low"] < held_out["accuracy"] < held_out["high"]


@pytest.mark.parametrize("form", FORMS)
def test_text_of_any_style_is_the_same_table(tmp_path, form):
    path = tmp_path / "table.csv"
    clinic(40).drop(columns=["visit", "code"]).to_csv(path, index=False, **FORMS[form])
    found = fit(path, "--rules", 1, "--test", 0)
    roles = {column["name"]: column["role"] for column in found["columns"]}
    assert roles == {
        "patient_id": "left out",
        "age": "number",
        "dose": "number",
        "ward": "category",
        "smoker": "boolean",
        "clinic": "left out",
        "empty": "left out",
        "outcome": "target",
    }
    inputs = {v["name"]: v for v in found["rules"]["inputs"]}
    assert inputs["ward"]["categories"] == ["Nord", "Süd", "West"]
    dose = next(column for column in found["columns"] if column["name"] == "dose")
    assert dose["reason"].endswith(f"to {clinic(40)['dose'].max():g}")
    assert found["held_out"] is None


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_typed_files_are_read_too(tmp_path, ending):
    pytest.importorskip("pyarrow" if ending == "parquet" else "openpyxl")
    path = tmp_path / f"table.{ending}"
    frame = clinic(40).assign(visit=pd.Timestamp("2024-01-05"))
    frame.loc[3, "visit"] = pd.Timestamp("2024-02-05")
    getattr(frame, "to_parquet" if ending == "parquet" else "to_excel")(path, index=False)
    found = fit(path, "--rules", 1, "--test", 0)
    roles = {column["name"]: column["role"] for column in found["columns"]}
    assert [n for n, role in roles.items() if role not in ("left out", "target")] == [
        *("age", "dose", "ward", "smoker")
    ]


def test_standard_input(tmp_path):
    text = clinic(40).to_csv(index=False, sep=";").encode()
    output = tmp_path / "m.json"
    told = done("fit", "-", "-t", "outcome", "--rules", 1, "-o", output, input=text)
    assert "standard input: 40 rows" in told
    assert told.endswith(f"Next: unfis rules {output}\n")


def test_quoted_newlines_and_quotes(tmp_path):
    frame = clinic(40).assign(note='he said "well,\nfine"\nthen left')
    frame.loc[::2, "note"] = 'plain, with a "quote"'
    path = tmp_path / "quoted.csv"
    frame.to_csv(path, index=False)
    found = fit(path, "--rules", 1)
    note = next(column for column in found["columns"] if column["name"] == "note")
    assert note["role"] == "category"
    assert found["rows"] + found["held_out"]["rows"] == 40


def test_missing_cells_and_classes(tmp_path):
    frame = clinic(60).astype(object)
    for row, mark in enumerate(["", "NA", "N/A", "NaN", "null", "?", "-"]):
        frame.loc[row, ["age", "ward", "smoker"]] = mark
    frame.loc[10:14, "outcome"] = ""
    path = tmp_path / "missing.csv"
    frame.to_csv(path, index=False)
    found = fit(path, "--rules", 1, "--test", 0)
    columns = {column["name"]: column for column in found["columns"]}
    assert found["rows"] == 55
    assert columns["outcome"]["reason"].endswith("5 rows without an answer left out")
    assert columns["age"]["role"] == "number"
    assert columns["age"]["reason"].endswith("7 cells missing ('-', '?', 'N/A', ...)")
    assert columns["smoker"]["role"] == "boolean"
    assert columns["ward"]["reason"].startswith("3 kinds (Nord, Süd, West), 7 cells missing")


def test_words_that_mean_missing_are_given_by_the_user(tmp_path):
    frame = clinic(40).astype(object)
    frame["outcome"] = frame["outcome"].replace("ill", "NA")
    frame.loc[3:5, "age"] = -999
    frame.loc[6:8, "ward"] = "NA"
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    words = refused("fit", path, "-t", "outcome", "-o", tmp_path / "m.json")
    assert "('NA'): --missing says which words mean that." in words
    found = fit(path, "--rules", 1, "--missing", "-999,unknown")
    columns = {column["name"]: column["reason"] for column in found["columns"]}
    assert columns["age"].endswith("3 cells missing ('-999')")
    assert columns["ward"] == "4 kinds (NA, Nord, Süd, West)"
    assert columns["outcome"].startswith("2 classes (NA ")
    plain = json.loads(done("evaluate", tmp_path / "out.json", path, "--json"))
    assert plain["rows"] == found["held_out"]["rows"]
    assert plain["accuracy"] == found["held_out"]["accuracy"]


@pytest.mark.parametrize("points", ["whole", "exact"])
def test_points_are_whole_or_exact(tmp_path, points):
    path = tmp_path / "table.csv"
    clinic().to_csv(path, index=False)
    (rule,) = fit(path, "--rules", 1, "--points", points)["rules"]["rules"]
    assert (rule["points"] == round(rule["points"])) == (points == "whole")


def test_a_number_is_told_from_classes(tmp_path):
    """The line of the target says what it is taken for, and what to do otherwise."""
    path = tmp_path / "doses.csv"
    clinic(120)[["age", "ward", "smoker", "dose"]].to_csv(path, index=False)
    told = done("fit", path, "-t", "dose", "-o", tmp_path / "m.json", "--rules", 3)
    assert "target    a number from" in told
    assert "; --task classes would predict classes" in told
    assert "Root mean squared error" in told
    assert "R2, the explained share of the variance," in told
    found = fit(path, "--rules", 2, "--task", "counts", target="age")
    assert found["rules"]["link"] == "exp"
    assert (
        found["held_out"]["rmse_low"] < found["held_out"]["rmse"] < found["held_out"]["rmse_high"]
    )
    classes = fit(path.with_name(few_ages(path)), "--rules", 2, target="age")
    assert classes["rules"]["classes"] == [20, 40, 60, 80]
    number = fit(path.with_name("few.csv"), "--rules", 2, "--task", "number", target="age")
    assert number["rules"]["task"] == "regression"


def few_ages(path):
    """The name of the same table, with ages of four numbers."""
    frame = pd.read_csv(path)
    frame.assign(age=20 * (1 + (frame["age"] // 20 - 1).clip(0, 3))).to_csv(
        path.with_name("few.csv"), index=False
    )
    return "few.csv"


def test_what_names_no_column_and_no_number_is_refused(tmp_path):
    path = tmp_path / "doses.csv"
    clinic(120).to_csv(path, index=False)
    words = refused("fit", path, "-t", "ward", "--task", "number", "-o", tmp_path / "m.json")
    assert "doses.csv, line 2: 'ward' is " in words
    assert "a finite number was expected. Mend the cell, or give another --task." in words
    assert not (tmp_path / "m.json").exists()


def test_many_thousand_rows(tmp_path):
    path = tmp_path / "large.csv"
    clinic(30_000).to_csv(path, index=False)
    found = fit(path, "--rules", 4)
    assert (found["rows"], found["held_out"]["rows"]) == (21_000, 9_000)
    assert found["held_out"]["accuracy"] > 0.8
    assert found["columns"][0]["role"] == "left out"


def test_wishes_are_obeyed(tmp_path, table):
    found = json.loads(
        done(
            *("fit", table, "-t", "outcome", "-o", tmp_path / "m.json", "--json", "--test", 0),
            *("--drop", 'ward,"smoker"', "--categorical", "clinic,code", "--keep", "patient_id"),
            *("--weight", "age", "--rules", 2, "--max-conditions", 1),
        )
    )
    roles = {column["name"]: column["role"] for column in found["columns"]}
    assert roles["ward"] == roles["smoker"] == "left out"
    assert roles["code"] == "category"
    assert roles["patient_id"] == "number"
    assert roles["age"] == "weight"
    rules = found["rules"]["rules"]
    assert 1 <= len(rules) <= 2
    assert all(len(rule["if"]) == 1 for rule in rules)


def test_the_seed_chooses_the_rows_held_out(tmp_path, table):
    tables = [
        fit_held_out(tmp_path, table, seed, fraction)
        for seed, fraction in ((0, 0.5), (0, 0.5), (1, 0.5))
    ]
    assert tables[0] == tables[1] != tables[2]


def fit_held_out(folder, table, seed, fraction):
    path = folder / "m.json"
    done(
        "fit", table, "-t", "outcome", "--rules", 1, "--seed", seed, "--test", fraction, "-o", path
    )
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["origin"]["held_out"]["rows"] == 45
    return kept["origin"]["fingerprint"]


LINES = [
    "age,dose,outcome",
    *(f"{20 + row},{row % 7}.5,{'ill' if row % 3 else 'well'}" for row in range(30)),
]


def changed(number, line):
    return [*LINES[:number], line, *LINES[number + 1 :]]


REFUSED = {
    "bad.csv is empty; a line of column names and rows were expected.": [],
    "bad.csv has a line of column names but no rows": LINES[:1],
    "bad.csv, line 1: 2 columns are named 'age'; give each its own name.": changed(
        0, "age,age,outcome"
    ),
    "bad.csv, line 1: column 2 has no name; give it one.": changed(0, "age,,outcome"),
    "bad.csv, line 18 has 4 cells, but there are 3 columns.": changed(17, "30,1,2,ill"),
    "bad.csv, line 6 has 2 cells, but there are 3 columns.": changed(5, "30,ill"),
    "bad.csv, line 9: a quote opens here that is not closed.": changed(8, '30,"1.5,ill'),
    "'outcome' must hold at least two classes to tell apart, but every row has 'ill'.": LINES[:1]
    + ["1,2,ill"] * 5,
    "must hold at least two classes": LINES[:2],
    "bad.csv leaves no column to learn from. age: constant, always 1": [
        "age,outcome",
        "1,ill",
        "1,well",
    ],
    "bad.csv is no table: it begins like JSON.": ['{"format": "unfis"}'],
    "'outcome' in bad.csv is empty in every row": [LINES[0], "1,2,", "2,3,NA"],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_no_table_is_refused_in_a_sentence(tmp_path, message):
    (tmp_path / "bad.csv").write_text("\n".join(REFUSED[message]))
    assert message in refused("fit", "bad.csv", "-t", "outcome", "-o", "m.json", cwd=tmp_path)
    assert not (tmp_path / "m.json").exists()


def test_a_line_after_quoted_newlines_is_counted_in_the_file(tmp_path):
    lines = ["a,b", '"one\ntwo",1', "x,2", "y"]
    (tmp_path / "bad.csv").write_text("\n".join(lines))
    assert "bad.csv, line 5 has 1 cells" in refused(
        "fit", "bad.csv", "-t", "a", "-o", "m.json", cwd=tmp_path
    )


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "bad.csv").write_bytes(bytes(range(256)) * 10)
    assert "is no table" in refused("fit", "bad.csv", "-t", "a", "-o", "m.json", cwd=tmp_path)


WRONG_CALLS = {
    "has no column 'outcom'. Did you mean 'outcome'?": ["-t", "outcom"],
    "has no column 'Age'. Did you mean 'age'?": ["-t", "outcome", "--drop", "Age"],
    "--test must be at least 0 and below 1, got 1.5.": ["-t", "outcome", "--test", "1.5"],
    "Missing option '--target' / '-t'. See unfis fit --help.": [],
    "The separator must be one character": ["-t", "outcome", "--separator", "ab"],
    "No such option: --tset": ["-t", "outcome", "--tset", "1"],
    "'outcome' is the target or the weight": ["-t", "outcome", "--drop", "outcome"],
    "'age' is in --drop and in --keep": ["-t", "outcome", "--drop", "age", "--keep", "age"],
    "Invalid value for '--rules':": ["-t", "outcome", "--rules", "0"],
    "Invalid value for '--max-conditions':": ["-t", "outcome", "--max-conditions", "0"],
    "Invalid value for '--points':": ["-t", "outcome", "--points", "few"],
    "Invalid value for '--task':": ["-t", "outcome", "--task", "both"],
    "--cost is for classes, but the target is a number.": ["-t", "dose", "--cost", "ill=2"],
    "--class-weight is for classes,": ["-t", "dose", "--class-weight", "balanced"],
    "--threshold is for classes,": ["-t", "dose", "--threshold", "ill=0.2"],
    "--for names a class, but the target is a number.": [
        *("-t", "dose", "--increasing", "age", "--for", "ill")
    ],
    "--time-limit must be a number above 0, got 0.": ["-t", "outcome", "--time-limit", "0"],
    "--time-limit must be a number above 0, got nan.": ["-t", "outcome", "--time-limit", "nan"],
    "Invalid value for '--time-limit':": ["-t", "outcome", "--time-limit", "soon"],
    "Invalid value for '--seed':": ["-t", "outcome", "--seed", "-1"],
    "There is no encoding of text 'rot13'": ["-t", "outcome", "--encoding", "rot13"],
}


@pytest.mark.parametrize("message", WRONG_CALLS)
def test_wrong_calls_exit_with_2(tmp_path, table, message):
    words = refused("fit", table, *WRONG_CALLS[message], "-o", tmp_path / "m.json", code=2)
    assert message in words


def test_files_that_are_not_there(tmp_path, table):
    assert "There is no file 'clinc.csv'. Did you mean 'clinic.csv'?" in refused(
        "fit", "clinc.csv", "-t", "outcome", "-o", tmp_path / "m.json", cwd=table.parent
    )
    assert "no/m.json needs the folder no" in refused(
        "fit", table, "-t", "outcome", "-o", "no/m.json", code=2, cwd=tmp_path
    )


def test_debug_shows_where_an_error_came_from(tmp_path):
    (tmp_path / "bad.csv").touch()
    result = call("fit", tmp_path / "bad.csv", "-t", "a", "-o", tmp_path / "m.json", "--debug")
    assert result.returncode == 1
    assert b"Traceback" in result.stderr


def learning(table, output):
    """A process that has begun to learn, as a terminal shows; and that terminal."""
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "fit", str(table), "-t", "outcome", "-o", str(output)],
        stdout=subprocess.PIPE,
        stderr=its_end,
    )
    os.close(its_end)
    shown = b""
    while b"Learning from" not in shown:
        shown += os.read(terminal, 1000)
    return process, terminal


def test_a_terminal_shows_how_far_it_is_and_a_pipe_nothing(tmp_path, table):
    process, terminal = learning(table, tmp_path / "m.json")
    shown = rest_of(terminal)
    process.communicate()
    assert process.returncode == 0
    assert b"% done" in shown
    assert call("fit", table, "-t", "outcome", "-o", tmp_path / "m.json").stderr == b""


def test_a_time_limit_that_is_reached_is_told_and_gives_a_model(tmp_path, table):
    output = tmp_path / "m.json"
    result = call("fit", table, "-t", "outcome", "-o", output, "--time-limit", "1e-6")
    assert result.returncode == 0
    assert b"held-out rows" in result.stdout
    assert result.stderr.startswith(b"time_limit=1e-06 left no time for longer models")
    assert done("rules", output)


def rest_of(terminal):
    """What is still shown on a terminal that nobody writes to any more."""
    shown = b""
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 1000):
            shown += more
    os.close(terminal)
    return shown


@pytest.fixture
def large(tmp_path):
    clinic(4000).to_csv(tmp_path / "large.csv", index=False)
    return tmp_path / "large.csv"


def test_killed_in_the_middle_it_leaves_the_old_model(tmp_path, large, model):
    path = tmp_path / "model.json"
    path.write_bytes(model.read_bytes())
    process, terminal = learning(large, path)
    time.sleep(0.3)
    process.kill()
    assert process.communicate(timeout=60)[0] == b""
    rest_of(terminal)
    assert process.returncode == -signal.SIGKILL
    assert path.read_bytes() == model.read_bytes()
    assert "  IF " in done("rules", path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_it_has_no_traceback_and_leaves_the_old_model(tmp_path, large, model, number):
    path = tmp_path / "model.json"
    path.write_bytes(model.read_bytes())
    process, terminal = learning(large, path)
    time.sleep(0.3)
    process.send_signal(number)
    assert process.communicate(timeout=60)[0] == b""
    assert b"Traceback" not in rest_of(terminal)
    assert process.returncode == 128 + number
    assert path.read_bytes() == model.read_bytes()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["large.csv", "model.json"]
