"""EFNN."""

from __future__ import annotations

from unfis.compared import EFNNClassifier
from unfis.reproduction.systems.forms import in_all_forms

EFNN = in_all_forms("EFNN", lambda seed: EFNNClassifier(random_state=seed))
