"""Made tables of many shapes, each always the same one: clouds around centres, and categories.

A name is rows to learn from x inputs x classes. Three rows in ten of a table are held out, so it
has more rows than its name says: what is learned from is as large as was asked.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from two_class_tables import Table, drawn, numbers

HELD_OUT = 0.3
Generator = np.random.Generator


class Shape(NamedTuple):
    """How many rows are learned from, and what makes a table of a generator and a number."""

    rows: int
    make: Callable[[Generator, int], Table]


def centres(
    generator: Generator,
    rows: int,
    inputs: int,
    classes: int,
    informative: int,
    clumps: int = 1,
    apart: float = 1.0,
) -> Table:
    """Classes of one or more clouds, each with a centre and covariances of its own.

    The inputs that are not informative are noise, and nobody is told which.
    """
    y = generator.permutation(np.arange(rows) % classes)
    X, clump = generator.normal(size=(rows, inputs)), generator.integers(clumps, size=rows)
    for cloud in range(classes * clumps):
        chosen = y * clumps + clump == cloud
        centre = generator.normal(scale=apart, size=informative)
        mixing = generator.normal(scale=informative**-0.5, size=(informative, informative))
        mixing = (np.eye(informative) + mixing) / np.sqrt(2)
        X[chosen, :informative] = centre + X[chosen, :informative] @ mixing
    return numbers(X[:, generator.permutation(inputs)]), pd.Series(y)


def categories(
    generator: Generator,
    rows: int,
    kinds: Sequence[int],
    classes: int,
    informative: int,
    strength: float = 1.0,
) -> Table:
    """Categories of so many kinds; each kind of the informative ones adds to every class's odds."""
    codes = generator.integers(kinds, size=(rows, len(kinds)))
    scores = generator.gumbel(size=(rows, classes))  # the greatest is drawn by a soft-max
    columns = generator.permutation(len(kinds))[:informative]
    for column in columns:
        scores += generator.normal(scale=strength, size=(kinds[column], classes))[codes[:, column]]
    return worded(codes), pd.Series(scores.argmax(axis=1))


def many_kinds(generator: Generator, rows: int, kinds: int) -> Table:
    """A category of very many kinds, some of them rare, with normal effects; and five numbers."""
    X = numbers(generator.normal(size=(rows, 5)))
    frequencies = 1 / np.arange(10, 10 + kinds)
    codes = generator.choice(kinds, size=(rows, 1), p=frequencies / frequencies.sum())
    effects = generator.normal(scale=1.5, size=kinds)[codes[:, 0]]
    y = drawn(effects + X.to_numpy()[:, :3] @ [1.0, -1.0, 0.5], generator)
    return X.join(worded(codes)), y


def worded(codes: np.ndarray) -> pd.DataFrame:
    """Numbers of kinds as texts."""
    frame = pd.DataFrame(codes, columns=[f"c{i}" for i in range(codes.shape[1])])
    return frame.apply(lambda column: "k" + column.astype(str))


def clouds(rows: int, inputs: int, classes: int, informative: int, **options: float) -> Shape:
    """The shape of a table of numbers."""
    make = partial(centres, inputs=inputs, classes=classes, informative=informative, **options)
    return Shape(rows, make)


def of_kinds(
    rows: int, kinds: Sequence[int], classes: int, informative: int, **options: float
) -> Shape:
    """The shape of a table of categories."""
    make = partial(categories, kinds=kinds, classes=classes, informative=informative, **options)
    return Shape(rows, make)


CLASSES = (5, 10, 20, 50)  # of 5,000 rows
TWO_CLASSES = {"informative": 10, "clumps": 2, "apart": 0.7}
SHAPES = {
    **{f"5000x20x{classes}": clouds(5000, 20, classes, 12) for classes in (*CLASSES, 40)},
    **{
        f"{rows}x20x2": clouds(rows, 20, 2, **TWO_CLASSES)
        for rows in (10_000, 50_000, 100_000, 200_000)
    },
    "20000x16x26": clouds(20_000, 16, 26, 12),
    "28000x6x18": of_kinds(28_000, (4, 8, 8, 8, 8, 8), 18, 6),
    "3000x60x3": of_kinds(3000, (4,) * 60, 3, 15),
    "300-kinds": Shape(3000, partial(many_kinds, kinds=300)),
    "2000x500x2": clouds(2000, 500, 2, 20, apart=0.4),
    "360x90x15": clouds(360, 90, 15, 30, apart=0.7),
    "990x13x11": clouds(990, 13, 11, 10, apart=0.7),
    "5500x40x11": clouds(5500, 40, 11, 20),
    "360x34x6": clouds(360, 34, 6, 15),
    "1728x6x4": of_kinds(1728, (4, 4, 4, 3, 3, 3), 4, 5, strength=2.0),
}


def made(name: str) -> Table:
    """All rows of a table."""
    shape = SHAPES[name]
    generator = np.random.default_rng(list(name.encode()))
    return shape.make(generator, round(shape.rows / (1 - HELD_OUT)))


def parted(name: str) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series, pd.Series]:
    """Inputs to learn from and to test on, and the classes of both."""
    X, y = made(name)
    return train_test_split(X, y, train_size=SHAPES[name].rows, stratify=y, random_state=0)
