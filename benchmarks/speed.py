"""Default fits and those of peers in one run on the same splits, and how fast predictions are.

python benchmarks/speed.py [--only small many ...] [--rounds 5] [--quick]
    [--output benchmarks/results/speed.csv]

Parts: small (fits of iris, wine and breast cancer by every system that is installed), many
(predict_proba of 1M rows), few (predict of 1 and of 1,000 rows), import, start (commands on a small
table, as whole processes). Each part replaces its own lines of the output; `--only` alone measures
nothing and prints what is recorded. --quick is a rehearsal with small tables, recorded elsewhere.
Fits of large tables are in `add_up.py` and `scale.py`.

What is compared is measured in turns, each round in another order; medians and quartiles are those
of ratios within rounds. Large tables are measured in processes of their own, after a small fit.
"""

import argparse
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import jobs
from measuring import (
    Line,
    in_child,
    in_turns,
    lines_of,
    output_path,
    read_lines,
    seconds_of,
    write_rows,
)
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from summary import summarised
from tables import SHIPPED, load

from unfis import UNFISClassifier
from unfis_paper.reproduction.systems import PEERS
from unfis_paper.reproduction.systems.adapter import ComparedSystem

OURS = "unfis"
BOOSTING = HistGradientBoostingClassifier(random_state=0)
FROM_PEERS = ("EBM (light)", "ex-fuzzy", "HTSK", "PyTSK", "xanfis (light)")
IMPORTS = ("import unfis", "from unfis import UNFISClassifier", "import sklearn.linear_model")
MOST_FITS, LONG = 5, 0.5  # fits of a small table in a round, until they took so many seconds
LIMIT = 1800.0  # seconds of a process


class Sizes(NamedTuple):
    """How large the tables are."""

    small: tuple[str, ...] = tuple(SHIPPED)
    many: int = 1_000_000
    learned: int = 100_000  # rows that models learn from which then predict all
    few: int = 10_000


QUICK = Sizes(("iris",), many=2000, learned=500, few=1000)


def own_ebm(seed: int) -> Any:
    """EBM with its own settings."""
    glassbox = import_module("interpret.glassbox")
    return glassbox.ExplainableBoostingClassifier(random_state=seed)


def scaled(model: Any) -> Any:
    """A model behind standardised inputs."""
    return make_pipeline(StandardScaler(), model)


SYSTEMS = {
    system.name: system
    for system in (
        ComparedSystem(OURS, lambda seed: UNFISClassifier()),
        ComparedSystem(
            "logistic regression", lambda seed: scaled(LogisticRegression(max_iter=5000))
        ),
        ComparedSystem(
            "histogram boosting", lambda seed: HistGradientBoostingClassifier(random_state=seed)
        ),
        ComparedSystem("random forest", lambda seed: RandomForestClassifier(random_state=seed)),
        ComparedSystem("EBM", own_ebm, packages=("interpret",)),
        *(system for system in PEERS if system.name in FROM_PEERS),
    )
}


def fit_once(system: ComparedSystem, table: str, seed: int) -> dict[str, Any]:
    """Seconds of a fit on 70 % of a table, and accuracy on the rest; short fits several times."""
    X, X_test, y, y_test = train_test_split(*load(table), test_size=0.3, random_state=seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
            seconds: list[float] = []
            while len(seconds) < MOST_FITS and sum(seconds) < LONG:
                model = system.build(seed)
                seconds.append(seconds_of(partial(model.fit, X, y)))
            accuracy = 100 * float((model.predict(X_test) == y_test.to_numpy()).mean())
    except (Exception, SystemExit) as error:  # a peer may fail in any way, and must not end others
        return {"failed": f"{type(error).__name__}: {error}".replace("\n", " ")[:200]}
    return {"seconds": median(seconds), "accuracy": accuracy}


def small(rounds: int, sizes: Sizes) -> Iterator[Line]:
    """Fits of small tables by every system; the first fit of each is not counted."""
    for name, system in SYSTEMS.items():
        if system.missing:
            missing = {"failed": f"not installed: {system.missing}"}
            yield from lines_of("small", "", name, 0, missing)
    systems = {name: system for name, system in SYSTEMS.items() if not system.missing}
    for system in systems.values():
        fit_once(system, "iris", 0)
    for number in range(rounds):
        for table in sizes.small:
            works = {
                name: partial(fit_once, system, table, number) for name, system in systems.items()
            }
            for _, name, found in in_turns(works, 1, seed=number):
                yield from lines_of("small", table, name, number, found)


def many(rounds: int, sizes: Sizes) -> Iterator[Line]:
    """Probabilities of many rows."""
    models = {OURS: UNFISClassifier(), "histogram boosting": BOOSTING}
    with made_table(sizes.many, 20) as folder:
        options = {"models": models, "learned": sizes.learned, "rounds": rounds}
        found = in_child(jobs.predict_many, LIMIT, folder=folder, **options)
    yield from by_round("many", found)


def few(rounds: int, sizes: Sizes) -> Iterator[Line]:
    """Predictions of a row, and of a thousand."""
    models = {OURS: UNFISClassifier()}
    with made_table(sizes.few, 20) as folder:
        found = in_child(jobs.predict_few, LIMIT, models=models, folder=folder, rounds=rounds)
    yield from by_round("few", found)


def imports(rounds: int, sizes: Sizes) -> Iterator[Line]:
    """Imports, each in an interpreter of its own; the first of each is not counted."""
    works = {statement: partial(import_seconds, statement) for statement in IMPORTS}
    for number, statement, seconds in in_turns(works, 2 * rounds + 1):
        if number:
            yield Line("import", "", statement, number - 1, "seconds", seconds)


def import_seconds(statement: str) -> float:
    """Seconds of an import, without the start of Python."""
    program = (
        f"import time; began = time.perf_counter(); {statement}; print(time.perf_counter() - began)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return float(done.stdout)


def starts(rounds: int, sizes: Sizes) -> Iterator[Line]:
    """Commands on iris, each a process, beside scikit-learn's import; the first is not counted."""
    X, y = load("iris")
    with tempfile.TemporaryDirectory() as folder:
        model, table = f"{folder}/model.json", f"{folder}/iris.csv"
        UNFISClassifier().fit(X, y).save(model)
        X.assign(target=y).to_csv(table, index=False)
        calls = {
            "import sklearn": ["-c", "import sklearn"],
            "unfis rules": ["-m", "unfis", "rules", model],
            "unfis predict": ["-m", "unfis", "predict", model, table],
            "unfis explain": ["-m", "unfis", "explain", model, table, "--row", "71"],
            "unfis export": ["-m", "unfis", "export", model, "--to", "sql"],
        }
        run = partial(subprocess.run, capture_output=True, check=True)
        works = {
            name: partial(seconds_of, partial(run, [sys.executable, *call]))
            for name, call in calls.items()
        }
        for number, name, seconds in in_turns(works, 2 * rounds + 1):
            if number:
                yield Line("start", "", name, number - 1, "seconds", seconds)


def by_round(part: str, found: dict[str, Any]) -> Iterator[Line]:
    """Lines of what was found round by round."""
    if "failed" in found:
        yield from lines_of(part, "", "", 0, found)
        return
    for name, values in found.items():
        for number, seconds in enumerate(values):
            yield Line(part, "", name, number, "seconds", seconds)


class made_table(tempfile.TemporaryDirectory):  # noqa: N801
    """A temporary folder with a table in it."""

    def __init__(self, rows: int, inputs: int, **options: Any) -> None:
        super().__init__()
        jobs.write_table(Path(self.name), rows, inputs, **options)

    def __enter__(self) -> Path:
        return Path(super().__enter__())


PARTS: dict[str, Callable[[int, Sizes], Iterator[Line]]] = {
    "small": small,
    "many": many,
    "few": few,
    "import": imports,
    "start": starts,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a rehearsal with small tables")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else Sizes()
    output = output_path(arguments.output, "speed.csv", quick=arguments.quick)
    for part in arguments.only:
        kept = [line for line in read_lines(output) if line.part != part]
        for line in PARTS[part](arguments.rounds, sizes):
            value = line.note if line.value is None else f"{line.value:.4g}"
            print(*line[:3], f"round {line.round}", line.measure, value, sep=", ", flush=True)
            kept.append(line)
            write_rows(output, [line._asdict() for line in kept])
    if arguments.quick:
        print("\nA rehearsal: the tables were small, whatever the lines below say.")
    print(summarised(read_lines(output)))


if __name__ == "__main__":
    main()
