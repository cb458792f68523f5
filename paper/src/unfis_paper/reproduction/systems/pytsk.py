"""PyTSK: a TSK network in torch."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from unfis.arrays import Array
from unfis_paper.reproduction.systems.adapter import peer, size_of_tsk


def learn_pytsk(seed: int, matrix: Array, codes: Any) -> Any:
    """The example of PyTSK's documentation: HTSK with 10 rules, 300 epochs of AdamW."""
    torch, pytsk = import_module("torch"), import_module("pytsk.gradient_descent")
    torch.manual_seed(seed)
    rules, inputs, classes = 10, matrix.shape[1], len(np.unique(codes))
    # Its antecedent_init_center does the same, but cannot be seeded.
    centres = KMeans(rules, n_init=20, random_state=seed).fit(matrix).cluster_centers_.T
    antecedent = pytsk.AntecedentGMF(inputs, rules, high_dim=True, init_center=centres)
    network = pytsk.TSK(inputs, classes, rules, antecedent, precons=torch.nn.BatchNorm1d(inputs))
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=1e-8)
    # The example holds out a fifth of the rows to stop early. Of sets as small as these that is too
    # few to tell when: over four splits of iris that gave 83 % accuracy, learning from all rows 98.
    loss = torch.nn.CrossEntropyLoss()
    return pytsk.Wrapper(network, optimiser, loss, epochs=300).fit(matrix, codes)


PYTSK = peer(
    "PyTSK",
    ("pytsk", "torch"),
    learn_pytsk,
    lambda model: size_of_tsk(model.model.n_rule, model.model.in_dim),
)
