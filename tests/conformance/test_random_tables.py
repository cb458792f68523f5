"""Tables of any names, kinds and values, and rules of any shape, through every door."""

from math import inf

import numpy as np
import pandas as pd
from conformance import doors
from conformance.cases import model_of
from conformance.test_conformance import held
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unfis.data import Notation
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown

ROWS = 12
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
NUMBERS = st.integers(-40, 40).map(lambda n: n / 8) | st.floats(
    allow_nan=False, allow_infinity=False
)
SHARES = st.sampled_from([0.0, 1.0, 0.25, 0.37])
KINDS = st.one_of(
    st.just("number"),
    st.just("boolean"),
    st.lists(TEXT, min_size=1, max_size=4, unique=True).map(tuple),
    st.lists(st.integers(-9, 99), min_size=2, max_size=4, unique=True).map(tuple),
    st.lists(st.integers(1, 99).map(lambda n: n / 4), min_size=2, max_size=3, unique=True).map(
        tuple
    ),
)


def different(texts, least, most):
    """Texts that are different whatever their case."""
    return st.lists(texts, min_size=least, max_size=most, unique_by=str.casefold)


@st.composite
def conditions(draw, kinds):
    j = draw(st.integers(0, len(kinds) - 1))
    if draw(st.integers(0, 4)) == 0:
        return Unknown(j)
    if kinds[j] == "boolean":
        return Trapezoid(j, 0.5, 0.5, unknown=draw(SHARES))
    if kinds[j] != "number":
        codes = draw(st.sets(st.integers(0, len(kinds[j]) - 1), min_size=1))
        return Kinds(j, tuple(sorted(codes)), draw(SHARES))
    a, b, c, d = sorted(draw(st.lists(NUMBERS, min_size=4, max_size=4)))
    if draw(st.booleans()):
        a, c = b, d  # sharp
    a, b = draw(st.sampled_from([(a, b), (-inf, -inf)]))
    c, d = draw(st.sampled_from([(c, d), (inf, inf)]))
    return Trapezoid(j, a, b, c, d, draw(SHARES))


@st.composite
def tables(draw):
    """A model and a table of values, None where unknown."""
    names = tuple(draw(different(TEXT, 2, 6)))
    kinds = tuple(draw(KINDS) for _ in names)
    count = draw(st.sampled_from([0, 2, 3, 5]))
    link = {0: draw(st.sampled_from(["identity", "exp"])), 2: "logistic"}.get(count, "softmax")
    sums = count if count > 2 else 1
    rules = tuple(
        Rule(
            tuple(draw(st.lists(conditions(kinds), min_size=1, max_size=3))),
            draw(st.integers(0, sums - 1)),
            draw(st.integers(-40, 40).filter(bool)) / 8,
        )
        for _ in range(draw(st.integers(0, 9)))
    )
    start = tuple(draw(st.integers(-40, 40)) / 8 for _ in range(sums))
    classes = tuple(draw(different(TEXT, count, count))) if count else ()
    costs = ()
    if count and draw(st.booleans()):
        costs = tuple(
            tuple(0.0 if c == k else draw(st.integers(1, 9)) for k in range(count))
            for c in range(count)
        )
    model = RuleModel(rules, start, draw(st.floats(0.1, 2)), link)
    ends = [
        end
        for rule in rules
        for one in rule.conditions
        if isinstance(one, Trapezoid)
        for end in (one.a, one.b, one.c, one.d)
    ]
    numbers = NUMBERS | st.sampled_from([end for end in ends if abs(end) < inf] or [0.0])
    cells = {
        name: [draw(st.none() | values_of(kind, numbers)) for _ in range(ROWS)]
        for name, kind in zip(names, kinds, strict=True)
    }
    table = pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in cells.items()})
    return model_of(names, kinds, model, classes, costs, Notation()), table


def values_of(kind, numbers):
    if kind == "number":
        return numbers
    return st.booleans() if kind == "boolean" else st.sampled_from(kind)


@given(made=tables())
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_all_doors(made, tmp_path_factory):
    model, table = made
    with np.errstate(over="ignore"):
        expected = doors.by_library(model, table)
    found = {
        "python": doors.by_python(model, table, tmp_path_factory.mktemp("random")),
        "node": doors.by_node(model, table),
        "sqlite": doors.by_sqlite(model, table),
        "duckdb": doors.by_duckdb(model, table),
        "onnx": doors.by_onnx(model, table),
    }
    for answers in found.values():
        held(model, answers, expected)
