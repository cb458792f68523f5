"""UNInull-FNN, which learns from all rows at once and has no stream."""

from __future__ import annotations

from unfis_paper.compared import UNInullFNNClassifier
from unfis_paper.reproduction.systems.forms import in_all_forms

UNINULL_FNN = in_all_forms(
    "UNInull-FNN", lambda seed: UNInullFNNClassifier(random_state=seed), evolves=False
)
