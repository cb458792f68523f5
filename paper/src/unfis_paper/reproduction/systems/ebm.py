"""InterpretML's explainable boosting machine."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from unfis_paper.reproduction.systems.adapter import ComparedSystem, size_of_tsk


def light_ebm(seed: int) -> Any:
    """InterpretML's boosting machine on the table itself, which it bins as it likes."""
    glassbox = import_module("interpret.glassbox")
    # Its own settings, 14 bags, interactions and up to 50000 rounds at a rate of 0.015, took 14 to
    # 30 seconds on the smallest sets.
    return glassbox.ExplainableBoostingClassifier(
        outer_bags=4,
        interactions=0,
        learning_rate=0.05,
        max_rounds=5000,
        n_jobs=1,
        random_state=seed,
    )


EBM = ComparedSystem(
    "EBM (light)",
    light_ebm,
    packages=("interpret",),
    observe=lambda model, X, y: size_of_tsk(len(model.term_names_), 1),
)
