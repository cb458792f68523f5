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
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis_paper.compared.adpa import GRANULARITY, Clouds
from unfis_paper.compared.ard import relevant_neurons
from unfis_paper.compared.evolving import BatchFirst, EvolvingClassifier, check_counts, check_share
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.neurons import draw_uninorms, neuron_outputs, with_constant
from unfis_paper.compared.readable import LogicRules


class UnineuronClouds(BatchFirst):
    """Clouds with a unineuron each, of which ARD keeps some."""

    def __init__(
        self, inputs: int, classes: int, warm_up: int, granularity: int, most: int | None, seed: int
    ) -> None:
        super().__init__(inputs, classes, warm_up)
        self.granularity, self.most, self.seed = granularity, most, seed

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        self.generator = np.random.RandomState(self.seed)
        self.clouds = Clouds.from_rows(X, self.granularity, self.most)
        count = len(self.clouds.centres)
        self.weights = self.generator.uniform(size=(count, self.inputs))
        self.elements = draw_uninorms(self.generator, count)
        self.kept = np.ones(count, dtype=bool)
        self.kept = relevant_neurons(self.activations(X), self.indicators(codes))
        self.begin_output(X, codes)

    def begin_output(self, X: Array, codes: NDArray[np.intp]) -> None:
        """Learn the output layer from all rows at once."""
        raise NotImplementedError

    def activations(self, X: Array) -> Array:
        """What the neurons that are kept give, shape (rows, neurons)."""
        return neuron_outputs(
            X,
            self.clouds.centres[self.kept],
            self.clouds.radius,
            self.weights[self.kept],
            self.elements[self.kept],
        )


class EFNNSystem(UnineuronClouds):
    """Unineurons and a linear output."""

    def __init__(self, *settings: Any, forgetting: float) -> None:
        super().__init__(*settings)
        self.forgetting = forgetting

    def begin_output(self, X: Array, codes: NDArray[np.intp]) -> None:
        self.output = RecursiveLeastSquares.from_rows(
            with_constant(self.activations(X)), self.indicators(codes), forgetting=self.forgetting
        )

    def follow(self, x: Array, code: int) -> None:
        change = self.clouds.add(x)
        if change.removed is not None:
            if self.kept[change.removed]:
                self.output.remove(1 + int(self.kept[: change.removed].sum()))
            self.kept = np.delete(self.kept, change.removed)
            self.weights = np.delete(self.weights, change.removed, axis=0)
            self.elements = np.delete(self.elements, change.removed, axis=0)
        if change.opened:
            self.kept = np.append(self.kept, True)
            drawn = self.generator.uniform(size=(1, self.inputs))
            self.weights = np.vstack([self.weights, drawn])
            self.elements = np.vstack([self.elements, draw_uninorms(self.generator, 1)])
            self.output.extend()
        self.output.update(with_constant(self.activations(x[None]))[0], self.indicators(code))

    def scores(self, X: Array) -> Array:
        return self.output.predict(with_constant(self.activations(X)))


class EFNNClassifier(EvolvingClassifier):
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

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    system_ : EFNNSystem
    """

    _has_poor_score = False
    system_: EFNNSystem

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

    def _system(self, inputs: int, classes: int) -> EFNNSystem:
        check_counts(granularity=self.granularity, max_rules=self.max_rules, warm_up=self.warm_up)
        check_share("forgetting", self.forgetting)
        settings = self.warm_up, self.granularity, self.max_rules, self._seed()
        return EFNNSystem(inputs, classes, *settings, forgetting=self.forgetting)

    @property
    def rules_(self) -> LogicRules:
        """The neurons that are kept as rules."""
        check_is_fitted(self)
        system = self.system_
        kept = system.kept
        return self._logic_rules(
            system.clouds.centres[kept],
            system.clouds.radius,
            system.weights[kept],
            system.elements[kept],
            system.output.coefficients,
            system.clouds.sizes[kept],
        )
