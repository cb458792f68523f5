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

from unfis.arrays import Array
from unfis_paper.compared.adpa import CloudChange
from unfis_paper.compared.evolving import EvolvingClassifier, is_number
from unfis_paper.compared.feature_weights import ClassScatter
from unfis_paper.compared.neurons import NeuronSystem, draw_null_uninorms
from unfis_paper.compared.readable import NeuronRules
from unfis_paper.compared.soda import DirectionAwareClouds

GRID_SIZES = (2, 3, 4, 5, 6, 7)
ELEMENT_PAIRS = ((0.0, 1.0), (0.0, 0.8), (0.0, 0.5), (0.1, 0.9), (0.2, 1.0))
GRID_FOLDS = 5


class NullUniSystem(NeuronSystem):
    """Weighted clouds and a null-unineuron each."""

    clouds: DirectionAwareClouds

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        self.grid_size, self.pair = self._choice(X, codes)
        self._partition(X, codes, self.grid_size)
        self._learn_with(self.pair, X, codes)

    def _choice(self, X: Array, codes: NDArray[np.intp]) -> tuple[Any, Any]:
        """Grid size and elements, those that are "auto" by cross-validation."""
        grid_size, pair = self.settings.grid_size, self.settings.elements
        sizes = GRID_SIZES if isinstance(grid_size, str) else (grid_size,)
        pairs = ELEMENT_PAIRS if isinstance(pair, str) and pair == "auto" else (pair,)
        if len(sizes) == len(pairs) == 1:
            return sizes[0], pairs[0]
        right = np.zeros((len(sizes), len(pairs)))
        for train, test in folds_of(codes, self.settings.seed):
            for i, size in enumerate(sizes):
                self._partition(X[train], codes[train], size)
                for k, each in enumerate(pairs):
                    self._learn_with(each, X[train], codes[train])
                    right[i, k] += (self.scores(X[test]).argmax(axis=1) == codes[test]).sum()
        best = np.unravel_index(right.argmax(), right.shape)  # the first, with the smaller grid
        self._draw_anew()
        return sizes[best[0]], pairs[best[1]]

    def _partition(self, X: Array, codes: NDArray[np.intp], grid_size: float) -> None:
        """Weights of the inputs, and the clouds that they give."""
        self.scatter = ClassScatter(self.classes, self.inputs)
        self.scatter.add_rows(X, codes)
        self.weights = self.scatter.weights()
        most = self.settings.max_rules
        self.clouds = DirectionAwareClouds.from_rows(X, self.weights, grid_size, most)

    def _learn_with(self, pair: Any, X: Array, codes: NDArray[np.intp]) -> None:
        """Neurons of a pair of elements, and the output."""
        self.pair = pair
        self.elements = self.drawn_elements(len(self.clouds.centres))
        self.begin_output(X, codes)

    def drawn_elements(self, count: int) -> Array:
        if isinstance(self.pair, str):
            return draw_null_uninorms(self.generator, count)
        return np.tile([0.0, *self.pair], (count, 1))

    def move(self, x: Array, code: int) -> CloudChange:
        self.scatter.add(x, code)
        self.weights = self.scatter.weights()
        return self.clouds.add(x, self.weights)


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


class EFNNNullUniClassifier(NeuronRules, EvolvingClassifier):
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
    system_ : NullUniSystem
        Its `grid_size` and `pair` are what was chosen.
    """

    _kind = NullUniSystem
    _counts = ("max_rules", "warm_up")
    _shares = ("forgetting",)

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

    def _settings(self, inputs: int) -> Any:
        size, elements = self.grid_size, self.elements
        is_auto = isinstance(size, str) and size == "auto"
        if not is_auto and not (is_number(size) and size > 0):
            raise ValueError(f'grid_size must be a number above 0 or "auto", got {size!r}.')
        if isinstance(elements, str):
            is_right = elements in ("random", "auto")
        else:
            is_right = is_pair_of_elements(elements)
        if not is_right:
            raise ValueError(
                'elements must be a pair with 0 <= u < g <= 1, (0, 0), (1, 1), "random" or "auto", '
                f"got {elements!r}."
            )
        return super()._settings(inputs)
