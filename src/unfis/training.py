"""Joins network and learning: samples and settings in, a trained network out."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.initialisation import prior_precision
from unfis.learning import CrossEntropy, Learner, Outcome, Prior, Problem, train
from unfis.learning.loop import Monitor
from unfis.network import Parameters, Shape, Trainable, network_logits, select_all

# One-hot targets of more values than this are made block by block, whenever they are asked for.
MOST_TARGETS = 1 << 20
# Samples whose loss is computed at once.
BLOCK_ROWS = 1 << 16


class Samples(NamedTuple):
    """Training samples as the network sees them."""

    X: Array  # (samples, columns), NaN where missing
    targets: Array  # one-hot, (samples, classes)
    weights: Array  # (samples,)

    def size_of_network(self, n_rules: int) -> int:
        """How many parameters a network of so many rules has on these samples."""
        return Shape(n_rules, self.X.shape[1], self.targets.shape[1]).size

    def part(self, rows: NDArray[np.intp] | slice) -> Samples:
        """Some of the samples."""
        return Samples(self.X[rows], self.targets[rows], self.weights[rows])


def targets_of(codes: NDArray[np.intp], classes: int) -> Array:
    """One-hot targets of the samples' classes, or of many what acts as such by its rows."""
    if len(codes) * classes <= MOST_TARGETS:
        return one_hot(codes, classes)
    return cast(Array, OneHotRows(codes, classes))


def one_hot(codes: NDArray[np.intp], classes: int) -> Array:
    """1 where a sample is of a class, shape (samples, classes), samples side by side in memory."""
    return np.equal(codes, np.arange(classes)[:, None]).astype(float).T


class OneHotRows:
    """Targets of very many samples, which are made of the rows that are asked for."""

    def __init__(self, codes: NDArray[np.intp], classes: int) -> None:
        self._codes = codes
        self.shape = len(codes), classes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, rows: Any) -> Array:
        return one_hot(self._codes[rows], self.shape[1])

    def argmax(self, axis: int) -> NDArray[np.intp]:
        """The class of each sample, shape (samples,)."""
        return self._codes


@dataclass(frozen=True)
class Memory:
    """What a training leaves behind for the next batch of a stream."""

    learner: str  # the kind of learner whose state this is
    prior: Prior  # where training ended and how firmly, or the prior it was trained with
    weight: float  # of all samples so far
    state: Any  # of a learner that goes on by its state, None of one that goes on by the prior


def trainable(
    parameters: Parameters, selection: str, consequents: str, fixed: Mask | None = None
) -> Trainable:
    """The network with what may be learned of it; `fixed` centres stay, shape (rules, columns)."""
    if selection == "none":
        parameters = select_all(parameters)
    if consequents == "constant":
        biases = parameters.consequents * (np.arange(parameters.shape.features + 1) == 0)
        parameters = replace(parameters, consequents=biases)
    return Trainable(parameters, free_parameters(parameters, consequents, fixed))


def free_parameters(
    parameters: Parameters, consequents: str, fixed: Mask | None = None
) -> Parameters:
    """1 for each parameter that may be learned, 0 for the others.

    No logits that are decided, nothing of inputs that are out of a rule, no fuzzy sets of a single
    rule, whose strength is 1 whatever they are, and no slopes in constant consequents, which are 0.
    """
    shape = parameters.shape
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[np.isinf(parameters.logits)] = 0
    inside = ~np.isneginf(parameters.logits)
    free.centres[:] = free.widths[:] = inside & (shape.rules > 1)
    if fixed is not None:
        free.centres[fixed] = 0
    free.consequents[:, :, 1:] = inside[:, None, :] if consequents == "linear" else 0
    return free


def start_prior(network: Trainable, start: Parameters, ridge: float, consequents: str) -> Prior:
    """The prior of a network that started from `start`: antecedents there, consequents at 0."""
    mean = replace(start, consequents=np.zeros_like(start.consequents))
    precision = prior_precision(start, ridge, consequents)
    return Prior(network.vector_of(mean), network.values_of(precision))


def mean_loss(parameters: Parameters, samples: Samples) -> float:
    """Cross-entropy of a network per unit of the samples' weight."""
    total = 0.0
    for start in range(0, len(samples.X), BLOCK_ROWS):
        X, targets, weights = samples.part(slice(start, start + BLOCK_ROWS))
        total += float(weights @ CrossEntropy().losses(network_logits(parameters, X), targets))
    return total / float(samples.weights.sum())


def hold_out(
    samples: Samples, fraction: float, generator: np.random.RandomState
) -> tuple[Samples, Samples]:
    """Samples to train on and samples to stop by, the classes in the same proportions."""
    from sklearn.model_selection import train_test_split  # imported late: it is slow to import

    codes = samples.targets.argmax(axis=1)
    counts = np.bincount(codes)
    held = int(np.ceil(fraction * len(codes)))
    splittable = counts.min() >= 2 and len(counts) <= min(held, len(codes) - held)
    if held >= len(codes):
        raise ValueError(
            f"early_stopping holds out {held} of {len(codes)} rows and leaves none to learn from. "
            "Lower validation_fraction or set early_stopping=False."
        )
    kept, stopping = train_test_split(
        np.arange(len(codes)),
        test_size=held,
        stratify=codes if splittable else None,
        random_state=generator,
    )
    return samples.part(kept), samples.part(stopping)


def learn(
    learner: Learner,
    network: Trainable,
    samples: Samples,
    prior: Prior,
    generator: np.random.RandomState,
    monitor: Monitor,
    validation: Samples | None = None,
) -> Outcome:
    """Train a network on samples, stopping early by the validation samples if there are any."""

    def loss_on(held_out: Samples, vector: Array) -> float:
        logits = network.logits(vector, held_out.X)
        return float(held_out.weights @ learner.objective.losses(logits, held_out.targets))

    return train(
        learner,
        Problem(network, *samples, prior),
        network.start,
        generator,
        validation=None if validation is None else partial(loss_on, validation),
        monitor=monitor,
    )


def learn_batch(
    learner: Learner,
    network: Trainable,
    samples: Samples,
    memory: Memory,
    generator: np.random.RandomState,
) -> Outcome:
    """Train a network on one more batch of a stream."""
    if learner.keeps_curvature:
        if memory.learner:
            raise ValueError(
                f"learner was {memory.learner} so far, which leaves no curvature by which "
                f"{type(learner).__name__} could remember it. Keep the learner in partial_fit, or "
                "fit anew."
            )
        return train(learner, Problem(network, *samples, memory.prior), network.start, generator)
    # The prior belongs to the whole stream: a batch carries its part of it.
    weight = float(samples.weights.sum())
    share = weight / (memory.weight + weight)
    prior = Prior(memory.prior.mean, share * memory.prior.precision)
    state = memory.state if memory.learner == type(learner).__name__ else None
    problem = Problem(network, *samples, prior)
    return train(learner, problem, network.start, generator, state=state, max_iter=1)


def memory_of(learner: Learner, outcome: Outcome, prior: Prior, weight: float) -> Memory:
    """What is left of a training: its curvature, or the prior it shares with the next batch."""
    state = outcome.state
    if learner.keeps_curvature:
        known = state.curvature is not None
        return Memory("", Prior(outcome.vector, state.curvature) if known else prior, weight, None)
    # A copy: the source of its shuffles may be the user's, and others may draw from it.
    return Memory(type(learner).__name__, prior, weight, copy.deepcopy(state))
