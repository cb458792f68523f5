"""The tables and models that the tests of rules share."""

import copy
import functools
from dataclasses import replace

import numpy as np
import pandas as pd
from networks import RuleNetwork
from reference import random_network
from sample_tables import clinic, ten_classes
from tables import available, load

from unfis import UNFISClassifier
from unfis.network import Selection, Shape
from unfis.network.combination import AVERAGED
from unfis.rules import Scorecard

SOFT = {"n_rules": 2, "selection": "soft", "ridge": 0.15}
# Enough rows of a table to meet every kind of value, few enough for all the models.
MOST_ROWS = 150
# Named as in its documentation, where its codes are categories and truth values.
HEART = {"chest_pain_type": "category", "thal": "category", "exercise_induced_angina": bool}


def named(name):
    """A table of the benchmarks, with names for classes and categories where it has codes."""
    X, y = load(name)
    if name == "iris":
        y = y.map(dict(enumerate(["setosa", "versicolor", "virginica"])))
    if name == "wine":
        y = y.map("cultivar {}".format)
    if name == "breast cancer":
        y = y.map({0: "malignant", 1: "benign"})
    if name == "heart":
        X = X.astype(HEART).assign(sex=X["sex"].map({0: "female", 1: "male"}))
    return X, y


def numbers_of_any_size():
    """Columns whose squares, and some whose sums, no double holds."""
    generator = np.random.default_rng(4)
    base = generator.normal(size=(150, 5))
    table = pd.DataFrame(
        {
            "tiny": 1e-200 * base[:, 0],
            "least": 1e-280 * (5 + base[:, 1]),
            "usual": base[:, 2],
            "huge": 1e200 * base[:, 3],
            "most": 1e280 * (base[:, 4] - 7),
        }
    )
    table.loc[3:9, "tiny"] = 0.0
    table.loc[10:19, "huge"] = np.nan
    return table, np.where(base @ [1, 1, 0.5, 1, 1] > 0, "high", "low")


def names_of_sets():
    """The sets that can be loaded here, and the clinic."""
    return [*available(), "clinic"]


def table_of(name):
    made = {"clinic": clinic, "ten classes": ten_classes}
    return made[name]() if name in made else named(name)


# Made networks of averaged rules: how many rules, and whether the last has no IF.
AVERAGED_KINDS = {
    "averaged": (3, True),
    "averaged, two rules": (2, True),
    "averaged, all with IF": (2, False),
    "single rule without IF": (1, True),
}


def averaged(clf, rules, last_without_if, seed=0):
    """A fitted model with a made network: inputs in the IF, in the THEN, in both and in neither."""
    model = clf.model_
    widths = [item.columns.stop - item.columns.start for item in model.columns.inputs]
    turns = np.add.outer(np.arange(rules), np.arange(len(widths))) % 4
    condition, consequent = np.isin(turns, [0, 2]), np.isin(turns, [1, 2])
    condition[-1] &= not last_without_if
    start = random_network(Shape(rules, sum(widths), len(model.classes)), seed)
    condition, consequent = (np.repeat(mask, widths, axis=1) for mask in (condition, consequent))
    network = replace(start, consequents=2 * start.consequents, combination=AVERAGED)
    network = network.with_selection(Selection.decided(condition, consequent[:, None, :]))
    changed = copy.copy(clf)
    changed.model_ = replace(model.with_network(network, 1.0), start=network)
    return changed


def class_rules(clf, rules, last_without_if, seed=0):
    """A fitted model with a made network of averaged rules that name classes."""
    changed = averaged(clf, rules, last_without_if, seed)
    network = changed.model_.network
    selection = Selection.decided(
        network.selection.in_condition, np.zeros_like(network.selection.in_classes)
    )
    network = replace(network.with_selection(selection))
    changed.model_ = replace(changed.model_.with_network(network, 1.0), start=network)
    return changed


def averaged_in_points(clf, rules, last_without_if, seed=0, most=None):
    """A fitted model with a made network of averaged rules that count in whole points.

    One class has none, or where it is told for how many classes an input speaks all others.
    """
    changed = averaged(clf, rules, last_without_if, seed)
    model, generator = changed.model_, np.random.default_rng(seed)
    inputs, variables = model.columns.inputs, clf.rules_.variables
    widths = [item.columns.stop - item.columns.start for item in inputs]
    steps = [1.0 if v.categories else float(f"{v.span / 3:.1g}") for v in variables]
    origins = [0.0 if v.categories else float(f"{v.typical:.2g}") for v in variables]
    units = np.full(rules, 0.3)
    count, columns = len(model.classes), sum(widths)
    points = generator.integers(-3, 4, size=(rules, count, columns))
    if most is None:
        points[:, generator.integers(count)] = 0
    else:
        ranks = generator.random((rules, count, len(widths))).argsort(axis=1)
        points *= np.repeat(ranks < most, widths, axis=2)
    scales = np.concatenate([item.scales for item in inputs]) / np.repeat(steps, widths)
    inside = model.network.selection.in_consequent[:, None, :]
    consequents = model.network.consequents.copy()
    consequents[:, :, 1:] = units[:, None, None] * points * scales * inside
    network = replace(model.network, consequents=consequents)
    card = Scorecard(tuple(units), tuple(steps), tuple(origins))
    trained = replace(model.with_network(network, 1.0), start=network)
    changed.model_ = replace(trained, scorecard=card, known_rules=None)
    return changed


def sparse_in_points(clf, rules, last_without_if, seed=0, most=2):
    """The same in which every input speaks for so many classes at most, and often each has one."""
    return averaged_in_points(clf, rules, last_without_if, seed, most)


def in_points(base, unit=0.25):
    """A rule base whose THEN counts in whole points, of which the largest differ."""
    rules = []
    for rule in base:
        effects = []
        for effect in rule.effects:
            variable = base.by_name[effect.input]
            step = 1.0 if variable.categories else variable.span / 4
            whole = np.round(np.array(effect.slopes) * step / unit) * unit / step
            slopes = tuple(tuple(row) if variable.categories else row for row in whole.tolist())
            steps = {} if variable.categories else {"step": step, "origin": variable.reference}
            effects.append(replace(effect, slopes=slopes, **steps))
        biases = (np.round(np.array(rule.biases) / unit) * unit).tolist()
        rules.append(replace(rule, effects=tuple(effects), biases=tuple(biases), unit=unit))
    return replace(base, rules=tuple(rules))


# Kinds whose rules mix what they say.
MIXED = ("soft", "none", "constant", "unscaled", "three rules")


def settings():
    """Kinds of models that a rule base must tell."""
    return {
        "decisive": UNFISClassifier(),
        "class rules": UNFISClassifier(consequents="constant"),
        "two rules": UNFISClassifier(2, ridge=0.3, points="exact"),
        "soft": RuleNetwork(**SOFT),
        "none": RuleNetwork(**{**SOFT, "selection": "none"}),
        "constant": RuleNetwork(**SOFT, consequents="constant"),
        "unscaled": RuleNetwork(**{**SOFT, "ridge": 1.0}, scale=False),
        "one rule": UNFISClassifier(1, ridge=0.3),
        "three rules": RuleNetwork(**{**SOFT, "n_rules": 3}),
    }


@functools.cache
def fitted(name, kind="decisive"):
    """A model of some rows of a table, and these; the same one for all tests that ask."""
    if kind in AVERAGED_KINDS:
        clf, X, y = fitted(name, "soft")
        return averaged(clf, *AVERAGED_KINDS[kind]), X, y
    X, y = table_of(name)
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:MOST_ROWS])
    X, y = X.iloc[rows].reset_index(drop=True), np.asarray(y)[rows]
    return settings()[kind].fit(X, y), X, y
