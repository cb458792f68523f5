"""Files that have types: text is text whatever it looks like, and nothing of it is lost."""

import datetime
import re
import tempfile
import zipfile

import numpy as np
import pandas as pd
import pytest

from unfis.app.tables import TableError, opened, typed_output
from unfis.app.tables.output import output_to

openpyxl = pytest.importorskip("openpyxl")

FORMULAS = [
    *("=1+1", "=cmd|' /C calc'!A0", "=", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1+1)", "+", "-"),
    *('=HYPERLINK("http://x","y")', "{=1+1}", "#DIV/0!", "#N/A", "'=1+1", " =1+1", "\t=1+1"),
]


def written(folder, frame, added, monkeypatch=None):
    """A table written to Excel with a column added, its cells."""
    table, out = folder / "t.parquet", folder / "out.xlsx"
    frame.to_parquet(table, index=False)
    with opened(table) as source, output_to(out, source, [added[0]]) as output:
        for block in source.blocks():
            output.write(block, [added[1:]])
    return out


def cells_of(path):
    return list(openpyxl.load_workbook(path).active.iter_rows())


def test_text_is_text_whatever_it_looks_like(tmp_path):
    pytest.importorskip("pyarrow")
    path = written(tmp_path, pd.DataFrame({"=A1": FORMULAS}), ["=1+cmd|'!A0", *FORMULAS])
    head, *rows = cells_of(path)
    assert [cell.value for cell in head] == ["=A1", "=1+cmd|'!A0"]
    for text, row in zip(FORMULAS, rows, strict=True):
        assert [cell.value for cell in row] == [text, text]
    everything = [cell for row in (head, *rows) for cell in row]
    assert {cell.data_type for cell in everything} == {"s"}
    for cell in everything:  # nor is it computed when somebody opens the cell and closes it
        assert bool(cell.quotePrefix) == cell.value.startswith(("=", "+", "-", "@", "\t"))
    with zipfile.ZipFile(path) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert not re.search(r"<f[ >/]", sheet)
    assert sheet.count('t="inlineStr"') == len(everything)


def test_the_header_and_cells_of_a_text_file_too(tmp_path):
    table, out = tmp_path / "t.csv", tmp_path / "out.xlsx"
    table.write_text("=A1,b\n=1+1,-5\n@x,6\n")
    with opened(table) as source, output_to(out, source, ["prediction"]) as output:
        for block in source.blocks():
            output.write(block, [["=2+2", 3]])
    found = [[(cell.value, cell.data_type) for cell in row] for row in cells_of(out)]
    assert found == [
        [("=A1", "s"), ("b", "s"), ("prediction", "s")],
        [("=1+1", "s"), (-5, "n"), ("=2+2", "s")],
        [("@x", "s"), (6, "n"), (3, "n")],
    ]


def test_what_excel_does_not_have_is_text(tmp_path):
    pytest.importorskip("pyarrow")
    moment = datetime.datetime(2024, 1, 5, 12)
    values = {
        "digits": [123_456_789_012_345_678, 1],
        "endless": [np.inf, 1.5],
        "zone": pd.to_datetime([moment, moment], utc=True),
        "old": [datetime.date(1850, 1, 1), datetime.date(2024, 1, 5)],
        "list": [[1, 2], [3]],
        "moment": [moment, moment],
        "truth": [True, False],
    }
    _, first, second = cells_of(written(tmp_path, pd.DataFrame(values), ["p", 1, 2]))
    kinds = [cell.data_type for cell in first]
    assert kinds == ["s", "s", "s", "s", "s", "d", "b", "n"]
    assert first[0].value == "123456789012345678"
    assert [cell.data_type for cell in second[:2]] == ["n", "n"]
    assert second[3].value == datetime.datetime(2024, 1, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 40_000, r"^'xx[^ ]{50,60}xx' is longer than 32,767 characters"),
        ("a\x01b", r"^'a\\x01b' has a character that a sheet cannot hold"),
        ("a\ufffeb", "has a character that a sheet cannot hold"),
    ],
)
def test_what_would_be_lost_is_refused(tmp_path, text, message):
    pytest.importorskip("pyarrow")
    with pytest.raises(TableError, match=message):
        written(tmp_path, pd.DataFrame({"a": [text]}), ["p", 1])
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


def test_more_rows_or_columns_than_a_sheet_has(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    monkeypatch.setattr(typed_output, "SHEET_ROWS", 2)
    with pytest.raises(TableError, match=r"at most 2 rows; .*\.csv or \.parquet"):
        written(tmp_path, frame, ["p", 1, 2])
    monkeypatch.setattr(typed_output, "MOST_COLUMNS", 2)
    with pytest.raises(TableError, match="at most 2 columns"):
        written(tmp_path, frame, ["p", 1, 2])
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]


@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_a_failure_on_the_way_leaves_nothing_open(tmp_path, monkeypatch, ending):
    """What is left open would complain when it is collected, which is an error in tests."""
    pytest.importorskip("pyarrow")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    table, out = tmp_path / "t.csv", tmp_path / f"out.{ending}"
    table.write_text("a\n1\n")

    def interrupted():
        with opened(table) as source, output_to(out, source, ["p"]) as output:
            for block in source.blocks():
                output.write(block, [["x"]])
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "temporary"]
    assert list(temporary.iterdir()) == []
