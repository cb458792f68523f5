"""unfis fit --engine dask: the same table in Parquet files, learned from by workers."""

import json

import pandas as pd
import pytest
from calling import clinic, done, fresh, refused


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    pytest.importorskip("distributed")
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("parts")
    for n in range(2):
        part = clinic(200, seed=n)[["age", "dose", "ward", "smoker", "outcome"]]
        part.to_parquet(folder / f"part-{n}.parquet", index=False, row_group_size=50)
    return folder


@pytest.mark.parametrize(("target", "figure"), [("outcome", "accuracy"), ("dose", "rmse")])
def test_files_are_learned_from_and_measured(place, target, figure):
    options = [
        "-t",
        target,
        "-o",
        "m.json",
        "--engine",
        "dask",
        "--workers",
        "1",
        "--json",
        "--rules",
        "2",
    ]
    result = fresh("fit", "part-*.parquet", *options, cwd=place)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["rows"] + found["held_out"]["rows"] == 400
    assert 100 < found["held_out"]["rows"] < 140
    beside = found["held_out"]["baseline" if target == "outcome" else "rmse_baseline"]
    better = found["held_out"][figure] - beside
    assert (better > 0) == (target == "outcome")
    assert [one["role"] for one in found["columns"] if one["name"] == target] == ["target"]
    lines = done("predict", "m.json", "part-0.parquet", "-o", "out.csv", cwd=place)
    assert lines == ""
    assert len(pd.read_csv(place / "out.csv")) == 200


def test_text_files_are_refused(place):
    clinic(30).to_csv(place / "t.csv", index=False)
    call = ["fit", "t.csv", "-t", "outcome", "-o", "m.json", "--engine", "dask"]
    assert "t.csv is no Parquet file, and --engine dask reads no other." in refused(
        *call, cwd=place
    )
