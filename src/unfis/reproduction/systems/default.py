"""Our own classifier with its default settings, and with soft selections."""

from __future__ import annotations

from unfis.estimators.classifier import UNFISClassifier
from unfis.reproduction.observed import size_of
from unfis.reproduction.systems.system import ComparedSystem

DEFAULT, SOFT = "unfis", "unfis, soft"
DEFAULTS = (
    ComparedSystem(DEFAULT, lambda seed: UNFISClassifier(), observe=size_of),
    ComparedSystem(SOFT, lambda seed: UNFISClassifier(selection="soft"), observe=size_of),
)
