"""UNInull-FNN: a grid of Gaussian sets, uni-nullneurons that are drawn, Bolasso, least squares.

P. V. de Campos Souza, E. Lughofer, "An advanced interpretable Fuzzy Neural Network model based on
uni-nullneuron constructed from n-uninorms", Fuzzy Sets and Systems 426 (2022). Re-implemented from
the published description. It learns from all rows at once: ENFS-Uni0 is its evolving sister.

Certain: equally spaced Gaussians on each input, neurons on their combinations, 2-uninorms, Bolasso,
an output by least squares for each class. Chosen: three sets on each of up to six inputs and two on
more; widths (max - min) / (M sqrt(2 pi)), as the authors' program has them, but with memberships
that reach 1 and not the normal density, which goes beyond; 500 combinations at most, drawn where
there are more; weights and e1 <= z <= e2 drawn for each neuron.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis_paper.compared.bolasso import NEEDED_SHARE, SAMPLES, chosen_neurons
from unfis_paper.compared.evolving import ComparedClassifier
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.neurons import Neurons, NeuronSystem, draw_two_uninorms, with_constant
from unfis_paper.compared.readable import NeuronRules

FEW_INPUTS = 6
# Of so many combinations at most some are drawn by their numbers.
MOST_NUMBERED = 2**20


class GridSystem(NeuronSystem):
    """Neurons on combinations of the sets of a grid, of which Bolasso keeps some."""

    sizes = None

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        chosen, generator = self.settings, self.generator
        low, high = X.min(axis=0), X.max(axis=0)
        positions = np.linspace(low, high, chosen.n_sets)  # (sets, inputs)
        spans = np.where(high > low, high - low, 1.0)
        self.widths = spans / (chosen.n_sets * np.sqrt(2 * np.pi))
        combined = set_combinations(chosen.n_sets, self.inputs, chosen.max_candidates, generator)
        self.centres = np.take_along_axis(positions, combined, axis=0)
        self.weights = generator.uniform(size=self.centres.shape)
        self.elements = draw_two_uninorms(generator, len(self.centres))
        Z, targets = self.activations(X), self.indicators(codes)
        kept = chosen_neurons(Z, targets, generator, chosen.n_samples, chosen.share)
        self.centres, self.weights, self.elements = (
            part[kept] for part in (self.centres, self.weights, self.elements)
        )
        self.output = RecursiveLeastSquares.from_rows(with_constant(Z[:, kept]), targets)

    @property
    def neurons(self) -> Neurons:
        return self.centres, self.widths, self.weights, self.elements


def set_combinations(
    sets: int, inputs: int, most: int, generator: np.random.RandomState
) -> NDArray[np.intp]:
    """Which set of each input, (combinations, inputs): all, or so many different ones drawn."""
    if sets**inputs <= most:
        return np.array(list(product(range(sets), repeat=inputs)))
    if sets**inputs <= MOST_NUMBERED:
        numbers = generator.choice(sets**inputs, most, replace=False)
        return np.stack(np.unravel_index(numbers, (sets,) * inputs), axis=1)
    drawn = np.zeros((0, inputs), dtype=int)
    while len(drawn) < most:
        more = generator.randint(sets, size=(most - len(drawn), inputs))
        drawn = np.unique(np.vstack([drawn, more]), axis=0)
    return drawn


class UNInullFNNClassifier(NeuronRules, ComparedClassifier):
    """Fuzzy neural network of uni-nullneurons on a grid.

    Parameters
    ----------
    n_sets : int or "auto", default="auto"
        Gaussian sets on each input; "auto" is 3 for up to six inputs and 2 for more.
    max_candidates : int, default=500
        So many combinations of sets at most.
    n_samples : int, default=16
        Bootstrap samples of Bolasso.
    share : float, default=0.5
        In what share of them a neuron must be chosen.
    random_state : int, RandomState instance or None, default=None
    """

    _kind = GridSystem
    _counts = ("n_sets", "max_candidates", "n_samples")
    _shares = ("share",)

    def __init__(
        self,
        n_sets: Any = "auto",
        *,
        max_candidates: int = 500,
        n_samples: int = SAMPLES,
        share: float = NEEDED_SHARE,
        random_state: Any = None,
    ) -> None:
        self.n_sets = n_sets
        self.max_candidates = max_candidates
        self.n_samples = n_samples
        self.share = share
        self.random_state = random_state

    def _settings(self, inputs: int) -> Any:
        found, sets = super()._settings(inputs), self.n_sets
        if isinstance(sets, str):
            if sets != "auto":
                raise ValueError(f'n_sets must be a whole number or "auto", got {sets!r}.')
            found.n_sets = 3 if inputs <= FEW_INPUTS else 2
        return found
