"""ex-fuzzy: rules found by a genetic search."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.reproduction.systems.adapter import Peer, observed, one_hot_columns
from unfis.reproduction.systems.system import ComparedSystem


def unscaled() -> Any:
    """Numbers as they are: ex-fuzzy takes few whole numbers for categories, and scales itself."""
    return one_hot_columns("passthrough")


def learn_ex_fuzzy(seed: int, matrix: Array, codes: Any) -> Any:
    """ex-fuzzy's genetic search for rules, with its own settings."""
    fitting = import_module("ex_fuzzy.evolutionary_fit")
    return fitting.BaseFuzzyRulesClassifier(random_state=seed).fit(matrix, codes)


def size_of_ex_fuzzy(peer: Peer) -> dict[str, float]:
    """Rules of all classes, and their antecedents."""
    matrices = [np.asarray(rules) for rules in peer.model_.rule_base.get_rulebase_matrix()]
    counts = [int((rules >= 0).sum()) for rules in matrices if len(rules)]
    return {"rules": sum(map(len, matrices)), "conditions": sum(counts)}


EX_FUZZY = ComparedSystem(
    "ex-fuzzy",
    lambda seed: Peer(partial(learn_ex_fuzzy, seed), unscaled),
    packages=("ex_fuzzy",),
    observe=observed(size_of_ex_fuzzy),
)
