"""EFNHN: clouds of ADPA, unineurons that are drawn, ARD, and a hydrocarbon network behind them.

P. V. de Campos Souza, H. Ponce, E. Lughofer, "Evolving fuzzy neural hydrocarbon networks: A model
based on organic compounds", Knowledge-Based Systems 2020. Reconstructed: of the text only a
description in another paper was to be seen.

Certain: evolving fuzzification, parameters that are drawn as in ELM, ARD, and an artificial
hydrocarbon network in place of the defuzzification. Chosen: ADPA, its radius as the width of all
sets, unineurons with weights and neutral elements from [0, 1], three molecules, 200 iterations at
0.1, an output for each class. Row by row, clouds move, the molecule that owns a row learns from it,
and there are no new clouds, since the molecules' centres are among the neurons there were.

A molecule's answer is no sum of what single neurons say, so that there are no rules to print.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis_paper.compared.adpa import GRANULARITY
from unfis_paper.compared.efnn import UnineuronSystem
from unfis_paper.compared.evolving import EvolvingClassifier, is_number
from unfis_paper.compared.hydrocarbon import HydrocarbonNetwork


class HydrocarbonSystem(UnineuronSystem):
    """Unineurons and a hydrocarbon network."""

    def begin_output(self, X: Array, codes: NDArray[np.intp]) -> None:
        chosen = self.settings
        self.network = HydrocarbonNetwork(
            chosen.n_molecules, chosen.learning_rate, chosen.n_moves, chosen.forgetting
        )
        self.network.learn(self.activations(X), self.indicators(codes), self.generator)

    def follow(self, x: Array, code: int) -> None:
        self.clouds.join(x)
        self.network.update(self.activations(x[None])[0], self.indicators(code))

    def scores(self, X: Array) -> Array:
        return self.network.predict(self.activations(X))


class EFNHNClassifier(EvolvingClassifier):
    """Evolving fuzzy neural hydrocarbon network.

    Parameters
    ----------
    n_molecules : int, default=3
    granularity : int, default=2
        How often ADPA halves its view: more gives more clouds.
    learning_rate : float, default=0.1
        Of the molecules' centres.
    n_moves : int, default=200
        How often they move.
    forgetting : float, default=0.999
        Psi of recursive least squares in a molecule: 1 forgets nothing.
    warm_up : int, default=100
        So many first rows of a stream are learned from at once.
    random_state : int, RandomState instance or None, default=None
    """

    _kind = HydrocarbonSystem
    _counts = ("n_molecules", "granularity", "n_moves", "warm_up")
    _shares = ("forgetting",)

    def __init__(
        self,
        n_molecules: int = 3,
        *,
        granularity: int = GRANULARITY,
        learning_rate: float = 0.1,
        n_moves: int = 200,
        forgetting: float = 0.999,
        warm_up: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_molecules = n_molecules
        self.granularity = granularity
        self.learning_rate = learning_rate
        self.n_moves = n_moves
        self.forgetting = forgetting
        self.warm_up = warm_up
        self.random_state = random_state

    def _settings(self, inputs: int) -> Any:
        if not is_number(self.learning_rate) or self.learning_rate < 0:
            raise ValueError(
                f"learning_rate must be a number of at least 0, got {self.learning_rate!r}."
            )
        return super()._settings(inputs)
