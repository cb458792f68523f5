"""EFNN-NullUni: clouds of weighted SODA, null-unineurons, and recursive least squares.

P. V. de Campos Souza, E. Lughofer, "EFNN-NullUni: An evolving fuzzy neural network based on
null-uninorm", Fuzzy Sets and Systems 449 (2022). Re-implemented from the published description.

Certain: three layers; partitioning with the weights of inputs inside its distance; null-unineurons,
which are AND and OR; one estimator per class by recursive weighted least squares, row by row.
Chosen: SODA with a grid size from 2 to 7; leaving inputs out (LOFO) for their weights; one width
for all sets, the radius; how u and g are set, which publications do not say. "random" draws u <= g
for each neuron, as the authors' programs do; a pair is the same for all neurons; "auto" chooses
pairs and grid size by cross-validation of the training rows, of equals the smaller grid. Psi is
0.999, since 100 neurons cannot be learned from the 100 rows of 0.99.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.serial.messages import quoted
from unfis_paper.compared.evolving import (
    BatchFirst,
    EvolvingClassifier,
    check_counts,
    check_share,
    is_number,
)
from unfis_paper.compared.feature_weights import ClassScatter
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.neurons import draw_null_uninorms, neuron_outputs, with_constant
from unfis_paper.compared.readable import LogicRules
from unfis_paper.compared.soda import DirectionAwareClouds

GRID_SIZES = (2, 3, 4, 5, 6, 7)
ELEMENT_PAIRS = ((0.0, 1.0), (0.0, 0.8), (0.0, 0.5), (0.1, 0.9), (0.2, 1.0))
GRID_FOLDS = 5

Pair = tuple[float, float]


class NullUniSystem(BatchFirst):
    """Weighted clouds, a null-unineuron each, and a linear output."""

    def __init__(
        self,
        inputs: int,
        classes: int,
        warm_up: int,
        *,
        grid_size: Any,
        elements: Any,
        most: int,
        forgetting: float,
        seed: int,
    ) -> None:
        super().__init__(inputs, classes, warm_up)
        self.wanted: tuple[Any, Any] = grid_size, elements
        self.most, self.forgetting, self.seed = most, forgetting, seed

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        self.generator = np.random.RandomState(self.seed)
        self.grid_size, self.pair = self._choice(X, codes)
        self._partition(X, codes, self.grid_size)
        self.elements = self._drawn(len(self.clouds.centres), self.pair)
        self._learn_output(X, codes)

    def _choice(self, X: Array, codes: NDArray[np.intp]) -> tuple[Any, Any]:
        """Grid size and elements, those that are "auto" by cross-validation."""
        grid_size, pair = self.wanted
        sizes = GRID_SIZES if isinstance(grid_size, str) else (grid_size,)
        pairs = ELEMENT_PAIRS if isinstance(pair, str) and pair == "auto" else (pair,)
        if len(sizes) == len(pairs) == 1:
            return sizes[0], pairs[0]
        right = np.zeros((len(sizes), len(pairs)))
        for train, test in folds_of(codes, self.seed):
            for i, size in enumerate(sizes):
                self._partition(X[train], codes[train], size)
                for k, each in enumerate(pairs):
                    self.elements = self._drawn(len(self.clouds.centres), each)
                    self._learn_output(X[train], codes[train])
                    right[i, k] += (self.scores(X[test]).argmax(axis=1) == codes[test]).sum()
        best = np.unravel_index(right.argmax(), right.shape)  # the first, with the smaller grid
        self.generator = np.random.RandomState(self.seed)
        return sizes[best[0]], pairs[best[1]]

    def _partition(self, X: Array, codes: NDArray[np.intp], grid_size: float) -> None:
        """Weights of the inputs, and the clouds that they give."""
        self.scatter = ClassScatter(self.classes, self.inputs)
        self.scatter.add_rows(X, codes)
        self.weights = self.scatter.weights()
        self.clouds = DirectionAwareClouds.from_rows(X, self.weights, grid_size, self.most)

    def _drawn(self, count: int, pair: Any) -> Array:
        """The elements 0, u and g of so many neurons."""
        if isinstance(pair, str):
            return draw_null_uninorms(self.generator, count)
        return np.tile([0.0, *pair], (count, 1))

    def _learn_output(self, X: Array, codes: NDArray[np.intp]) -> None:
        self.output = RecursiveLeastSquares.from_rows(
            with_constant(self.activations(X)), self.indicators(codes), forgetting=self.forgetting
        )

    def activations(self, X: Array) -> Array:
        """What the neurons give, shape (rows, neurons)."""
        return neuron_outputs(
            X, self.clouds.centres, self.clouds.radius, self.weights, self.elements
        )

    def follow(self, x: Array, code: int) -> None:
        self.scatter.add(x, code)
        self.weights = self.scatter.weights()
        opened, removed = self.clouds.add(x, self.weights)
        for cloud in removed:
            self.elements = np.delete(self.elements, cloud, axis=0)
            self.output.remove(1 + cloud)
        if opened:
            self.elements = np.vstack([self.elements, self._drawn(1, self.pair)])
            self.output.extend()
        self.output.update(with_constant(self.activations(x[None]))[0], self.indicators(code))

    def scores(self, X: Array) -> Array:
        return self.output.predict(with_constant(self.activations(X)))


def folds_of(codes: NDArray[np.intp], seed: int) -> list[tuple[Any, Any]]:
    """Parts to learn from and to test on, classes alike in all; none where a class is too small."""
    if np.bincount(codes)[np.unique(codes)].min() < GRID_FOLDS:
        return []
    folds = StratifiedKFold(GRID_FOLDS, shuffle=True, random_state=seed)
    return list(folds.split(codes, codes))


def is_pair_of_elements(pair: Any) -> bool:
    """Whether a value is a pair u and g of a null-uninorm."""
    is_sequence = isinstance(pair, tuple | list | np.ndarray)
    if not is_sequence or len(pair) != 2 or not all(map(is_number, pair)):
        return False
    # u = g between the ends would leave no AND to absorb u, and the order would count.
    return bool(0 <= pair[0] < pair[1] <= 1 or pair[0] == pair[1] in (0, 1))


class EFNNNullUniClassifier(EvolvingClassifier):
    """Evolving fuzzy neural network of null-unineurons.

    Parameters
    ----------
    grid_size : float or "auto", default=6
        Gamma of SODA: more gives more clouds. "auto" chooses from 2 to 7 by cross-validation.
    elements : (u, g), "random" or "auto", default=(0.0, 1.0)
        Up to u a neuron is OR, from u to g AND, above g OR. (0, 1) is AND alone. "auto" chooses one
        of five pairs by cross-validation.
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
    system_ : NullUniSystem
        Its `grid_size` and `pair` are what was chosen.
    """

    system_: NullUniSystem

    def __init__(
        self,
        grid_size: Any = 6,
        elements: Any = (0.0, 1.0),
        *,
        max_rules: int = 100,
        forgetting: float = 0.999,
        warm_up: int = 100,
        random_state: Any = None,
    ) -> None:
        self.grid_size = grid_size
        self.elements = elements
        self.max_rules = max_rules
        self.forgetting = forgetting
        self.warm_up = warm_up
        self.random_state = random_state

    def _system(self, inputs: int, classes: int) -> NullUniSystem:
        check_counts(max_rules=self.max_rules, warm_up=self.warm_up)
        check_share("forgetting", self.forgetting)
        self._check_grid()
        return NullUniSystem(
            inputs,
            classes,
            self.warm_up,
            grid_size=self.grid_size,
            elements=self.elements,
            most=self.max_rules,
            forgetting=self.forgetting,
            seed=self._seed(),
        )

    def _check_grid(self) -> None:
        """Raise ValueError where grid size or elements are of another kind."""
        size, elements = self.grid_size, self.elements
        is_auto = isinstance(size, str) and size == "auto"
        if not is_auto and not (is_number(size) and size > 0):
            raise ValueError(f'grid_size must be a number above 0 or "auto", got {quoted(size)}.')
        if isinstance(elements, str):
            is_right = elements in ("random", "auto")
        else:
            is_right = is_pair_of_elements(elements)
        if not is_right:
            raise ValueError(
                'elements must be a pair with 0 <= u < g <= 1, (0, 0), (1, 1), "random" or "auto", '
                f"got {quoted(elements)}."
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
