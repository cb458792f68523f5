"""Ways of choosing which part of the rules goes next, compared at the same lengths and splits.

python benchmarks/elimination.py [--splits 10] [--output benchmarks/results/elimination.csv]

Two averaged rules of all inputs, the ridge chosen as always. Accuracy on the held-out 30 % of the
longest network on each path that has at most so many parts. Nothing is chosen between the lengths,
so this compares the paths alone.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import train_test_split
from tables import available, load
from unfis.model.settings import Settings
from unfis.selection.beginning import RIDGES, best_ridge
from unfis.selection.folds import deduplicated
from unfis.selection.path import STEP_ITERATIONS, removed_together
from unfis.selection.removal import removal_costs, removals, without
from unfis.selection.stage import Task

from unfis import UNFISClassifier
from unfis.arrays import softmax
from unfis.estimators.tables import read_labelled
from unfis.learning.objective import CrossEntropy
from unfis.network import network_logits
from unfis.network.combination import AVERAGED
from unfis.network.start import kmeans_start
from unfis.ties import ranked

LENGTHS = (2, 4, 8, 12, 16)  # parts
RULES = 2


def surgeon(task, trained, options):
    """The library's: the rise of the objective once all other parameters have responded."""
    return removal_costs(task, trained, options)


def immediate(task, trained, options):
    """The rise of the loss at once, before anything responds."""
    now = task.training_loss(trained.stage)
    after = [task.training_loss(without(task, trained.stage, [one])) for one in options]
    return np.array(after) - now


def magnitude(task, trained, options):
    """What a part changes by its own size: slopes, or how far a condition is from always holding.

    As one would read it off the fitted rule. A whole rule is all of its parts.
    """
    parameters, X = trained.stage.parameters, task.samples.X

    def size(rule, columns, half, outputs=slice(None)):
        if half == "consequent":
            return np.square(parameters.consequents[rule, outputs, 1:][..., columns]).sum()
        ratios = (X[:, columns] - parameters.centres[rule, columns]) / parameters.widths[
            rule, columns
        ]
        return np.nanmean(1 - np.exp(-0.5 * np.nansum(np.square(ratios), axis=1)))

    def whole(rule):
        masks = {"condition": trained.stage.condition, "consequent": trained.stage.in_consequent}
        return sum(
            size(rule, task.inputs[item], half)
            for half, inside in masks.items()
            for item in np.flatnonzero(inside[rule])
        )

    return np.array(
        [
            whole(one.rule)
            if one.half == "rule"
            else size(one.rule, task.inputs[one.item], one.half, one.output)
            for one in options
        ]
    )


def shrunk(task, trained, options):
    """The surgeon's order under ten times the ridge, near which marginal effects decide."""
    task = replace(task, ridge=10 * task.ridge)
    return surgeon(task, task.trained(trained.stage), options)


def projected(task, stage):
    """What shorter rules learn: what the network of all inputs says, instead of the labels.

    A tenth of the ridge, since that is smooth already.
    """
    said = softmax(network_logits(stage.parameters, task.samples.X))
    return replace(task, samples=task.samples._replace(targets=said), ridge=0.1 * task.ridge)


METHODS = {
    "surgeon": surgeon,
    "immediate": immediate,
    "magnitude": magnitude,
    "projection": surgeon,  # on what is projected
    "shrunk": shrunk,
}


def path(task, stage, costs):
    """Ever shorter networks, each without what costs it least for what need not be read then."""
    trained = task.trained(stage)
    found = [trained.stage]
    while options := removals(task, trained.stage, keeps_rules=False):
        order = ranked(costs(task, trained, options) / [max(one.saved, 1) for one in options])
        gone = removed_together(task, trained.stage, [options[k] for k in order])
        trained = task.trained(without(task, trained.stage, gone), STEP_ITERATIONS)
        found.append(trained.stage)
    return found


def run(name, seed):
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    reader = UNFISClassifier()
    columns, read = read_labelled(reader, X_train, y_train, None, Settings(**reader.get_params()))
    samples = deduplicated(columns.samples(read, CrossEntropy().encode))
    matrix = columns.matrix(columns.values(X_test))
    inputs = [column.columns for column in columns.inputs]
    task = Task(samples, inputs, CrossEntropy(), kmeans_start, AVERAGED)
    first = best_ridge(task, RULES, RIDGES, len(RIDGES) // 2)
    rows = []
    for method, costs in METHODS.items():
        own = projected(first.task, first.stage) if method == "projection" else first.task
        stages = path(own, first.stage, costs)
        for length in LENGTHS:
            stage = next(stage for stage in stages if own.parts(stage) <= length)
            said = columns.classes[network_logits(stage.parameters, matrix).argmax(axis=1)]
            row = {"set": name, "seed": seed, "method": method, "parts": length}
            rows.append({**row, "accuracy": 100 * np.mean(said == y_test)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    jobs = (delayed(run)(name, seed) for seed in range(arguments.splits) for name in available())
    results = pd.DataFrame([row for rows in Parallel(n_jobs=2)(jobs) for row in rows])
    if arguments.output:
        results.round(6).to_csv(arguments.output, index=False)
    print("mean accuracy of so many parts")
    means = results.groupby(["method", "parts"], sort=False)["accuracy"].mean()
    print(means.unstack().round(2).to_string())


if __name__ == "__main__":
    main()
