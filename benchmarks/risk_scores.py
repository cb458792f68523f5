"""As few parts as a risk score: which says more, our rules or integer points on thresholds?

python benchmarks/risk_scores.py [--splits 3] [--only heart,titanic] [--systems unfis] [--again]
                                 [--quick] [--output file.csv]

The longest models on the path of a default fit that have no more than 5 and 10 parts (a range with
two ends has two, a set of kinds its kinds, every other condition one), and imodels' FastRiskScore
of as many numbers, on tables of two classes: accuracy, ROC AUC, parts, seconds. Random 70/30
splits with the classes in proportion. What is recorded is not measured again, unless with
`--again`. Systems and tables whose packages (group `bench`) are missing are left out, and named.
"""

import argparse
import importlib.util
import time
import warnings
from functools import partial
from itertools import product
from pathlib import Path

import pandas as pd
from measuring import markdown, output_path, read_rows, write_rows
from reading import at_most_parts, parts_of
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from two_class_tables import PUBLIC, groups, load

from unfis import UNFISClassifier

LIMITS = (5, 10)
OURS = "unfis"
KEYS = ["table", "seed", "system"]
MEASURES = {"accuracy": 2, "auc": 4, "parts": 1, "seconds": 2}  # and their decimals
ASKED = {"accuracy": 0.5, "auc": 0.005}  # more than the rival has
# Apart, since one made table on which a rival has no way in outweighs all others.
COLLECTIONS = {"real tables": ("sets", "public"), "made tables": ("made",)}


def our_models(X, y):
    """The model of each limit, its parts and the seconds of the fit; one fit has all of them."""
    began = time.perf_counter()
    model = UNFISClassifier().fit(X, y)
    seconds = time.perf_counter() - began
    for limit in LIMITS:
        short = model.at(at_most_parts(model, limit))
        yield limit, short, parts_of(short.model_.rules), seconds


def risk_scores(X, y, n_thresholds):
    """The same of FastRiskScore, where each threshold or level that has points is a number."""
    from imodels import FastRiskScoreClassifier

    for limit in LIMITS:
        model = FastRiskScoreClassifier(limit, n_thresholds=n_thresholds)
        began = time.perf_counter()
        model.fit(X, y)
        yield limit, model, len(model.points_), time.perf_counter() - began


SYSTEMS = {
    OURS: our_models,
    "FastRiskScore": partial(risk_scores, n_thresholds=9),  # of each input: its own setting
    "FastRiskScore (99)": partial(risk_scores, n_thresholds=99),
}
RIVALS = [name for name in SYSTEMS if name != OURS]


def installed():
    needed = ("imodels", "numba", "six")  # imodels needs the last and does not say so
    found = all(importlib.util.find_spec(package) for package in needed)
    return [OURS, *RIVALS] if found else [OURS]


def run(group, name, seed, system):
    """One system on one split, at every limit."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for limit, model, parts, seconds in SYSTEMS[system](X_train, y_train):
            probabilities = model.predict_proba(X_test)[:, 1]
            row = {"group": group, "table": name, "seed": seed, "system": system, "limit": limit}
            row["accuracy"] = 100 * float((model.predict(X_test) == y_test).mean())
            row["auc"] = float(roc_auc_score(y_test, probabilities))
            rows.append({**row, "parts": int(parts), "seconds": seconds})
    return rows


def warm_up(system):
    """A first fit, which compiles or loads what later ones use."""
    X, y = load("slopes")
    list(SYSTEMS[system](X, y))


def means(results):
    """Means over splits of every measure, by table, system and limit."""
    return results.groupby(["table", "system", "limit"], sort=False)[list(MEASURES)].mean()


def overview(results):
    """Means over tables of every system at every limit, real tables and made ones apart."""
    found, rows = means(results), []
    systems = [name for name in SYSTEMS if name in set(results["system"])]
    for title, part in collections(results):
        for limit, system in product(LIMITS, systems):
            one = found.loc[found.index.isin(set(part["table"]), level="table")]
            one = one.xs((system, limit), level=("system", "limit"))
            values = [f"{one[measure].mean():.{digits}f}" for measure, digits in MEASURES.items()]
            rows.append([f"{len(one)} {title}", str(limit), system, *values])
    return markdown(["tables", "at most", "system", *MEASURES], rows)


def collections(results):
    """The results of each collection that has any."""
    for title, names in COLLECTIONS.items():
        part = results[results["group"].isin(names)]
        if len(part):
            yield title, part


def differences(results, system, rival, limit):
    """Ours less a rival's on each table that has both, from where we lose most."""
    found = means(results).xs(limit, level="limit")
    ours, theirs = (found.xs(name, level="system") for name in (system, rival))
    both = ours.join(theirs.add_suffix(" of rival"), how="inner")
    for measure in ASKED:
        both[f"{measure} more"] = both[measure] - both[f"{measure} of rival"]
    return both.sort_values("auc more")


def verdict(found, measure):
    """One measure's mean difference over tables beside what is asked of it."""
    more, digits = found[f"{measure} more"], MEASURES[measure]
    reached = "reached" if more.mean() >= ASKED[measure] else "not reached"
    error = f" +- {more.sem():.{digits}f}" if len(more) > 1 else ""
    return (
        f"{measure}: mean {more.mean():+.{digits}f}{error}, median {more.median():+.{digits}f} "
        f"(asked {ASKED[measure]:+g}: {reached}), "
        f"more on {(more > 0).sum()} tables, less on {(more < 0).sum()}"
    )


def comparison(results, system, rival, limit):
    """What is asked beside what was measured, and every table."""
    lines = []
    for title, part in collections(results):
        found = differences(part, system, rival, limit)
        lines += [f"{system} less {rival}, at most {limit}, {len(found)} {title}"]
        lines += [verdict(found, measure) for measure in ASKED]
        shown = found.drop(columns=[name for name in found if name.startswith("seconds")])
        lines += [shown.round(3).to_string(), ""]
    return "\n".join(lines)


def shared(results):
    """The splits that every system has been measured on."""
    number = results.groupby(["table", "seed"])["system"].transform("nunique")
    return results[number == results["system"].nunique()]


def summary(results):
    """All tables in one, and table by table, of the splits that every system has."""
    results = shared(results)
    texts = [overview(results)]
    there = set(results["system"])
    for rival, limit in product(RIVALS, LIMITS):
        if {OURS, rival} <= there:
            texts.append(comparison(results, OURS, rival, limit))
    return "\n\n".join(texts)


def recorded(path):
    """The rows of a file of results, with numbers where there are numbers."""
    whole, real = ["seed", "limit", "parts"], ["accuracy", "auc", "seconds"]
    return [
        {**row, **{k: int(row[k]) for k in whole}, **{k: float(row[k]) for k in real}}
        for row in read_rows(path)
    ]


def key_of(row):
    return tuple(row[name] for name in KEYS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", default="", help="tables")
    parser.add_argument("--systems", default=",".join(installed()))
    parser.add_argument("--again", action="store_true", help="measure what is recorded again")
    parser.add_argument("--quick", action="store_true", help="one split of two made tables")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    print("left out, as not installed:", sorted(set(SYSTEMS) - set(installed())) or "none")
    here = {name: group for group, names in groups().items() for name in names}
    print("tables that are not here:", sorted(set(PUBLIC) - set(here)) or "none")
    names = arguments.only.split(",") if arguments.only else list(here)
    if arguments.quick:
        names = ["slopes", "steps"]
    seeds = range(1 if arguments.quick else arguments.splits)
    systems = arguments.systems.split(",")
    runs = list(product(names, seeds, systems))
    path = output_path(arguments.output, "risk_scores.csv", quick=arguments.quick)
    rows = recorded(path)
    if arguments.again:
        rows = [row for row in rows if key_of(row) not in set(runs)]
    done = {key_of(row) for row in rows}
    for system in systems:
        missing = [one for one in runs if one[2] == system and one not in done]
        if missing:
            warm_up(system)
        for name, seed, _ in missing:
            rows += run(here[name], name, seed, system)
            write_rows(path, rows)
    print(summary(pd.DataFrame(rows)))
    print(f"\nrecorded in {path}")


if __name__ == "__main__":
    main()
