"""An artificial hydrocarbon network: a chain of molecules, each a polynomial on rows of its own.

H. Ponce, P. Ponce, A. Molina, "Artificial Organic Networks", Springer 2014. Certain: the chain with
degree 3 at its ends and 2 between, rows to the nearest centre, least squares in each molecule, and
centres that move by the differences of neighbours' errors. Chosen: the polynomial is expanded, with
one constant; a ridge of 1e-3, since cubes of many inputs fit anything; row by row the centres stay
and the molecule that owns a row learns from it by recursive least squares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from unfis.arrays import Array
from unfis_paper.compared.adpa import nearest_centres
from unfis_paper.compared.least_squares import RecursiveLeastSquares

MOST_RELOCATIONS = 10
MOLECULE_RIDGE = 1e-3
END_DEGREE, INNER_DEGREE = 3, 2

# Error of each molecule and of all.
Errors = tuple[Array, float]


class HydrocarbonNetwork:
    """Molecules with centres P_i: the nearest one's polynomial is the answer."""

    def __init__(
        self,
        molecules: int = 3,
        learning_rate: float = 0.1,
        iterations: int = 200,
        forgetting: float = 1.0,
    ) -> None:
        self.learning_rate, self.iterations = learning_rate, iterations
        self.forgetting = forgetting
        self.degrees = [INNER_DEGREE] * molecules
        self.degrees[0] = self.degrees[-1] = END_DEGREE

    def learn(self, Z: Array, targets: Array, generator: np.random.RandomState) -> None:
        """Move the centres, P_i -= eta (E_i - E_{i+1}), and keep the best of all iterations."""
        low, high = Z.min(axis=0), Z.max(axis=0)
        centres = generator.uniform(low, high, (len(self.degrees), Z.shape[1]))
        least, best = np.inf, np.zeros(len(Z), dtype=np.intp)
        errors_of = partial(self._errors, Z, targets, {})
        for _ in range(self.iterations):
            centres, owners = relocated(Z, centres, generator, errors_of)
            errors, total = errors_of(owners)
            if total < least:
                least, self.centres, best = total, centres, owners
            moves = errors - np.append(errors[1:], 0.0)
            centres = centres - self.learning_rate * moves[:, None]
        parts = [(best == i, degree) for i, degree in enumerate(self.degrees)]
        self.molecules = [
            RecursiveLeastSquares.from_rows(
                powers_up_to(Z[rows], degree), targets[rows], MOLECULE_RIDGE, self.forgetting
            )
            for rows, degree in parts
        ]

    def _errors(
        self, Z: Array, targets: Array, known: dict[bytes, Errors], owners: NDArray[np.intp]
    ) -> Errors:
        """Error of each molecule and of all; rows parted alike are known."""
        key = owners.tobytes()
        if key not in known:
            parts = [(owners == i, degree) for i, degree in enumerate(self.degrees)]
            squares = np.array(
                [squared_residuals(powers_up_to(Z[rows], k), targets[rows]) for rows, k in parts]
            )
            sizes = np.maximum(np.bincount(owners, minlength=len(self.degrees)), 1)
            known[key] = np.sqrt(squares / sizes), float(squares.sum())
        return known[key]

    def update(self, z: Array, target: Array) -> None:
        """One more row, to the molecule that owns it."""
        owner = int(nearest_centres(z[None], self.centres)[0])
        self.molecules[owner].update(powers_up_to(z[None], self.degrees[owner])[0], target)

    def predict(self, Z: Array) -> Array:
        """The polynomial of the nearest molecule, shape (rows, outputs)."""
        owners = nearest_centres(Z, self.centres)
        found = np.zeros((len(Z), self.molecules[0].coefficients.shape[1]))
        for i, (degree, molecule) in enumerate(zip(self.degrees, self.molecules, strict=True)):
            rows = owners == i
            found[rows] = molecule.predict(powers_up_to(Z[rows], degree))
        return found


def relocated(
    Z: Array,
    centres: Array,
    generator: np.random.RandomState,
    errors_of: Callable[[NDArray[np.intp]], Errors],
) -> tuple[Array, NDArray[np.intp]]:
    """Centres, those without rows put beside the one with the largest error; rows' owners."""
    owners = nearest_centres(Z, centres)
    for _ in range(MOST_RELOCATIONS):
        empty = np.flatnonzero(np.bincount(owners, minlength=len(centres)) == 0)
        if not len(empty):
            break
        worst = int(errors_of(owners)[0].argmax())
        centres = centres.copy()
        beside = generator.normal(scale=0.1, size=Z.shape[1]) * np.ptp(Z, axis=0)
        centres[empty[0]] = centres[worst] + beside
        owners = nearest_centres(Z, centres)
    return centres, owners


def squared_residuals(powers: Array, targets: Array) -> float:
    """What ridge regression leaves; where rows are fewer, y - P v = ridge (PP' + ridge I)^-1 y."""
    rows, columns = powers.shape
    if rows == 0:
        return 0.0
    if rows < columns:
        kernel = powers @ powers.T + MOLECULE_RIDGE * np.eye(rows)
        left = MOLECULE_RIDGE * linalg.solve(kernel, targets, assume_a="pos")
    else:
        gram = powers.T @ powers + MOLECULE_RIDGE * np.eye(columns)
        left = targets - powers @ linalg.solve(gram, powers.T @ targets, assume_a="pos")
    return float((left**2).sum())


def powers_up_to(Z: Array, degree: int) -> Array:
    """1, z, z^2, ... of each input, shape (rows, 1 + degree * inputs)."""
    return np.hstack([np.ones((len(Z), 1)), *(Z**power for power in range(1, degree + 1))])
