"""A fit's job, and the model that it begins with: chosen or given by hand, not yet trained."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from unfis.data.columns import TableColumns
from unfis.data.samples import Samples
from unfis.learning.checkpoint import Checkpoint
from unfis.learning.loop import Learner
from unfis.learning.objective import Objective
from unfis.learning.watch import UNWATCHED, Watch
from unfis.model.checking import search_space
from unfis.model.constraints import constraints_of
from unfis.model.fitted import FittedModel, Memory
from unfis.model.given import check_given, decide_around, read_given
from unfis.model.rows import TrainingRows
from unfis.model.settings import Settings
from unfis.network.constraints import Constraints
from unfis.network.start import start_by_name
from unfis.selection import Decision, SearchSpace, decide


class Fit(NamedTuple):
    """What is learned from, and by what."""

    settings: Settings
    learner: Learner
    generator: np.random.RandomState
    columns: TableColumns
    rows: TrainingRows  # all to learn from
    objective: Objective  # by which the network is chosen, and trained where a learner has no other
    watch: Watch = UNWATCHED  # is told how far it is, and knows when time is over
    checkpoint: Checkpoint | None = None  # where the training goes on that was interrupted

    @property
    def minimised(self) -> Objective:
        """By what the network is trained."""
        return self.learner.objective or self.objective


def begin(job: Fit) -> FittedModel:
    """A model as it was chosen, not yet trained to the end."""
    settings, columns, rows = job.settings, job.columns, job.rows
    samples, sample = rows.drawn, rows.kept()
    constraints = constraints_of(settings, columns)
    space = search_space(settings, rows.count, len(columns.inputs), constraints)
    given: tuple[str, ...] = ()
    if settings.given_rules is None:
        decision = decision_of(job, samples, space, constraints)
    else:
        rules = read_given(settings, columns, sample)
        check_given(settings, rules, columns, constraints)
        single = replace(space, n_rules=1, max_rules=1)
        decision = decide_around(
            rules,
            columns,
            samples,
            sample,
            lambda rest: decision_of(job, rest, single, constraints),
        )
        given = (*(rule.text(columns.inputs, columns.classes.tolist()) for rule in rules), "")
    answers = decision.known_held_out
    if answers is not None:
        answers = answers.counting(rows.class_totals.counted)
    found = FittedModel(
        settings=settings,
        columns=columns,
        fixed=None,
        given=given,
        sample=sample,
        memory=Memory(),
        objective=job.objective,
        # The network and its start, the choices, the path and its stages, what was held out.
        **decision._replace(known_held_out=answers)._asdict(),
    )
    if not given:
        return found
    return replace(found, choices={**found.choices, "parts": found.parts})


def decision_of(
    job: Fit, samples: Samples, space: SearchSpace, constraints: Constraints
) -> Decision:
    """The choice of what settings leave to the data."""
    settings, learner = job.settings, job.learner
    return decide(
        samples,
        [item.columns for item in job.columns.inputs],
        start_by_name(settings.initialisation, job.generator),
        settings.selection,
        space,
        job.objective,
        rows=job.rows.count,
        # What stops early, or passes over the samples, is to begin where the rules start.
        goes_on=learner.keeps_curvature and not settings.early_stopping,
        watch=job.watch,
        constraints=constraints,
    )
