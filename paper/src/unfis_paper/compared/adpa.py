"""ADPA, autonomous data partitioning: clouds of rows around local peaks of density.

X. Gu, P. Angelov, J. Principe, "A method for autonomous data partitioning", Information Sciences
460-461 (2018). Certain: both forms, of all rows at once and row by row, which the authors' program
has too. Chosen: the Euclidean distance (the program has Chebyshev's); a granularity of 2, which is
the paper's (the program has 11); and, for the systems that set Gaussians on clouds, one width for
all of them, the radius of the row-by-row form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import distance

from unfis.arrays import Array
from unfis.ties import ROUNDING, first_greatest, first_nearest, rounding

GRANULARITY = 2
MOST_PASSES = 100


class CloudChange(NamedTuple):
    """What a row did to clouds: whether it opened one, the last, and those that went before."""

    opened: bool
    removed: Sequence[int] = ()


class Clouds:
    """Clouds with their centres c_l and sizes n_l, and the mean and mean square of all rows."""

    def __init__(
        self, inputs: int, most: int | None = None, most_similar: float | None = None
    ) -> None:
        self.rows = 0
        self.mean, self.mean_square = np.zeros(inputs), 0.0
        self.centres, self.sizes = np.zeros((0, inputs)), np.zeros(0)
        self.most, self.most_similar = most, most_similar

    @classmethod
    def from_rows(cls, X: Array, granularity: int = GRANULARITY, most: int | None = None) -> Clouds:
        """The clouds of all rows at once."""
        made = cls(X.shape[1], most)
        made.rows, made.mean = len(X), X.mean(axis=0)
        made.mean_square = float((X**2).sum(axis=1).mean())
        made.centres = cloud_centres(X, granularity)
        owners = nearest_centres(X, made.centres)
        made.sizes = np.bincount(owners, minlength=len(made.centres)).astype(float)
        return made

    @property
    def radius(self) -> float:
        """Half of sqrt(2 (q - |mu|^2)), the root mean square distance of two rows; 1 of a point."""
        half = 0.5 * np.sqrt(2 * max(self.mean_square - float(self.mean @ self.mean), 0.0))
        return float(half) if half > 1e-12 * np.sqrt(self.mean_square) else 1.0

    def add(self, x: Array) -> CloudChange:
        """One more row: it opens a cloud, or moves the nearest one by (x - c) / (n + 1)."""
        self._count(x)
        if not len(self.centres):
            return self._open(x)
        distances = np.linalg.norm(self.centres - x, axis=1)
        nearest = int(first_nearest(distances))
        if self._opens(x, float(distances[nearest])):
            return self._open(x)
        self._move(nearest, x)
        return CloudChange(opened=False)

    def join(self, x: Array) -> None:
        """One more row, to the nearest cloud however far it is."""
        self._count(x)
        self._move(int(first_nearest(np.linalg.norm(self.centres - x, axis=1))), x)

    def _count(self, x: Array) -> None:
        self.rows += 1
        self.mean += (x - self.mean) / self.rows
        self.mean_square += (float(x @ x) - self.mean_square) / self.rows

    def _move(self, cloud: int, x: Array) -> None:
        self.sizes[cloud] += 1
        self.centres[cloud] += (x - self.centres[cloud]) / self.sizes[cloud]

    def _opens(self, x: Array, nearest: float) -> bool:
        """Whether a row is more central or more remote than all centres, or far from each."""
        radius = self.radius
        # Of Gaussians with one width: exp(-|c_i - c_k|^2 / (2 s^2)).
        similarity = np.exp(-0.5 * (nearest / radius) ** 2)
        if self.most_similar is not None and similarity >= self.most_similar:
            return False
        of_centres = np.linalg.norm(self.centres - self.mean, axis=1)
        own = float(np.linalg.norm(x - self.mean))
        hair = ROUNDING * max(own, float(of_centres.max()))
        outside = own < of_centres.min() - hair or own > of_centres.max() + hair
        return bool(outside or nearest >= radius)

    def _open(self, x: Array) -> CloudChange:
        """A new cloud; the smallest one goes where there would be too many."""
        removed = []
        if self.most is not None and len(self.centres) >= self.most:
            removed = [int(self.sizes.argmin())]
            self.centres = np.delete(self.centres, removed, axis=0)
            self.sizes = np.delete(self.sizes, removed)
        self.centres = np.vstack([self.centres, x])
        self.sizes = np.append(self.sizes, 1.0)
        return CloudChange(opened=True, removed=removed)


def densities_of(points: Array, counts: Array) -> Array:
    """D_i = f_i sum_j f_j pi_j / (2 N pi_i) with pi_i = sum_j f_j |u_i - u_j|^2."""
    total = counts.sum()
    mean = counts @ points / total
    apart = ((points - mean) ** 2).sum(axis=1)
    proximities = total * apart + counts @ apart
    if not proximities.any():
        return np.asarray(counts, dtype=float)
    return np.asarray(counts * (counts @ proximities) / (2 * total * proximities))


def local_peaks(points: Array, densities: Array) -> NDArray[np.intp]:
    """Where density peaks on the way from the densest point always to the nearest unused one."""
    current = int(first_greatest(densities))
    unused = np.ones(len(points), dtype=bool)
    order = [current]
    unused[current] = False
    for _ in range(len(points) - 1):
        left = np.flatnonzero(unused)
        squares = ((points[left] - points[current]) ** 2).sum(axis=1)
        current = int(left[first_nearest(squares)])
        unused[current] = False
        order.append(current)
    along = densities[order]
    rises = np.diff(along) > rounding(along[1:])
    falls = -np.diff(along) > rounding(along[1:])
    is_peak = np.concatenate([[True], rises]) & np.concatenate([falls, [True]])
    is_peak[0] = True
    return np.asarray(np.array(order)[is_peak])


def nearest_centres(X: Array, centres: Array) -> NDArray[np.intp]:
    """The index of the nearest centre of each row."""
    return first_nearest(distance.cdist(X, centres))


def means_of(X: Array, owners: NDArray[np.intp], count: int) -> tuple[Array, Array]:
    """Mean and size of each cloud; a mean of nothing is 0."""
    sizes = np.bincount(owners, minlength=count).astype(float)
    sums = np.zeros((count, X.shape[1]))
    np.add.at(sums, owners, X)
    return sums / np.maximum(sizes, 1.0)[:, None], sizes


def cloud_centres(X: Array, granularity: int = GRANULARITY) -> Array:
    """The centres of the clouds of all rows at once, shape (clouds, inputs)."""
    points, counts = np.unique(X, axis=0, return_counts=True)
    peaks = local_peaks(points, densities_of(points, counts.astype(float)))
    centres, sizes = means_of(X, nearest_centres(X, points[peaks]), len(peaks))
    if (sizes > 1).any():
        centres = centres[sizes > 1]  # their rows go to the nearest of the others below
    for _ in range(MOST_PASSES):
        before = len(centres)
        centres = filtered_centres(X, centres, granularity)
        if len(centres) in (before, 1, 2):
            break
    means, sizes = means_of(X, nearest_centres(X, centres), len(centres))
    return np.asarray(means[sizes > 0])


def filtered_centres(X: Array, centres: Array, granularity: int) -> Array:
    """One pass: means of what is nearest, and of those that are close together the densest."""
    owners = nearest_centres(X, centres)
    centres, sizes = means_of(X, owners, len(centres))
    squares = np.bincount(owners, ((X - centres[owners]) ** 2).sum(axis=1), len(centres))
    is_cloud = (sizes > 1) & (squares > 0)
    if is_cloud.any():
        centres, sizes = centres[is_cloud], sizes[is_cloud]
    else:
        centres, sizes = X.mean(axis=0)[None], np.array([float(len(X))])
    if len(centres) < 3:
        return centres
    distances = distance.cdist(centres, centres)
    densities = densities_of(centres, sizes)
    among = distances[np.triu_indices(len(centres), 1)]
    level = among.mean()
    for _ in range(granularity):
        level = among[among <= level * (1 + ROUNDING)].mean()
    close = distances < level / 2
    exceeded = densities[None, :] > densities[:, None] + rounding(densities[:, None])
    return np.asarray(centres[~(close & exceeded).any(axis=1)])
