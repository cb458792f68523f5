"""Made tables and models, for the tests of the print."""

from math import inf

import numpy as np
from hypothesis import strategies as st

from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown
from unfis.text import Names

AWKWARD = (
    "TSH", "petal width (cm)", "This is it", "a AND b", "line\nbreak", "", " padded ", "a  b", "1",
    "3 or 4", 'say "no"', "unknown", "not b", "in list 1", "Größe", "x, y", "IF", "known", "a;b",
    "How satisfied are you, all in all, with the service of your bank in the last twelve months?",
    "tab\there", "zero\u200bwidth", "back\\slash", "a: b", "THEN", "5 %", "or", "  ", "AND",
    "not", "is", "and more",
)  # fmt: skip
CLASSES = ("0", "1", "yes", "Iris setosa", "compensated hypothyroid", "a, b", "x = 3", "", "is no")


@st.composite
def made(draw, link=None):
    """Names, a model, and rows of values with some of them missing."""
    link = (
        draw(st.sampled_from(["identity", "exp", "logistic", "softmax"])) if link is None else link
    )
    names = draw(st.lists(st.sampled_from(AWKWARD), min_size=6, max_size=6, unique=True))
    few = draw(st.lists(st.sampled_from(AWKWARD), min_size=2, max_size=5, unique=True))
    many = tuple(f"kind {n}" for n in range(draw(st.integers(14, 300))))
    categories = ((), (), (), (), tuple(few), many)
    count = {"softmax": draw(st.integers(3, 9)), "logistic": 2}.get(link, 1)
    outputs = draw(st.permutations(CLASSES))[:count]
    pair = draw(st.sampled_from([(0.0, 1.0), (1.0, 2.0), (-0.5, 12_345.5)]))
    whole = (False, False, True, False, False, False)
    names = Names(
        tuple(names), categories, tuple(outputs), whole, (None, None, None, pair, None, None)
    )
    parts = tuple(draw(st.booleans()) for _ in range(6))  # inputs never missing in training
    rules = []
    sums = count if link == "softmax" else 1
    pool = [draw(condition(names, parts)) for _ in range(draw(st.integers(1, 8)))]
    for _ in range(draw(st.integers(1, 14))):
        inputs = draw(
            st.lists(st.sampled_from(pool), min_size=1, max_size=3, unique_by=lambda c: c.input)
        )
        points = draw(st.integers(-9, 9).filter(bool))
        points = points if draw(st.booleans()) else points / 4
        rules.append(Rule(tuple(inputs), draw(st.integers(0, sums - 1)), float(points)))
    start = tuple(draw(st.integers(-50, 50)) / 10 for _ in range(sums))
    unit = 1.0 if link == "identity" else draw(st.floats(0.05, 1.5))
    model = RuleModel(tuple(rules), start, unit, link)
    return names, model, draw(rows(names, model))


@st.composite
def condition(draw, names, parts):
    """A condition on one of the inputs; the same words have the same share of missing values."""
    j = draw(st.integers(0, 5))
    if draw(st.integers(0, 5)) == 0:
        return Unknown(j)
    unknown = 0.37 if parts[j] else float(draw(st.booleans()))
    if names.categories[j]:
        count = len(names.categories[j])
        codes = draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=count - 1))
        return Kinds(j, tuple(sorted(codes)), unknown)
    if j == 3:
        pair = names.pairs[3]
        middle = (pair[0] + pair[1]) / 2
        ends = draw(
            st.sampled_from(
                [(middle, middle, inf, inf), (-inf, -inf, pair[1], pair[1]), (*pair, inf, inf)]
            )
        )
        return Trapezoid(j, *ends, unknown=unknown)
    size = {0: 100, 1: 1, 2: 2}[j]
    knots = sorted(
        n / size * (1 if j else 1000)
        for n in draw(st.lists(st.integers(-20, 40), min_size=4, max_size=4))
    )
    a, b, c, d = knots
    if b == d:
        d = d + 1.0
    kind = draw(st.sampled_from(["up", "down", "band"]))
    ends = {"up": (a, b, inf, inf), "down": (-inf, -inf, c, d), "band": (a, b, c, d)}[kind]
    if parts[j] and j != 2:  # ranges of whole numbers with other borders may have the same words
        known = [abs(end) for end in ends if abs(end) < inf]
        unknown = (10 + int(100 * sum(known)) % 80) / 100
    return Trapezoid(j, *ends, unknown=unknown)


@st.composite
def rows(draw, names, model):
    """Rows at the borders of the model, between them and beyond."""
    seed = draw(st.integers(0, 2**32 - 1))
    generator = np.random.default_rng(seed)
    knots = {j: [0.0, 1.0] for j in range(6)}
    for rule in model.rules:
        for one in rule.conditions:
            if isinstance(one, Trapezoid):
                knots[one.input] += [knot for edge in one.edges for knot in edge]
    values = np.empty((20, 6))
    for j in range(6):
        if names.categories[j]:
            values[:, j] = generator.integers(0, len(names.categories[j]), 20)
        elif names.pairs[j]:
            values[:, j] = generator.choice(names.pairs[j], 20)
        else:
            values[:, j] = generator.choice(knots[j], 20) + generator.choice([-1, 0, 0, 0.3, 1], 20)
            values[:, j] = np.rint(values[:, j]) if names.whole[j] else values[:, j]
    return np.where(generator.random(values.shape) < 0.15, np.nan, values)
