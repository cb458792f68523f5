"""Iterators of blocks, and what can be wrong with them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unfis import UNFISClassifier
from unfis.data.blocks import blocks_of, comes_in_blocks

X = np.arange(12.0).reshape(4, 3)
Y = [0, 1, 0, 1]
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


def tables(*blocks):
    return [block.X for block in blocks_of(iter(blocks), None, None)]


def test_what_comes_in_blocks(tmp_path):
    assert comes_in_blocks(iter([(X, Y)]))
    assert comes_in_blocks("table.parquet")
    assert comes_in_blocks(tmp_path)
    for table in (X, X.tolist(), FRAME, pl.from_pandas(FRAME)):
        assert not comes_in_blocks(table)


def test_blocks_without_rows_are_passed_over():
    found = list(blocks_of(iter([(X[:0], []), (X, Y), ([], []), (X, Y, Y)]), None, None))
    assert [block.name for block in found] == ["Block 2", "Block 4"]
    assert found[0].weights is None
    assert found[1].weights is Y
    assert len(tables((FRAME.iloc[:0], []), (FRAME, Y))) == 1


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_go_by_name(make):
    frame = make({"a": [1, 2], "b": [3, 4], "c": [5, 6]})
    first, second = tables((frame, Y[:2]), (frame[["c", "a", "b"]], Y[:2]))
    assert first.equals(second)


TABLES = {
    "another width": (X, X[:, :2], r"rows of shape \(2,\), but of \(3,\) in the first"),
    "one dimension": (X, X[:, 0], r"rows of shape \(\), but of \(3,\) in the first"),
    "a frame": (X, FRAME, "type DataFrame, and of ndarray in the first block; give all blocks"),
    "an array": (FRAME, X, "type ndarray, and of DataFrame in the first block; give all blocks"),
    "a column less": (FRAME, FRAME[["a", "c"]], "X lacks the column 'b', which the first block"),
    "a column more": (
        FRAME,
        FRAME.assign(d=1),
        "X has the column 'd', which the first block lacks",
    ),
    "twice": (FRAME, FRAME.set_axis(["a", "b", "b"], axis=1), "several columns named 'b'"),
    "lazy": (pl.from_pandas(FRAME), pl.from_pandas(FRAME).lazy(), "X is a LazyFrame, not yet"),
}


@pytest.mark.parametrize(("first", "second", "message"), TABLES.values(), ids=TABLES)
def test_blocks_that_are_not_of_one_table(first, second, message):
    with pytest.raises(ValueError, match=f"^Block 2: .*{message}"):
        tables((first, Y), (second, Y))


SHAPES = {
    "a table": (FRAME, r"Block 2 must be a tuple \(X, y\) or \(X, y, weights\), got DataFrame"),
    "a list": ([X, Y], "Block 2 must be a tuple .* got list"),
    "one": ((X,), "got tuple of 1"),
    "four": ((X, Y, Y, Y), "got tuple of 4"),
}


@pytest.mark.parametrize(("block", "message"), SHAPES.values(), ids=SHAPES)
def test_what_is_no_block(block, message):
    with pytest.raises(ValueError, match=message):
        tables((X, Y), block)


def test_labels_without_rows_are_no_empty_block():
    with pytest.raises(ValueError, match=r"^Block 2: "):
        UNFISClassifier().fit(iter([(X, Y), (X[:0], Y)]))


@pytest.mark.parametrize("blocks", [[], [(X[:0], [])]])
def test_no_rows_at_all(blocks):
    with pytest.raises(ValueError, match="X gave no rows to learn from: the file is empty"):
        tables(*blocks)


def test_labels_and_weights_are_in_the_blocks():
    for y, weights, name in ((Y, None, "y"), (None, Y, "sample_weight")):
        with pytest.raises(ValueError, match=f"{name} must be None where X is an iterator"):
            list(blocks_of(iter([(X, Y)]), y, weights))
