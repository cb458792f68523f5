"""Fitting: from a table's columns and rows to a FittedNetwork, and from one to the next."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.data.drawing import deduplicated, drawn
from unfis.data.origin import Origin, fingerprint
from unfis.data.samples import Samples, TrainingSample, kept_positions
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import IterationRecord, Learner, TrainingOutcome, train
from unfis.learning.objective import CrossEntropy, TrainingObjective
from unfis.learning.problem import Prior
from unfis.learning.watch import Watch
from unfis.network.choice import CHOICE_ROWS, RIDGES, Choice
from unfis.network.fitted import HISTORY, FittedNetwork, Memory
from unfis.network.parameters import Parameters, Shape
from unfis.network.start import start_by_name
from unfis.network.trainable import Trainable
from unfis.parallel import suitable_threads

# Is called after every iteration with its number, its record, and what makes the model as it is.
NetworkMonitor = Callable[[int, IterationRecord, Callable[[], FittedNetwork]], bool]
USUAL_MOST_RULES = 3  # that are chosen by themselves
# After so many iterations half of a training is taken to be done.
HALF_TRAINED = 5
# A network goes on from that of its choice if this share of the inputs was in it: where most were
# left out, it learned more slowly so than from the start.
WARM_START_SHARE = 0.5
# Beside so many rows the prior hardly counts: the least one is taken.
MANY_ROWS = 50_000
# What choices say only where time was limited.
LIMIT_REACHED = "time_limit_reached"


@dataclass(frozen=True)
class Job:
    """What is learned from, and by what."""

    settings: Mapping[str, Any]  # the parameters of the estimator
    learner: Learner
    generator: np.random.RandomState
    columns: TableColumns
    read: TrainingSample
    weights: Array  # of the rows, those of their classes multiplied in
    watch: Watch  # is told how far it is, and knows when time is over

    @cached_property
    def samples(self) -> Samples:
        """The rows as a network sees them."""
        return self.columns.samples(self.read, CrossEntropy().encode)._replace(weights=self.weights)

    @property
    def objective(self) -> TrainingObjective:
        """What the training minimises."""
        return self.learner.objective or CrossEntropy()

    @property
    def most_rules(self) -> int:
        """The most rules that the network may have."""
        n_rules, most = self.settings["n_rules"], self.settings["max_rules"]
        return int(n_rules if not isinstance(n_rules, str) else most or USUAL_MOST_RULES)

    @property
    def size(self) -> int:
        """The most parameters that the network may have."""
        return Shape(self.most_rules, self.columns.width, len(self.columns.classes)).size

    @property
    def origin(self) -> Origin:
        """Where a model of these rows comes from."""
        read, some = self.read, kept_positions(*self.read.values.shape)
        values, codes = read.values[some].astype(np.float64), read.codes[some].astype(float)
        return Origin.of(read.total, fingerprint(values, codes))


def fit(
    job: Job, before: FittedNetwork | None, monitor: NetworkMonitor
) -> tuple[FittedNetwork, TrainingOutcome]:
    """Learn a model, or go on with one, until it has converged or a monitor or the watch stops it.

    Time that is over stops it after the iteration that goes on.
    """
    samples, watch, held_out = job.samples, job.watch, None
    if job.settings["early_stopping"]:
        # Same rows as one: then no copy of a row that is learned stops the learning.
        samples, held_out = hold_out(job, deduplicated(samples))
    with suitable_threads(job.size):
        model = begin(job, samples) if before is None else going_on(job, before)
        network = model.trainable
        problem = LocalProblem(network, job.objective, *samples, model.prior(network))

        def held_out_loss(vector: Array) -> float:
            assert held_out is not None
            outputs = network.outputs(vector, held_out.X)
            return float(held_out.weights @ job.objective.losses(outputs, held_out.targets))

        def monitored(number: int, vector: Array, record: IterationRecord) -> bool:
            parameters = network.parameters
            stop = monitor(number, record, lambda: replace(model, parameters=parameters(vector)))
            watch.report(number / (number + HALF_TRAINED), f"training, iteration {number}")
            return stop

        watch.begin("training", (watch.share, 1.0))
        outcome = train(
            job.learner,
            problem,
            network.start,
            job.generator,
            validation=None if held_out is None else held_out_loss,
            monitor=monitored,
            watch=watch,
        )
    found = trained(job, model, network, outcome, Memory(problem.weight, problem.prior))
    watch.report(1.0, "done")
    return found, outcome


def fit_batch(job: Job, before: FittedNetwork | None) -> tuple[FittedNetwork, TrainingOutcome]:
    """Learn a model from a stream's first batch, or go on by another, held by what came before."""
    learner, samples = job.learner, job.samples
    with suitable_threads(job.size):
        model = begin(job, samples) if before is None else going_on(job, before, more=True)
        network, memory = model.trainable, model.memory
        prior = held_by = memory.prior or model.prior(network)
        batch = float(samples.weights.sum())
        weight = memory.weight + batch
        state, max_iter = None, None
        if not learner.keeps_curvature:
            # The prior belongs to the whole stream: a batch carries its part of it.
            held_by = Prior(prior.mean, batch / weight * prior.precision)
            state = memory.state if memory.learner == type(learner).__name__ else None
            max_iter = 1
        elif memory.learner:
            raise ValueError(
                f"learner was {memory.learner} so far, which leaves no curvature by which "
                f"{type(learner).__name__} could remember it. Keep the learner in partial_fit, or "
                "fit anew."
            )
        problem = LocalProblem(network, job.objective, *samples, held_by)
        start, generator = network.start, job.generator
        outcome = train(
            learner, problem, start, generator, state=state, max_iter=max_iter, watch=job.watch
        )
    return trained(job, model, network, outcome, Memory(weight, prior)), outcome


def begin(job: Job, samples: Samples) -> FittedNetwork:
    """A model with what is chosen, not yet trained to the end."""
    settings, some, rows = job.settings, drawn(samples), len(samples.X)
    n_rules, ridge = settings["n_rules"], settings["ridge"]
    choices: dict[str, Any] = {}
    if not isinstance(n_rules, str) and n_rules > rows:
        raise ValueError(
            f"n_rules must be at most the number of rows, got n_rules={n_rules} for {rows} rows."
        )
    start = start_by_name(settings["initialisation"], job.generator)
    auto = isinstance(n_rules, str), isinstance(ridge, str)
    first = network = None
    if auto == (False, True) and rows > MANY_ROWS:
        ridge, choices = min(RIDGES), {"by": "number of rows"}
    elif any(auto):
        numbers = range(1, min(job.most_rules, rows) + 1) if auto[0] else (int(n_rules),)
        ridges = RIDGES if auto[1] else (float(ridge),)
        inputs = [item.columns for item in job.columns.inputs]
        whole = settings["consequents"], settings["n_jobs"], job.watch
        best = Choice(some, inputs, start, numbers, ridges, *whole).best()
        n_rules, ridge = best.n_rules, best.ridge
        choices = {"by": "leave-one-out", "loss": best.loss}
        if rows <= CHOICE_ROWS:
            first = best.start
            # What stops early, or passes over the samples, is to begin where the rules start.
            goes_on = job.learner.keeps_curvature and not settings["early_stopping"]
            inside = best.network.selection.inside[:, job.columns.starts()]
            if goes_on and n_rules > 1 and inside.mean() > WARM_START_SHARE:
                network = with_learned(first, best.network, settings["selection"])
    first = first or start(*some, int(n_rules))
    choices = {"n_rules": int(n_rules), "ridge": float(ridge), **choices}
    return FittedNetwork(
        settings, job.columns, network or first, first, choices, job.read.ends, job.origin
    )


def with_learned(start: Parameters, learned: Parameters, selection: str) -> Parameters:
    """A start that says what a network has learned by which all inputs are in every rule.

    Slopes are the larger, the less of its input a soft selection lets through.
    """
    consequents = learned.consequents.copy()
    if selection == "soft":
        consequents[:, :, 1:] /= start.selection.degrees[:, None, :]
    return replace(learned, logits=start.logits, consequents=consequents)


def going_on(job: Job, before: FittedNetwork, *, more: bool = False) -> FittedNetwork:
    """A model that goes on learning, from other rows or from more of them."""
    ends, origin = job.read.ends, job.origin
    if more:
        ends = np.array([np.fmin(before.ends[0], ends[0]), np.fmax(before.ends[1], ends[1])])
        origin = origin.after(before.origin)
    return replace(before, settings=job.settings, ends=ends, origin=origin)


def hold_out(job: Job, samples: Samples) -> tuple[Samples, Samples]:
    """Samples to train on and samples to stop by, with classes in the same proportions."""
    from sklearn.model_selection import train_test_split  # imported late: it is slow to import

    codes = samples.targets.argmax(axis=1)
    counts = np.bincount(codes)
    held = int(np.ceil(job.settings["validation_fraction"] * len(codes)))
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


def trained(
    job: Job,
    model: FittedNetwork,
    network: Trainable,
    outcome: TrainingOutcome,
    memory: Memory,
) -> FittedNetwork:
    """A model with what its training came to; choices say whether a limit of time was reached."""
    learner, state, watch = job.learner, outcome.state, job.watch
    if not learner.keeps_curvature:
        # A copy: the source of its shuffles may be the user's, and others may draw from it.
        memory = replace(memory, learner=type(learner).__name__, state=copy.deepcopy(state))
    elif state.curvature is not None:
        memory = Memory(memory.weight, Prior(outcome.vector, state.curvature))
    choices = {name: item for name, item in model.choices.items() if name != LIMIT_REACHED}
    if watch.limit is not None:
        if not outcome.converged:
            watch.is_over("more iterations")
        choices[LIMIT_REACHED] = bool(watch.left_out)
    return replace(
        model,
        parameters=network.parameters(outcome.vector),
        choices=choices,
        memory=memory,
        history={name: [float(getattr(r, name)) for r in outcome.records] for name in HISTORY},
        n_iter=len(outcome.records),
        converged=outcome.converged,
    )
