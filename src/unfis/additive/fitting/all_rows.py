"""Points by all rows, wherever they are: passes over blocks whose sums take Newton's steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from unfis.additive.fitting.rows import AllRows, RowBlock, added
from unfis.additive.objective import Objective
from unfis.additive.rules import Rule
from unfis.additive.search.refit import Design, Least, LossOfDesign, least
from unfis.additive.search.whole import SCALES, TINY, Points
from unfis.arrays import Array


class Task(NamedTuple):
    """What points are looked for, and in which unit."""

    rules: tuple[Rule, ...]
    objective: Objective
    shift: float
    scale: float


def block_sums(block: RowBlock, task: Task, parameters: Array) -> tuple[Array, ...]:
    """The loss of a block, minus its gradient and its curvature, at parameters (1, parameters)."""
    outputs = np.array([[rule.output for rule in task.rules]], dtype=np.intp)
    parts = []
    for part in block.slices():
        degrees = np.array([rule.degrees(part.values) for rule in task.rules])
        design = Design(degrees.reshape(1, len(task.rules), len(part.targets)), outputs)
        targets = (part.targets - task.shift) / task.scale
        loss = LossOfDesign(design, task.objective, targets, part.weights[None])
        parts.append((loss.at(parameters), *loss.derivatives()))
    found: tuple[Array, ...] = added(parts)
    return found


class LossOfRows:
    """The loss of all rows; its derivatives come in the same pass."""

    def __init__(self, rows: AllRows, task: Task) -> None:
        self.rows, self.task = rows, task

    def at(self, parameters: Array) -> Array:
        """The weighted sum, (1,)."""
        work = partial(block_sums, task=self.task, parameters=parameters)
        losses, *self._derivatives = self.rows.joined(work, added)
        return np.asarray(losses)

    def derivatives(self) -> tuple[Array, Array]:
        """Minus the gradient and the curvature where the loss was asked for last."""
        slopes, curvature = self._derivatives
        return slopes, curvature


class LossAlong:
    """A loss by few parameters, of which its own are `offset + parameters @ directions`."""

    def __init__(self, loss: LossOfRows, directions: Array, offset: Array) -> None:
        self.loss, self.directions, self.offset = loss, directions, offset

    def at(self, parameters: Array) -> Array:
        """The weighted sum, (1,)."""
        return self.loss.at(self.offset + parameters @ self.directions)

    def derivatives(self) -> tuple[Array, Array]:
        """Minus the gradient and the curvature where the loss was asked for last."""
        slopes, curvature = self.loss.derivatives()
        return slopes @ self.directions.T, self.directions @ curvature @ self.directions.T


def whole_by_rows(
    loss: LossOfRows, prior: Array, exact: Least, stay: Any, allowed: float, unit: float | None
) -> Points:
    """The fewest whole points that cost no more than allowed, as `whole_points` has them.

    What they cost by the curvature says which are looked at closely.
    """
    outputs = loss.task.objective.outputs
    start, points = exact.parameters[0, :outputs], exact.parameters[0, outputs:]
    largest = float(np.abs(points).max(initial=0.0))
    if not largest:
        return Points(start, points, 1.0)
    units = [largest / most for most in SCALES] if unit is None else [unit]
    for first in units:
        whole = np.rint(points / first)
        whole[whole == 0] = np.sign(points[whole == 0])
        whole = np.where(stay, points / first, whole)
        directions = np.eye(outputs + (unit is None), outputs + len(points))
        offset = np.zeros(outputs + len(points))
        if unit is None:
            directions[outputs] = np.append(np.zeros(outputs), whole)
        else:
            offset[outputs:] = whole * unit
        along = LossAlong(loss, directions, offset[None])
        cost, near = cost_by_curvature(exact, prior[0], directions, offset)
        if cost > allowed and first != units[-1]:
            continue
        held = directions**2 @ prior[0]
        found = least(along, held[None], near[None])
        size = float(found.parameters[0, -1]) if unit is None else unit
        fixed = float(prior[0] @ offset**2) / 2
        if found.losses[0] + fixed <= exact.losses[0] + allowed or first == units[-1]:
            break
    return Points(np.round(centred(found.parameters[0, :outputs]) / size, 1), whole, size)


def centred(start: Array) -> Array:
    """Starts of several classes, which are free together, with the mean that is least, 0."""
    return start - start.mean() if len(start) > 1 else start


def cost_by_curvature(
    exact: Least, prior: Array, directions: Array, offset: Array
) -> tuple[float, Array]:
    """What the best parameters along directions cost beside the exact ones, and these."""
    precision, wanted = exact.curvature[0] + np.diag(prior), exact.parameters[0] - offset
    near = np.linalg.solve(directions @ precision @ directions.T, directions @ precision @ wanted)
    apart = near @ directions - wanted
    return float(apart @ precision @ apart) / 2, near


def round_by_rows(exact: Least, stay: Any, allowed: float, scale: float) -> Points:
    """Points of a number as round as they may be, as `round_points` has them.

    The loss is a square of them: its curvature says all.
    """
    parameters, slopes, curvature = exact.parameters[0], exact.slopes[0], exact.curvature[0]
    start, points = parameters[0], parameters[1:]
    largest = float(np.abs(points).max(initial=0.0)) * scale
    if not largest:
        return Points(parameters[:1], points, 1.0)
    tiny = np.abs(points) * scale < TINY * largest
    for step in number_steps(largest):
        rounded = np.where(stay, points, np.rint(points * scale / step) * step / scale)
        apart = np.append(0.0, rounded - points)
        apart[0] = (slopes[0] - curvature[0] @ apart) / curvature[0, 0]
        more = apart @ curvature @ apart / 2 - slopes @ apart
        if (tiny | (rounded != 0)).all() and more <= allowed:
            return Points(start + apart[:1], rounded, 1.0)
    return Points(parameters[:1], points, 1.0)


def number_steps(largest: float) -> Iterator[float]:
    """What points may be multiples of, falling."""
    exponent = int(np.floor(np.log10(largest)))
    return (factor * 10.0 ** (exponent - down) for down in range(6) for factor in (5, 2, 1))


def rule_sums(block: RowBlock, rules: Sequence[Rule], link: str) -> tuple[Array]:
    """The weight of each rule's rows and of the others, and their targets, (rules, 4)."""
    sums = np.zeros((len(rules), 4))
    for part in block.slices():
        weights = part.weights
        for n, rule in enumerate(rules):
            members = part.targets == rule.output if link == "softmax" else part.targets
            sums[n] += degree_sums(rule.degrees(part.values), members, weights)
    return (sums,)


def degree_sums(degrees: Array, members: Array, weights: Array) -> Array:
    """The weight of the rows of a rule and of the others, and their targets, (4,)."""
    held = weights * degrees
    other = weights - held
    return np.array([held.sum(), other.sum(), held @ members, other @ members])
