"""Rows of text, by counting the quotes that open and close cells."""

import csv
import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from unfis.app.tables.records import split_records

CELLS = st.text(alphabet='ab ,;"\n\r\té', max_size=6)


def rows_of(data, records):
    pairs = zip(records.starts, records.ends, strict=True)
    return [data[start:end].decode() for start, end in pairs]


def row_cells(row):
    """The cells of a row that is read alone."""
    cells = split_records(f"{row}\n".encode(), ",").cells
    return [column[0].as_py() for column in cells.columns]


def test_plain_lines_with_blank_ones_between():
    data = b"a,b\r\n1,2\r\n\r\n   \n3,4,5\n"
    records = split_records(data, ",")
    assert rows_of(data, records) == ["a,b", "1,2", "3,4,5"]
    assert records.widths.tolist() == [2, 2, 3]
    assert records.size == len(data)


def test_a_row_that_is_not_whole_waits_for_the_rest():
    data = b'a,b\n"1\n2",3\n"4\n'
    records = split_records(data, ",")
    assert rows_of(data, records) == ["a,b", '"1\n2",3']
    assert data[records.size :] == b'"4\n'


def test_quotes_inside_cells_are_letters():
    data = b'pipe,length\n5" wide,3\n"6"" wide",4\nplain,5\n'
    records = split_records(data, ",")
    assert rows_of(data, records) == ["pipe,length", '5" wide,3', '"6"" wide",4', "plain,5"]
    assert records.widths.tolist() == [2, 2, 2, 2]


@settings(max_examples=200)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=6))
@example([['"', "\n"], ["", ""]])
def test_what_the_csv_module_writes_is_cut_where_it_was(rows):
    text = io.StringIO(newline="")
    # Of some versions the module writes a carriage return without quotes, which is a line's end.
    returns = any("\r" in cell for row in rows for cell in row)
    quoting = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows(rows)
    data = text.getvalue().encode()
    records = split_records(data, ",")
    assert records.widths.tolist() == [len(row) for row in rows]
    assert [row_cells(row) for row in rows_of(data, records)] == rows


@settings(max_examples=500)
@given(st.text(alphabet='ab,"\n', max_size=14))
@example('a"b,"\n",c"\n')
@example('"a"b"c,d"\n')
@example('""a"",b\n')
def test_stray_quotes_are_taken_as_the_csv_module_takes_them(text):
    data = f"{text}\n".encode()
    records = split_records(data, ",")
    found = [row_cells(row) for row in rows_of(data, records)]
    read = [row for row in csv.reader(io.StringIO(data.decode(), newline="")) if not is_blank(row)]
    kept = [row for row in found if not is_blank(row)]
    # For a quote that is not closed the csv module has a last row, which here waits for the rest.
    assert kept == (read if records.size == len(data) else read[: len(kept)])
    assert records.widths.tolist() == [len(row) for row in found]


def is_blank(row):
    return not row or (len(row) == 1 and not row[0].strip())


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n"])
def test_nothing(data):
    assert len(split_records(data, ",").starts) == 0
