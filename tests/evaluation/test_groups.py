import numpy as np
import pytest

from unfis import rates_by_group
from unfis.evaluation.groups import Rate, by_chance, grouped

TRUE = np.repeat(["no", "yes", "no", "yes"], [60, 20, 60, 20])
SEX = np.repeat(["f", "m"], 80)


def answered(*shares):
    """Answers in which so many rows of each part of TRUE are yes."""
    counts = [60, 20, 60, 20]
    parts = [["yes"] * n + ["no"] * (all_ - n) for n, all_ in zip(shares, counts, strict=True)]
    return np.concatenate(parts)


def test_rates_by_hand():
    (groups,) = rates_by_group(TRUE, answered(6, 10, 30, 15), SEX).values()
    women, men = groups
    assert (women.group, women.rows, men.group) == ("f", 80, "m")
    assert [rate.value for rate in women[2:]] == [64 / 80, 16 / 80, 10 / 20, 6 / 60]
    assert [rate.value for rate in men[2:]] == [45 / 80, 45 / 80, 15 / 20, 30 / 60]
    low, high = women.found.interval
    assert (low, high) == pytest.approx((0.299, 0.701), abs=1e-3)


def test_numbers_are_put_in_quarters():
    names, positions = grouped(np.array([*range(1, 101), np.nan]))
    assert names == ["up to 25", "above 25 to 50", "above 50 to 75", "above 75", "missing"]
    assert np.bincount(positions).tolist() == [25, 25, 25, 25, 1]
    names, positions = grouped(np.array([0.0] * 90 + [*range(1, 11)]))
    assert names == ["up to 0", "above 0"]
    assert grouped(np.array([1, 0, 1]))[0] == ["0", "1"]


def test_many_groups_are_put_together():
    values = np.array([f"town {k}" for k in range(20) for _ in range(k + 1)], dtype=object)
    names, positions = grouped(values)
    assert names == [*(f"town {k}" for k in range(11, 20)), "the 11 others"]
    assert np.bincount(positions).tolist() == [*range(12, 21), 66]


def test_missing_words_are_a_group():
    assert grouped(np.array(["a", None, "b"], dtype=object))[0] == ["a", "b", "missing"]


def test_chance_is_where_all_are_treated_alike():
    """Of tables of chance as few have a small p as p says."""
    parts = np.random.RandomState(1).binomial(40, 0.3, (100, 3))
    found = np.array([by_chance([Rate(int(part), 40) for part in row]) for row in parts])
    assert (found < 0.05).mean() < 0.13
    assert 0.3 < np.median(found) < 0.7
    assert by_chance([Rate(0, 40), Rate(0, 40)]) == 1


def test_rows_must_be_as_many():
    with pytest.raises(ValueError, match=r"must have the same number of rows, .* got 2, 1 and 2"):
        rates_by_group(["a", "b"], ["a"], ["x", "y"])


def test_few_numbers_are_groups_by_their_own_names():
    attribute = np.array([1.0, 0.0, 2.5, np.nan])
    (groups,) = rates_by_group(["a", "b"] * 2, ["a", "a"] * 2, attribute).values()
    assert [one.group for one in groups] == ["0", "1", "2.5", "missing"]
