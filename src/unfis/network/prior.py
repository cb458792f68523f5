"""What of a network may be learned, and the prior that holds it near its start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unfis.arrays import Mask
from unfis.learning.objective import TrainingObjective
from unfis.learning.problem import Prior
from unfis.network import Parameters, Trainable, select_all

# How much stiffer than the consequents the prior holds the fuzzy sets (in units of their widths)
# and the selection logits at their start. Rules with constant consequents have little but sets.
SET_STIFFNESS = {"linear": 600.0, "constant": 70.0}
LOGIT_STIFFNESS = 100.0
# Sets of averaged rules are held so firmly, whatever the ridge.
AVERAGED_STIFFNESS = 20.0
# What rules say that were given by hand is held by the frequencies of the classes as by a row.
GIVEN_RIDGE = 0.5
# A ridge beyond this one shrinks the consequents only: sets must stay free to move.
STIFFEST_RIDGE = 0.15


def trainable(
    objective: TrainingObjective,
    parameters: Parameters,
    selection: str,
    consequents: str,
    fixed: Mask | None = None,
    opinions: Mask | None = None,
) -> Trainable:
    """The network with what may be learned of it.

    `fixed` centres stay, (rules, columns), and what some rules say as `opinions`, (rules,).
    """
    if selection == "none":
        parameters = select_all(parameters)
    if consequents == "constant":
        biases = parameters.consequents * (np.arange(parameters.shape.features + 1) == 0)
        parameters = replace(parameters, consequents=biases)
    free = free_parameters(parameters, consequents, fixed)
    if opinions is not None and opinions.any():
        # What is common to all rules would move theirs too.
        free.consequents[opinions] = 0
        free.thresholds[:] = 0
    contrasts = objective.contrasts(parameters.shape.classes)
    if parameters.selection.in_classes.shape[1] > 1:
        # Zeros for some classes are none of their contrasts. One threshold stays: only what they
        # say beside each other counts.
        contrasts = np.eye(parameters.shape.classes)
        free.thresholds[0] = 0
    return Trainable(parameters, free, contrasts)


def free_parameters(
    parameters: Parameters, consequents: str, fixed: Mask | None = None
) -> Parameters:
    """1 for each parameter that may be learned, 0 for the others.

    No logits that are decided, nothing of inputs that are out of a rule, no fuzzy sets that were
    given, nor those of a single rule, whose strength is 1 whatever they are, and no slopes in
    constant consequents, which are 0.
    """
    shape, selection = parameters.shape, parameters.selection
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = selection.learned
    learned = selection.in_condition & ~parameters.given & (shape.rules > 1)
    free.centres[:] = free.widths[:] = learned
    if fixed is not None:
        free.centres[fixed] = 0
    free.consequents[:, :, 1:] = selection.in_classes if consequents == "linear" else 0
    return free


def start_prior(network: Trainable, start: Parameters, ridge: float, consequents: str) -> Prior:
    """The prior of a network that started from `start`: antecedents there, consequents at 0."""
    mean = replace(start, consequents=np.zeros_like(start.consequents))
    precision = prior_precision(start, ridge, consequents)
    # How firm what is learned beside them is, says nothing of rules that were given.
    precision.consequents[start.given.any(axis=1)] = min(ridge, GIVEN_RIDGE)
    if network.fixed.combination.has_otherwise:
        sets = AVERAGED_STIFFNESS / np.square(start.widths)
        precision = replace(precision, centres=sets, widths=sets)
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
