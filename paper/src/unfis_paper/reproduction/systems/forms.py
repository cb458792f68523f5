"""How a system of `unfis_paper.compared` runs: raw or scaled, held out or as a stream.

As a stream, each test row is answered first and then learned from with its class (test-then-train),
which is what the originals most likely did: their numbers are of more rows than UNFIS's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unfis_paper.compared.evolving import ComparedClassifier
from unfis_paper.reproduction.systems.adapter import ComparedSystem

RAW, STANDARDISED = ", raw", ", scaled"
AS_STREAM = ", test-then-train"


def with_scale(build: Callable[[int], Any], scale: bool, seed: int) -> Any:
    """A classifier behind the training rows' scale, or behind inputs as they are."""
    return make_pipeline(StandardScaler(with_mean=scale, with_std=scale), build(seed))


def size_of_rules(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Rules and their conditions."""
    rules = list(model[-1].rules_)
    return {"rules": len(rules), "conditions": sum(len(rule.conditions) for rule in rules)}


def in_all_forms(
    name: str,
    build: Callable[[int], ComparedClassifier],
    observe: Callable[[Any, Any, Any], dict[str, float]] = size_of_rules,
    *,
    evolves: bool = True,
) -> tuple[ComparedSystem, ...]:
    """A compared system, raw and scaled, each held out and, if it evolves, as a stream."""
    return tuple(
        ComparedSystem(
            f"{name}{scale}{AS_STREAM if stream else ''}",
            partial(with_scale, build, scale == STANDARDISED),
            coded=True,
            observe=observe,
            stream=stream,
        )
        for scale in (RAW, STANDARDISED)
        for stream in ((False, True) if evolves else (False,))
    )
