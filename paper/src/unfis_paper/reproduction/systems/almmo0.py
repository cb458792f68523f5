"""ALMMo-0 on raw inputs, and ALMMo-0* on scaled ones."""

from __future__ import annotations

from typing import Any

from unfis_paper.compared import ALMMo0Classifier
from unfis_paper.reproduction.systems.adapter import size_of_tsk
from unfis_paper.reproduction.systems.forms import in_all_forms


def size_of_prototypes(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Every prototype has a coordinate of every input."""
    prototypes = sum(len(rule.rows) for rule in model[-1].rules_)
    return size_of_tsk(prototypes, model[-1].n_features_in_)


ALMMO0 = in_all_forms("ALMMo-0", lambda seed: ALMMo0Classifier(), size_of_prototypes)
