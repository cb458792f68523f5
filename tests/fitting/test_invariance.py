"""What says the same of a table gives the same rules."""

from dataclasses import fields, replace

import numpy as np
import pytest
from fitting.tables import assert_same, large, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.rules import Trapezoid

some = settings(max_examples=6)


@some
@given(tables(), st.randoms(use_true_random=False))
def test_rows_in_another_order(table, random):
    order = random.sample(range(len(table.targets)), len(table.targets))
    other = table._replace(
        values=table.values[order], targets=table.targets[order], weights=table.weights[order]
    )
    assert_same(table.fitted().model, other.fitted().model)


@some
@given(tables(), st.permutations(range(4)))
def test_columns_in_another_order(table, order):
    kinds = tuple(table.kinds[j] for j in order)
    other = table._replace(values=table.values[:, order], kinds=kinds)
    assert_same(table.fitted().model, other.fitted().model, inputs=np.argsort(order))


@some
@given(tables())
def test_a_weight_of_2_is_a_row_twice(table):
    counts = table.weights.astype(int)
    other = table._replace(
        values=np.repeat(table.values, counts, axis=0),
        targets=np.repeat(table.targets, counts),
        weights=np.ones(counts.sum()),
    )
    assert_same(table.fitted().model, other.fitted().model)


@settings(max_examples=12)
@given(tables(), st.sampled_from([[0], [3], [0, 1, 2]]), st.booleans())
def test_copies_of_columns_and_constant_ones(table, columns, constant):
    """Two conditions on a column and its copy would be a shape that no column has by itself."""
    others = table.values[:, columns]
    if constant:
        others = np.column_stack([others, np.full((len(others), 2), 3.0)])
    kinds = (*table.kinds, *(table.kinds[j] for j in columns), *[0, 4][: 2 * constant])
    other = table._replace(values=np.column_stack([table.values, others]), kinds=kinds)
    assert_same(table.fitted().model, other.fitted().model)


def in_units(model, column, factor):
    """The model with the borders on a column in other units."""

    def moved(one):
        if one.input != column or not isinstance(one, Trapezoid):
            return one
        ends = {field.name: getattr(one, field.name) * factor for field in fields(one)[1:5]}
        return replace(one, **ends)

    rules = (replace(rule, conditions=tuple(map(moved, rule.conditions))) for rule in model.rules)
    return replace(model, rules=tuple(rules))


@some
@given(tables(), st.sampled_from([(1, 0.25), (1, 2.54), (1, 1e-9), (0, 1000.0), (2, 0.01)]))
def test_another_unit_of_an_input(table, unit):
    """Of few values any unit; of many one in which the same numbers are round."""
    column, factor = unit
    values = table.values.copy()
    values[:, column] *= factor
    expected = in_units(table.fitted().model, column, factor)
    assert_same(expected, table._replace(values=values).fitted().model)


@some
@given(tables(["number"]), st.sampled_from([(4.0, 0.0), (2.54, -700.0), (1e-6, 1.0), (1e9, 0.0)]))
def test_another_unit_of_the_target(table, unit):
    factor, shift = unit
    model = table.fitted().model
    points = np.array([rule.points for rule in model.rules])
    expected = model.with_points(factor * np.array(model.start) + shift, factor * points)
    other = table._replace(targets=factor * table.targets + shift).fitted().model
    assert_same(expected, other, points=1e-3 * min(factor, 1))


@some
@given(tables(), st.booleans())
def test_the_same_table_again(table, whole):
    one, other = table.fitted(whole=whole), table.fitted(whole=whole)
    assert one.path == other.path
    assert one.folds == other.folds


@pytest.mark.parametrize("task", ["two", "number"])
def test_a_large_table_again_and_in_other_orders(task):
    table = large(task=task)
    model = table.fitted().model
    assert table.fitted().model == model
    order = np.random.default_rng(1).permutation(len(table.targets))
    columns = [2, 0, 3, 1]
    other = table._replace(values=table.values[order][:, columns], targets=table.targets[order])
    assert_same(model, other.fitted().model, inputs=np.argsort(columns))
