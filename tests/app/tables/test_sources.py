"""Tables from files of all kinds, block by block."""

import csv
import sys

import numpy as np
import pandas as pd
import pytest

from unfis.app.requests import RequestError
from unfis.app.tables import TableError, opened, prepare, read_table, sources

ROWS = 500


@pytest.fixture
def frame():
    generator = np.random.RandomState(0)
    frame = pd.DataFrame(
        {"a": generator.rand(ROWS), "b": generator.choice(["x", "y, z", ""], ROWS)}
    )
    frame["c"] = 'one\n"two"'
    frame.loc[::7, "c"] = "plain"
    return frame


@pytest.mark.parametrize("size", [50, 100, 1000, 1 << 22])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_blocks_of_any_size_are_the_same_table(tmp_path, frame, monkeypatch, size, newline):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False, lineterminator=newline)
    monkeypatch.setattr(sources, "CHARACTERS_AT_ONCE", size)
    table = read_table(path)
    assert table.frame["b"].tolist() == frame["b"].tolist()
    assert table.frame["c"].tolist() == frame["c"].tolist()
    assert table.frame["a"].astype(float).tolist() == frame["a"].tolist()
    lines = path.read_text().splitlines()
    for row in (0, 1, 250, ROWS - 1):
        number = int(table.location(row).removeprefix("t.csv, line "))
        assert lines[number - 1].startswith(table.frame["a"][row])


def test_some_columns_in_another_order(tmp_path, frame):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    with opened(path) as source:
        (block,) = source.blocks(["c", "a"])
    assert block.frame.column_names == ["c", "a"]
    assert block.frame["c"].to_pylist() == frame["c"].tolist()


@pytest.mark.parametrize(
    ("name", "module"), [("to_parquet", "pyarrow.parquet"), ("to_excel", "openpyxl")]
)
def test_a_reader_that_is_not_installed_is_named(tmp_path, frame, monkeypatch, name, module):
    pytest.importorskip(module)
    path = tmp_path / "t.xlsx"
    getattr(frame, name)(path, index=False)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(TableError, match=r"pip install 'unfis\[app\]'"):
        read_table(path)


def test_old_line_ends(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\r1,2\r3,4\r")
    assert read_table(path).frame["b"].tolist() == ["2", "4"]


def test_one_column_and_blank_lines(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b'only\n1\n\n2\n""\n  \n3')
    table = read_table(path)
    assert table.frame["only"].tolist() == ["1", "2", "", "  ", "3"]
    assert table.location(4) == "t.csv, line 7"


def test_a_quote_left_open_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHARACTERS_AT_ONCE", 1000)
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,"4\n' + "5,6\n" * 10_000)
    with pytest.raises(TableError, match=r"t.csv, line 3: a quote opens here that is not closed"):
        read_table(path)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"age,note,z\n1,x,y\n50,a\rb,c\n", 3),
        (b'c0;c1\n1;2\na"b;"\n', 3),
        (b"a\rb,c\n1,2\n", 2),
        (b'a,b\n1,2\n\n3,"4\n5,6\n', 4),
        (b'a,b\n1,2\n"3,4\n5,6\n', 3),
        (b'a,"b\n1,2\n', 1),
        (b'a,b\n1,"2\n2"\n  \n\n3\n4,5\n', 6),
    ],
)
def test_a_stray_quote_or_line_end_is_named_by_its_line(tmp_path, content, line):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(TableError, match=rf"^t\.csv, line {line}\b.*quote"):
        read_table(path)


def test_long_cells_pass_with_and_without_a_stray_quote(tmp_path, monkeypatch):
    """Though longer than the csv module reads, whose bound is everybody's."""
    monkeypatch.setattr(csv, "field_size_limit", lambda *size: pytest.fail("was asked for"))
    path = tmp_path / "t.csv"
    long = "x" * 200_000
    for size in ("5", '5" wide'):
        path.write_text(f"a,b\n{size},{long}\n")
        assert read_table(path).frame["b"].tolist() == [long]
    path.write_text(f"{long},b\n1,2\n")
    assert read_table(path).names == [long, "b"]
    path.write_text(f'a,b\n5" wide,"{"," * 200_000}"\n')
    assert read_table(path).frame["b"].tolist() == ["," * 200_000]


def test_spaces_between_cells_are_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("age bmi class\n1 2 a\n3 4 b\n")
    with pytest.raises(RequestError, match=r"read as one column, 'age bmi class'\. .*`separator`"):
        prepare(read_table(path), "class")
    assert read_table(path, separator="space").names == ["age", "bmi", "class"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (sources.OLD_EXCEL + b"..", "in Excel's old format; save it as .xlsx or CSV"),
        (b"PAR1 and then nothing", "begins like Parquet but is damaged"),
        (b"<html><body>", "is no table: it begins like HTML"),
        (b"%PDF-1.4", "is no table: it begins like a PDF"),
    ],
)
def test_other_files(tmp_path, content, message):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(TableError, match=message):
        read_table(path)


def test_a_checksum_is_of_names_and_cells(tmp_path, frame):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    first = read_table(path).fingerprint
    frame.to_csv(path, index=False, sep=";", encoding="utf-16")
    assert read_table(path).fingerprint == first
    frame.iloc[::-1].to_csv(path, index=False)
    assert read_table(path).fingerprint != first
