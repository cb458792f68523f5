"""ex-fuzzy: rules by a genetic search."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis_paper.reproduction.systems.adapter import one_hot_columns, peer


def unscaled() -> Any:
    """Numbers as they are: ex-fuzzy takes few whole numbers for categories, and scales itself."""
    return one_hot_columns("passthrough")


def learn_ex_fuzzy(seed: int, matrix: Array, codes: Any) -> Any:
    """ex-fuzzy's genetic search for rules, with its own settings."""
    fitting = import_module("ex_fuzzy.evolutionary_fit")
    return fitting.BaseFuzzyRulesClassifier(random_state=seed).fit(matrix, codes)


def size_of_ex_fuzzy(model: Any) -> dict[str, float]:
    """Rules of all classes, and their antecedents."""
    matrices = [np.asarray(rules) for rules in model.rule_base.get_rulebase_matrix()]
    counts = [int((rules >= 0).sum()) for rules in matrices if len(rules)]
    return {"rules": sum(map(len, matrices)), "conditions": sum(counts)}


EX_FUZZY = peer("ex-fuzzy", ("ex_fuzzy",), learn_ex_fuzzy, size_of_ex_fuzzy, unscaled)
