import json

import numpy as np
import pytest

from unfis import rates_by_group
from unfis.model.groups import Rate, by_chance, grouped

TRUE = np.repeat(["no", "yes", "no", "yes"], [60, 20, 60, 20])
SEX = np.repeat(["f", "m"], 80)


def answered(*shares):
    """Answers in which so many rows of each part of TRUE are yes."""
    counts = [60, 20, 60, 20]
    parts = [["yes"] * n + ["no"] * (all_ - n) for n, all_ in zip(shares, counts, strict=True)]
    return np.concatenate(parts)


def test_rates_by_hand():
    (groups,) = rates_by_group(TRUE, answered(6, 10, 30, 15), SEX).by_class.values()
    women, men = groups
    assert (women.group, women.rows, men.group) == ("f", 80, "m")
    assert [rate.value for rate in women[2:]] == [64 / 80, 16 / 80, 10 / 20, 6 / 60]
    assert [rate.value for rate in men[2:]] == [45 / 80, 45 / 80, 15 / 20, 30 / 60]
    low, high = women.found.interval
    assert (low, high) == pytest.approx((0.299, 0.701), abs=1e-3)


def test_what_is_beyond_chance_is_said():
    told = rates_by_group(TRUE, answered(6, 10, 30, 15), SEX).sentences()
    assert told[1] == 'Answered "yes": from 20 % (f) to 56 % (m); beyond chance (p < 0.01).'
    assert told[2].startswith('Found of "yes": from 50 % (f) to 75 % (m); chance alone often')
    assert told[3].endswith("beyond chance (p < 0.01).")


def test_small_groups_are_named_and_shown():
    ward = np.where(np.arange(160) < 4, "tiny", SEX)
    found = rates_by_group(TRUE, answered(6, 10, 6, 10), ward)
    assert [one.group for one in found.by_class["yes"]] == ["f", "m", "tiny"]
    assert found.sentences()[-1] == "Fewer than 10 rows, so that rates may be chance: tiny."
    assert "tiny" not in "".join(found.sentences()[:-1])


def test_too_few_rows_to_compare():
    told = rates_by_group(["a", "b"] * 8, ["a", "b"] * 8, ["x"] * 8 + ["y"] * 8).sentences()
    expected = 'right answers, answered "b", found of "b", false alarms of "b".'
    assert told[0] == f"Too few rows to compare groups by: {expected}"
    assert told[1].endswith("so that rates may be chance: x, y.")


@pytest.mark.parametrize("groups", [["x"] * 16, [None] * 16, np.full(16, np.nan)])
def test_one_group_has_none_beside_it(groups):
    (told,) = rates_by_group(["a", "b"] * 8, ["a", "b"] * 8, groups).sentences()
    assert told.startswith("All rows are of one group, ")
    assert told.endswith(": there is none to compare it with.")


def test_of_several_classes_each_is_regarded():
    labels = np.tile(["a", "b", "c"], 20)
    found = rates_by_group(labels, labels, np.repeat(["x", "y"], 30))
    assert list(found.by_class) == ["a", "b", "c"]
    assert sum(sentence.startswith("Right") for sentence in found.sentences()) == 1


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


def test_plain_data():
    found = rates_by_group(TRUE, answered(6, 10, 6, 10), SEX).to_dict()
    assert json.loads(json.dumps(found))["words"] == found["words"]
    assert found["classes"][0]["groups"][0]["found"]["value"] == 0.5


def test_rows_must_be_as_many():
    with pytest.raises(ValueError, match=r"must have the same number of rows, .* got 2, 1 and 2"):
        rates_by_group(["a", "b"], ["a"], ["x", "y"])


def test_few_numbers_are_groups_by_their_own_names():
    attribute = np.array([1.0, 0.0, 2.5, np.nan])
    (groups,) = rates_by_group(["a", "b"] * 2, ["a", "a"] * 2, attribute).by_class.values()
    assert [one.group for one in groups] == ["0", "1", "2.5", "missing"]


def test_rates_that_are_the_same_are_told_once():
    told = rates_by_group(TRUE, np.full(len(TRUE), "no"), SEX).sentences()
    assert told[1:] == [
        'Answered "yes": 0 % in all groups.',
        'Found of "yes": 0 % in all groups.',
        'False alarms of "yes": 0 % in all groups.',
    ]
