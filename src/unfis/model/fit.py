"""Fitting: from a table's columns and rows to a FittedModel, and from one to the next."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unfis.arrays import Array
from unfis.data.samples import Samples, TrainingSample
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import IterationRecord, Learner, TrainingOutcome, train
from unfis.learning.problem import ModelProblem, Prior
from unfis.learning.watch import Watch
from unfis.model.begin import Fit, begin
from unfis.model.checking import size_of_network
from unfis.model.covariance import with_uncertainty
from unfis.model.fitted import HISTORY, FittedModel, Memory
from unfis.model.points import with_points
from unfis.model.rows import LocalRows, TrainingRows
from unfis.model.training import network_to_train, prior_of, trained_as_allowed
from unfis.network import Trainable
from unfis.parallel import suitable_threads
from unfis.selection import deduplicated

# Is called after every iteration with its number, its record, and what makes the model as it is.
ModelMonitor = Callable[[int, IterationRecord, Callable[[], FittedModel]], bool]
# After so many iterations half of a training is taken to be done.
HALF_TRAINED = 5
# What choices say only where time was limited.
LIMIT_REACHED = "time_limit_reached"


def fit(
    job: Fit, before: FittedModel | None, monitor: ModelMonitor
) -> tuple[FittedModel, TrainingOutcome]:
    """Learn a model, or go on with one, until it has converged or a monitor or the watch stops it.

    Time that is over stops it after the iteration that goes on.
    """
    settings, learner, watch = job.settings, job.learner, job.watch
    held_out: Samples | None = None
    if settings.early_stopping:
        assert isinstance(job.rows, LocalRows)
        # Same rows as one: then no copy of a row that is learned stops the learning.
        samples, held_out = hold_out(job, deduplicated(job.rows.samples))
        job = job._replace(rows=job.rows.only(samples))
    rows = job.rows

    def trained_on(network: Trainable, problem: ModelProblem) -> TrainingOutcome:
        def held_out_loss(vector: Array) -> float:
            assert held_out is not None
            outputs = network.outputs(vector, held_out.X)
            return float(held_out.weights @ job.minimised.losses(outputs, held_out.targets))

        def monitored(number: int, vector: Array, record: IterationRecord) -> bool:
            parameters = network.parameters
            stop = monitor(number, record, lambda: replace(model, network=parameters(vector)))
            watch.report(number / (number + HALF_TRAINED), f"training, iteration {number}")
            return stop

        return train(
            learner,
            problem,
            network.start,
            job.generator,
            validation=None if held_out is None else held_out_loss,
            monitor=monitored,
            watch=watch,
            checkpoint=job.checkpoint,
        )

    with suitable_threads(size_of_network(settings, rows.drawn)):
        model = begin(job) if before is None else going_on(job, before, rows.kept())
        network = network_to_train(model)
        watch.begin("training", (watch.share, 1.0))
        problem = rows.problem(network, job.minimised, prior_of(model, network))
        network, problem, outcome = trained_as_allowed(model, problem, trained_on)
        prior = problem.prior
        found = trained(model, network, learner, outcome, rows, prior, rows.weight)
        found = in_time(found, outcome, watch)
        found = with_points(found, LocalProblem(network, job.objective, *rows.drawn, prior))
        found = with_uncertainty(found, learner, rows)
    watch.report(1.0, "done")
    return found, outcome


def fit_batch(job: Fit, before: FittedModel | None) -> tuple[FittedModel, TrainingOutcome]:
    """Learn a model from a stream's first batch, or go on by another, held by what came before."""
    learner, rows = job.learner, job.rows
    assert isinstance(rows, LocalRows)
    with suitable_threads(size_of_network(job.settings, rows.samples)):
        if before is None:
            model = begin(job)
        else:
            model = going_on(job, before, before.sample.followed_by(rows.read).kept())
        network, memory = network_to_train(model), model.memory
        prior = held_by = memory.prior or prior_of(model, network)
        weight = memory.weight + rows.weight
        state, max_iter, share = None, None, 1.0
        if not learner.keeps_curvature:
            # The prior belongs to the whole stream: a batch carries its part of it.
            share = rows.weight / weight
            held_by = Prior(prior.mean, share * prior.precision)
            state = memory.state if memory.learner == type(learner).__name__ else None
            max_iter = 1
        elif memory.learner:
            raise ValueError(
                f"learner was {memory.learner} so far, which leaves no curvature by which "
                f"{type(learner).__name__} could remember it. Keep the learner in partial_fit, or "
                "fit anew."
            )
        begun = rows.problem(network, job.minimised, held_by)

        def trained_on(network: Trainable, problem: LocalProblem) -> TrainingOutcome:
            return train(
                learner,
                problem,
                network.start,
                job.generator,
                # Of another problem it is the state of other parameters.
                state=state if problem is begun else None,
                max_iter=max_iter,
                watch=job.watch,
            )

        network, problem, outcome = trained_as_allowed(model, begun, trained_on)
        if problem is not begun:
            prior = Prior(problem.prior.mean, problem.prior.precision / share)
        found = trained(model, network, learner, outcome, rows, prior, weight)
        found = in_time(found, outcome, job.watch)
        # What leaves no curvature knows too little of the rows before to be fitted around points.
        found = with_points(found, problem if learner.keeps_curvature else None)
        if memory.prior is None:  # else the rows before are known by the diagonal alone
            found = with_uncertainty(found, learner, rows)
        return found, outcome


def hold_out(job: Fit, samples: Samples) -> tuple[Samples, Samples]:
    """Samples to train on and samples to stop by, alike targets in the same proportions."""
    from sklearn.model_selection import train_test_split  # imported late: it is slow to import

    codes = job.objective.strata(samples.targets).argmax(axis=1)
    counts = np.bincount(codes)
    held = int(np.ceil(job.settings.validation_fraction * len(codes)))
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
        random_state=job.generator,
    )
    return samples.part(kept), samples.part(stopping)


def going_on(job: Fit, before: FittedModel, kept: TrainingSample) -> FittedModel:
    """A model that goes on learning, with the rows that it then keeps.

    From where its training ended: steps that are smaller than a point would be lost by rounding.
    """
    return replace(
        before,
        network=before.memory.network or before.network,
        scorecard=None,
        uncertainty=None,
        settings=job.settings.shaped_as(before.settings),
        sample=kept,
        known_rules=None,
        known_origin=None,
        known_held_out=None,
    )


def trained(
    model: FittedModel,
    network: Trainable,
    learner: Learner,
    outcome: TrainingOutcome,
    rows: TrainingRows,
    prior: Prior,
    weight: float,
) -> FittedModel:
    """A model with what its training came to, which takes its point of the path."""
    parameters, state = network.parameters(outcome.vector), outcome.state
    if not learner.keeps_curvature:
        # A copy: the source of its shuffles may be the user's, and others may draw from it.
        name = type(learner).__name__
        memory = Memory(weight, prior, parameters, name, copy.deepcopy(state))
    elif state.curvature is None:
        memory = Memory(weight, prior, parameters)
    else:
        memory = Memory(weight, Prior(outcome.vector, state.curvature), parameters)
    stages, path = model.stages, model.path
    if stages:  # none without a path, or of a file, which keeps the chosen model alone
        number = path["chosen"].index(True)
        # What an expert does not allow may have been taken out of a THEN.
        chosen = stages[number]._replace(
            parameters=parameters, consequent=parameters.selection.in_classes
        )
        stages = (*stages[:number], chosen, *stages[number + 1 :])
        losses = list(path["training_loss"])
        losses[number] = rows.loss(parameters)
        path = {**path, "training_loss": losses}
    return replace(
        model,
        network=parameters,
        stages=stages,
        path=path,
        memory=memory,
        history={name: [float(getattr(r, name)) for r in outcome.records] for name in HISTORY},
        n_iter=len(outcome.records),
        converged=outcome.converged,
    )


def in_time(model: FittedModel, outcome: TrainingOutcome, watch: Watch) -> FittedModel:
    """A trained model whose choices tell whether a limit was reached, if there was one."""
    choices = {name: item for name, item in model.choices.items() if name != LIMIT_REACHED}
    if watch.limit is not None:
        if not outcome.converged:
            watch.is_over("more iterations")
        choices[LIMIT_REACHED] = bool(watch.left_out)
    return replace(model, choices=choices)
