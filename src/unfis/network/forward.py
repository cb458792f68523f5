"""Runs the seven layers on samples, in blocks, and keeps what derivatives need of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask, softmax
from unfis.network import decided, layers
from unfis.network.parameters import Parameters
from unfis.parallel import in_parts

# Elements of the largest temporary array of one block of samples: about 8 MB, a cache's size.
BLOCK_ELEMENTS = 1 << 20
# The same where soft selection makes many such arrays, one of another: about 2 MB each, so that the
# next is made before the last has left the cache.
SOFT_ELEMENTS = 1 << 18
# Fewer samples than this side by side make short loops of every operation.
FEWEST_SAMPLES = 64


@dataclass(frozen=True)
class Activations:
    """What every layer put out for a block of samples; forward and derivatives share it."""

    inputs: Array  # x with missing values as 0, (samples, features)
    missing: Mask | None  # which values are missing, (samples, features); None if none is
    centres: Array  # m, (rules, features)
    powers: decided.Powers | None  # of the inputs, where the layers were matrix products
    memberships: Array | None  # mu, (samples, rules, features); None where all are decided
    selection: Array  # vs, (rules, features)
    log_firing: Array  # log f, (samples, rules)
    strengths: Array  # phi, (samples, rules)
    rule_outputs: Array  # y, (samples, rules, classes)
    thresholds: Array  # theta, (classes,)

    @cached_property
    def deviations(self) -> Array:
        """x - m, 0 where x is missing, (samples, rules, features)."""
        return layers.deviations_from(self.inputs, self.missing, self.centres)

    @cached_property
    def denominators(self) -> Array:
        """D of eq. (muplus), (samples, rules, features), of a selection that is soft."""
        assert self.memberships is not None
        return layers.denominators_of(self.memberships, self.selection)

    @cached_property
    def logits(self) -> Array:
        """z, shape (samples, classes)."""
        return layers.output_layer(self.strengths, self.rule_outputs, self.thresholds)

    @property
    def probabilities(self) -> Array:
        """p = softmax(z), eq. (output) with its exponentials, (samples, classes)."""
        return softmax(self.logits)


class PreparedSamples(NamedTuple):
    """A block of samples after the first layer: what does not depend on any parameter."""

    inputs: Array  # x with missing values as 0, (samples, features)
    missing: Mask | None  # which values are missing; None if none is
    powers: decided.Powers | None  # for a network whose inputs are all decided


def prepared(X: Array, middle: Array | None) -> PreparedSamples:
    """Layer 1 of X, shape (samples, features), NaN where missing; its powers around a middle."""
    inputs, missing = layers.input_layer(X)
    powers = None if middle is None else decided.powers_of(inputs, missing, middle)
    return PreparedSamples(inputs, missing, powers)


def middle_for(parameters: Parameters, selection: Array) -> Array | None:
    """The mean of the rules' centres, (features,); None for a network that uses no powers."""
    centres = parameters.centres
    return centres.sum(axis=0) / len(centres) if layers.is_decided(selection) else None


def forward(parameters: Parameters, X: Array) -> Activations:
    """Run the seven layers on X, shape (samples, features), NaN where missing."""
    selection = parameters.selection.degrees
    return run_layers(parameters, selection, prepared(X, middle_for(parameters, selection)))


def run_layers(parameters: Parameters, selection: Array, samples: PreparedSamples) -> Activations:
    """Run the layers from the second on, for vs."""
    inputs, missing, powers = samples
    found = memberships = None
    if powers is not None:
        found = decided.firing_and_outputs(powers, parameters, selection)
    if found is not None:
        log_firing, outputs = found
    else:
        powers = None
        deviations = layers.deviations_from(inputs, missing, parameters.centres)
        log_memberships = layers.fuzzification_layer(deviations, parameters.widths)
        memberships = layers.memberships_of(log_memberships, selection)
        if memberships is None or (selection == 1).any():
            degrees = log_memberships, memberships, selection
            log_firing = layers.rule_layer(layers.selection_layer(*degrees))
        else:
            log_firing = layers.soft_firing(memberships, selection)
        outputs = layers.consequent_layer(inputs, selection, parameters.consequents)
    strengths = layers.normalisation_layer(log_firing)
    return Activations(
        inputs,
        missing,
        parameters.centres,
        powers,
        memberships,
        selection,
        log_firing,
        strengths,
        outputs,
        parameters.thresholds,
    )


def length_of_blocks(widest: int, *, soft: bool = False) -> int:
    """How many samples of so many elements each fill one block, a smaller one of soft selection."""
    return max(FEWEST_SAMPLES, (SOFT_ELEMENTS if soft else BLOCK_ELEMENTS) // widest)


def columns_of(used: Mask) -> Mask | slice:
    """Where the used features are; all of them as a slice, which copies nothing."""
    return slice(None) if used.all() else used


def network_logits(parameters: Parameters, X: Array) -> Array:
    """z for each row of X, or of what makes its rows when asked for: (samples, classes)."""
    used = parameters.selection.used
    parameters = parameters if used.all() else parameters.only_features(used)
    return logits_in_blocks(parameters, X, columns_of(used))


def logits_in_blocks(parameters: Parameters, X: Array, columns: Mask | slice) -> Array:
    """z of a network whose features are some columns of X, shape (samples, outputs).

    In blocks, so that memory does not grow with samples x rules x inputs.
    """
    rules, features, classes = parameters.shape
    soft = not layers.is_decided(parameters.selection.degrees)
    length = length_of_blocks(rules * (features + classes), soft=soft)
    logits = np.empty((len(X), classes))

    def fill(starts: range) -> None:
        for start in starts:
            block = X[start : start + length]
            logits[start : start + length] = forward(parameters, block[:, columns]).logits

    in_parts(range(0, len(X), length), fill)
    return logits
