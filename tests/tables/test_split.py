"""Held-out rows: the same part of each class, always the same."""

import numpy as np
import pytest

from unfis.tables.errors import RequestError
from unfis.tables.split import held_out_rows

LABELS = np.array(["a"] * 40 + ["b"] * 10 + ["c"])


def test_each_class_gives_its_part_and_keeps_a_row():
    held = held_out_rows(LABELS, 0.3, 0)
    assert [held[label == LABELS].sum() for label in "abc"] == [12, 3, 0]
    assert not held_out_rows(LABELS, 0, 0).any()
    assert held_out_rows(LABELS, 0.99, 0).sum() == 39 + 9


def test_a_seed_is_a_choice():
    assert (held_out_rows(LABELS, 0.3, 1) == held_out_rows(LABELS, 0.3, 1)).all()
    assert (held_out_rows(LABELS, 0.3, 1) != held_out_rows(LABELS, 0.3, 2)).any()


@pytest.mark.parametrize("fraction", [-0.1, 1, 2, float("nan")])
def test_a_part_is_a_part(fraction):
    with pytest.raises(RequestError, match="--test must be at least 0 and below 1"):
        held_out_rows(LABELS, fraction, 0)
