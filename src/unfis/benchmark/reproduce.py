"""Every table and figure of the paper again: what to run for it, what to show of the results."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unfis.benchmark.figures import FIGURES
from unfis.benchmark.ours import DEFAULT, LEARNERS, OURS, PRINTED, SCALED, SOFT
from unfis.benchmark.paper import SETS
from unfis.benchmark.peers import PEERS
from unfis.benchmark.protocol import Results, Run, run_all
from unfis.benchmark.systems import System
from unfis.benchmark.tables import TABLES, as_text
from unfis.benchmark.verdict import verdict

SYSTEMS: dict[str, System] = {system.name: system for system in (*OURS, *PEERS)}
EXTRA_FORMS = ("autism", "autism-17")
TARGETS = (*TABLES, *FIGURES, "verdict", "all")
# Which systems a target needs, on the paper's sets; the other forms of autism get the first ones.
NEEDED: dict[str, tuple[str, ...]] = {
    "table-3": (PRINTED[0], DEFAULT),
    "table-4": (*PRINTED, DEFAULT),
    "table-5": (*PRINTED, DEFAULT),
    "figure-learners": LEARNERS,
    "figure-ranks": (*PRINTED, *SCALED, DEFAULT, SOFT, *(system.name for system in PEERS)),
}


def runs_for(target: str, only: list[str], count: int) -> list[Run]:
    """The runs that a target needs; all of them for the verdict and for "all"."""
    targets = list(NEEDED) if target in ("all", "verdict") else [target]
    names = [name for name in SETS.values() if is_wanted(name, only)]
    extra = [name for name in EXTRA_FORMS if is_wanted(name, only)]
    runs = []
    for wanted in targets:
        for system in NEEDED.get(wanted, ()):
            own = system in (*PRINTED, DEFAULT)
            for name in (*names, *extra) if own else comparable(names, wanted):
                runs += [Run(name, system, seed) for seed in range(count)]
    return runs


def comparable(names: list[str], target: str) -> list[str]:
    """The sets on which others are compared: autism without its leak, but in the paper's figure."""
    return [n if target == "figure-learners" else n.removesuffix("-18") for n in names]


def is_wanted(name: str, only: list[str]) -> bool:
    """Whether a set is among those named, by name or acronym, in any of its forms."""
    plain = name.removesuffix("-17").removesuffix("-18")
    acronyms = {acronym for acronym, of in SETS.items() if of.removesuffix("-18") == plain}
    return not only or bool({plain, *acronyms} & {wanted.removesuffix("-18") for wanted in only})


def check_request(target: str, only: list[str], count: int) -> None:
    """Raise ValueError where a request names what there is not."""
    if target not in TARGETS:
        raise ValueError(f"There is no {target!r}; choose one of {', '.join(TARGETS)}.")
    known = {*SETS, *SETS.values(), *(name.removesuffix("-18") for name in SETS.values())}
    for name in only:
        if name not in known:
            choices = ", ".join(sorted(n.removesuffix("-18") for n in SETS.values()))
            raise ValueError(f"--only names {name!r}; choose from {choices}.")
    if count < 1:
        raise ValueError(f"--runs must be at least 1, got {count}.")


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
    only = only or []
    check_request(target, only, count)
    results = Results(folder / "runs.csv")
    runs = runs_for(target, only, count)
    run_all(runs, SYSTEMS, results, data_home=data_home, jobs=jobs, progress=progress)
    frame = results.frame()
    frame = frame[frame["seed"] < count]
    shown = [name for name in (*TABLES, *FIGURES) if target in (name, "all")]
    texts = [show(name, frame, folder, only) for name in shown]
    if target in ("all", "verdict"):
        texts.append(verdict(frame))
        (folder / "reproduction.md").write_text(texts[-1], encoding="utf-8")
    return "\n\n".join(texts)


def show(name: str, results: Any, folder: Path, only: list[str]) -> str:
    """Write one table or figure into the folder, and say it in text."""
    if name in FIGURES:
        path = folder / f"{name}.svg"
        return f"{FIGURES[name](results, only, path)}\n-> {path.name}"
    rows = TABLES[name](results, only)
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    title = (TABLES[name].__doc__ or "").splitlines()[0]
    return f"{title}\n\n{as_text(rows)}"
