"""What a column of degrees would gain: one Newton step, orthogonal to what is there.

    gain(mu) = r^2 / (2 (sum h mu^2 - b' M^-1 b + ridge)),   r = sum g mu - b' M^-1 s

with g minus the gradient and h the curvature by rows, a = (1, degrees of the output's rules),
b = sum h mu a, M = sum h a a' + ridge off the start, and s minus the gradient by a's points.
Equal to the full decrement for one output, a lower bound for several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.additive.search.constraints import NO_SIGNS, is_allowed
from unfis.additive.search.state import State
from unfis.arrays import Array

LEAST_LEFT = 1e-2  # of a column's curvature, beside what is there: less is a copy


class Present(NamedTuple):
    """The rules of one output in one walk, against which gains are counted."""

    places: NDArray[np.intp]
    columns: Array  # a: 1 and the degrees of the rules, (1 + rules, rows)
    whitening: Array  # the inverse L^-1 of M's lower Cholesky factor
    plain: Array  # the same without ridge
    slopes: Array  # L^-1 s, (1 + rules,)
    ridge: float  # in the units of the loss
    unit: float  # of a gain of 1

    @classmethod
    def of(cls, state: State, walk: int, output: int, without: int | None = None) -> Present:
        """Those of a state, but for one."""
        drafts = state.drafts[walk]
        learned = [p for p in state.rules(walk) if drafts[p].points is None]
        own = [p for p in learned if drafts[p].output == output]
        places = np.array([p for p in own if p != without], dtype=np.intp)
        unit = float(state.dispersion[walk])
        ridge, (gradient, curvature) = state.ridge * unit, rows_of(state, walk, output, without)
        degrees = state.design.degrees[walk, places]
        columns = np.concatenate([np.ones((1, degrees.shape[1])), degrees])
        gram = (columns * curvature) @ columns.T
        diagonal = np.arange(len(gram))
        gram[diagonal, diagonal] *= 1 + 1e-9
        gram[diagonal, diagonal] += 1e-12
        plain = np.linalg.inv(np.linalg.cholesky(gram))
        slopes = columns @ gradient
        slopes[1:] -= ridge * state.fit.points[walk, places]
        gram[diagonal[1:], diagonal[1:]] += ridge
        whitening = np.linalg.inv(np.linalg.cholesky(gram))
        return cls(places, columns, whitening, plain, whitening @ slopes, ridge, unit)

    def gain(self, slope: Array, square: Array, inner: Array, signs: Array = NO_SIGNS) -> Array:
        """The gains of columns in units, given sum g mu, sum h mu^2 and sum h mu a (a first).

        0 of those that are copies of what is there, or would have points of the wrong sign.
        """
        shape, inner = np.shape(slope), inner.reshape(len(inner), -1)
        apart = self.plain @ inner
        copy = (
            np.einsum("ij,ij->j", apart, apart).reshape(shape) > (1 - LEAST_LEFT) * square - 1e-12
        )
        white = self.whitening @ inner
        left = square - np.einsum("ij,ij->j", white, white).reshape(shape)
        remaining = slope - (self.slopes @ white).reshape(shape)
        gain = remaining**2 / (2 * self.unit * (np.where(copy, 1.0, left) + self.ridge))
        return np.where(copy | ~is_allowed(remaining, signs), 0.0, gain)

    def rule_gain(self, state: State, walk: int, place: int) -> float:
        """The gain of a rule that is left out of these."""
        output = state.drafts[walk][place].output
        gradient, curvature = rows_of(state, walk, output, place)
        degrees = state.design.degrees[walk, place]
        curved = curvature * degrees
        inner = (self.columns @ curved)[:, None]
        return float(
            self.gain(np.array([gradient @ degrees]), np.array([curved @ degrees]), inner)[0]
        )


def rows_of(
    state: State, walk: int, output: int, without: int | None = None
) -> tuple[Array, Array]:
    """Minus the gradient and the curvature by rows, (rows,) each; as if one rule were not there."""
    at = state.fit.at
    gradient, curvature = at.gradient[walk, output], at.curvature[walk, output]
    if without is not None:
        taken = state.fit.points[walk, without] * state.design.degrees[walk, without]
        gradient = gradient + curvature * taken
    return gradient, curvature
