"""The paper's tables, each cell as printed, as reproduced, and as this project does by default."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from unfis import UNFISNetworkClassifier
from unfis_paper.datasets import load_dataset
from unfis_paper.reproduction.paper import (
    ACCURACY,
    ACTIVE,
    BALANCED,
    CHARACTERISTICS,
    COMPARED,
    FORMS,
    HYPERPARAMETERS,
    SETS,
    TEST_SHARE,
    WITHOUT_LEAK,
)
from unfis_paper.reproduction.results import Recorded, Summary
from unfis_paper.reproduction.systems.compared import AS_STREAM, RAW, STANDARDISED
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED, SCALED

TextTable = list[list[str]]
# What is reproduced of the printed systems as they most likely ran, and on scaled inputs. ALMMo-0*
# is ALMMo-0 on scaled inputs.
REPRODUCED = {
    "EFNN-NullUni": f"EFNN-NullUni{RAW}",
    "UNInull-FNN": f"UNInull-FNN{RAW}",
    "ALMMo-0*": f"ALMMo-0{STANDARDISED}",
    "EFNHN": f"EFNHN{RAW}",
    "EFNN": f"EFNN{RAW}",
    "FNN": PRINTED[1],
    "UNFIS": PRINTED[0],
}
ON_SCALED_INPUTS = {
    system: name.replace(RAW, STANDARDISED) for system, name in REPRODUCED.items() if RAW in name
} | {"FNN": SCALED[1], "UNFIS": SCALED[0]}
# Of these other forms of a set are told too.
OWN_SYSTEMS = ("UNFIS", "FNN")


def hyperparameters(recorded: Recorded) -> TextTable:
    """Table I: the paper's hyperparameters; by default most are left to the data."""
    paper = UNFISNetworkClassifier.paper()
    learner: Any = paper.learner
    ours = {
        "minibatch size (M)": (learner.batch_size, "all rows"),
        "damping (lambda)": (learner.damping, "adapted in every step"),
        "eta": (learner.eta, "none: cross-entropy as it is"),
        "smoothing (beta)": (learner.smoothing, "none"),
        "epochs": (learner.max_iter, "until it has converged, 200 at most"),
        "rules (R)": (paper.n_rules, "as many as predict best, 16 at most"),
    }
    rows = [["", "printed", "reproduced", "default"]]
    for name, value in HYPERPARAMETERS.items():
        rows.append([name, f"{value:g}", f"{ours[name][0]:g}", str(ours[name][1])])
    return rows


def characteristics(recorded: Recorded) -> TextTable:
    """Table II: the data sets; features, rows to learn from and to test on, classes."""
    rows = [["set", "printed", "reproduced", "default"]]
    for acronym in recorded.acronyms:
        found = []
        for name in (SETS[acronym], WITHOUT_LEAK[acronym]):
            data = load_dataset(name, data_home=recorded.data_home)
            test = int(np.ceil(TEST_SHARE * len(data.frame)))
            classes = data.target.nunique()
            sizes = f"{data.frame.shape[1]} x {len(data.frame) - test} + {test}"
            found.append(f"{sizes}, {classes} classes")
        features, train, test, classes = CHARACTERISTICS[acronym]
        rows.append([acronym, f"{features} x {train} + {test}, {classes} classes", *found])
    return rows


def active_features(recorded: Recorded) -> TextTable:
    """Table III: the sum of selections of a rule; by default conditions per rule, counted."""
    rows = [["set", "printed", "reproduced", "default"]]
    for acronym in recorded.acronyms:
        measured = recorded.summary(SETS[acronym], PRINTED[0], "active").text()
        per_rule = Summary(recorded.per_rule(WITHOUT_LEAK[acronym], DEFAULT), math.nan, 0).text()
        rows.append([acronym, printed_active(acronym), measured, per_rule])
    return rows


def printed_active(acronym: str) -> str:
    """The printed numbers of active features of both rules."""
    return " and ".join(f"{value:.2f}" for value in ACTIVE[acronym])


def compared(
    recorded: Recorded, table: dict[str, Any], measure: str, factor: float, digits: int
) -> TextTable:
    """Printed values, reproduced ones (raw and scaled, held out and as a stream), the default."""

    def found(name: str, system: str) -> list[str]:
        forms = [REPRODUCED[system], ON_SCALED_INPUTS.get(system, "")]
        names = [one for form in forms for one in (form, form and f"{form}{AS_STREAM}")]
        names.append(DEFAULT if system == "UNFIS" else "")
        return [recorded.summary(name, one, measure).text(factor, digits) for one in names]

    rows = [["set", "system", "printed", "reproduced", "test-then-train"]]
    rows[0] += ["scaled", "scaled, test-then-train", "default"]
    for acronym in [acronym for acronym in recorded.acronyms if acronym in table]:
        label = f"{acronym} (18 columns)" if acronym in FORMS else acronym
        for (mean, deviation), system in zip(table[acronym], COMPARED, strict=True):
            printed = Summary(mean, deviation, 0).text(digits=digits)
            rows.append([label, system, printed, *found(SETS[acronym], system)])
        for name, form in FORMS.get(acronym, {}).items():
            rows += [[form, system, "-", *found(name, system)] for system in OWN_SYSTEMS]
    return rows


def accuracy_table(recorded: Recorded) -> TextTable:
    """Table IV: accuracy in per cent."""
    return compared(recorded, ACCURACY, "accuracy", 100.0, 2)


def balanced_accuracy_table(recorded: Recorded) -> TextTable:
    """Table V: what the paper calls AUC, balanced accuracy by its formula."""
    return compared(recorded, BALANCED, "balanced_accuracy", 1.0, 4)


TABLES: dict[str, Callable[[Recorded], TextTable]] = {
    "table-1": hyperparameters,
    "table-2": characteristics,
    "table-3": active_features,
    "table-4": accuracy_table,
    "table-5": balanced_accuracy_table,
}


def in_columns(rows: TextTable) -> str:
    """A table in columns."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
