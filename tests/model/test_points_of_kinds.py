"""Whole points of categories, of which some kinds speak for some classes."""

import copy
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier, load


def kinds_of_some_classes(rows=600):
    """A table of four classes, for which different kinds of a category speak, and one of two."""
    generator = np.random.default_rng(2)
    kinds = generator.integers(0, 6, rows)
    table = pd.DataFrame({"a": generator.normal(size=rows).round(2)})
    table["kind"] = np.array(list("uvwxyz"))[kinds]
    table["ward"] = generator.choice(["east", "west"], rows)
    added = np.zeros((6, 4))
    added[[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]] = [3, 4, 3, 4, -3]
    scores = added[kinds] + np.outer(table["a"], [1, 0, 0, -1])
    scores[:, 1] += 2 * (table["ward"] == "east")
    return table, (scores + generator.gumbel(size=scores.shape)).argmax(axis=1)


@pytest.fixture(scope="module")
def some_classes():
    table, labels = kinds_of_some_classes()
    model = UNFISClassifier().fit(table, labels)
    assert 0 < model.parameters_.slopes.mean() < 1
    return model, table


def test_points_are_of_what_is_in_a_then(some_classes):
    """Kinds that speak for different classes do not come to speak for the others."""
    model, table = some_classes
    inside = np.broadcast_to(
        model.parameters_.slopes, model.parameters_.consequents[:, :, 1:].shape
    )
    assert not model.parameters_.consequents[:, :, 1:][~inside].any()
    for effect in model.rules_[0].effects:
        left = model.edit(drop=[(1, effect.input)])
        lost = model.predict_proba(table.assign(**{effect.input: None}))
        np.testing.assert_allclose(left.predict_proba(table), lost, atol=1e-12)


def test_two_kinds_have_points_of_their_difference_whichever_classes_they_speak_for(some_classes):
    model, _ = some_classes
    (ward,) = (effect for effect in model.rules_[0].effects if effect.input == "ward")
    spoken_for = np.any(ward.slopes, axis=1)
    assert 0 < spoken_for.sum() < 3
    assert np.abs(np.diff(ward.slopes)).max() <= 9 * model.rules_[0].unit * (1 + 1e-9)
    printed = str(model.rules_)
    assert len(re.findall(r"^ *ward is (east|west) ", printed, re.MULTILINE)) == 1


def test_a_kind_that_came_to_nothing_is_in_a_then_that_is_read(some_classes, tmp_path):
    model, table = some_classes
    made = copy.copy(model)
    network = model.parameters_
    kind = model.model_.columns.inputs[1].columns
    spoken = np.flatnonzero(network.selection.in_consequent[0, kind]) + kind.start
    consequents = network.consequents.copy()
    consequents[0, :, 1 + spoken[0]] = 0
    made.model_ = replace(
        model.model_.with_network(replace(network, consequents=consequents), 1.0),
        scorecard=model.model_.scorecard,
    )
    made.save(tmp_path / "one.json")
    read = load(tmp_path / "one.json")
    read.save(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    np.testing.assert_array_equal(read.predict_proba(table), made.predict_proba(table))
