"""What the rules of a network make of the samples, and how the loss moves with what they say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.selection.stage import Task, Trained

TINY = np.finfo(float).tiny


class Fired(NamedTuple):
    """What the rules of a network make of the samples."""

    firing: Array  # f, (samples, rules)
    said: Array  # q, what each rule says by itself, (samples, rules, classes)
    probabilities: Array  # p, (samples, classes)
    of_target: Array  # q of the true class, (samples, rules)
    loss: float  # of all samples, in nats


def fired_by(task: Task, trained: Trained) -> Fired:
    """What the rules of a network make of the samples."""
    activations = trained.activations
    _, targets, weights = task.samples
    said, probabilities = np.exp(activations.said), np.exp(activations.logits)
    of_target = np.einsum("krc,kc->kr", said, targets)
    known = np.maximum(np.einsum("kc,kc->k", probabilities, targets), TINY)
    loss = float(weights @ -np.log(known))
    return Fired(np.exp(activations.log_firing), said, probabilities, of_target, loss)


def moved_by(task: Task, fired: Fired, rule: int) -> tuple[Array, Array]:
    """How the loss falls with what a rule says for each output, and its curvature there.

    With r_c = phi q_c / p_c of the rule, z_c moves by r_c ((c = g) - q_g) with its class g: the
    score of the true class t is r_t ((t = g) - q_g), the information
    p_g r_g^2 (1 - q_g)^2 + q_g^2 sum_{c != g} p_c r_c^2; both (samples, outputs), with weights.
    """
    _, targets, weights = task.samples
    said = fired.said[:, rule]
    parts = fired.firing[:, rule] / np.maximum(fired.firing.sum(axis=1), TINY)
    ratios = parts[:, None] * said / np.maximum(fired.probabilities, TINY)
    of_target = (targets * ratios).sum(axis=1, keepdims=True)
    scores = of_target * (targets - said)
    own = fired.probabilities * np.square(ratios)
    others = own.sum(axis=1, keepdims=True) - own
    curvature = own * np.square(1 - said) + np.square(said) * others
    if task.outputs == 1:  # a step along (1, -1) / sqrt(2): both classes do the same
        scores, curvature = np.sqrt(2) * scores[:, :1], 2 * curvature[:, :1]
    return weights[:, None] * scores, weights[:, None] * curvature
