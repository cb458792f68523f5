"""The other commands, their examples, and how the command behaves as a whole."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from calling import COMMAND, call, clinic, done, fresh, refused

import unfis
from unfis import load
from unfis.app.demo import tell
from unfis.app.requests.answers import ExportKind
from unfis.app.tables import read_table
from unfis.app.tables.asked import asked_of
from unfis.export import KINDS

COMMANDS = [*("demo", "fit", "rules", "predict", "explain", "evaluate", "report", "export")]


def test_rules(model):
    told = done("rules", model)
    assert told.rstrip("\n") == load(model).rules_.rstrip("\n")
    plain = json.loads(done("rules", model, "--json"))
    assert (plain["task"], plain["classes"]) == ("classification", ["ill", "well"])
    assert len(plain["rules"]) == len(load(model).model_.rules.rules)


def test_rules_of_another_length(model):
    fitted = load(model)
    for length in range(len(fitted.model_.path)):
        told = done("rules", model, "--length", length)
        assert told.rstrip("\n") == fitted.at(length).rules_.rstrip("\n")
    words = refused("rules", model, "--length", 99, code=2)
    assert "The path has models of 0 to" in words


def test_explain_rows_counted_from_1(model, table):
    told = done("explain", model, table, "--row", 17)
    label = clinic()["outcome"][16]
    assert told.startswith(f"Row 17 (clinic.csv, line 18), which is {label} in the table:\n")
    assert "Points for outcome" in told or "Points for well" in told
    plain = json.loads(done("explain", model, table, "-r", 90, "-r", 1, "--json"))
    assert [one["row"] for one in plain] == [90, 1]
    assert plain[1]["values"]["age"] == clinic()["age"][0]
    (total,) = plain[1]["sums"]
    parts = sum(rule["contribution"] for rule in total["rules"])
    assert total["start"] + parts == pytest.approx(total["total"])


def test_a_row_is_explained_whatever_is_wrong_with_others(model):
    frame = clinic().astype(str)
    frame.loc[0, "age"] = "old"
    data = frame.to_csv(index=False).encode()
    assert done("explain", model, "-", "--row", 2, input=data).startswith("Row 2 (standard input")
    words = refused("explain", model, "-", "--row", 1, input=data)
    assert "standard input, line 2: 'age' is 'old'; a number was expected" in words


def test_rows_that_are_not_there(model, table):
    words = refused("explain", model, table, "--row", 91, code=2)
    assert "--row must be from 1 to 90, the rows of clinic.csv, got 91." in words
    assert "got 0." in refused("explain", model, table, "--row", 0, code=2)
    one, none = (clinic(rows).to_csv(index=False).encode() for rows in (1, 0))
    words = refused("explain", model, "-", "--row", 2, code=2, input=one)
    assert "--row must be 1, the only row of standard input, got 2." in words
    words = refused("explain", model, "-", "--row", 1, input=none)
    assert "standard input has no rows" in words


def test_evaluate_takes_only_rows_held_out_of_its_own_table(model, table):
    told = done("evaluate", model, table)
    assert told.startswith(
        "The model was fitted on clinic.csv; these are the 27 rows of it that were held out.\n"
    )
    plain = json.loads(done("evaluate", model, table, "--json"))
    kept = load(model).model_.origin.held_out
    for name in ("rows", "accuracy", "low", "high"):
        assert plain[name] == pytest.approx(kept[name])
    assert sum(map(sum, plain["confusion"])) == 27
    assert sum(one["rows"] for one in plain["calibration"]["bins"]) == 27
    assert {one["class"] for one in plain["per_class"]} == {"ill", "well"}
    assert 0 <= plain["unlike_training"] <= 1
    assert plain["audit"]["rows"] == 27
    block = told.split("The rules:\n")[1].splitlines()
    assert [line.strip() for line in block] == plain["audit"]["words"]


def test_evaluate_on_other_rows(tmp_path, model):
    path = tmp_path / "new.csv"
    frame = clinic(200, seed=5)
    frame.loc[0, "outcome"] = "dead"
    frame.loc[1, "outcome"] = ""
    frame.to_csv(path, index=False)
    plain = json.loads(done("evaluate", model, path, "--json"))
    assert plain["rows"] == 198
    assert plain["note"] == (
        "Whether the model learned from some of these rows is not known. "
        "1 row of classes that the model does not know, such as 'dead', left out."
    )
    assert f"Right on {round(198 * plain['accuracy'])} of 198 rows" in done("evaluate", model, path)


def test_evaluate_by_group(tmp_path, model):
    path = tmp_path / "new.csv"
    clinic(200, seed=5).to_csv(path, index=False)
    told = done("evaluate", model, path, "--group", "smoker,age")
    smokers = told.split("By smoker:\n")[1].splitlines()
    assert smokers[0].split()[:2] == ["rows", "right"]
    assert {line.split()[0] for line in smokers[1:3]} == {"no", "yes"}
    assert "\n  Right answers: from " in told
    assert "\n  up to " in told.split("By age:\n")[1]
    plain = json.loads(done("evaluate", model, path, "--group", "ward", "--json"))
    groups = plain["groups"]["ward"]["classes"][0]["groups"]
    assert sum(one["rows"] for one in groups) == 200
    assert "Did you mean 'ward'?" in refused("evaluate", model, path, "-g", "wards", code=2)


def test_evaluate_does_not_claim_that_rows_are_new(tmp_path, model):
    path = tmp_path / "shuffled.csv"
    clinic().sample(frac=1, random_state=0).to_csv(path, index=False)
    assert "learned from some of these rows is not known" in done("evaluate", model, path)


def test_evaluate_on_the_rows_learned_from(tmp_path, table):
    path = tmp_path / "all.json"
    done("fit", table, "-t", "outcome", "--test", 0, "--rules", 1, "-o", path)
    told = done("evaluate", path, table)
    assert "The model learned from these very rows; it will do worse on others." in told
    assert "90 rows" in told


def test_evaluate_needs_classes(tmp_path, model):
    clinic().drop(columns="outcome").to_csv(tmp_path / "t.csv", index=False)
    words = refused("evaluate", model, tmp_path / "t.csv", code=2)
    assert "no column of true answers to measure by" in words
    words = refused("evaluate", model, tmp_path / "t.csv", "--target", "ages", code=2)
    assert "Did you mean 'age'?" in words


def test_report(tmp_path, model, table):
    pytest.importorskip("jinja2")
    out = tmp_path / "page.html"
    told = json.loads(call("report", model, table, "-o", out, "--json").stdout)
    assert told["rows"] == 27
    assert "held out" in told["note"]
    page = out.read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "outcome" in page


def test_a_report_says_what_it_holds(tmp_path, model, table):
    pytest.importorskip("jinja2")
    out = tmp_path / "page.html"
    told = call("report", model, table, "-o", out).stderr.decode()
    assert f"Written to {out}, which holds rows of clinic.csv with their values" in told
    assert "--no-rows leaves them out" in told
    assert "the same 63 rows as this model" in out.read_text(encoding="utf-8")
    made = call("report", model, table, "-o", out, "--no-rows", "--json")
    assert f"Written to {out}, which holds no row of clinic.csv." in made.stderr.decode()
    assert json.loads(made.stdout)["holds_rows"] is False
    assert not re.search(r">row \d+<", out.read_text(encoding="utf-8"))


def test_a_report_at_other_costs_and_by_group(tmp_path, model, table):
    pytest.importorskip("jinja2")
    out, (label, other) = tmp_path / "page.html", load(model).classes_
    done("report", model, table, "-o", out, "--cost", f"{label}=10", "--group", "age")
    page = out.read_text(encoding="utf-8")
    assert f"The answer is {other} where its probability is above 90.91 %" in page
    assert "Cost per row" in page
    assert "By age" in page
    done("report", model, table, "-o", out, "--threshold", f"{label}=0.2")
    page = out.read_text(encoding="utf-8")
    assert f"The answer is {other} where its probability is above 80 %" in page


def test_wrong_reports_are_refused_and_write_nothing(tmp_path, model, table):
    pytest.importorskip("jinja2")
    bare = tmp_path / "bare.csv"
    clinic().drop(columns="outcome").to_csv(bare, index=False)
    out = tmp_path / "page.html"
    for words, asked, *given in (
        ("Did you mean 'age'?", table, "--group", "agee"),
        ("--cost must be a class and a number", table, "--cost", "10"),
        ("neither a class of", table, "--cost", "nobody=10"),
        ("no column of true answers to measure by", bare, "--group", "age"),
        ("Did you mean 'outcome'?", table, "--target", "outcom"),
    ):
        assert words in refused("report", model, asked, "-o", out, *given, code=2)
    assert not out.exists()
    told = call("report", model, bare, "-o", out).stderr.decode()
    assert "bare.csv lacks the column 'outcome' of classes, so nothing can be measured" in told
    assert out.exists()


def test_the_rows_of_a_report_are_counted_as_in_the_table(model, table):
    fitted = load(model)
    read = read_table(table)
    asked = asked_of(fitted, read, None)
    assert asked.held_out
    X = clinic()[["age", "dose"]].iloc[asked.rows - 1].astype(float)
    assert asked.X[["age", "dose"]].to_numpy().tolist() == X.to_numpy().tolist()
    assert asked.y.tolist() == clinic()["outcome"].iloc[asked.rows - 1].tolist()
    read.frame.loc[0, "outcome"] = ""
    del read.fingerprint
    asked = asked_of(fitted, read, None)
    assert (asked.held_out, asked.rows.tolist()) == (False, list(range(2, 91)))
    read.frame = read.frame.drop(columns="outcome")
    assert asked_of(fitted, read, None).rows.tolist() == list(range(1, 91))


def test_what_is_read_is_not_written_over(tmp_path, model, table):
    both = [tmp_path / "m.json", tmp_path / "t.csv"]
    before = [model.read_bytes(), table.read_bytes()]
    for path, content in zip(both, before, strict=True):
        path.write_bytes(content)
    for arguments in (
        ["fit", both[1], "-t", "outcome", "-o", both[1]],
        ["report", *both, "-o", both[0]],
        ["report", *both, "-o", both[1]],
        ["predict", *both, "-o", both[0]],
        ["export", both[0], "--to", "sql", "-o", both[0]],
    ):
        assert "is read here, and would be lost" in refused(*arguments, code=2)
    done("predict", *both, "-o", both[1])  # which loses nothing
    assert before[1].splitlines()[-1] in both[1].read_bytes()
    assert both[0].read_bytes() == before[0]


@pytest.mark.parametrize("kind", ["python", "sql", "onnx", "javascript"])
def test_export(tmp_path, model, kind):
    if kind == "onnx":
        pytest.importorskip("onnx")
        assert "onnx is no text" in refused("export", model, "--to", kind, code=2)
    out = tmp_path / f"made.{kind}"
    assert done("export", model, "--to", kind, "-o", out) == ""
    assert out.stat().st_size > 100
    if kind != "onnx":
        assert (
            done("export", model, "--to", kind)
            == out.read_text(encoding="utf-8").rstrip("\n") + "\n"
        )


def test_export_keeps_columns_and_speaks_json(tmp_path, model):
    query = done("export", model, "--to", "sql", "--keep", 'patient_id,"a,b"')
    assert '"patient_id"' in query
    assert '"a,b"' in query
    told = json.loads(done("export", model, "--to", "sql", "--keep", 'patient_id,"a,b"', "--json"))
    assert told == {"kind": "sql", "text": query.rstrip("\n") + told["text"][len(query) - 1 :]}
    out = tmp_path / "rules.py"
    told = json.loads(done("export", model, "--to", "python", "-o", out, "--json"))
    assert told == {"kind": "python", "file": str(out)}
    words = refused("export", model, "--to", "python", "--keep", "age", code=2)
    assert "--keep is for sql" in words


def test_demo(tmp_path):
    told = done("demo", cwd=tmp_path)
    assert "Points for" in told
    made = {path.name for path in (tmp_path / "unfis-demo").iterdir()}
    assert {"iris.csv", "iris.json", "report.html"} <= made
    steps = re.findall(r"^  (unfis .*)$", told, re.MULTILINE)
    assert len(steps) == 5
    for step in steps:
        done(*shlex.split(step)[1:], cwd=tmp_path)


@pytest.mark.parametrize("name", ["wine", "breast-cancer", "diabetes"])
def test_the_other_stories(tmp_path, name):
    story = tell(name, tmp_path / "t.csv", tmp_path / "m.json")
    assert story.fitted.model.rules_ in story.words
    assert str(story.explanation) in story.words
    held = asked_of(load(tmp_path / "m.json"), read_table(tmp_path / "t.csv"), None).rows
    assert story.row in held
    assert len(held) == story.fitted.held_out["rows"]
    assert json.loads(json.dumps(story.plain))["explained"]["row"] == story.row
    assert load(tmp_path / "m.json").model_.origin.held_out == story.fitted.held_out


def help_of(*names):
    return done(*names, "--help")


@pytest.fixture(scope="session")
def example_folder(tmp_path_factory, folder):
    """Where the examples of the help work: iris.csv with the column species."""
    from sklearn.datasets import load_iris

    place = tmp_path_factory.mktemp("examples")
    iris = load_iris(as_frame=True)
    frame = iris.data.assign(species=iris.target_names[iris.target])
    frame.to_csv(place / "iris.csv", index=False)
    done("fit", "iris.csv", "--target", "species", "-o", "model.json", cwd=place)
    return place


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example_that_works(example_folder, tmp_path, name):
    found = re.findall(r"Example: unfis (.*)", help_of(name))
    assert len(found) == 1
    assert found[0].split()[0] == name
    if name == "demo":  # test_demo runs it
        return
    shutil.copytree(example_folder, tmp_path, dirs_exist_ok=True)
    # As from a shell, once; the others in processes that have the packages imported already.
    result = (fresh if name == "rules" else call)(*shlex.split(found[0]), cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_the_help_lists_all_commands():
    text = help_of()
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert "\x1b" not in text
    assert "╭" not in text


def test_nothing_asked_is_a_wrong_call_that_helps():
    result = call()
    assert result.returncode == 2
    assert b"Usage: unfis" in result.stderr


def test_a_wrong_command():
    assert "No such command 'fitt'" in refused("fitt", code=2)


def test_version():
    assert re.fullmatch(r"unfis \d+\.\d+\.\d+\n", done("--version"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    # `--show-completion` finds the shell among the processes above, which a test need not have.
    asked = dict(os.environ, _UNFIS_COMPLETE=f"source_{shell}")
    program = [sys.executable, "-m", "unfis"]
    script = subprocess.run(program, env=asked, capture_output=True, text=True, check=True)
    assert f"_UNFIS_COMPLETE=complete_{shell}" in script.stdout


def test_results_are_without_decoration_when_piped(model, table):
    for call_ in (["rules", model], ["evaluate", model, table], ["explain", model, table, "-r", 1]):
        result = call(*call_)
        assert result.stderr == b""
        assert b"\x1b" not in result.stdout


def test_heavy_packages_are_only_imported_where_needed():
    program = """if True:
        import sys, types
        package = types.ModuleType("unfis")  # which may import what it likes
        package.__path__ = sys.argv[1:]
        sys.modules["unfis"] = package
        import unfis.app.cli.app
        print({"numpy", "pandas", "sklearn", "rich"} & set(sys.modules))
    """
    path = Path(unfis.__file__).parent
    call = [sys.executable, "-c", program, path]
    told = subprocess.run(call, capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"


def test_the_command_is_the_module():
    assert COMMAND[1:] == ["-m", "unfis"]
    assert "Usage: unfis " in help_of()


def test_the_command_exports_all_kinds():
    assert get_args(ExportKind) == tuple(KINDS)
