"""Blocks teach what one table of all their rows would."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unfis.data.blocks import unions
from unfis.data.blocks.unions import ClassUnion, ColumnUnion, recoded
from unfis.data.values import ValueReader

COLUMNS = {
    "numbers": [[1, 2], [0.5, None]],
    "whole numbers, then missing": [[1, 2], [None, None]],
    "missing, then numbers": [[None, None], [1.5, 2.0]],
    "text": [["b", "c"], ["a", None], ["c", "d"]],
    "missing, then text": [[None, None], ["b", "a"]],
    "text, then missing": [["b", "a"], [np.nan, np.nan]],
    "truth values": [[True, False], [None, True]],
    "truth values, then missing": [[True, False], [None, None]],
    "missing, then truth values": [[None, None], [True, True]],
    "truth values and numbers": [[True, False], [2.5, 1.0], [False, False]],
    "nothing": [[None, None], [np.nan, np.nan]],
}


def learned(blocks, categorical="from_dtype"):
    """The reader of all blocks, and the values that it and they make."""
    union, names = ColumnUnion(categorical), list(blocks[0].columns)
    values = np.concatenate([union.values(block, names) for block in blocks])
    reader = union.reader()
    return reader, recoded(values, union.changes(reader))


def compare(blocks, table, categorical="from_dtype"):
    reader, values = learned(blocks, categorical)
    whole = ValueReader.learn(table, list(table.columns), categorical)
    assert reader.kinds == whole.kinds
    assert reader.categories == whole.categories
    np.testing.assert_array_equal(values, whole.values(table))


@pytest.mark.filterwarnings("ignore:The behavior of DataFrame concatenation:FutureWarning")
@pytest.mark.parametrize("dtype", [None, object])
@pytest.mark.parametrize("parts", COLUMNS.values(), ids=COLUMNS)
def test_a_column_in_blocks_is_the_column_of_the_table(parts, dtype):
    blocks = [pd.DataFrame({"x": pd.Series(part, dtype=dtype)}) for part in parts]
    compare(blocks, pd.concat(blocks, ignore_index=True))


@pytest.mark.parametrize("dtype", ["category", "string", "str"])
def test_text_of_all_dtypes(dtype):
    parts = [["b", "c"], ["a", None], [None, None], ["c", "d"]]
    blocks = [pd.DataFrame({"x": pd.Series(part, dtype=dtype)}) for part in parts]
    compare(blocks, pd.concat(blocks, ignore_index=True))


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "Float64"])
def test_nullable_dtypes(dtype):
    blocks = [
        pd.DataFrame({"x": pd.Series(part, dtype=dtype)}) for part in ([1, 0], [None, 1], [None])
    ]
    compare(blocks, pd.concat(blocks, ignore_index=True))


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["d", "c", "b", "a"])])
def test_polars(dtype):
    parts = [["b", "c"], ["a", None], [None, None], ["c", "d"]]
    blocks = [pl.DataFrame({"x": pl.Series(part, dtype=dtype)}) for part in parts]
    compare(blocks, pl.concat(blocks))


def test_columns_that_the_user_calls_categories():
    blocks = [pd.DataFrame({"x": [3, 1], "y": [0.0, 1.0]}), pd.DataFrame({"x": [2, 3], "y": 0.5})]
    compare(blocks, pd.concat(blocks, ignore_index=True), ["x"])


def test_a_block_that_knows_nothing_of_a_column_does_not_change_its_kind():
    """pandas makes numbers of truth values, where a block of NaN comes before them."""
    parts = [[np.nan, np.nan], [True, False]]
    for blocks in (parts, parts[::-1]):
        assert learned([pd.DataFrame({"x": part}) for part in blocks])[0].kinds == ["boolean"]


def test_all_missing_with_types_stays_of_its_type():
    blocks = [pd.DataFrame({"x": pd.Series([None], dtype="string")})] * 2
    assert learned(blocks)[0].kinds == ["category"]
    assert learned(blocks)[0].categories == [()]


MIXED = {
    "numbers after text": (["a"], [1.0], "x holds numbers, but text or categories in the blocks"),
    "text after numbers": ([1.0], ["a"], "x holds text or categories, but numbers in the blocks"),
    "truth after text": (["a"], [True], "x holds truth values, but text or categories in the"),
    "text after truth": ([True], ["a"], "x holds text or categories, but truth values in the"),
    "dates": ([1.0], [np.datetime64("2020-01-01")], "x has dtype datetime64"),
    "date": ([1.0], [datetime.date(2020, 1, 1)], r"x holds datetime.date\(2020, 1, 1\) where a"),
}


@pytest.mark.parametrize(("first", "second", "message"), MIXED.values(), ids=MIXED)
def test_kinds_that_do_not_go_together(first, second, message):
    with pytest.raises(ValueError, match=message):
        learned([pd.DataFrame({"x": first}), pd.DataFrame({"x": second})])


def test_named_categories_that_do_not_go_together():
    blocks = [pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": ["a", "b"]})]
    with pytest.raises(ValueError, match="x mixes kinds of values, such as text and numbers"):
        learned(blocks, ["x"])


def test_identifiers_are_refused_whatever_the_blocks(monkeypatch):
    def blocks(kinds):
        return [pd.DataFrame({"x": [f"n{i % kinds}", "n0"]}) for i in range(40)]

    assert len(learned(blocks(25))[0].categories[0]) == 25
    with pytest.raises(ValueError, match="x holds text with 41 kinds in 80 rows"):
        learned([pd.DataFrame({"x": [f"n{i}", f"n{i + 1}"]}) for i in range(40)])
    assert len(learned(blocks(25), ["x"])[0].categories[0]) == 25
    monkeypatch.setattr(unions, "MANY_CATEGORIES", 20)
    with pytest.raises(ValueError, match="x holds text with 21 kinds in 40 rows"):
        learned([pd.DataFrame({"x": [f"n{i}", f"n{i + 1}"]}) for i in range(40)])


LABELS = {
    "text": [["b", "c"], ["a", "b"]],
    "objects": [np.array(["b", "c"], dtype=object), np.array(["a"], dtype=object)],
    "numbers": [[3, 1], [2, 1]],
    "whole and not": [[3, 1], [2.0, 1.0]],
    "truth": [[True, True], [False, True]],
    "truth and numbers": [[True, True], [2, 0]],
}


@pytest.mark.parametrize("parts", LABELS.values(), ids=LABELS)
def test_classes_are_those_of_all_labels(parts):
    union, parts = ClassUnion(), [np.asarray(part) for part in parts]
    codes = np.concatenate([union.codes(part) for part in parts])
    classes, expected = np.unique(np.concatenate(parts), return_inverse=True)
    np.testing.assert_array_equal(union.classes, classes)
    assert union.classes.dtype == classes.dtype
    np.testing.assert_array_equal(union.order[codes], expected)


def test_labels_that_do_not_go_together():
    union = ClassUnion()
    union.codes(np.array(["a", "b"]))
    with pytest.raises(ValueError, match="y mixes labels of the kinds int, str; make them all"):
        union.codes(np.array([1, 2]))
