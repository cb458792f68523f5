"""Tables written again: types, files without rows, and files that must not be lost."""

import numpy as np
import pandas as pd
import pytest

from unfis.app.tables import opened
from unfis.app.tables.output import output_to

TEXT = (
    "code,whole,price,mark,long,late\n"
    "007,55,1.50,NA,12345678901234567,\n"
    "008,,55.0,3,2,\n"
    "010,-2,NA,x,3,5\n"
)


def written(folder, ending, text, monkeypatch):
    pytest.importorskip({"parquet": "pyarrow", "xlsx": "openpyxl"}[ending])
    # So that blocks differ in what they hold.
    monkeypatch.setattr("unfis.app.tables.sources.CHARACTERS_AT_ONCE", 40)
    table, out = folder / "t.csv", folder / f"out.{ending}"
    table.write_text(text)
    with opened(table) as source, output_to(out, source, ["prediction"]) as output:
        for block in source.blocks():
            output.write(block, [["a"] * len(block.frame)])
    return pd.read_parquet(out) if ending == "parquet" else pd.read_excel(out, dtype=object)


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_columns_of_numbers_become_numbers(tmp_path, monkeypatch, ending):
    found = written(tmp_path, ending, TEXT, monkeypatch)
    assert found["code"].tolist() == ["007", "008", "010"]
    np.testing.assert_array_equal(found["whole"].astype(float), [55, np.nan, -2])
    np.testing.assert_array_equal(found["price"].astype(float), [1.5, 55, np.nan])
    assert all(isinstance(cell, int | float) for cell in found["price"])
    assert found["mark"].dropna().tolist()[-2:] == ["3", "x"]
    assert found["long"].tolist() == ["12345678901234567", "2", "3"]
    np.testing.assert_array_equal(found["late"].astype(float), [np.nan, np.nan, 5])
    assert found["prediction"].tolist() == ["a"] * 3


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_a_table_without_rows_has_columns(tmp_path, monkeypatch, ending):
    found = written(tmp_path, ending, TEXT.splitlines()[0] + "\n", monkeypatch)
    assert list(found.columns) == [*TEXT.splitlines()[0].split(","), "prediction"]
    assert len(found) == 0


def test_a_column_that_begins_with_nothing_keeps_its_type(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("unfis.app.tables.sources.ROWS_AT_ONCE", 2)
    frame = pd.DataFrame({"a": [None, None, "x"], "b": [1, 2, 3]})
    frame.to_parquet(tmp_path / "t.parquet", index=False)
    out = tmp_path / "out.parquet"
    with opened(tmp_path / "t.parquet") as source, output_to(out, source, ["p"]) as output:
        for block in source.blocks():
            output.write(block, [[1] * len(block.frame)])
    found = pd.read_parquet(out)
    assert found["a"].tolist()[2] == "x"
    assert found["b"].tolist() == [1, 2, 3]
