"""What an input is worth to a model on given rows."""

from __future__ import annotations

from unfis.data.samples import TrainingSample
from unfis.model.fitted import FittedModel
from unfis.rules import importances
from unfis.ties import ranked


def importance(model: FittedModel, rows: TrainingSample) -> dict[str, float]:
    """What it costs on rows to know an input in none of them, the dearest first.

    In nats of loss per row.
    """
    arrays, inputs = model.rules.arrays, model.columns.inputs
    costs = importances(arrays, arrays.evaluate(rows.values), rows.codes, rows.weights)
    every = [costs.get(j, 0.0) for j in range(len(inputs))]
    return {inputs[j].name: every[j] for j in ranked([-cost for cost in every])}
