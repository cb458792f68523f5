"""Rows of text as the reader cuts them, and those that it leaves out."""

import csv
import io

import pyarrow as arrow
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from unfis.app.tables.records import LAST, RaggedRows, text_reader

CELLS = st.text(alphabet='ab ,;"\n\r\té', max_size=6)


def read(text):
    """The names, the rows that are as wide, and the others."""
    names = text_reader(io.StringIO(text, newline=""), ",", 1000).schema.names
    ragged = RaggedRows()
    table = text_reader(io.StringIO(text, newline=""), ",", 1000, names, ragged=ragged).read_all()
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    return [names, *map(list, rows)], ragged


def test_plain_lines_with_blank_ones_between():
    rows, ragged = read("a,b\r\n1,2\r\n\r\n   \n3,4,5\n6,7")
    assert rows == [["a", "b"], ["1", "2"], ["6", "7"]]
    assert (ragged.widths, ragged.first, ragged.blank) == ([3], 1, 1)
    assert ragged.is_ended
    assert not ragged.is_open


@pytest.mark.parametrize("last", ['"4\n', '"4,5\n6,7\n', '4,"5\n6,7\n'])
def test_a_quote_that_stays_open_swallows_the_end(last):
    rows, ragged = read(f'a,b\n"1\n2",3\n{last}')
    assert rows[:2] == [["a", "b"], ["1\n2", "3"]]
    assert ragged.is_open == (len(rows) == 2)
    assert not ragged.is_ended


def test_quotes_inside_cells_are_letters():
    rows, ragged = read('pipe,length\n5" wide,3\n"6"" wide",4\nplain,5\n')
    assert rows[1:] == [['5" wide', "3"], ['6" wide', "4"], ["plain", "5"]]
    assert ragged.widths == []


@settings(max_examples=200)
@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=6))
@example([['"', "\n"], ["", ""]])
def test_what_the_csv_module_writes_is_cut_where_it_was(rows):
    text = io.StringIO(newline="")
    # Of some versions the module writes a carriage return without quotes, which is a line's end.
    returns = any("\r" in cell for row in rows for cell in row)
    quoting = csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows(rows)
    found, ragged = read(text.getvalue())
    assert found == [row for row in rows if len(row) == len(rows[0])]
    assert ragged.widths == [len(row) for row in rows if len(row) != len(rows[0])]
    assert ragged.is_ended


@settings(max_examples=500)
@given(st.text(alphabet='ab,"\n', max_size=14))
@example('a"b,"\n",c"\n')
@example('"a"b"c,d"\n')
@example('""a"",b\n')
def test_stray_quotes_are_taken_as_the_csv_module_takes_them(text):
    expected = [row for row in csv.reader(io.StringIO(f"{text}\n", newline="")) if row]
    try:
        found, ragged = read(text)
    except arrow.ArrowInvalid:  # there is nothing, or a quote stays open in the names
        assume(False)
    assume(expected and LAST not in found[0][-1])
    expected = [row for row in expected if len(row) == len(found[0])]
    # Of a quote that is not closed the csv module has a last row without the reader's end.
    assert found[:-1] == expected[: len(found) - 1]
    assert found[-1] == expected[-1] or (LAST in found[-1][-1] and not ragged.is_ended)
