"""EFNN-NullUni with elements that are drawn, as its authors' programs do, and chosen ones."""

from __future__ import annotations

from unfis_paper.compared import EFNNNullUniClassifier
from unfis_paper.reproduction.systems.forms import in_all_forms

EFNN_NULL_UNI = (
    *in_all_forms(
        "EFNN-NullUni", lambda seed: EFNNNullUniClassifier("auto", "random", random_state=seed)
    ),
    *in_all_forms(
        "EFNN-NullUni, chosen",
        lambda seed: EFNNNullUniClassifier("auto", "auto", random_state=seed),
        evolves=False,  # as a stream it would run, and was left out to save time
    ),
)
