"""Training of a network on samples: to the end, or by one more batch of a stream."""

from __future__ import annotations

import copy
from functools import partial

import numpy as np

from unfis.arrays import Array
from unfis.data.samples import Samples
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import Learner, Monitor, TrainingOutcome, train
from unfis.learning.problem import Prior
from unfis.model.fitted import Memory
from unfis.network import Trainable


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
) -> TrainingOutcome:
    """Train a network on samples, stopping early by the validation samples if there are any."""

    def loss_on(held_out: Samples, vector: Array) -> float:
        outputs = network.outputs(vector, held_out.X)
        return float(held_out.weights @ learner.objective.losses(outputs, held_out.targets))

    return train(
        learner,
        LocalProblem(network, learner.objective, *samples, prior),
        network.start,
        generator,
        validation=None if validation is None else partial(loss_on, validation),
        monitor=monitor,
    )


def learn_batch(
    learner: Learner,
    network: Trainable,
    samples: Samples,
    prior: Prior,
    memory: Memory,
    generator: np.random.RandomState,
) -> TrainingOutcome:
    """Train a network on one more batch of a stream, held by a prior of what came before."""
    if learner.keeps_curvature:
        if memory.learner:
            raise ValueError(
                f"learner was {memory.learner} so far, which leaves no curvature by which "
                f"{type(learner).__name__} could remember it. Keep the learner in partial_fit, or "
                "fit anew."
            )
        problem = LocalProblem(network, learner.objective, *samples, prior)
        return train(learner, problem, network.start, generator)
    # The prior belongs to the whole stream: a batch carries its part of it.
    weight = float(samples.weights.sum())
    share = weight / (memory.weight + weight)
    prior = Prior(prior.mean, share * prior.precision)
    state = memory.state if memory.learner == type(learner).__name__ else None
    problem = LocalProblem(network, learner.objective, *samples, prior)
    return train(learner, problem, network.start, generator, state=state, max_iter=1)


def memory_of(learner: Learner, outcome: TrainingOutcome, prior: Prior, weight: float) -> Memory:
    """What is left of a training: its curvature, or the prior it shares with the next batch."""
    state = outcome.state
    if learner.keeps_curvature:
        known = state.curvature is not None
        return Memory(weight, Prior(outcome.vector, state.curvature) if known else prior)
    # A copy: the source of its shuffles may be the user's, and others may draw from it.
    return Memory(weight, prior, type(learner).__name__, copy.deepcopy(state))
