"""Random tables to learn from, and whether two models say the same."""

from dataclasses import fields
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from search.tables import TASKS, random_targets

from unfis.fitting import fit_rules
from unfis.fitting.fit import SearchRequest
from unfis.fitting.rows import LocalRows, RowBlock


class Rows(NamedTuple):
    """What a fit learns from."""

    task: str
    values: np.ndarray
    kinds: tuple
    targets: np.ndarray
    weights: np.ndarray

    def fitted(self, **request):
        """What a fit finds, points as they are unless whole ones are asked for."""
        request = {"whole": False, "max_rules": 6, **request}
        rows = LocalRows(self.values, self.targets, self.weights)
        return fit_rules(rows, self.kinds, TASKS[self.task], SearchRequest(**request))


@st.composite
def tables(draw, tasks=tuple(TASKS)):
    """Rows of numbers, few values and kinds, more or less missing, with more or less to learn."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(30, 160))
    values = generator.normal(10, 3, size=(rows, 4))
    values[:, 1] = generator.integers(0, 6, rows)
    values[:, 2] = np.round(values[:, 2], 1)
    values[:, 3] = generator.integers(0, 4, rows)
    strength = draw(st.sampled_from([0.0, 1.0, 3.0]))
    signal = (values[:, 0] > 11) - 0.3 * values[:, 1] + (values[:, 2] > 9) * (values[:, 3] > 1)
    both = (values[:, 0] > 10) == (values[:, 2] > 10)
    signal = strength * (2 * both - 1.0 if draw(st.booleans()) else signal)
    if draw(st.booleans()):
        values[generator.random(values.shape) < 0.08] = np.nan
    task = draw(st.sampled_from(tasks))
    targets = random_targets(task, generator, rows, signal)
    targets[:3] = [0.0, 1.0, 2.0 if task == "three" else 1.0]  # every class is there
    return Rows(task, values, (0, 0, 0, 4), targets, generator.integers(1, 4, rows).astype(float))


def large(rows=20_000, task="two"):
    """More rows than are searched."""
    generator = np.random.default_rng(0)
    values = generator.normal(size=(rows, 4))
    values[:, 1] = np.round(2 * values[:, 1])
    signal = 2 * (values[:, 0] > 0.5) - values[:, 1] + (values[:, 2] > 0) * (values[:, 3] > 0)
    return Rows(
        task, values, (0,) * 4, random_targets(task, generator, rows, signal), np.ones(rows)
    )


def assert_same(one, other, inputs=None, points=1e-3):
    """Two models have the same rules; `inputs` are those of the first as the other counts them."""
    assert len(one.rules) == len(other.rules)
    for rule, same in zip(one.rules, other.rules, strict=True):
        assert rule.output == same.output
        for a, b in zip(rule.conditions, same.conditions, strict=True):
            assert type(a) is type(b)
            assert (a.input if inputs is None else inputs[a.input]) == b.input
            for field in fields(a)[1:]:
                np.testing.assert_allclose(getattr(a, field.name), getattr(b, field.name))
        np.testing.assert_allclose(rule.points, same.points, rtol=points, atol=points)
    np.testing.assert_allclose(one.start, other.start, rtol=points, atol=points)


class Cut:
    """Rows in so many blocks of uneven sizes."""

    def __init__(self, values, targets, weights, factors=None, parts=3):
        count = len(targets)
        ends = np.sort(np.random.default_rng(parts).choice(count - 1, parts - 1, replace=False))
        parts = np.split(np.arange(count), ends + 1)
        self.count, self.arrays, self.factors = count, (values, targets, weights), factors
        self.blocks = [RowBlock(*(one[part] for one in self.arrays), factors) for part in parts]

    def joined(self, work, join):
        """Joined twice, as where many are joined by few."""
        found = [work(block) for block in self.blocks]
        half = len(found) // 2
        return join([join(found[:half]), join(found[half:])] if half else found)

    def weighted(self, factors):
        return Cut(*self.arrays, factors, len(self.blocks))
