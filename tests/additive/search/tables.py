"""Made columns and tables for the tests of the search."""

from dataclasses import fields, replace

import numpy as np
from hypothesis import strategies as st

from unfis.additive.objective import (
    CrossEntropyOfClasses,
    CrossEntropyOfTwo,
    HalfSquaredError,
    PoissonDeviance,
)
from unfis.additive.search.additions import WalkSums, new_rules
from unfis.additive.search.bins import KindBins, NumberBins
from unfis.additive.search.extensions import extensions
from unfis.additive.search.gains import Present, Sums
from unfis.additive.search.limits import Limits
from unfis.additive.search.state import SearchTable, State

LIMITS = Limits()
PRICES = [field.name for field in fields(Limits) if field.name.endswith("_price")]
# Limits under which a score is a gain.
FREE = replace(LIMITS, **dict.fromkeys(PRICES, 0.0), least_rows=0.5)
TASKS = {
    "two": CrossEntropyOfTwo(),
    "three": CrossEntropyOfClasses(3),
    "number": HalfSquaredError(),
    "count": PoissonDeviance(),
}


@st.composite
def columns(draw, missing=True):
    """Values of one number, few or many of them, some missing, and weights from 1 to 3."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(1, 600))
    kind = draw(st.sampled_from(["two", "few", "whole", "many", "skewed", "constant"]))
    values = {
        "two": lambda: generator.choice([0.0, 1.0], rows),
        "few": lambda: generator.integers(-3, 9, rows) / 4,
        "whole": lambda: generator.integers(-50, 900, rows).astype(float),
        "many": lambda: generator.normal(10, 3, rows),
        "skewed": lambda: np.exp(generator.normal(0, 3, rows)),
        "constant": lambda: np.full(rows, 7.25),
    }[kind]()
    if missing and draw(st.booleans()):
        values[generator.random(rows) < draw(st.sampled_from([0.1, 0.9]))] = np.nan
    return values, generator.integers(1, 4, rows).astype(float)


def search_table(columns, targets, weights, objective, kinds=(), limits=LIMITS):
    """A table to search: columns of numbers, or of codes where `kinds` counts them."""
    weights = np.atleast_2d(np.asarray(weights, dtype=float))
    kinds = kinds or (0,) * len(columns)
    bins = [
        KindBins.of(j, values, count) if count else NumberBins.of(j, values, weights[-1], limits)
        for j, (values, count) in enumerate(zip(columns, kinds, strict=True))
    ]
    return SearchTable(bins, np.asarray(targets, dtype=float), weights, objective, limits)


def random_targets(task, generator, rows, signal=0.0):
    """Targets of a task, by chance and by a signal (rows,)."""
    if task == "two":
        return (signal + generator.logistic(size=rows) > 0).astype(float)
    if task == "three":
        noise = generator.gumbel(size=(3, rows))
        noise[1] += signal
        return noise.argmax(axis=0).astype(float)
    if task == "count":
        return generator.poisson(np.exp(np.clip(signal, -3, 3)), rows).astype(float)
    return signal + generator.normal(size=rows)


def state_with(table, drafts):
    """The state of all walks with the same rules."""
    state = State.begin(table)
    for draft in drafts:
        state = state.changed([[(None, draft)]] * state.walks)
    return state


def additions_of(state, walk=0, output=0):
    """The best new rules of one condition."""
    return [m for m in new_rules(state, WalkSums(state, walk)) if m.draft.output == output]


def extensions_of(state, walk, place):
    """The best conditions to add to a rule."""
    return list(extensions(state, WalkSums(state, walk, of_rules=True), [place]))


def gains_of(state, walk, output, columns, without=None, *, again=False):
    """The gains in closed form of columns of degrees, (columns, rows), beside all rules but one."""
    present = Present.of(state, walk, output, without)
    at, degrees = state.fit.at, state.design.degrees[walk]
    gradient, curvature = at.gradient[walk, output], at.curvature[walk, output]
    if without is not None:
        gradient = gradient + curvature * state.fit.points[walk, without] * degrees[without]
    curved = curvature * columns
    rules = degrees[present.parameters[1:] - state.table.objective.outputs]
    inner = np.concatenate([np.ones((1, columns.shape[1])), rules]) @ curved.T
    slope, square = columns @ gradient, (curved * columns).sum(axis=1)
    sums = Sums(slope[None], square[None], present.whitening @ inner, present.plain @ inner)
    return present.gains(sums, again=again)[0]


def gain_of_rule(state, walk, place):
    """The gain in closed form of a rule that is there: points^2 / (2 variance), of one output."""
    parameter = place + state.table.objective.outputs
    same = np.concatenate([np.arange(state.table.objective.outputs), state.design.outputs[walk]])
    own = np.flatnonzero(same == same[parameter])
    variance = np.linalg.inv(state.fit.precision[walk][np.ix_(own, own)])[(own == parameter)][0]
    points, unit = state.fit.points[walk, place], state.dispersion[walk]
    return float(points**2 / (2 * unit * variance[own == parameter][0]))


def exact_gain(state, draft, walk=0, place=None):
    """What a new rule, or one in another's place, takes from the objective, in units of gains."""
    changes = [[(place, draft)] if number == walk else [] for number in range(state.walks)]
    before, after = state.changed([[]] * state.walks), state.changed(changes)
    return float((before.fit.losses - after.fit.losses)[walk] / state.dispersion[walk])
