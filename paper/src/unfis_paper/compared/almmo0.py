"""ALMMo-0, and ALMMo-0* with standardised inputs: prototypes of each class, the nearest decides.

P. Angelov, X. Gu, "Autonomous learning multi-model classifier of 0-order (ALMMo-0)", EAIS 2017; E.
Soares, P. Angelov, X. Gu, "Autonomous Learning Multiple-Model Zero-Order Classifier for Heart Sound
Classification", Applied Soft Computing 94 (2020), for the star.

Certain: all of ALMMo-0, which the authors' program has too. Rows are brought to length 1, each
class has a model of its own, and there is no parameter. Chosen: what the star's pre-processing is,
which was not to be seen. It is taken to be standardised inputs before the length of 1, so that
`make_pipeline(StandardScaler(), ALMMo0Classifier())` is ALMMo-0*.

A length of 1 leaves little of few inputs: of two, only an angle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.ties import first_least, rounding
from unfis_paper.compared.evolving import SHARPNESS, EvolvingClassifier, System
from unfis_paper.compared.readable import PrototypeRule, PrototypeRules
from unfis_paper.compared.soda import unit_directions

FIRST_RADIUS = 1 - np.cos(np.pi / 6)
SMALLEST_VARIANCE = 1e-12


class ClassPrototypes:
    """The prototypes p_l of one class, how many rows n_l each stands for, and their radii R_l."""

    def __init__(self, inputs: int) -> None:
        self.rows, self.mean = 0, np.zeros(inputs)
        self.points = np.zeros((0, inputs))
        self.sizes, self.radii = np.zeros(0), np.zeros(0)

    def add(self, x: Array) -> None:
        """One more row of length 1."""
        self.rows += 1
        self.mean += (x - self.mean) / self.rows
        if not len(self.points) or self._opens(x):
            self.points = np.vstack([self.points, x])
            self.sizes = np.append(self.sizes, 1.0)
            self.radii = np.append(self.radii, FIRST_RADIUS)
            return
        nearest = int(first_least(self.half_squares(x[None])[0]))
        self.sizes[nearest] += 1
        self.points[nearest] += (x - self.points[nearest]) / self.sizes[nearest]
        inside = 1 - float(self.points[nearest] @ self.points[nearest])
        self.radii[nearest] = self.radii[nearest] / 2 + inside / 4

    def _opens(self, x: Array) -> bool:
        """Whether the density of a row is beyond all prototypes', or it is far from the nearest.

        D(y) = 1 / (1 + |y - mu|^2 / (1 - |mu|^2)).
        """
        variance = max(1 - float(self.mean @ self.mean), SMALLEST_VARIANCE)
        squares = ((np.vstack([x, self.points]) - self.mean) ** 2).sum(axis=1)
        own, *others = 1 / (1 + squares / variance)
        hair = float(rounding(own))
        if own > max(others) + hair or own < min(others) - hair:
            return True
        halves = self.half_squares(x[None])[0]
        nearest = int(first_least(halves))
        return bool(halves[nearest] > self.radii[nearest] + hair)

    def half_squares(self, X: Array) -> Array:
        """|x - p|^2 / 2 of each row and prototype, shape (rows, prototypes)."""
        squares = (X**2).sum(axis=1)[:, None] + (self.points**2).sum(axis=1)
        return np.asarray((squares / 2 - X @ self.points.T).clip(min=0))


class ALMMo0System(System):
    """A model for each class."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.models = [ClassPrototypes(self.inputs) for _ in range(self.classes)]

    def follow(self, x: Array, code: int) -> None:
        self.models[code].add(unit_directions(x))

    def scores(self, X: Array) -> Array:
        """-|x - p|^2 / 2 of the nearest prototype of each class, -inf of one without rows."""
        rows = unit_directions(X)
        nearest = [model.half_squares(rows).min(axis=1, initial=np.inf) for model in self.models]
        # exp(-|x - p|^2 / 2) are the degrees that the paper compares.
        return -np.stack(nearest, axis=1) / SHARPNESS


class ALMMo0Classifier(EvolvingClassifier):
    """Autonomous learning multi-model classifier of order 0."""

    _kind = ALMMo0System
    system_: ALMMo0System

    @property
    def rules_(self) -> PrototypeRules:
        """A rule for each class that rows were of, its prototypes combined by OR."""
        check_is_fitted(self)
        return PrototypeRules(
            tuple(self._names),
            tuple(
                PrototypeRule(label, model.points, tuple(model.sizes.astype(int).tolist()))
                for label, model in zip(self.classes_.tolist(), self.system_.models, strict=True)
                if model.rows
            ),
        )
