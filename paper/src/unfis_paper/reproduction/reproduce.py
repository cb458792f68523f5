"""Every table and figure of the paper again: what to run for it, what to show of the results."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unfis.serial.files import write_whole
from unfis_paper.reproduction.figures import FIGURES
from unfis_paper.reproduction.paper import FORMS, SETS, WITHOUT_LEAK, acronyms_of
from unfis_paper.reproduction.protocol import run_all
from unfis_paper.reproduction.results import Recorded, Results, Run
from unfis_paper.reproduction.systems import COMPARED_SYSTEMS, PEERS, SYSTEMS
from unfis_paper.reproduction.systems.compared import STANDARDISED
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED, SCALED, SOFT, TUNED_LEARNERS
from unfis_paper.reproduction.tables import TABLES, in_columns

TARGETS = (*TABLES, *FIGURES, "all")
COMPARED_NAMES = tuple(system.name for system in COMPARED_SYSTEMS)
# What is compared with others on sets without a leak: scaled, and never told of test rows.
RANKED = tuple(name for name in COMPARED_NAMES if name.endswith(STANDARDISED))
# Which systems a target needs. The paper's run on its sets as printed, and with the default on the
# other forms of autism too; all others on sets without a leak, but in the paper's own figure.
NEEDED: dict[str, tuple[str, ...]] = {
    "table-3": (PRINTED[0], DEFAULT),
    "table-4": (*PRINTED, DEFAULT, *COMPARED_NAMES),
    "table-5": (*PRINTED, DEFAULT, *COMPARED_NAMES),
    "figure-learners": TUNED_LEARNERS,
    "figure-ranks": (*PRINTED, *SCALED, DEFAULT, SOFT, *(peer.name for peer in PEERS), *RANKED),
}
AS_IN_THE_PAPER = ("table-4", "table-5", "figure-learners")


def runs_for(target: str, acronyms: list[str], count: int) -> list[Run]:
    """The runs that a target needs; all of them for "all"."""
    targets = list(NEEDED) if target == "all" else [target]
    printed = [SETS[acronym] for acronym in acronyms]
    plain = [WITHOUT_LEAK[acronym] for acronym in acronyms]
    every = [*printed, *(form for acronym in acronyms for form in FORMS.get(acronym, {}))]
    runs = []
    for wanted in targets:
        for system in NEEDED.get(wanted, ()):
            names = printed if wanted in AS_IN_THE_PAPER else plain
            for name in every if system in (*PRINTED, DEFAULT) else names:
                runs += [Run(name, system, seed) for seed in range(count)]
    return list(dict.fromkeys(runs))


def reproduce(
    target: str,
    folder: Path,
    *,
    count: int = 30,
    only: list[str] | None = None,
    data_home: Any = None,
    jobs: int = 2,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """Run what is missing for a target, write tables and figures into a folder, return the text."""
    if target not in TARGETS:
        raise ValueError(f"There is no {target!r}; choose one of {', '.join(TARGETS)}.")
    acronyms = acronyms_of(only or [])
    results = Results(folder / "runs.csv")
    runs = runs_for(target, acronyms, count)
    run_all(runs, SYSTEMS, results, data_home=data_home, jobs=jobs, progress=progress)
    frame = results.frame()
    recorded = Recorded(frame[frame["seed"] < count], acronyms, data_home)
    shown = [name for name in (*TABLES, *FIGURES) if target in (name, "all")]
    return "\n\n".join(show(name, recorded, folder) for name in shown)


def show(name: str, recorded: Recorded, folder: Path) -> str:
    """Write one table or figure into the folder, and say it in text."""
    if name in FIGURES:
        path = folder / f"{name}.svg"
        text = FIGURES[name](recorded, path)
        return f"{text}\n-> {path.name}" if path.exists() else text
    rows = TABLES[name](recorded)
    content = io.StringIO()
    csv.writer(content, lineterminator="\n").writerows(rows)
    write_whole(folder / f"{name}.csv", content.getvalue())
    title = (TABLES[name].__doc__ or "").splitlines()[0]
    return f"{title}\n\n{in_columns(rows)}"
