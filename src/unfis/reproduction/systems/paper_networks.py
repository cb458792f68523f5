"""The paper's two networks, as printed and on standardised inputs."""

from __future__ import annotations

from functools import partial

from unfis.estimators.classifier import UNFISClassifier
from unfis.reproduction.observed import size_and_curvature
from unfis.reproduction.systems.system import ComparedSystem

PRINTED = ("UNFIS, as printed", "FNN, as printed")
# The same networks on the same codes, standardised: the scale is all that differs.
SCALED = ("UNFIS, scaled", "FNN, scaled")


def as_printed(seed: int, *, selection: str, scale: bool = False) -> UNFISClassifier:
    """The paper's configuration: its start, learner and hyperparameters."""
    return UNFISClassifier.paper(selection=selection, scale=scale, random_state=seed)


PAPER_NETWORKS = tuple(
    ComparedSystem(
        name,
        partial(as_printed, selection=selection, scale=scale),
        coded=True,
        observe=size_and_curvature,
    )
    for names, scale in ((PRINTED, False), (SCALED, True))
    for name, selection in zip(names, ("soft", "none"), strict=True)
)
