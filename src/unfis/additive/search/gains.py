"""What a column of degrees would gain: one Newton step, orthogonal to what is there.

    gain(mu) = r^2 / (2 (sum h mu^2 - b' M^-1 b + ridge)),   r = sum g mu - b' M^-1 s

with g minus the gradient and h the curvature by rows, a = (1, degrees of the output's rules),
b = sum h mu a, M = sum h a a' + ridge off the start, and s minus the gradient by a's points.
Equal to the full decrement for one output, a lower bound for several. A rule on an input that the
output's rules use already gains no more than without the ridge of those: else a near copy of a
rule would gain what the ridge has taken from that rule.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.additive.search.constraints import NO_SIGNS, is_allowed
from unfis.additive.search.state import State
from unfis.arrays import Array, Mask

LEAST_LEFT = 1e-2  # of a column's curvature, beside what is there: less is a copy


class Sums(NamedTuple):
    """Sums over the rows for columns mu, each (..., so many, columns)."""

    slope: Array  # sum g mu of each output
    square: Array  # sum h mu^2 of each output
    white: Array  # L^-1 b, of each parameter
    apart: Array  # the same without ridge


class Present(NamedTuple):
    """The starts and rules of a walk, or of one of its outputs, that gains are counted against."""

    parameters: NDArray[np.intp]  # which of the walk's, starts first, (parameters,)
    members: Mask  # which are of which output, (outputs, parameters)
    points: Array  # (parameters,)
    whitening: Array  # the inverse L^-1 of M's lower Cholesky factor; outputs are apart
    plain: Array  # the same without ridge
    slopes: Array  # L^-1 s, (parameters,)
    free_slopes: Array  # the same without ridge
    ridge: float  # in the units of the loss
    unit: float  # of a gain of 1

    @classmethod
    def of(
        cls, state: State, walk: int, output: int | None = None, without: int | None = None
    ) -> Present:
        """Those of all outputs; or of one, as if one of its rules were not there."""
        fit, outputs = state.fit, state.table.objective.outputs
        which = np.concatenate([np.arange(outputs), state.design.outputs[walk]])
        out = None if without is None else outputs + without
        learned = np.array([True] * outputs + [d.points is None for d in state.drafts[walk]])
        if output is not None:
            learned &= which == output
        if out is not None:
            learned[out] = False
        own = np.flatnonzero(learned)
        members = np.unique(which[own])[:, None] == which[own]
        unit = float(state.dispersion[walk])
        ridges = np.where(own < outputs, 0.0, state.ridge * unit)
        points = np.concatenate([fit.start[walk], fit.points[walk]])
        curvature = fit.curvature[walk]
        slopes = fit.slopes[walk, own]
        if out is not None:
            slopes += points[out] * curvature[own, out]
        gram = curvature[np.ix_(own, own)] * (members.T @ members)
        diagonal = np.arange(len(own))
        gram[diagonal, diagonal] *= 1 + 1e-9
        gram[diagonal, diagonal] += 1e-12
        both = np.array([gram, gram])
        both[0, diagonal, diagonal] += ridges
        whitening, plain = np.linalg.inv(np.linalg.cholesky(both))
        ridge = state.ridge * unit
        free = plain @ slopes
        slopes = whitening @ (slopes - ridges * points[own])
        return cls(own, members, points[own], whitening, plain, slopes, free, ridge, unit)

    def of_output(self, output: int) -> Present:
        """Those of one of all outputs."""
        own = np.flatnonzero(self.members[output])
        block = np.ix_(own, own)
        return self._replace(
            parameters=self.parameters[own],
            members=self.members[[output]][:, own],
            points=self.points[own],
            whitening=self.whitening[block],
            plain=self.plain[block],
            slopes=self.slopes[own],
            free_slopes=self.free_slopes[own],
        )

    def gains(self, sums: Sums, signs: Array = NO_SIGNS, again: Mask | bool = False) -> Array:
        """The gains of columns in units, of each output, (..., outputs, columns).

        0 of those that are copies of what is there, or would have points of the wrong sign. `again`
        says which are on an input that the output's rules use.
        """
        taken = self.members @ sums.white**2
        shift = (self.members * self.slopes) @ sums.white
        kept = self.members @ sums.apart**2
        gains = self._gains(sums.slope - shift, sums.square, taken, kept, signs)
        if not np.any(again):
            return gains
        shift = (self.members * self.free_slopes) @ sums.apart
        beyond = self._gains(sums.slope - shift, sums.square, kept, kept, signs)
        return np.where(again, np.minimum(gains, beyond), gains)

    def _gains(self, slope: Array, square: Array, taken: Array, kept: Array, signs: Array) -> Array:
        copy = kept > (1 - LEAST_LEFT) * square - 1e-12
        left = np.where(copy, 1.0, square - taken) + self.ridge
        return np.where(copy | ~is_allowed(slope, signs), 0.0, slope**2 / (2 * self.unit * left))
