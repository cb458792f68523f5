"""Logic neurons: weighted memberships, combined one by one by 2-uninorms; systems of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unfis.arrays import Array
from unfis_paper.compared.adpa import CloudChange
from unfis_paper.compared.evolving import System
from unfis_paper.compared.least_squares import RecursiveLeastSquares
from unfis_paper.compared.operators import two_uninorm, uninorm_elements, weighted_degrees

# Centres, widths, weights and elements, as `neuron_outputs` takes them.
Neurons = tuple[Array, ArrayLike, ArrayLike, Array]


def neuron_outputs(
    X: Array, centres: Array, widths: ArrayLike, weights: ArrayLike, elements: Array
) -> Array:
    """z_l = W(h_l1, ..., h_ln) from left to right, shape (rows, neurons).

    mu_lj = exp(-(x_j - c_lj)^2 / (2 s_lj^2)); widths and weights may be the same for all neurons or
    inputs; elements are e1, z and e2 of each neuron, shape (neurons, 3).
    """
    halves = -0.5 / np.broadcast_to(np.asarray(widths, dtype=float), centres.shape) ** 2
    shares = np.broadcast_to(np.asarray(weights, dtype=float), centres.shape)
    found = np.zeros((len(X), len(centres)))
    for j in range(X.shape[1]):
        degrees = np.exp(halves[:, j] * (X[:, j, None] - centres[:, j]) ** 2)
        part = weighted_degrees(degrees, shares[:, j], elements)
        found = part if j == 0 else two_uninorm(found, part, *elements.T)
    return found


def with_constant(outputs: Array) -> Array:
    """Outputs of neurons behind a column of ones."""
    return np.hstack([np.ones((len(outputs), 1)), outputs])


def draw_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """Uninorms with a neutral element drawn from [0, 1], as 2-uninorms."""
    return uninorm_elements(generator.uniform(size=count))


def draw_null_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """Null-uninorms with u <= g drawn from [0, 1], as 2-uninorms."""
    pairs = np.sort(generator.uniform(size=(count, 2)), axis=1)
    return np.hstack([np.zeros((count, 1)), pairs])


def draw_two_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """2-uninorms with e1 <= z <= e2 drawn from [0, 1]."""
    return np.sort(generator.uniform(size=(count, 3)), axis=1)


def draw_halved_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """2-uninorms with e1 drawn from [0, 0.5], e2 from [0.5, 1] and z from between them."""
    first, share, second = generator.uniform(size=(count, 3)).T
    first, second = first / 2, 0.5 + second / 2
    return np.stack([first, first + share * (second - first), second], axis=1)


class NeuronSystem(System):
    """A logic neuron on each cloud of rows, and a linear output, y = v_0 + sum_l v_l z_l."""

    clouds: Any
    weights: Array
    elements: Array  # (neurons, 3)
    output: RecursiveLeastSquares

    @property
    def neurons(self) -> Neurons:
        """The neurons that speak."""
        return self.clouds.centres, self.clouds.radius, self.weights, self.elements

    @property
    def sizes(self) -> Any:
        """How many rows the cloud of each neuron holds, None where there are no clouds."""
        return self.clouds.sizes

    def activations(self, X: Array) -> Array:
        """What the neurons give, shape (rows, neurons)."""
        return neuron_outputs(X, *self.neurons)

    def scores(self, X: Array) -> Array:
        return self.output.predict(with_constant(self.activations(X)))

    def begin_output(self, X: Array, codes: NDArray[np.intp]) -> None:
        """Learn the output from all rows at once."""
        self.output = RecursiveLeastSquares.from_rows(
            with_constant(self.activations(X)),
            self.indicators(codes),
            forgetting=self.settings.forgetting,
        )

    def follow(self, x: Array, code: int) -> None:
        opened, removed = self.move(x, code)
        for cloud in removed:
            self.close(cloud)
        if opened:
            self.open()
        z = self.activations(x[None])
        self.output.update(with_constant(z)[0], self.indicators(code), self.row_weight(z))

    def move(self, x: Array, code: int) -> CloudChange:
        """Have the clouds learn from one more row."""
        raise NotImplementedError

    def drawn_elements(self, count: int) -> Array:
        """Elements e1, z and e2 of so many new neurons."""
        raise NotImplementedError

    def close(self, cloud: int) -> None:
        """Forget the neuron of a cloud that went."""
        self.elements = np.delete(self.elements, cloud, axis=0)
        self.output.remove(1 + cloud)

    def open(self) -> None:
        """A neuron for a new cloud, the last."""
        self.elements = np.vstack([self.elements, self.drawn_elements(1)])
        self.output.extend()

    def row_weight(self, activations: Array) -> float:
        """How much a row counts, given what the neurons give of it."""
        return 1.0
