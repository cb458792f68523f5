"""Whether what a network does can be read: where its rules lead, and what each condition says."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.network.forward import Activations
from unfis.selection.stage import Stage, Task, Trained
from unfis.ties import first_greatest

# A condition that holds by more than half on this share of the rows says nothing.
HOLDS_EVERYWHERE = 0.9
# And so does one without which the same rules would lead on this share of them.
IDLE = 0.98
# The class that a rule names is less frequent than another where it leads by no more than this.
CONTRADICTED = 0.1
# Where a rule leads must be told by ranges of its inputs on this share of the samples, unless one
# speaks otherwise; ranges are those of most of the samples that it leads on.
TOLD_BY_RANGES = 0.8
# And where such rules are worse by far, in nats per unit of weight, on this share.
BARELY_TOLD, FAR_WORSE = 0.65, 0.1
MOST_LED = 0.975


def agreement(task: Task, trained: Trained) -> float:
    """The share of samples on which the strongest rule alone answers what the network does."""
    activations, weights = trained.activations, task.samples.weights
    strongest = first_greatest(activations.log_firing)
    alone = activations.said[np.arange(len(weights)), strongest].argmax(axis=1)
    return float(weights @ (alone == activations.logits.argmax(axis=1)) / weights.sum())


def is_readable(task: Task, trained: Trained) -> bool:
    """Whether ranges tell well where each rule leads, and each condition says something."""
    return readability(task, trained) >= TOLD_BY_RANGES


def readability(task: Task, trained: Trained) -> float:
    """The share of samples on which ranges tell where each rule leads.

    0 where a rule leads on no sample or names a class that is far from the most frequent one
    there, or a condition says nothing: it holds on nearly all, or on nearly all the same rule
    would lead without it. 1 where one rule speaks otherwise: without
    such a one conditions hold relatively to those of other rules.
    """
    stage = trained.stage
    if stage.rules == 1:
        return 1.0
    activations, weights = trained.activations, task.samples.weights
    firing = activations.log_firing
    strongest = first_greatest(firing)
    if (np.bincount(strongest, minlength=stage.rules) == 0).any():
        return 0.0
    if contradicts_its_samples(task, stage, activations, strongest):
        return 0.0
    for rule, item in np.argwhere(stage.condition):
        distances = set_distances(task, stage, rule, item)
        holds = distances < 2 * np.log(2)
        eased = firing.copy()
        eased[:, rule] += 0.5 * distances
        same = eased.argmax(axis=1) == strongest
        everywhere = weights @ holds >= HOLDS_EVERYWHERE * weights.sum()
        if everywhere or weights @ same >= IDLE * weights.sum():
            return 0.0
    return 1.0 if stage.otherwise is not None else told_by_ranges(task, stage, strongest)


def contradicts_its_samples(
    task: Task, stage: Stage, activations: Activations, strongest: NDArray[np.intp]
) -> bool:
    """Whether a rule that names a class leads where another one is more frequent by far."""
    if not task.combination.has_otherwise:
        return False
    for rule in np.flatnonzero(~stage.in_consequent.any(axis=1)):
        led = np.where(strongest == rule, task.samples.weights, 0.0)
        shares = led @ task.samples.targets / max(led.sum(), np.finfo(float).tiny)
        if shares.max() - shares[activations.said[0, rule].argmax()] > CONTRADICTED:
            return True
    return False


def told_by_ranges(task: Task, stage: Stage, strongest: NDArray[np.intp]) -> float:
    """On what share of samples ranges and kinds of its inputs tell where each rule leads."""
    weights, least = task.samples.weights, 1.0
    for rule in range(stage.rules):
        led = strongest == rule
        inside = np.ones(len(led), dtype=bool)
        for item in np.flatnonzero(stage.condition[rule]).tolist():
            inside &= is_like(task, item, led)
        least = min(least, float(weights @ (inside == led) / weights.sum()))
    return least


def is_like(task: Task, item: int, led: Mask) -> Mask:
    """Which samples are, by one input, in the range of those led, or of kinds mostly led."""
    columns = task.inputs[item]
    if columns.stop - columns.start > 1:
        kinds = np.nan_to_num(task.samples.X[:, columns]).argmax(axis=1)
        shares = np.bincount(kinds, led) / np.maximum(np.bincount(kinds), 1)
        return np.asarray(shares[kinds] >= led.mean())
    values = task.samples.X[:, columns.start]
    if np.isnan(values[led]).all():
        return np.ones(len(values), dtype=bool)
    low, high = np.nanquantile(values[led], [1 - MOST_LED, MOST_LED])
    ends = np.nanquantile(values, [2 * (1 - MOST_LED), 1 - 2 * (1 - MOST_LED)])
    low = -np.inf if low <= ends[0] else low
    high = np.inf if high >= ends[1] else high
    return ~((values < low) | (values > high))


def set_distances(task: Task, stage: Stage, rule: int, item: int) -> Array:
    """Squared distances of samples from a condition's centres, in widths, (samples,)."""
    columns = task.inputs[item]
    centres, widths = (
        a[rule, columns] for a in (stage.parameters.centres, stage.parameters.widths)
    )
    return np.asarray(np.nansum(np.square((task.samples.X[:, columns] - centres) / widths), axis=1))
