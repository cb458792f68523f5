"""What the runs were done with, how long they took, and whether anything is mixed."""

from __future__ import annotations

from typing import Any

from verdict.comparison import ComparedRuns
from verdict.wording import as_markdown

SAME = (
    "Runs are repeatable on the same machine with the same versions. Other processors and "
    "libraries add up products in another order; a training that does not converge, such as GqLM's "
    "at a fixed damping, carries the last digits on, so that single runs of it may differ there."
)


def sessions(recorded: ComparedRuns) -> list[str]:
    """Circumstances in a table, times, and systems whose runs are of several configurations."""
    frame = recorded.frame
    if not len(frame):
        return []
    rows = [["circumstances", "runs", "Python", "machine", "versions", "sessions"]]
    counts = frame["circumstances"].value_counts()
    known = {one["id"]: one for one in recorded.circumstances}
    for identifier, count in counts.items():
        one = known.get(str(identifier), {})
        versions = ", ".join(f"{name} {what}" for name, what in one.get("versions", {}).items())
        cells = [str(one.get(key, "-")) for key in ("python", "machine")]
        rows.append([str(identifier) or "-", str(count), *cells, versions or "-", times(one)])
    seconds = frame["fit_seconds"].sum() + frame["predict_seconds"].sum()
    return [
        as_markdown(rows),
        "",
        f"Fits and predictions of the {len(frame)} runs took {seconds / 60:.0f} minutes of one "
        f"core. {mixed(recorded)}",
        "",
        SAME,
    ]


def times(one: dict[str, Any]) -> str:
    """Runs, jobs and wall time of sessions."""
    told = [
        f"{session['runs']} runs by {session['jobs']} at once in {session['seconds']:.0f} s"
        for session in one.get("sessions", [])
    ]
    return "; ".join(told) or "not recorded"


def mixed(recorded: ComparedRuns) -> str:
    """Which systems have runs of more than one configuration."""
    systems = {one["id"]: one["systems"] for one in recorded.circumstances}
    pairs = recorded.frame[["system", "circumstances"]].drop_duplicates()
    configurations: dict[str, set[str]] = {}
    for system, identifier in pairs.itertuples(index=False):
        configurations.setdefault(system, set()).add(
            systems.get(identifier, {}).get(system, "unknown")
        )
    several = [system for system, ones in configurations.items() if len(ones) > 1]
    if not several:
        return f"Each of the {len(configurations)} systems has one configuration in all its runs."
    return f"Runs of several configurations are mixed in: {', '.join(several)}."
