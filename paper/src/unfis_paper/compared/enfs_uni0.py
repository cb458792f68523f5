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
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis_paper.compared.adpa import Clouds
from unfis_paper.compared.evolving import (
    EvolvingClassifier,
    EvolvingSystem,
    check_counts,
    check_share,
)
from unfis_paper.compared.feature_weights import ClassScatter
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.neurons import draw_halved_uninorms, neuron_outputs, with_constant
from unfis_paper.compared.readable import LogicRules

# A row counts at least so much, even where no rule holds.
LEAST_ROW_WEIGHT = 1e-3


class UniNullSystem(EvolvingSystem):
    """Clouds, a uni-nullneuron each, and a linear output."""

    def __init__(
        self,
        inputs: int,
        classes: int,
        *,
        most: int,
        most_similar: float,
        forgetting: float,
        seed: int,
    ) -> None:
        super().__init__(inputs, classes)
        self.generator = np.random.RandomState(seed)
        self.clouds = Clouds(inputs, most, most_similar)
        self.scatter = ClassScatter(classes, inputs)
        self.weights = np.ones(inputs)
        self.elements = np.zeros((0, 3))
        self.output = RecursiveLeastSquares(1, classes, forgetting=forgetting)

    def learn(self, X: Array, codes: NDArray[np.intp]) -> None:
        for x, code in zip(X, codes, strict=True):
            self.update(x, int(code))

    def update(self, x: Array, code: int) -> None:
        change = self.clouds.add(x)
        self.scatter.add(x, code)
        self.weights = self.scatter.weights()
        if change.removed is not None:
            self.elements = np.delete(self.elements, change.removed, axis=0)
            self.output.remove(1 + change.removed)
        if change.opened:
            self.elements = np.vstack([self.elements, draw_halved_uninorms(self.generator, 1)])
            self.output.extend()
        z = self.activations(x[None])
        weight = max(float(z.max()), LEAST_ROW_WEIGHT)
        self.output.update(with_constant(z)[0], self.indicators(code), weight)

    def activations(self, X: Array) -> Array:
        """What the neurons give, shape (rows, neurons)."""
        return neuron_outputs(
            X, self.clouds.centres, self.clouds.radius, self.weights, self.elements
        )

    def scores(self, X: Array) -> Array:
        return self.output.predict(with_constant(self.activations(X)))


class ENFSUni0Classifier(EvolvingClassifier):
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

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    system_ : UniNullSystem
    """

    system_: UniNullSystem

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

    def _system(self, inputs: int, classes: int) -> UniNullSystem:
        check_counts(max_rules=self.max_rules)
        check_share("max_similarity", self.max_similarity)
        check_share("forgetting", self.forgetting)
        return UniNullSystem(
            inputs,
            classes,
            most=self.max_rules,
            most_similar=self.max_similarity,
            forgetting=self.forgetting,
            seed=self._seed(),
        )

    @property
    def rules_(self) -> LogicRules:
        """The neurons as rules."""
        check_is_fitted(self)
        system = self.system_
        return self._logic_rules(
            system.clouds.centres,
            system.clouds.radius,
            system.weights,
            system.elements,
            system.output.coefficients,
            system.clouds.sizes,
        )
