"""Streams as their users test them: answer some rows, then learn from them, while classes drift.

paper/benchmarks/streams.py [--seeds 5] [--rows 4000] [--quick] [--plot | --speed] [--output file]

The compared systems that evolve, this project's `partial_fit`, and logistic regression by SGD, on
streams of `drift.py`. After a first batch that is not counted, rows come in blocks: each is
answered, counted, and then learned from. Recorded are the accuracy so far and in a window; `--plot`
draws docs/figure-streams.svg of what is recorded, and `--speed` tells how long 10,000 rows of ten
inputs take in one call.
"""

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from drift import STREAMS, bent_border, stream
from joblib import Parallel, delayed
from matplotlib import pyplot
from sklearn.linear_model import SGDClassifier
from verdict.wording import as_markdown

from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.plots import colour, line_style
from unfis_paper.compared import (
    ALMMo0Classifier,
    EFNHNClassifier,
    EFNNClassifier,
    EFNNNullUniClassifier,
    ENFSUni0Classifier,
)
from unfis_paper.reproduction.figures import save

HERE = Path(__file__).parent
FIRST_BATCH, BLOCK, WINDOW = 200, 50, 500
RECORDED_EVERY = 200
LONG_ROWS, LONG_INPUTS = 10_000, 10
SYSTEMS = {
    "ALMMo-0": lambda seed: ALMMo0Classifier(),
    "EFNN": lambda seed: EFNNClassifier(random_state=seed),
    "EFNN-NullUni": lambda seed: EFNNNullUniClassifier(random_state=seed),
    "ENFS-Uni0": lambda seed: ENFSUni0Classifier(random_state=seed),
    "EFNHN": lambda seed: EFNHNClassifier(random_state=seed),
    "unfis": lambda seed: UNFISClassifier(),
    "unfis, soft": lambda seed: UNFISNetworkClassifier(),
    "logistic regression by SGD": lambda seed: SGDClassifier(loss="log_loss", random_state=seed),
}


def run(name: str, system: str, seed: int, rows: int) -> list[dict[str, object]]:
    """One system on one stream: its accuracy so far and in a window, now and then."""
    X, y = stream(name, rows, seed)
    model, right = SYSTEMS[system](seed), []
    began = time.process_time()
    lines = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.partial_fit(X[:FIRST_BATCH], y[:FIRST_BATCH], classes=[0, 1])
        for start in range(FIRST_BATCH, rows, BLOCK):
            block = slice(start, start + BLOCK)
            right.extend(model.predict(X[block]) == y[block])
            model.partial_fit(X[block], y[block])
            end = min(start + BLOCK, rows)
            if end % RECORDED_EVERY == 0 or end == rows:
                lines.append(
                    {
                        "stream": name,
                        "system": system,
                        "seed": seed,
                        "row": end,
                        "so_far": 100 * float(np.mean(right)),
                        "window": 100 * float(np.mean(right[-WINDOW:])),
                        "seconds": time.process_time() - began,
                    }
                )
    return lines


def summary(results: pd.DataFrame) -> str:
    """Accuracy over the whole stream, and in the last window, means over the seeds."""
    ends = results[results["row"] == results["row"].max()]
    names = [name for name in STREAMS if name in set(ends["stream"])]
    means = ends.groupby(["system", "stream"])[["so_far", "window", "seconds"]].mean()
    rows = [["all rows / last window, %", *names, "seconds"]]
    for system in SYSTEMS:
        if system in set(ends["system"]):
            cells = [means.loc[(system, name)] for name in names]
            told = [f"{cell['so_far']:.1f} / {cell['window']:.1f}" for cell in cells]
            rows.append([system, *told, f"{np.mean([cell['seconds'] for cell in cells]):.1f}"])
    return as_markdown(rows)


def draw(results: pd.DataFrame, path: Path) -> None:
    """The accuracy in a window over time, a panel for each stream, means over the seeds."""
    names = [name for name in STREAMS if name in set(results["stream"])]
    figure, axes = pyplot.subplots(
        2, 2, figsize=(7.5, 6), sharex=True, sharey=True, layout="constrained"
    )
    for ax, name in zip(axes.flat, names, strict=False):
        part = results[results["stream"] == name].groupby(["system", "row"])["window"].mean()
        for number, system in enumerate(SYSTEMS):
            if system in part.index.get_level_values(0):
                look = {"color": colour(number), "linestyle": line_style(number)}
                ax.plot(part[system].index, part[system], label=system, linewidth=1.3, **look)
        ax.set_title(name, fontsize=9)
    for ax in axes[-1]:
        ax.set_xlabel("row")
    for ax in axes[:, 0]:
        ax.set_ylabel(f"accuracy of {WINDOW} rows, per cent")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    save(figure, path)


def speed() -> str:
    """Seconds of a core that each system takes to learn a long stream in one call."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(LONG_ROWS, LONG_INPUTS))
    y = bent_border(X, np.zeros(LONG_ROWS))
    rows = [["", f"seconds for {LONG_ROWS:,} rows of {LONG_INPUTS} inputs"]]
    for system, build in SYSTEMS.items():
        model = build(0)
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.partial_fit(X, y, classes=[0, 1])
        rows.append([system, f"{time.process_time() - began:.1f}"])
    return as_markdown(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--quick", action="store_true", help="one seed of 400 rows")
    parser.add_argument("--plot", action="store_true", help="only draw what is recorded")
    parser.add_argument("--speed", action="store_true", help="only time a long stream")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if arguments.speed:
        print(speed())
        return
    folder = Path(tempfile.mkdtemp()) if arguments.quick else HERE / "results"
    path = arguments.output or folder / "streams.csv"
    if not arguments.plot:
        seeds, rows = (1, 400) if arguments.quick else (arguments.seeds, arguments.rows)
        jobs = [
            delayed(run)(name, system, seed, rows)
            for seed in range(seeds)
            for name in STREAMS
            for system in SYSTEMS
        ]
        lines = pd.DataFrame([line for lines in Parallel(n_jobs=2)(jobs) for line in lines])
        lines.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")
        print(f"recorded in {path}\n")
    results = pd.read_csv(path)
    print(summary(results))
    if arguments.plot:
        draw(results, HERE.parent / "docs/figure-streams.svg")


if __name__ == "__main__":
    main()
