"""EFNN: clouds of ADPA, unineurons with weights that are drawn, ARD, and least squares.

P. V. de Campos Souza et al., "Evolving fuzzy neural networks to aid in the construction of systems
specialists in cyber attacks", Journal of Intelligent & Fuzzy Systems 36 (2019). Re-implemented from
the published description.

Certain: clouds of data to Gaussian sets, unineurons, an output by least squares (ELM) and pruning
for a smaller structure. Chosen, since the text was not to be seen: ADPA for the clouds (a sister
paper has SODA), its radius as the width of all sets, weights and neutral elements drawn from [0, 1]
for each neuron, ARD as the pruning, a linear output for each class. Row by row, a new cloud gets a
neuron of its own, drawn too, and the output learns by recursive least squares;
psi = 0.999, since 100 neurons cannot be learned from the 100 rows of 0.99.

ARD takes the cube of the clouds, which grow with the rows: from about 2,000 rows on a fit takes a
minute. Of a stream only the first rows, `warm_up`, are pruned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis_paper.compared.adpa import GRANULARITY, CloudChange, Clouds
from unfis_paper.compared.ard import relevant_neurons
from unfis_paper.compared.evolving import EvolvingClassifier
from unfis_paper.compared.neurons import Neurons, NeuronSystem, draw_uninorms
from unfis_paper.compared.readable import NeuronRules


class UnineuronSystem(NeuronSystem):
    """Clouds with a unineuron each, of which ARD keeps some."""

    clouds: Clouds

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        most = getattr(self.settings, "max_rules", None)
        self.clouds = Clouds.from_rows(X, self.settings.granularity, most)
        count = len(self.clouds.centres)
        self.weights = self.generator.uniform(size=(count, self.inputs))
        self.elements = self.drawn_elements(count)
        self.kept = np.ones(count, dtype=bool)
        self.kept = relevant_neurons(self.activations(X), self.indicators(codes))
        self.begin_output(X, codes)

    @property
    def neurons(self) -> Neurons:
        kept = self.kept
        centres, width = self.clouds.centres[kept], self.clouds.radius
        return centres, width, self.weights[kept], self.elements[kept]

    @property
    def sizes(self) -> Array:
        return self.clouds.sizes[self.kept]

    def drawn_elements(self, count: int) -> Array:
        return draw_uninorms(self.generator, count)

    def move(self, x: Array, code: int) -> CloudChange:
        return self.clouds.add(x)

    def close(self, cloud: int) -> None:
        if self.kept[cloud]:
            self.output.remove(1 + int(self.kept[:cloud].sum()))
        self.kept = np.delete(self.kept, cloud)
        self.weights = np.delete(self.weights, cloud, axis=0)
        self.elements = np.delete(self.elements, cloud, axis=0)

    def open(self) -> None:
        self.kept = np.append(self.kept, True)
        drawn = self.generator.uniform(size=(1, self.inputs))
        self.weights = np.vstack([self.weights, drawn])
        super().open()


class EFNNClassifier(NeuronRules, EvolvingClassifier):
    """Evolving fuzzy neural network of unineurons.

    Parameters
    ----------
    granularity : int, default=2
        How often ADPA halves its view: more gives more clouds.
    max_rules : int, default=100
        While rows come one by one the smallest cloud goes for a new one if there are so many. A
        fit, or the first rows of a stream, may give more, which stay.
    forgetting : float, default=0.999
        Psi of recursive least squares: 1 forgets nothing.
    warm_up : int, default=100
        So many first rows of a stream are learned from at once.
    random_state : int, RandomState instance or None, default=None
    """

    _has_poor_score = False
    _kind = UnineuronSystem
    _counts = ("granularity", "max_rules", "warm_up")
    _shares = ("forgetting",)

    def __init__(
        self,
        granularity: int = GRANULARITY,
        *,
        max_rules: int = 100,
        forgetting: float = 0.999,
        warm_up: int = 100,
        random_state: Any = None,
    ) -> None:
        self.granularity = granularity
        self.max_rules = max_rules
        self.forgetting = forgetting
        self.warm_up = warm_up
        self.random_state = random_state
