"""What of a model's network is learned, the prior that holds it, and what experts allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from unfis.arrays import Mask
from unfis.learning.loop import TrainingOutcome
from unfis.learning.problem import ModelProblem, Prior
from unfis.model.fitted import FittedModel
from unfis.model.settings import is_auto
from unfis.network import Parameters, Trainable
from unfis.network.constraints import wrong_slopes
from unfis.network.prior import start_prior, trainable
from unfis.rules.given_reader import reread

AnyProblem = TypeVar("AnyProblem", bound=ModelProblem)


def network_to_train(model: FittedModel, network: Parameters | None = None) -> Trainable:
    """A model's network, or another one of its form, with what may be learned of it."""
    settings = model.settings
    return trainable(
        model.objective,
        network or model.network,
        settings.selection,
        settings.consequents,
        model.fixed,
        opinions_given(model),
    )


def opinions_given(model: FittedModel) -> Mask:
    """Which rules say what an expert gave, (rules,)."""
    rules = reread(model.given, model.columns)
    return np.array([one is not None and one.probability is not None for one in rules], dtype=bool)


def prior_of(model: FittedModel, network: Trainable) -> Prior:
    """The prior around a model's start, as firm as was set or chosen."""
    settings = model.settings
    ridge = model.choices["ridge"] if is_auto(settings.ridge) else float(settings.ridge)
    return start_prior(network, model.start, ridge, settings.consequents)


def trained_as_allowed(
    model: FittedModel,
    problem: AnyProblem,
    train: Callable[[Trainable, AnyProblem], TrainingOutcome],
) -> tuple[Trainable, AnyProblem, TrainingOutcome]:
    """Train until no slope has the wrong sign: such ones are taken out, the rest learns on."""
    while True:
        network = problem.model
        assert isinstance(network, Trainable)
        outcome = train(network, problem)
        _, fewer = as_allowed(model, network.parameters(outcome.vector), problem)
        if fewer is problem:
            return network, problem, outcome
        problem = fewer


def as_allowed(
    model: FittedModel, network: Parameters, problem: AnyProblem
) -> tuple[Parameters, AnyProblem]:
    """A network of a problem without slopes of the wrong sign, and the problem without them."""
    wrong = wrong_slopes(network, model.column_signs)
    if not wrong.any():
        return network, problem
    assert isinstance(problem.model, Trainable)
    flags = Parameters.from_vector(np.zeros(network.shape.size), network.shape)
    flags.consequents[:, :, 1:] = wrong[:, None, :]
    left = problem.model.values_of(flags) == 0
    network = network.with_selection(network.selection.without_slopes(wrong))
    prior = Prior(problem.prior.mean[left], problem.prior.precision[left])
    return network, problem.with_model(network_to_train(model, network), prior)
