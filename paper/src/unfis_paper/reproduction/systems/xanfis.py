"""xanfis: an ANFIS in torch."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from unfis.arrays import Array
from unfis_paper.reproduction.systems.adapter import peer, size_of_tsk


def learn_xanfis(seed: int, matrix: Array, codes: Any) -> Any:
    """The example of xanfis's documentation: an ANFIS of Gaussians, trained by Adam."""
    # The example's 20 rules and batches of 16 take several times as long as the default 10 rules
    # and batches of 64. The package's classic ANFIS, with least squares on every batch, was at
    # chance on heart and autism, with batches of 16 and of 512.
    classifier = import_module("xanfis").GdAnfisClassifier(
        num_rules=10,
        vanishing_strategy="blend",
        epochs=50,
        batch_size=64,
        optim_params={"lr": 0.01},
        seed=seed,
        verbose=False,
    )
    return classifier.fit(matrix, codes)


XANFIS = peer(
    "xanfis (light)",
    ("xanfis", "torch"),
    learn_xanfis,
    lambda model: size_of_tsk(model.num_rules, model.size_input),
)
