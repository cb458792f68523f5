"""The recorded default runs again: which answer otherwise here than when they were recorded?

python benchmarks/recorded.py [--runs 30] [--only iris,wine] [--folder somewhere]

Compares accuracy, log-loss, rules and conditions of every run of the two default systems, decisive
and soft, with its last line in paper/benchmarks/results/runs.csv. With `--folder` the runs
are kept there, and what is there is not done again. `tests/kernels.py` runs it as on other
processors.
"""

import argparse
import tempfile
from pathlib import Path

import pandas as pd

from unfis_paper.reproduction.paper import acronyms_of
from unfis_paper.reproduction.protocol import run_all
from unfis_paper.reproduction.reproduce import runs_for
from unfis_paper.reproduction.results import Results
from unfis_paper.reproduction.systems import SYSTEMS
from unfis_paper.reproduction.systems.own import DEFAULT, SOFT

RECORD = Path(__file__).parents[1] / "paper/benchmarks/results/runs.csv"
KEYS = ["set", "system", "seed"]
COMPARED = ["accuracy", "log_loss", "rules", "conditions"]
# Of the log-loss: last digits move it by less, a choice that falls otherwise by more.
TOLERANCE = 1e-4


def changes(found: pd.DataFrame, recorded: pd.DataFrame) -> pd.DataFrame:
    """The runs that came to something else than recorded, with both numbers of each measure."""
    both = found.merge(recorded, on=KEYS, suffixes=("", " recorded"))
    differs = pd.Series(False, both.index)
    for name in COMPARED:
        tolerance = TOLERANCE if name == "log_loss" else 0.0
        differs |= (both[name] - both[f"{name} recorded"]).abs() > tolerance
    return both.loc[differs, [*KEYS, *(n + s for n in COMPARED for s in ("", " recorded"))]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--record", type=Path, default=RECORD)
    arguments = parser.parse_args()
    acronyms = acronyms_of([name for name in arguments.only.split(",") if name])
    runs = [r for r in runs_for("all", acronyms, arguments.runs) if r.system in (DEFAULT, SOFT)]
    with tempfile.TemporaryDirectory() as temporary:
        results = Results((arguments.folder or Path(temporary)) / "runs.csv")
        run_all(runs, SYSTEMS, results)
        found = results.frame()
    changed = changes(found, Results(arguments.record).frame())
    print(f"{len(changed)} of {len(found)} runs answer otherwise than recorded")
    if len(changed):
        print(changed.to_string(index=False))
        print(found.groupby(["system", "set"])["accuracy"].mean().mul(100).round(2).to_string())


if __name__ == "__main__":
    main()
