"""Which class has no points, what others have against it, and where they start."""

from dataclasses import replace

import numpy as np
import pytest
from rule_tables import averaged_in_points, sparse_in_points

from unfis.arrays import softmax
from unfis.rules import Effect
from unfis.rules.points import (
    classes_spoken_for,
    contrast,
    other_classes,
    reference_class,
    starts_of,
)


def with_slopes(base, *slopes, mix=()):
    """A scorecard of the numbers of a table, one number of each class for each."""
    numbers = [variable for variable in base.variables if not variable.categories]
    effects = tuple(
        Effect(variable.name, "number", tuple(map(float, each)), 1.0, 0.0)
        for variable, each in zip(numbers, slopes, strict=False)
    )
    rule = replace(base[0], effects=effects, unit=1.0, mix=mix or base[0].mix, support=1.0)
    return replace(base, rules=(rule,))


@pytest.fixture
def base(model):
    return averaged_in_points(model("iris", "soft")[0], 1, True).rules_


def test_the_class_without_points_leaves_the_fewest_numbers(base):
    assert reference_class(with_slopes(base, (0, 0, 1), (0, 2, 0))) == 0
    # Against the first class numbers would be smaller, but more; so would they without a class.
    assert reference_class(with_slopes(base, (7, 12, 2), (1, 0, 0))) in (1, 2)
    # Without a class they are as many, and smaller.
    assert reference_class(with_slopes(base, (0, 5, -5), (1, 0, 0))) is None
    # All three inputs say the same of two classes.
    assert reference_class(with_slopes(base, (2, 2, 3), (1, 1, 0), (-1, -1, 0))) in (0, 1)


def test_where_inputs_speak_for_different_classes_each_has_its_sum(base):
    sparse = with_slopes(base, (3, 0, 0), (0, -2, 0), (0, 0, 1))
    assert reference_class(sparse) is None
    assert other_classes(sparse, None) == [0, 1, 2]
    assert [contrast(effect, 1, None) for effect in sparse[0].effects] == [0, -2, 0]
    assert starts_of(sparse[0], sparse, None).min() == 0


def test_of_equals_it_is_a_class_then_the_smallest_numbers_then_the_most_frequent(base):
    assert reference_class(with_slopes(base, (3, 0, 1), (1, 3, 0))) is not None
    assert reference_class(with_slopes(base, (1, 2, 9), (1, 2, 9))) == 1
    for frequent in range(3):
        mix = tuple(np.where(np.arange(3) == frequent, 0.5, 0.25))
        told = with_slopes(base, (0, 1e-12, -1e-12), mix=mix)
        assert reference_class(told) == frequent


def test_last_digits_do_not_choose_the_class_without_points(base):
    whole = with_slopes(base, (3, 0, 0), (2, 0, 1))
    slopes = [np.add(effect.slopes, (0, 1e-13, 0)) for effect in whole[0].effects]
    assert reference_class(with_slopes(base, *slopes)) == reference_class(whole)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_classes_one_is_without_points_whatever_is_0(model, seed):
    base = sparse_in_points(model("clinic", "soft")[0], 2, True, seed, most=1).rules_
    rates = [sum(rule.support * (rule.mix or (0, 0))[c] for rule in base) for c in range(2)]
    assert reference_class(base) == int(np.argmax(rates))
    for rule in base:
        assert len(classes_spoken_for(rule, base, reference_class(base))) == 1


@pytest.mark.parametrize("reference", [None, 0, 4])
def test_starts_and_contrasts_are_the_rule(model, reference):
    """Where every number is at its origin and no category is known the softmax is the same."""
    base = sparse_in_points(model("ten classes", "soft")[0], 1, True, 3, most=3).rules_
    numbers = [v.name for v in base.variables if not v.categories]
    origins = {e.input: e.origin for e in base[0].effects if e.origin is not None}
    row = {v.name: origins.get(v.name, 0.0) if v.name in numbers else None for v in base.variables}
    values = np.array([[np.nan if value is None else value for value in row.values()]])
    expected = base.arrays.evaluate(values).said[0, 0]
    starts = starts_of(base[0], base, reference)
    assert starts[reference] == 0 if reference is not None else starts.min() == 0
    np.testing.assert_allclose(softmax(starts[None])[0], expected, atol=1e-12)


def test_a_class_that_inputs_cancel_for_is_not_spoken_for(base):
    dense = with_slopes(base, (1, 3, 1), (2, 2, 5))
    assert classes_spoken_for(dense[0], dense, 0) == [1, 2]
    assert classes_spoken_for(with_slopes(base, (1, 3, 1))[0], dense, 0) == [1]
