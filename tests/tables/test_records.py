"""Rows of text: by counting quotes, and by the csv module where that would be wrong."""

import csv
import io

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from unfis.tables.records import careful_records, split_records

CELLS = st.text(alphabet='ab ,;"\n\té', max_size=6)


def rows_of(data, records):
    pairs = zip(records.starts, records.ends, strict=True)
    return [data[start:end].decode() for start, end in pairs]


def test_plain_lines_with_blank_ones_between():
    data = b"a,b\r\n1,2\r\n\r\n   \n3,4,5\n"
    records = split_records(data, ",", final=True)
    assert rows_of(data, records) == ["a,b", "1,2", "3,4,5"]
    assert records.cells.tolist() == [2, 2, 3]
    assert records.size == len(data)


def test_a_row_that_is_not_whole_waits_for_the_rest():
    data = b'a,b\n"1\n2",3\n"4\n'
    records = split_records(data, ",", final=False)
    assert rows_of(data, records) == ["a,b", '"1\n2",3']
    assert data[records.size :] == b'"4\n'


def test_quotes_inside_cells_are_letters():
    data = b'pipe,length\n5" wide,3\n"6"" wide",4\nplain,5\n'
    records = split_records(data, ",", final=True)
    assert rows_of(data, records) == ["pipe,length", '5" wide,3', '"6"" wide",4', "plain,5"]
    assert records.cells.tolist() == [2, 2, 2, 2]


@settings(max_examples=200)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=6))
@example([['"', "\n"], ["", ""]])
def test_what_the_csv_module_writes_is_cut_where_it_was(rows):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    data = text.getvalue().encode()
    records = split_records(data, ",", final=True)
    assert records.cells.tolist() == [len(row) for row in rows]
    read = [next(csv.reader(io.StringIO(row, newline=""))) for row in rows_of(data, records)]
    assert read == rows
    careful = careful_records(data, ",", final=True)
    for one, other in zip(records, careful, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n"])
def test_nothing(data):
    assert len(split_records(data, ",", final=True).starts) == 0
