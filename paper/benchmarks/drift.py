"""Streams whose classes drift, the same of a seed always: rotating, swapped, noisier, or not."""

from collections.abc import Callable

import numpy as np

INPUTS = 5
# Labels are wrong by this share at the end of growing noise.
MOST_NOISE = 0.4


def bent_border(points: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Which side of a bent line points are on, turned by angles in the plane of two inputs."""
    along = np.cos(angles) * points[:, 0] + np.sin(angles) * points[:, 1]
    across = np.cos(angles) * points[:, 1] - np.sin(angles) * points[:, 0]
    return (along + 0.5 * (across**2 - 1) > 0).astype(int)


def steady(points, progress, generator):
    """No drift, to compare with."""
    return bent_border(points, 0 * progress)


def rotating(points, progress, generator):
    """The border turns by half a turn from the first row to the last."""
    return bent_border(points, np.pi * progress)


def swapped(points, progress, generator):
    """The classes change their names in the middle, at once."""
    codes = bent_border(points, 0 * progress)
    return np.where(progress < 0.5, codes, 1 - codes)


def noisier(points, progress, generator):
    """The border stays, and more and more labels are wrong."""
    wrong = generator.uniform(size=len(points)) < MOST_NOISE * progress
    return np.where(wrong, 1 - bent_border(points, 0 * progress), bent_border(points, 0 * progress))


STREAMS: dict[str, Callable[..., np.ndarray]] = {
    "no drift": steady,
    "rotating boundary": rotating,
    "abrupt swap of classes": swapped,
    "growing noise": noisier,
}


def stream(name: str, rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows in the order of time, and their classes; three of the inputs say nothing."""
    generator = np.random.default_rng([list(STREAMS).index(name), seed])
    points = generator.normal(size=(rows, INPUTS))
    return points, STREAMS[name](points, np.linspace(0, 1, rows), generator)
