"""Made tables of which the right rule is known, and whether a model has found it.

A table has six numbers of different kinds and two categories, and log odds that one rule makes: a
slope, a step, a band, a set of kinds, or two steps together. The model's strongest rule (by the
spread of the points that it gives) should be of that shape and on that input, its borders where
they were made. A border is wrong by the share of the rows between the two.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from reading import edge_share
from scoring import values_of
from two_class_tables import drawn

from unfis.rules import Kinds, Trapezoid

ROWS = 1500
SHAPES = ("slopes", "steps", "bands", "kinds", "pairs")
STEEP = 4.0  # log odds between where a rule holds and where it does not
LONG = 0.5  # of the rows: what a slope spans at least
SHORT = 0.15  # of the rows: what the edge of a step spans at most
NUMBERS = ("age", "dose", "income", "pressure", "visits", "score")
EVEN = ("age", "dose", "pressure", "score")  # along which a slope meets rows everywhere
CATEGORIES = {"region": 6, "branch": 9}
Generator = np.random.Generator


class Truth(NamedTuple):
    """The rule that makes the log odds."""

    shape: str
    inputs: tuple[str, ...]
    borders: tuple[float, ...] = ()
    rising: tuple[bool, ...] = ()  # of each input, whether it holds above its border
    kinds: frozenset[str] = frozenset()


def inputs(generator: Generator) -> pd.DataFrame:
    """Numbers with gaps of their own between values, and categories."""
    columns = {
        "age": np.round(generator.normal(50, 12, ROWS)),
        "dose": np.round(generator.uniform(0, 100, ROWS), 1),
        "income": np.round(np.exp(generator.normal(8, 0.6, ROWS)), -1),
        "pressure": np.round(generator.normal(130, 18, ROWS), 1),
        "visits": generator.poisson(2.0, ROWS).astype(float),
        "score": np.round(generator.beta(2, 2, ROWS), 3),
    }
    for name, kinds in CATEGORIES.items():
        columns[name] = np.array(list("abcdefghi"))[generator.integers(kinds, size=ROWS)]
    return pd.DataFrame(columns)


def made(shape: str, seed: int) -> tuple[pd.DataFrame, pd.Series, Truth, np.ndarray]:
    """A table of a shape, always the same one of a seed, its rule and its log odds."""
    generator = np.random.default_rng([SHAPES.index(shape), seed])
    X = inputs(generator)
    truth = MAKERS[shape](X, generator)
    odds = log_odds(X, truth, generator)
    return X, drawn(odds, generator), truth, odds


def slope(X: pd.DataFrame, generator: Generator) -> Truth:
    """More of an input, more (or less) log odds everywhere."""
    return Truth("slopes", (str(generator.choice(EVEN)),), rising=(bool(generator.integers(2)),))


def step(X: pd.DataFrame, generator: Generator) -> Truth:
    """One threshold."""
    (name,) = some_numbers(generator, 1)
    return Truth("steps", (name,), border_at(X, name, generator.uniform(0.2, 0.8)), (True,))


def band(X: pd.DataFrame, generator: Generator) -> Truth:
    """A range with two ends."""
    (name,) = some_numbers(generator, 1)
    low = generator.uniform(0.15, 0.45)
    high = low + generator.uniform(0.25, 0.4)
    borders = border_at(X, name, low) + border_at(X, name, high)
    return Truth("bands", (name,), borders, (True,))


def some_kinds(X: pd.DataFrame, generator: Generator) -> Truth:
    """A set of a category's kinds."""
    name = str(generator.choice(list(CATEGORIES)))
    chosen = generator.choice(sorted(set(X[name])), CATEGORIES[name] // 3, replace=False)
    return Truth("kinds", (name,), kinds=frozenset(map(str, chosen)))


def pair(X: pd.DataFrame, generator: Generator) -> Truth:
    """Two thresholds that must both be passed."""
    names = some_numbers(generator, 2)
    rising = tuple(bool(one) for one in generator.integers(2, size=2))
    shares = generator.uniform(0.4, 0.6, size=2)
    borders = tuple(border_at(X, name, share)[0] for name, share in zip(names, shares, strict=True))
    return Truth("pairs", names, borders, rising)


MAKERS = dict(zip(SHAPES, (slope, step, band, some_kinds, pair), strict=True))


def some_numbers(generator: Generator, count: int) -> tuple[str, ...]:
    """Inputs of many values."""
    names = [name for name in NUMBERS if name != "visits"]
    return tuple(map(str, generator.choice(names, count, replace=False)))


def border_at(X: pd.DataFrame, name: str, share: float) -> tuple[float]:
    """The value that such a share of the rows is below."""
    return (float(X[name].quantile(share, interpolation="nearest")),)


def log_odds(X: pd.DataFrame, truth: Truth, generator: Generator) -> np.ndarray:
    """The log odds that a rule makes."""
    first = X[truth.inputs[0]]
    if truth.shape == "slopes":
        sign = 1 if truth.rising[0] else -1
        return (sign * STEEP / 2 * (first - first.mean()) / first.std()).to_numpy()
    if truth.shape == "kinds":
        holds = first.isin(truth.kinds)
    elif truth.shape == "bands":
        holds = (first >= truth.borders[0]) & (first < truth.borders[1])
    else:
        sides = zip(truth.inputs, truth.borders, truth.rising, strict=True)
        holds = np.all([(X[name] >= at) == up for name, at, up in sides], axis=0)
    sign = generator.choice([-1, 1])
    return sign * STEEP * (np.asarray(holds, dtype=float) - 0.5)


def found(model: Any, X: pd.DataFrame, truth: Truth, odds: np.ndarray) -> dict[str, float]:
    """The strongest rule beside the one that was made, and all together beside the log odds."""
    total = model.model_.points(values_of(model, X))[:, 0]
    together = float(np.corrcoef(total, odds)[0, 1]) if np.ptp(total) > 0 else 0.0
    return {"together": together} | strongest(model, X, truth)


def strongest(model: Any, X: pd.DataFrame, truth: Truth) -> dict[str, float]:
    """Whether the strongest rule is of the right shape, and by how much its borders are wrong."""
    values, rules = values_of(model, X), model.model_.rules
    strengths = [
        abs(rule.points) * degrees.std()
        for rule, degrees in zip(rules.rules, rules.degrees(values), strict=True)
    ]
    scores = {"rules": float(len(strengths)), "right": 0.0}
    if not strengths:
        return scores
    rule = rules.rules[int(np.argmax(strengths))]
    names = {model.model_.names.inputs[one.input]: one for one in rule.conditions}
    if set(names) != set(truth.inputs) or len(rule.conditions) != len(truth.inputs):
        return scores
    conditions = [names[name] for name in truth.inputs]
    columns = [values[:, one.input] for one in conditions]
    if truth.shape == "kinds":
        return scores | {"right": float(is_set(conditions[0], model.model_.names, truth))}
    if not all(isinstance(one, Trapezoid) for one in conditions):
        return scores
    right = is_shape(conditions, columns, truth)
    errors = border_errors(conditions, columns, truth) if right and truth.borders else {}
    return scores | {"right": float(right)} | errors


def is_set(condition: Any, names: Any, truth: Truth) -> bool:
    """Whether a condition is of the right kinds, or of all others."""
    if not isinstance(condition, Kinds):
        return False
    every = [str(name) for name in names.categories[condition.input]]
    chosen = frozenset(every[code] for code in condition.kinds)
    return truth.kinds in (chosen, frozenset(every) - chosen)


def is_shape(conditions: list[Any], columns: list[np.ndarray], truth: Truth) -> bool:
    """Whether ranges have as many edges as they should, as wide as they should be."""
    edges = [
        edge_share(e, c) for one, c in zip(conditions, columns, strict=True) for e in one.edges
    ]
    if len(edges) != (2 if truth.shape in ("bands", "pairs") else 1):
        return False
    if truth.shape == "slopes":
        return edges[0] >= LONG
    if truth.shape == "pairs" and any(
        (one.d == np.inf) != up for one, up in zip(conditions, truth.rising, strict=True)
    ):
        return False
    return max(edges) <= SHORT


def border_errors(
    conditions: list[Any], columns: list[np.ndarray], truth: Truth
) -> dict[str, float]:
    """The worst border's share of the rows between where it is and where it was made."""
    edges = [
        (edge, column)
        for one, column in zip(conditions, columns, strict=True)
        for edge in one.edges
    ]
    wrong = [
        abs(float((column < sum(edge) / 2).mean() - (column < border).mean()))
        for (edge, column), border in zip(edges, truth.borders, strict=True)
    ]
    return {"border": 100 * max(wrong)}
