"""The systems of `unfis_paper.compared`: raw or scaled, held out or as a stream.

As a stream, each test row is answered first and then learned from with its class (test-then-train),
which is what the originals most likely did: their numbers are of more rows than UNFIS's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unfis_paper.compared import (
    ALMMo0Classifier,
    EFNHNClassifier,
    EFNNClassifier,
    EFNNNullUniClassifier,
    ENFSUni0Classifier,
    UNInullFNNClassifier,
)
from unfis_paper.reproduction.systems.adapter import ComparedSystem, size_of_tsk

RAW, STANDARDISED = ", raw", ", scaled"
AS_STREAM = ", test-then-train"


def with_scale(build: Callable[[int], Any], scale: bool, seed: int) -> Any:
    """A classifier behind the training rows' scale, or behind inputs as they are."""
    return make_pipeline(StandardScaler(with_mean=scale, with_std=scale), build(seed))


def size_of_rules(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Rules and their conditions."""
    rules = list(model[-1].rules_)
    return {"rules": len(rules), "conditions": sum(len(rule.conditions) for rule in rules)}


def size_of_prototypes(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Every prototype has a coordinate of every input."""
    prototypes = sum(len(rule.rows) for rule in model[-1].rules_)
    return size_of_tsk(prototypes, model[-1].n_features_in_)


def size_of_neurons(model: Any, X: Any, y: Any) -> dict[str, float]:
    """Every neuron has a set on every input."""
    return size_of_tsk(int(model[-1].system_.kept.sum()), model[-1].n_features_in_)


def in_all_forms(
    name: str,
    build: Callable[[int], Any],
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


# Those of the paper's tables, and ENFS-Uni0, the evolving sister of UNInull-FNN.
COMPARED_SYSTEMS = (
    # With elements that are drawn, as its authors' programs do, and chosen ones, which as a stream
    # would run, and were left out to save time.
    *in_all_forms(
        "EFNN-NullUni", lambda seed: EFNNNullUniClassifier("auto", "random", random_state=seed)
    ),
    *in_all_forms(
        "EFNN-NullUni, chosen",
        lambda seed: EFNNNullUniClassifier("auto", "auto", random_state=seed),
        evolves=False,
    ),
    *in_all_forms(
        "UNInull-FNN", lambda seed: UNInullFNNClassifier(random_state=seed), evolves=False
    ),
    *in_all_forms("ENFS-Uni0", lambda seed: ENFSUni0Classifier(random_state=seed)),
    # ALMMo-0 on raw inputs, and ALMMo-0* on scaled ones.
    *in_all_forms("ALMMo-0", lambda seed: ALMMo0Classifier(), size_of_prototypes),
    *in_all_forms("EFNHN", lambda seed: EFNHNClassifier(random_state=seed), size_of_neurons),
    *in_all_forms("EFNN", lambda seed: EFNNClassifier(random_state=seed)),
)
