"""Fitting: from a table's columns and rows to a FittedModel, and from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from unfis.data.columns import TableColumns
from unfis.data.samples import Samples, TrainingSample
from unfis.data.target import class_weights
from unfis.initialisation.prior import start_prior, trainable
from unfis.initialisation.start import Start
from unfis.learning.loop import Learner, Monitor, TrainingOutcome
from unfis.learning.objective import CrossEntropy, Objective
from unfis.learning.problem import Prior
from unfis.model.checking import search_space, size_of_network
from unfis.model.fitted import HISTORY, FittedModel, Memory
from unfis.model.settings import Settings, is_auto
from unfis.model.training import hold_out, learn, learn_batch, memory_of
from unfis.network import Parameters, Trainable
from unfis.parallel import suitable_threads
from unfis.selection import decide, deduplicated
from unfis.selection.scoring import network_loss

# Makes a monitor of the model as it begins and the network that is trained.
MonitorOf = Callable[[FittedModel, Trainable], Monitor]


class Fit(NamedTuple):
    """What is learned from, and by what."""

    settings: Settings
    learner: Learner
    generator: np.random.RandomState
    columns: TableColumns
    read: TrainingSample  # all rows to learn from
    objective: Objective = CrossEntropy()  # by which the network is chosen

    def samples(self) -> Samples:
        """The rows as samples, with the weights of their classes."""
        read, settings = self.read, self.settings
        weights = class_weights(
            settings.class_weight, self.columns.classes, read.codes, read.weights
        )
        return self.columns.samples(read, self.objective.encode)._replace(weights=weights)


def fit(
    job: Fit, before: FittedModel | None, monitor: MonitorOf
) -> tuple[FittedModel, TrainingOutcome]:
    """Learn a model, or go on with one, until the learner has converged.

    `monitor` makes of the network that is trained, and the model it will belong to, what is called
    after every iteration.
    """
    settings, samples, validation = job.settings, job.samples(), None
    if settings.early_stopping:
        # Same rows as one: then no copy of a row that is learned stops the learning.
        samples, validation = hold_out(
            deduplicated(samples), settings.validation_fraction, job.generator
        )
    with suitable_threads(size_of_network(settings, samples)):
        model = begin(job, samples) if before is None else going_on(job, before, job.read)
        network = network_to_train(model)
        prior = prior_of(model, network)
        watch = monitor(model, network)
        outcome = learn(job.learner, network, samples, prior, job.generator, watch, validation)
    memory = memory_of(job.learner, outcome, prior, float(samples.weights.sum()))
    return trained(model, network.parameters(outcome.vector), outcome, memory, samples), outcome


def fit_batch(job: Fit, before: FittedModel | None) -> tuple[FittedModel, TrainingOutcome]:
    """Learn a model from the first batch of a stream, or go on with one by another batch."""
    samples = job.samples()
    with suitable_threads(size_of_network(job.settings, samples)):
        if before is None:
            model = begin(job, samples)
        else:
            model = going_on(job, before, before.sample.followed_by(job.read))
        network = network_to_train(model)
        prior = model.memory.prior or prior_of(model, network)
        outcome = learn_batch(job.learner, network, samples, prior, model.memory, job.generator)
    weight = model.memory.weight + float(samples.weights.sum())
    memory = memory_of(job.learner, outcome, prior, weight)
    return trained(model, network.parameters(outcome.vector), outcome, memory, samples), outcome


def begin(job: Fit, samples: Samples) -> FittedModel:
    """A model as it was chosen, not yet trained to the end."""
    settings, learner = job.settings, job.learner
    decision = decide(
        samples,
        [item.columns for item in job.columns.inputs],
        Start.by_name(settings.initialisation, job.generator),
        settings.selection,
        search_space(settings, samples, len(job.columns.inputs)),
        job.objective,
        # What stops early, or passes over the samples, is to begin where the rules start.
        goes_on=learner.keeps_curvature and not settings.early_stopping,
    )
    return FittedModel(
        settings=settings,
        columns=job.columns,
        network=decision.parameters,
        start=decision.start,
        fixed=None,
        choices=decision.choices,
        path=decision.path,
        stages=tuple(decision.stages),
        sample=job.read.kept(),
        memory=Memory(),
        objective=job.objective,
    )


def going_on(job: Fit, before: FittedModel, read: TrainingSample) -> FittedModel:
    """A model that goes on learning, with the rows that it then has learned from."""
    return replace(
        before,
        settings=job.settings.shaped_as(before.settings),
        sample=read.kept(),
        known_rules=None,
        known_origin=None,
    )


def trained(
    model: FittedModel,
    network: Parameters,
    outcome: TrainingOutcome,
    memory: Memory,
    samples: Samples,
) -> FittedModel:
    """A model with what its training came to, which takes its place on the path."""
    history = {
        name: [float(getattr(record, name)) for record in outcome.records] for name in HISTORY
    }
    stages, path = model.stages, model.path
    if stages:  # none without a path, or of a file, which keeps the chosen model alone
        number = path["chosen"].index(True)
        chosen = stages[number]._replace(parameters=network)
        stages = (*stages[:number], chosen, *stages[number + 1 :])
        losses = list(path["training_loss"])
        losses[number] = network_loss(model.objective, network, samples)
        path = {**path, "training_loss": losses}
    return replace(
        model,
        network=network,
        stages=stages,
        path=path,
        memory=memory,
        history=history,
        n_iter=len(outcome.records),
        converged=outcome.converged,
    )


def network_to_train(model: FittedModel) -> Trainable:
    """A model's network with what may be learned of it, by the settings it was made with."""
    settings = model.settings
    return trainable(
        model.objective, model.network, settings.selection, settings.consequents, model.fixed
    )


def prior_of(model: FittedModel, network: Trainable) -> Prior:
    """The prior around a model's start, as firm as was set or chosen."""
    settings = model.settings
    ridge = model.choices["ridge"] if is_auto(settings.ridge) else float(settings.ridge)
    return start_prior(network, model.start, ridge, settings.consequents)
