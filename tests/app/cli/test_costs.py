"""What a user says of errors: --cost, --threshold and --class-weight, from fit to every export."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from calling import done, refused


def loans(rows=900, seed=0):
    """One in eleven is not paid back, by debt and late payments."""
    generator = np.random.RandomState(seed)
    frame = pd.DataFrame(
        {"debt": generator.rand(rows).round(3), "late": generator.poisson(0.5, rows)}
    )
    odds = 3 * frame["debt"] + 1.1 * frame["late"] - 5
    frame["default"] = np.where(odds + generator.logistic(size=rows) > 0, "yes", "no")
    return frame


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loans")
    loans().to_csv(folder / "loans.csv", index=False)
    told = done("fit", "loans.csv", "-t", "default", "-o", "m.json", "--cost", "yes=10", cwd=folder)
    (folder / "fit.txt").write_text(told, encoding="utf-8")
    return folder


def answers(place, *options, model="m.json"):
    lines = done("predict", model, "loans.csv", "--json", *options, cwd=place).splitlines()
    found = [json.loads(line) for line in lines]
    return pd.DataFrame(
        {
            "answer": [one["prediction"] for one in found],
            "yes": [one["probabilities"]["yes"] for one in found],
        }
    )


def test_fit_leads_with_the_cost_and_tells_where_the_answer_changes(place):
    told = " ".join((place / "fit.txt").read_text(encoding="utf-8").split())
    assert "The answer is default = yes where its probability is above 9.091 %" in told
    measured = told[told.index("Cost per row") :]
    assert 'where always answering "no" costs' in measured
    assert measured.index("Found") < measured.index("Balanced accuracy") < measured.index("Right")


def test_the_model_file_answers_by_them(place):
    found = answers(place)
    assert (found["answer"] == np.where(found["yes"] > 1 / 11, "yes", "no")).all()


def test_another_operating_point_is_taken_without_a_fit(place):
    found = answers(place, "--threshold", "yes=0.3")
    assert (found["answer"] == np.where(found["yes"] > 0.3, "yes", "no")).all()
    cheap = answers(place, "--cost", "yes:no=2")
    assert (cheap["answer"] == np.where(cheap["yes"] > 1 / 3, "yes", "no")).all()
    measured = json.loads(
        done("evaluate", "m.json", "loans.csv", "--cost", "yes=3", "--json", cwd=place)
    )
    missed, alarms = measured["confusion"][1][0], measured["confusion"][0][1]
    assert measured["cost"] == pytest.approx((3 * missed + alarms) / measured["rows"])


def test_a_threshold_by_cross_validation_is_told_and_has_no_cost(place):
    told = done(
        "fit", "loans.csv", "-t", "default", "-o", "auto.json", "--threshold", "auto", cwd=place
    )
    assert "The answer is default = yes where its probability is above" in told
    assert "Cost per row" not in told
    found = answers(place, model="auto.json")
    assert (found["answer"] == "yes").mean() > (answers(place)["yes"] > 0.5).mean()


def test_an_explanation_is_of_the_answer_that_costs_least(place):
    found = answers(place, "--threshold", "yes=0.5")
    row = int(np.flatnonzero((found["yes"] > 0.15) & (found["yes"] < 0.45))[0]) + 1
    told = done("explain", "m.json", "loans.csv", "--row", str(row), cwd=place)
    assert "is expected to cost least" in told
    other = done(
        "explain", "m.json", "loans.csv", "-r", str(row), "--threshold", "yes=0.5", cwd=place
    )
    assert "is expected to cost least" not in other
    assert other.split("\n")[2].startswith("default = no, probability ")


def test_exports_obey(place):
    query = done("export", "m.json", "--to", "sql", "--table", "loans", cwd=place)
    with closing(sqlite3.connect(":memory:")) as connection:
        pd.read_csv(place / "loans.csv").to_sql("loans", connection, index=False)
        found = connection.execute(f'SELECT "predicted" FROM ({query})').fetchall()
    assert sorted(label for (label,) in found) == sorted(answers(place)["answer"])


def test_weights_of_classes_change_probabilities(place):
    done(
        *("fit", "loans.csv", "-t", "default", "-o", "even.json", "--class-weight", "balanced"),
        cwd=place,
    )
    assert answers(place, model="even.json")["yes"].mean() > 2 * answers(place)["yes"].mean()


WRONG = {
    "--cost names 'maybe', which is neither a class of ['no', 'yes']": ["--cost", "maybe=3"],
    "--cost must be a class and a number, such as yes=0.2, got 'yes'.": ["--cost", "yes"],
    "costs must hold numbers above 0 and up to 1e+100, got -3.0 for 'yes'.": ["--cost", "yes=-3"],
    "above 0 and below 1, such as yes=0.2, got 1.2.": ["--threshold", "yes=1.2"],
    "--threshold names 'ill', which is not among ['no', 'yes'].": ["--threshold", "ill=0.2"],
    "costs and threshold both say": ["--cost", "yes=3", "--threshold", "yes=0.2"],
    "--class-weight must be a finite number above 0, got 0.": ["--class-weight", "yes=0"],
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_a_sentence_and_the_old_model_stays(place, message):
    before = (place / "m.json").read_bytes()
    call = ["fit", "loans.csv", "-t", "default", "-o", "m.json", *WRONG[message]]
    assert message in refused(*call, code=2, cwd=place)
    assert (place / "m.json").read_bytes() == before
