"""The points of all rules together, of all walks at once, by Newton's method."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.objective import Evaluation, Objective

NEWTON_STEPS = 20
MOST_HALVINGS = 12
SHORTER = 0.4  # a step that makes a loss greater is taken so far
ENOUGH = 1e-4  # nats that one more step would gain
NEAR_BOUND = 1e-3  # points so near to their bound are at it
LEAST_PRIOR = 1e-6  # on the starts, which of several classes are free only together


class Design(NamedTuple):
    """The rules of all walks; a walk with fewer has rules that hold nowhere."""

    degrees: Array  # (walks, rules, rows)
    outputs: NDArray[np.intp]  # which output each rule is for, (walks, rules)
    bounds: Array | None = None  # the least and the greatest points, (2, walks, rules)


class Fit(NamedTuple):
    """Points of all walks, and the objective there."""

    start: Array  # (walks, outputs)
    points: Array  # (walks, rules)
    losses: Array  # weighted sums with the ridge, (walks,)
    at: Evaluation
    # By all parameters, starts first, (walks, parameters) and (walks, parameters, parameters).
    slopes: Array  # minus the gradient of the loss alone
    curvature: Array  # of the loss alone
    precision: Array  # curvature with the ridge


def sums_of_points(design: Design, start: Array, points: Array) -> Array:
    """z of all rows, (walks, outputs, rows)."""
    outputs = start.shape[1]
    if outputs == 1:
        return np.asarray(start[:, :, None] + points[:, None, :] @ design.degrees)
    places = design.outputs[:, None, :] == np.arange(outputs)[None, :, None]
    return np.asarray(start[:, :, None] + (points[:, None, :] * places) @ design.degrees)


class Loss(Protocol):
    """A loss by the parameters of all walks, starts first, (walks, parameters)."""

    def at(self, parameters: Array) -> Array:
        """Weighted sums over rows, (walks,)."""

    def derivatives(self) -> tuple[Array, Array]:
        """Minus the gradient and the curvature where the loss was asked for last."""


class LossOfDesign:
    """The loss of rows whose degrees are at hand."""

    evaluation: Evaluation  # where it was asked for last

    def __init__(
        self, design: Design, objective: Objective, targets: Array, weights: Array
    ) -> None:
        self.design, self.objective = design, objective
        self.targets, self.weights = targets, weights
        walks, outputs = len(design.degrees), objective.outputs
        self.which = np.concatenate(
            [np.tile(np.arange(outputs), (walks, 1)), design.outputs], axis=1
        )
        ones = np.ones((walks, outputs, design.degrees.shape[2]))
        self.columns = np.concatenate([ones, design.degrees], axis=1)

    def at(self, parameters: Array) -> Array:
        """Weighted sums over rows, (walks,)."""
        outputs = self.objective.outputs
        z = sums_of_points(self.design, parameters[:, :outputs], parameters[:, outputs:])
        self.evaluation = self.objective.evaluate(z, self.targets, self.weights)
        return np.asarray((self.weights * self.evaluation.losses).sum(axis=1))

    def derivatives(self) -> tuple[Array, Array]:
        """Minus the gradient and the curvature where the loss was asked for last."""
        return derivatives(self.columns, self.which, self.evaluation, self.weights)


class Least(NamedTuple):
    """The parameters of least loss, of all walks."""

    parameters: Array  # (walks, parameters)
    losses: Array  # with the prior, (walks,)
    slopes: Array  # minus the gradient of the loss alone
    curvature: Array  # of the loss alone
    precision: Array  # curvature with the prior

    def part(self, some: NDArray[np.intp]) -> Least:
        """Some of the parameters, the others being 0."""
        matrices = (one[:, some][:, :, some] for one in self[3:])
        return Least(self.parameters[:, some], self.losses, self.slopes[:, some], *matrices)


def refit(
    design: Design,
    objective: Objective,
    targets: Array,
    weights: Array,
    ridge: Array,
    start: Array,
    points: Array,
    most_steps: int = NEWTON_STEPS,
) -> Fit:
    """The points of least loss + ridge |points|^2 / 2, from where they are, ridge (walks,)."""
    outputs = start.shape[1]
    loss = LossOfDesign(design, objective, targets, weights)
    bounds = None if design.bounds is None else bounds_of(design.bounds, outputs)
    prior, begin = prior_of(ridge, outputs, points), np.concatenate([start, points], axis=1)
    found = least(loss, prior, begin, bounds, most_steps)
    start, points = found.parameters[:, :outputs], found.parameters[:, outputs:]
    return Fit(start, points, found.losses, loss.evaluation, *found[2:])


def prior_of(ridge: Array, outputs: int, points: Array) -> Array:
    """What holds each parameter near 0, (walks, parameters), given points (walks, rules)."""
    prior = np.repeat(ridge[:, None], outputs + points.shape[1], axis=1)
    prior[:, :outputs] = LEAST_PRIOR if outputs > 1 else 0.0
    return prior


def least(
    loss: Loss, prior: Array, parameters: Array, bounds: Array | None = None,
    most_steps: int = NEWTON_STEPS,
) -> Least:  # fmt: skip
    """The parameters of least loss + prior * parameters^2 / 2, from where they are.

    Between bounds, (2, walks, parameters), by projected steps: what would leave its bound there
    stays, the rest goes on.
    """

    def evaluated(parameters: Array) -> Array:
        return np.asarray(loss.at(parameters) + (prior * parameters**2).sum(axis=1) / 2)

    low, high = (-np.inf, np.inf) if bounds is None else bounds
    parameters = np.clip(parameters, low, high)
    losses = evaluated(parameters)
    diagonal = np.arange(parameters.shape[1])
    for steps in range(most_steps + 1):
        slopes, curvature = loss.derivatives()
        downhill, precision = slopes - prior * parameters, curvature.copy()
        own = precision[:, diagonal, diagonal]
        precision[:, diagonal, diagonal] += prior + 1e-10 * (1.0 + own)
        if bounds is not None:
            keep_bounds(downhill, precision, parameters, *bounds)
        step = np.linalg.solve(precision, downhill[:, :, None])[:, :, 0]
        if steps == most_steps or ((downhill * step).sum(axis=1) < 2 * ENOUGH).all():
            break
        length = np.ones(len(parameters))
        for _ in range(MOST_HALVINGS):
            moved = np.clip(parameters + length[:, None] * step, low, high)
            found = evaluated(moved)
            worse = ~(found <= losses + 1e-10 * (1 + np.abs(losses)))
            if not worse.any():
                break
            length[worse] *= SHORTER
        else:
            moved = np.where(worse[:, None], parameters, moved)
            found = evaluated(moved)
        parameters, losses = moved, found
    return Least(parameters, losses, slopes, curvature, precision)


def bounds_of(bounds: Array, outputs: int) -> Array:
    """The bounds of all parameters, (2, walks, parameters), given those of points."""
    ends = np.array([-np.inf, np.inf])[:, None, None]
    free = np.repeat(np.repeat(ends, bounds.shape[1], axis=1), outputs, axis=2)
    return np.concatenate([free, bounds], axis=2)


def keep_bounds(slope: Array, precision: Array, parameters: Array, low: Array, high: Array) -> None:
    """Have parameters that are at their bound and would leave it step onto it, for themselves."""
    down = (parameters <= low + NEAR_BOUND) & (slope < 0)
    held = down | (parameters >= high - NEAR_BOUND) & (slope > 0) | (low == high)
    own = np.diagonal(precision, axis1=1, axis2=2).copy()
    precision[held[:, :, None] | held[:, None, :]] = 0.0
    diagonal = np.arange(own.shape[1])
    precision[:, diagonal, diagonal] = own
    bound = np.where(down, low, high)
    slope[held] = (own * (bound - parameters))[held]


def derivatives(
    columns: Array, which: NDArray[np.intp], at: Evaluation, weights: Array
) -> tuple[Array, Array]:
    """Minus the gradient and the curvature of the loss by all parameters of each walk.

    A product of a matrix and its own transpose takes half the time of another.
    """
    if at.shared is None:
        slopes = (columns @ at.gradient[:, 0, :, None])[:, :, 0]
        roots = columns * np.sqrt(at.curvature)
        return slopes, roots @ roots.swapaxes(1, 2)
    walks = np.arange(len(columns))[:, None]
    slopes = np.einsum("wpr,wpr->wp", columns, at.gradient[walks, which])
    shares = at.shared[walks, which]
    weighted = columns * np.sqrt(weights)[:, None]
    roots = weighted * np.sqrt(shares)
    within = (which[:, :, None] == which[:, None, :]) * (roots @ roots.swapaxes(1, 2))
    weighted *= shares
    return slopes, within - weighted @ weighted.swapaxes(1, 2)
