"""Fits that are timed, counted and profiled, each in a process of its own."""

import cProfile
import pstats
import time
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
from jobs import first_fit
from machine import exponentials_counted, products_counted
from measuring import seconds_of
from sklearn.base import clone
from sklearn.datasets import make_classification
from tables import SHIPPED, load

# The group of a function is that of the first pattern its file and name begin with.
GROUPS = {
    "learning/system.py:added_products": "matrix products",
    "learning/system.py": "solves",
    "network/layers.py": "forward",
    "network/forward.py": "forward",
    "network/decided.py:summed": "derivatives",
    "network/decided.py": "forward",
    "network/removal.py": "choice and removal",
    "network/selection.py": "forward",
    "network/forward.py:logits_in_blocks": "forward",
    "network/": "derivatives",
    "learning/objective.py": "derivatives",
    "learning/leave_one_out.py": "choice and removal",
    "selection/": "choice and removal",
    "initialisation/": "start",
    "data/weighted.py": "",  # whoever calls it
    "data/": "reading and scaling",
    "estimators/tables.py": "reading and scaling",
    "arrays.py": "",
    "parallel.py": "",
    "ties.py": "",
    "": "other Python",
}
ORDER = (
    "reading and scaling",
    "start",
    "forward",
    "derivatives",
    "matrix products",
    "solves",
    "choice and removal",
    "other Python",
)
ENOUGH = 2.0  # seconds of short fits together


def table(name: str) -> tuple[Any, Any]:
    """Inputs and target."""
    if name in SHIPPED:
        X, y = load(name)
        return X.to_numpy(), y.to_numpy()
    rows, inputs = (int(number.replace(",", "")) for number in name.split(" x "))
    return make_classification(rows, inputs, n_informative=10, random_state=0)


def timed_fit(name: str, model: Any) -> dict[str, float]:
    """Seconds of a fit, the median of several if it is short."""
    X, y = table(name)
    first_fit(model, X, y)
    seconds: list[float] = []
    while sum(seconds) < ENOUGH:
        seconds.append(seconds_of(lambda: clone(model).fit(X, y)))
    return {"seconds": float(np.median(seconds))}


def counted_fit(name: str, model: Any) -> dict[str, float]:
    """Rates of the matrix products and exponentials of a fit."""
    X, y = table(name)
    first_fit(model, X, y)
    with products_counted() as products, exponentials_counted() as exponentials:
        seconds = seconds_of(lambda: model.fit(X, y))
    return {
        "product_rate": products.rate,
        "product_share": products.seconds / seconds,
        "exponential_rate": exponentials.rate,
        "exponential_share": exponentials.seconds / seconds,
    }


def profiled_fit(name: str, model: Any) -> dict[str, float]:
    """The share of each group in the time of a fit, and that of all that the choice does."""
    X, y = table(name)
    first_fit(model, X, y)
    profiler = cProfile.Profile()
    began = time.perf_counter()
    while time.perf_counter() - began < ENOUGH:
        profiler.runcall(clone(model).fit, X, y)
    return group_shares(pstats.Stats(profiler).stats)  # type: ignore[attr-defined]


def group_of(function: tuple[str, int, str]) -> str:
    """The group of a function; "" where its callers decide."""
    file, _, name = function
    _, inside, path = file.replace("\\", "/").rpartition("/unfis/")
    if not inside:
        return ""
    return next(group for start, group in GROUPS.items() if f"{path}:{name}".startswith(start))


def group_shares(stats: dict[Any, Any]) -> dict[str, float]:
    """Own time by groups; what has no group of its own is shared out among its callers."""

    @cache
    def mixture(function: Any, depth: int = 0) -> tuple[tuple[str, float], ...]:
        group = group_of(function)
        callers = stats[function][4]
        if group or not callers or depth > 30:
            return ((group or "other Python", 1.0),)
        total = sum(caller[3] for caller in callers.values()) or 1e-12
        shares: dict[str, float] = defaultdict(float)
        for caller, (_, _, _, seconds) in callers.items():
            for name, share in mixture(caller, depth + 1):
                shares[name] += share * seconds / total
        return tuple(shares.items())

    found = dict.fromkeys(ORDER, 0.0)
    for function, (_, _, own, _, _) in stats.items():
        for name, share in mixture(function):
            found[name] += own * share
    whole = sum(found.values())
    chosen = sum(
        cumulative
        for function, (_, _, _, cumulative, _) in stats.items()
        if function[0].replace("\\", "/").endswith("selection/decision.py")
        and function[2] == "decide"
    )
    return {
        **{name: value / whole for name, value in found.items()},
        "in the choice": chosen / whole,
    }
