"""What of a network may be learned, and the prior that holds it near its start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unfis.learning.objective import TrainingObjective
from unfis.learning.problem import Prior
from unfis.network import Parameters, Trainable, select_all

# How much stiffer than the consequents the prior holds the fuzzy sets (in units of their widths)
# and the selection logits at their start. Rules with constant consequents have little but sets.
SET_STIFFNESS = {"linear": 600.0, "constant": 70.0}
LOGIT_STIFFNESS = 100.0
# A ridge beyond this one shrinks the consequents only: sets must stay free to move.
STIFFEST_RIDGE = 0.15


def trainable(
    objective: TrainingObjective, parameters: Parameters, selection: str, consequents: str
) -> Trainable:
    """The network with what may be learned of it."""
    if selection == "none":
        parameters = select_all(parameters)
    if consequents == "constant":
        biases = parameters.consequents * (np.arange(parameters.shape.features + 1) == 0)
        parameters = replace(parameters, consequents=biases)
    free = free_parameters(parameters, consequents)
    return Trainable(parameters, free, objective.contrasts(parameters.shape.classes))


def free_parameters(parameters: Parameters, consequents: str) -> Parameters:
    """1 for each parameter that may be learned, 0 for the others.

    No logits that are decided, nothing of inputs that are out of a rule, no fuzzy sets of a single
    rule, whose strength is 1 whatever they are, and no slopes in constant consequents, which are 0.
    """
    shape, selection = parameters.shape, parameters.selection
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = selection.learned
    free.centres[:] = free.widths[:] = selection.inside & (shape.rules > 1)
    inside = selection.inside[:, None, :]
    free.consequents[:, :, 1:] = inside if consequents == "linear" else 0
    return free


def start_prior(network: Trainable, start: Parameters, ridge: float, consequents: str) -> Prior:
    """The prior of a network that started from `start`: antecedents there, consequents at 0."""
    mean = replace(start, consequents=np.zeros_like(start.consequents))
    precision = prior_precision(start, ridge, consequents)
    return Prior(network.vector_of(mean), network.values_of(precision))


def prior_precision(start: Parameters, ridge: float, consequents: str) -> Parameters:
    """Precision of the prior on each parameter, given the start the antecedents are held at.

    `ridge` on every consequent, bias included, and none on the thresholds: they are the common
    intercept, so that one rule without selection is ridge logistic regression. Antecedents are
    held in units of their widths, since rescaling an input must change nothing.
    """
    stiffness = SET_STIFFNESS[consequents] * min(ridge, STIFFEST_RIDGE)
    sets = stiffness / np.square(start.widths)
    return Parameters(
        sets,
        sets,
        np.full_like(start.logits, LOGIT_STIFFNESS * ridge),
        np.full_like(start.consequents, ridge),
        np.zeros_like(start.thresholds),
    )
