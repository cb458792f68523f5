"""Results of runs that are made up, for tests of what is made of results."""

import numpy as np

from unfis_paper.reproduction.paper import FORMS, INPUT_COUNTS, SETS
from unfis_paper.reproduction.results import Line, Run, frame_of
from unfis_paper.reproduction.systems import COMPARED_SYSTEMS
from unfis_paper.reproduction.systems.own import (
    DEFAULT,
    GRIDS,
    PRINTED,
    SCALED,
    SOFT,
    TUNED,
    TUNED_LEARNERS,
)

COMPARED_NAMES = tuple(system.name for system in COMPARED_SYSTEMS)
SYSTEMS = (*PRINTED, *SCALED, DEFAULT, SOFT, "tree")


def measured(name, number, system, generator):
    """Measures that are made up: each system two points below the one before it."""
    accuracy = 0.95 - 0.02 * min(number, 20) + 0.005 * generator.normal()
    steps = GRIDS[system.removesuffix(TUNED)][2] if system in TUNED_LEARNERS else None
    return {
        "accuracy": accuracy,
        "balanced_accuracy": accuracy - 0.01,
        "roc_auc": accuracy + 0.02,
        "log_loss": 0.3,
        "calibration_error": 0.05,
        "fit_seconds": 0.1,
        "predict_seconds": 0.01,
        "rules": 2.0,
        "conditions": 6.0,
        **({"step": steps[number % len(steps)]} if steps else {}),
        **(
            {
                "active": 1.5,
                "selections_out": 0.25 * 2 * INPUT_COUNTS[name],
                "selections_in": 0.125 * 2 * INPUT_COUNTS[name],
                "curvature_start": 50.0,
                "curvature_end": 100.0,
            }
            if system in (PRINTED[0], SCALED[0])
            else {}
        ),
    }


def made_up_runs():
    """Results of five runs that are made up, and a peer that is not installed."""
    generator = np.random.default_rng(0)
    lines = []
    for name in (*SETS.values(), *FORMS["AUT"]):
        for number, system in enumerate((*SYSTEMS, *TUNED_LEARNERS, *COMPARED_NAMES)):
            for seed in range(5):
                found = measured(name, number, system, generator)
                lines.append(Line(Run(name, system, seed), found, "0123abcd", ""))
    absent = Line(Run("iris", "xanfis", 0), {}, "0123abcd", "not installed: xanfis")
    return frame_of([*lines, absent])
