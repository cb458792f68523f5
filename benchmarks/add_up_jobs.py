"""One system on one split of a table: what `add_up.py` measures, part by part.

Splits are those of the benchmarks whose results stand beside: `many.py`, `risk_scores.py` and
`stability.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import made_shapes
import numpy as np
import pandas as pd
import public_tables
import stability
import tables
import two_class_tables
from measuring import seconds_of
from reading import at_most_parts, inputs_of, parts_of, readings
from rivals import EBM, ebm_classifier
from scoring import (
    class_scores,
    fit_quietly,
    parted,
    predictions_at,
    values_of,
)
from sklearn.model_selection import train_test_split

from unfis import UNFISClassifier

OURS, EXACT = "unfis", "exact points"
KNOWN = "borders known"  # what nobody can beat: classes from where the borders were made
FEW, PARTS = 10, (5, 10)  # rules, and parts, at which models are also measured
MOST_BESIDE_EBM, MOST_ROWS = 12, 5000
LARGE, XOR_INPUTS = 2000, 20
Scores = dict[str, float]


class Part(NamedTuple):
    """One line of what must be shown: on which tables and splits, of what, and how."""

    tables: Callable[[], Sequence[str]]
    splits: int
    systems: Sequence[str]
    job: Callable[[str, int, str], Scores]


def fitted(system: str, split: Sequence[Any], **settings: Any) -> tuple[Any, Scores]:
    """A system fitted to the rows to learn from, and its seconds."""
    models = {
        OURS: lambda X: UNFISClassifier(**settings),
        EXACT: lambda X: UNFISClassifier(points="exact", **settings),
        EBM: ebm_classifier,
    }
    X_train, _, y_train, _ = split
    model = models[system](X_train)
    return model, {"seconds": seconds_of(lambda: fit_quietly(model, X_train, y_train))}


def held_out(model: Any, split: Sequence[Any]) -> Scores:
    """The scores of a model on the other rows."""
    return class_scores(model.classes_, model.predict_proba(split[1]), split[3])


def sizes(model: Any) -> Scores:
    """Rules and conditions of the chosen model."""
    return {"rules": len(model.model_.rules.rules), "conditions": model.model_.rules.conditions}


def at(model: Any, rules: int, split: Sequence[Any], name: str = "") -> Scores:
    """The scores of the model of no more rules on the same path."""
    found = class_scores(model.classes_, predictions_at(model, rules, split[1]), split[3])
    return {f"{measure} at {name or rules}": value for measure, value in found.items()}


def codes_of(model: Any, y: pd.Series) -> np.ndarray:
    """Classes as numbers."""
    return np.searchsorted(model.classes_, y.to_numpy()).astype(float)


def read(model: Any, split: Sequence[Any]) -> Scores:
    """What there is to read, and how true it is."""
    X_train, X_test, y_train, _ = split
    values, others = values_of(model, X_train), values_of(model, X_test)
    return readings(model.model_.rules, values, codes_of(model, y_train), others)


def of_sets(table: str, seed: int, system: str) -> Scores:
    """A set of `tables.py`."""
    X, y = tables.load(table)
    split = train_test_split(X, y, test_size=0.3, random_state=seed)
    model, found = fitted(system, split)
    found |= held_out(model, split)
    if system == OURS:
        found |= sizes(model) | at(model, FEW, split) | read(model, split)
    return found


def of_many(table: str, seed: int, system: str) -> Scores:
    """A table of `public_tables.py`, split as `many.py` does."""
    X, y = public_tables.load(table)
    split = parted(X, y, seed, classes=True)
    model, found = fitted(system, split)
    few = at(model, 4 * y.nunique(), split, "4 a class")
    return found | held_out(model, split) | sizes(model) | few | read(model, split)


def of_risk_scores(table: str, seed: int, system: str) -> Scores:
    """A table of `two_class_tables.py` at few parts, split as `risk_scores.py` does."""
    X, y = two_class_tables.load(table)
    split = parted(X, y, seed, classes=True)
    model, found = fitted(system, split)
    for limit in PARTS:
        length = at_most_parts(model, limit)
        found |= at(model, length, split, f"{limit} parts")
        found[f"parts at {limit} parts"] = parts_of(model.model_.path[length])
    return found


def risk_tables() -> list[str]:
    """All of them that are here, the real ones first."""
    return [name for names in two_class_tables.groups().values() for name in names]


# Two-class tables of public_tables.py that have no more rows, before any are drawn.
KEEL = (
    *("australian", "bands", "german", "ionosphere"),
    *("mammographic", "pima", "saheart", "sonar", "spambase"),
)


def ebm_tables() -> list[str]:
    """Two-class tables that are judged and public, to 5,000 rows."""
    there = two_class_tables.groups()
    keel = [name for name in KEEL if name in public_tables.available()]
    return [*keel, *there["sets"], *there["public"]]


def beside_ebm(table: str, seed: int, system: str) -> Scores:
    """At most twelve rules, or an explainable boosting machine with its interactions."""
    X, y = (public_tables if table in KEEL else two_class_tables).load(table)
    split = parted(X, y, seed, classes=True)
    model, found = fitted(
        system, split, **({"max_rules": MOST_BESIDE_EBM} if system == OURS else {})
    )
    return found | held_out(model, split) | (sizes(model) if system == OURS else {})


def curved(table: str) -> tuple[pd.DataFrame, pd.Series, np.ndarray]:
    """A table with curved borders, and the classes by where the borders were made."""
    name, _, large = table.partition(" ")
    X, y = tables.made(name, LARGE if large else tables.MADE_ROWS)
    by_borders = classes_by_borders(name, X.to_numpy())
    if large and name == "xor":  # among inputs that say nothing
        noise = np.random.default_rng(0).uniform(0, 2, size=(len(X), XOR_INPUTS - 2))
        X = X.join(pd.DataFrame(noise).add_prefix("noise"))
    return X, y, by_borders


def classes_by_borders(name: str, points: np.ndarray) -> np.ndarray:
    """The class of the place where a point lies."""
    if name == "rings":
        return np.clip(np.floor(np.hypot(*points.T)), 0, 2).astype(int)
    if name == "moons":
        angles = np.linspace(0, np.pi, 500)
        arc = np.column_stack([np.cos(angles), np.sin(angles)])
        arcs = [arc, [1.0, 0.5] - arc]
        far = [np.min(((points[:, None] - one) ** 2).sum(axis=2), axis=1) for one in arcs]
        return np.argmin(far, axis=0)
    squares = 3 if name == "checkerboard" else 2
    return np.clip(np.floor(points), 0, squares - 1).sum(axis=1).astype(int) % 2


def of_curved(table: str, seed: int, system: str) -> Scores:
    """A table with curved borders; "rings 2000" has 2,000 rows."""
    X, y, by_borders = curved(table)
    split = train_test_split(X, y, test_size=0.3, random_state=seed)
    if system == KNOWN:
        return {"accuracy": 100 * float(np.mean(by_borders[split[3].index] == split[3]))}
    model, found = fitted(system, split)
    found |= held_out(model, split)
    return found | sizes(model) | at(model, 16, split) if system == OURS else found


def of_samples(table: str, seed: int, system: str) -> Scores:
    """The inputs of a default fit of a bootstrap sample, as `stability.py` draws them."""
    X, y = tables.load(table)
    X, _, y, _ = train_test_split(X, y, test_size=0.3, random_state=0)
    X, y = stability.sampled(X, y, seed)
    model, _ = fitted(system, (X, None, y, None))
    chosen = inputs_of(model.model_.rules)
    return {"inputs": float(X.shape[1]), **{f"input {number}": 1.0 for number in chosen}}


def of_shapes(table: str, seed: int, system: str) -> Scores:
    """Whether the rule that made a table was found."""
    X, y, truth, odds = made_shapes.made(table, seed)
    model, found = fitted(system, (X, None, y, None))
    return found | made_shapes.found(model, X, truth, odds)


CURVED = [*tables.CURVED, *(f"{name} {LARGE}" for name in tables.CURVED)]
PARTS_OF: Mapping[str, Part] = {
    "sets": Part(tables.available, 30, (OURS, EXACT, EBM), of_sets),
    "many": Part(public_tables.available, 5, (OURS,), of_many),
    "risk": Part(risk_tables, 3, (OURS,), of_risk_scores),
    "ebm": Part(ebm_tables, 3, (OURS, EBM), beside_ebm),
    "curved": Part(lambda: CURVED, 10, (OURS, KNOWN), of_curved),
    "samples": Part(tables.available, 20, (OURS,), of_samples),
    "shapes": Part(lambda: made_shapes.SHAPES, 50, (OURS,), of_shapes),
}
