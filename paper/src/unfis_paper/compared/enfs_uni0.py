"""ENFS-Uni0: clouds of ADPA row by row, uni-nullneurons, and recursive weighted least squares.

P. V. de Campos Souza, E. Lughofer, "An evolving neuro-fuzzy system based on uni-nullneurons with
advanced interpretability capabilities", Neurocomputing 451 (2021), and the first author's later
program. Re-implemented from both descriptions.

Certain: row by row from the first, ADPA, weights of inputs by leaving them out, 2-uninorms with
e1 in [0, 0.5], e2 in [0.5, 1] and z between them, drawn; least squares weighted by activation. From
the program: psi = 0.99, clouds that are alike by 0.95 are not added, 10 rules at most. Chosen: one
width for all sets, the radius; omega = 1000 (the program has 1); the activation that weighs a row
is the largest of its neurons'; a neutral element that is none of z (see `operators`), where the
program has replaced the neuron by a weighted mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis_paper.compared.adpa import CloudChange, Clouds
from unfis_paper.compared.evolving import EvolvingClassifier
from unfis_paper.compared.feature_weights import ClassScatter
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.neurons import NeuronSystem, draw_halved_uninorms
from unfis_paper.compared.readable import NeuronRules

# A row counts at least so much, even where no rule holds.
LEAST_ROW_WEIGHT = 1e-3


class UniNullSystem(NeuronSystem):
    """Clouds and a uni-nullneuron each."""

    clouds: Clouds

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        chosen = self.settings
        self.clouds = Clouds(self.inputs, chosen.max_rules, chosen.max_similarity)
        self.scatter = ClassScatter(self.classes, self.inputs)
        self.elements = np.zeros((0, 3))
        self.output = RecursiveLeastSquares(1, self.classes, forgetting=chosen.forgetting)

    def move(self, x: Array, code: int) -> CloudChange:
        self.scatter.add(x, code)
        self.weights = self.scatter.weights()
        return self.clouds.add(x)

    def drawn_elements(self, count: int) -> Array:
        return draw_halved_uninorms(self.generator, count)

    def row_weight(self, activations: Array) -> float:
        return max(float(activations.max()), LEAST_ROW_WEIGHT)


class ENFSUni0Classifier(NeuronRules, EvolvingClassifier):
    """Evolving neuro-fuzzy system of uni-nullneurons.

    Parameters
    ----------
    max_rules : int, default=10
        So many rules at most; the one with the smallest cloud goes for a new one.
    max_similarity : float, default=0.95
        A cloud that is as similar to another is not added.
    forgetting : float, default=0.99
        Psi of recursive least squares: 1 forgets nothing.
    random_state : int, RandomState instance or None, default=None
    """

    _kind = UniNullSystem
    _counts = ("max_rules",)
    _shares = ("max_similarity", "forgetting")

    def __init__(
        self,
        max_rules: int = 10,
        *,
        max_similarity: float = 0.95,
        forgetting: float = 0.99,
        random_state: Any = None,
    ) -> None:
        self.max_rules = max_rules
        self.max_similarity = max_similarity
        self.forgetting = forgetting
        self.random_state = random_state
