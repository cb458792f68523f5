"""EFNHN."""

from __future__ import annotations

from typing import Any

from unfis_paper.compared import EFNHNClassifier
from unfis_paper.reproduction.systems.adapter import size_of_tsk
from unfis_paper.reproduction.systems.forms import in_all_forms


def size_of_neurons(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Every neuron has a set on every input."""
    return size_of_tsk(int(model[-1].system_.kept.sum()), model[-1].n_features_in_)


EFNHN = in_all_forms("EFNHN", lambda seed: EFNHNClassifier(random_state=seed), size_of_neurons)
