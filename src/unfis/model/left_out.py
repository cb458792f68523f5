"""What a model would answer to its training rows had it not seen them, in closed form."""

from __future__ import annotations

from unfis.data.held_out import HeldOutAnswers
from unfis.data.samples import evenly_spaced
from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.local_problem import LocalProblem
from unfis.model.fitted import FittedModel
from unfis.model.training import network_to_train, prior_of
from unfis.selection.beginning import CHOICE_ROWS


def left_out_answers(model: FittedModel) -> HeldOutAnswers | None:
    """The answers by leave-one-out to the rows that a model keeps, or to some of very many."""
    rows = model.sample
    taken = evenly_spaced(len(rows.rows), CHOICE_ROWS)
    network = network_to_train(model)
    samples = model.kept_samples.part(taken)
    problem = LocalProblem(network, model.objective, *samples, prior_of(model, network))
    losses = leave_one_out(problem, network.start).losses
    return HeldOutAnswers.of_losses(rows.codes[taken], losses, rows.weights[taken])
