"""Requests as plain data: what they refuse, and how their errors name settings."""

import dataclasses
import json

import pytest
from calling import clinic

from unfis.app.cli.options import OPTIONS, in_flags
from unfis.app.requests import (
    EvaluateRequest,
    ExplainRequest,
    ExportRequest,
    FitRequest,
    PredictRequest,
    ReportRequest,
    RequestError,
)
from unfis.app.requests.setting import settings_in
from unfis.app.run import run_evaluate, run_explain, run_export, run_fit, run_report

ALL = [FitRequest, PredictRequest, ExplainRequest, EvaluateRequest, ReportRequest, ExportRequest]


def fit(**settings):
    return FitRequest(table="t.csv", target="outcome", **settings)


@pytest.mark.parametrize("share", [-0.1, 1, 2, float("nan"), "many", True])
def test_a_part_is_a_part(share):
    with pytest.raises(RequestError, match="`test_share` must be at least 0 and below 1") as caught:
        fit(test_share=share)
    assert caught.value.parameter == "test_share"


WRONG = {
    "rules": (0, r"`rules` must be a whole number of at least 1, got 0\."),
    "max_conditions": (4, r"must be a whole number of at least 1 and at most 3, got 4\."),
    "workers": ("two", "must be a whole number of at least 1, got 'two'"),
    "seed": (-1, "a whole number of at least 0 and at most 4294967295, got -1"),
    "time_limit": (float("inf"), "must be a number above 0, got inf"),
    "engine": ("moon", "must be one of 'local', 'dask', got 'moon'"),
    "drop": ("age", "must be a list of names, got the text 'age'"),
    "points": ("few", "must be one of 'whole', 'exact', got 'few'"),
    "task": ("ranks", "must be one of 'auto', 'classes', 'number', 'counts', got 'ranks'"),
    "threshold": ({"ill": 1.2}, "must be a probability above 0 and below 1"),
    "class_weight": ({"ill": 0}, "must be a finite number above 0, got 0"),
    "scheduler": ("tcp:1", "`scheduler` is for `engine` dask"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_names_its_setting_and_no_flag(name):
    value, message = WRONG[name]
    with pytest.raises(RequestError, match=message) as caught:
        fit(**{name: value})
    assert caught.value.parameter == name
    assert "--" not in str(caught.value)


def test_a_setting_is_called_by_its_flag_on_the_command_line():
    assert in_flags("'a' is in `drop` and in `about`.") == "'a' is in --drop and in --for."
    assert in_flags("`elsewhere` is no setting.") == "`elsewhere` is no setting."


@pytest.mark.parametrize("request_", ALL)
def test_every_setting_is_plain_and_has_an_option(request_):
    assert set(settings_in(request_)) <= set(OPTIONS)
    given = {field.name for field in dataclasses.fields(request_)}
    assert given == set(settings_in(request_))


def test_a_request_is_plain_data():
    request = fit(drop=("a",), costs={"ill": 2.0}, threshold="auto")
    again = json.loads(json.dumps(dataclasses.asdict(request)))
    assert json.dumps(dataclasses.asdict(FitRequest(**again))) == json.dumps(again)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A table, and a model that was fitted on it without a command."""
    folder = tmp_path_factory.mktemp("requests")
    clinic().to_csv(folder / "t.csv", index=False)
    request = FitRequest(table=str(folder / "t.csv"), target="outcome", rules=1)
    fitted = run_fit(request)
    fitted.model.save(folder / "m.json", target="outcome", held_out=fitted.held_out)
    return {"model": str(folder / "m.json"), "table": str(folder / "t.csv")}


def test_requests_run_without_a_command(place):
    assert run_evaluate(EvaluateRequest(**place, groups=("ward",)))["groups"].keys() == {"ward"}
    assert [one.row for one in run_explain(ExplainRequest(**place, rows=(3, 1)))] == [3, 1]
    assert run_report(ReportRequest(**place, title="Ours")).html.count("<title>Ours</title>") == 1
    query = run_export(ExportRequest(model=place["model"], kind="sql", sql_table="patients"))
    assert "patients" in query


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"costs": {"nobody": 2.0}}, "costs"),
        ({"costs": {"ill": -2.0}}, "costs"),
        ({"groups": ("wards",)}, "groups"),
        ({"target": "outcom"}, "target"),
        ({"separator": "ab"}, "separator"),
    ],
)
def test_what_a_table_shows_to_be_wrong_names_its_setting(place, settings, parameter):
    with pytest.raises(RequestError) as caught:
        run_evaluate(EvaluateRequest(**place, **settings))
    assert caught.value.parameter == parameter
    assert "--" not in str(caught.value)
