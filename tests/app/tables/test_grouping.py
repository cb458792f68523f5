"""Rates by group in words, and as plain data."""

import json

import numpy as np
import pytest

from unfis.app.tables.grouping import group_sentences, groups_text, plain_errors, plain_rates
from unfis.evaluation.groups import rates_by_group

TRUE = np.repeat(["no", "yes", "no", "yes"], [60, 20, 60, 20])
SEX = np.repeat(["f", "m"], 80)


def answered(*shares):
    """Answers in which so many rows of each part of TRUE are yes."""
    counts = [60, 20, 60, 20]
    parts = [["yes"] * n + ["no"] * (all_ - n) for n, all_ in zip(shares, counts, strict=True)]
    return np.concatenate(parts)


def sentences(*rows):
    return group_sentences(rates_by_group(*rows))


def test_what_is_beyond_chance_is_said():
    told = sentences(TRUE, answered(6, 10, 30, 15), SEX)
    assert told[1] == 'Answered "yes": from 20 % (f) to 56 % (m); beyond chance (p < 0.01).'
    assert told[2].startswith('Found of "yes": from 50 % (f) to 75 % (m); no more than by')
    assert told[3].endswith("beyond chance (p < 0.01).")


def test_small_groups_are_named_and_shown():
    ward = np.where(np.arange(160) < 4, "tiny", SEX)
    found = rates_by_group(TRUE, answered(6, 10, 6, 10), ward)
    assert [one.group for one in found["yes"]] == ["f", "m", "tiny"]
    assert group_sentences(found)[-1] == "Fewer than 10 rows, so that rates may be chance: tiny."
    assert "tiny" not in "".join(group_sentences(found)[:-1])


def test_too_few_rows_to_compare():
    told = sentences(["a", "b"] * 8, ["a", "b"] * 8, ["x"] * 8 + ["y"] * 8)
    expected = 'right answers, answered "b", found of "b", false alarms of "b".'
    assert told[0] == f"Too few rows to compare groups by: {expected}"
    assert told[1].endswith("so that rates may be chance: x, y.")


@pytest.mark.parametrize("groups", [["x"] * 16, [None] * 16, np.full(16, np.nan)])
def test_one_group_has_none_beside_it(groups):
    (told,) = sentences(["a", "b"] * 8, ["a", "b"] * 8, groups)
    assert told.startswith("All rows are of one group, ")
    assert told.endswith(": there is none to compare it with.")


def test_of_several_classes_each_is_regarded():
    labels = np.tile(["a", "b", "c"], 20)
    found = rates_by_group(labels, labels, np.repeat(["x", "y"], 30))
    assert list(found) == ["a", "b", "c"]
    assert sum(sentence.startswith("Right") for sentence in group_sentences(found)) == 1


def test_plain_data():
    found = plain_rates(TRUE, answered(6, 10, 6, 10), SEX)
    assert json.loads(json.dumps(found))["words"] == found["words"]
    assert found["classes"][0]["groups"][0]["found"]["value"] == 0.5


def test_rates_that_are_the_same_are_told_once():
    told = sentences(TRUE, np.full(len(TRUE), "no"), SEX)
    assert told[1:] == [
        'Answered "yes": 0 % in all groups.',
        'Found of "yes": 0 % in all groups.',
        'False alarms of "yes": 0 % in all groups.',
    ]


def test_numbers_that_are_off_for_one_group():
    true = np.arange(160.0)
    off = np.where(SEX == "f", 1.0, 5.0) + 0.1 * (np.arange(160) % 7)
    found = plain_errors(true, true + off, SEX)
    assert json.loads(json.dumps(found)) == found
    f, m = found["groups"]
    assert (f["group"], f["rows"], m["rows"]) == ("f", 80, 80)
    assert f["mean_error"] == f["mean_absolute_error"] == pytest.approx(off[:80].mean())
    assert found["words"][0].endswith("differs beyond chance (p < 0.01).")
    told = groups_text({"sex": found})
    assert told.splitlines()[1].split() == ["rows", "mean", "error", "mean", "absolute", "error"]
    same = plain_errors(true, true, SEX)
    assert all("no more than by chance (p = 1.00)" in words for words in same["words"])
    few = plain_errors(true[:5], true[:5], SEX[:5])
    assert few["words"] == ["Too few rows to compare groups by."]
