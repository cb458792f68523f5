"""EFNN."""

from __future__ import annotations

from unfis_paper.compared import EFNNClassifier
from unfis_paper.reproduction.systems.forms import in_all_forms

EFNN = in_all_forms("EFNN", lambda seed: EFNNClassifier(random_state=seed))
