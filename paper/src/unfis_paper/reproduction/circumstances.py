"""What runs were done with: versions, machine, configurations, and how long sessions took.

Beside the file of results, in JSON; lines of that file have the identifier of their circumstances.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import sklearn

from unfis import __version__
from unfis.serial.files import write_whole
from unfis_paper.reproduction.paper import TEST_SHARE
from unfis_paper.reproduction.results import NOT_INSTALLED
from unfis_paper.reproduction.systems.adapter import ComparedSystem

BETWEEN_WRITES = 10.0  # seconds
RECORDED_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "joblib")


class Circumstances:
    """The file of circumstances: a list of them, each with an identifier of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = self._read()
        self._session: dict[str, Any] = {}
        self._began = self._written = 0.0

    def _read(self) -> list[dict[str, Any]]:
        """What earlier sessions had."""
        if not self.path.exists():
            return []
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
            return [{**one, "id": str(one["id"]), "systems": dict(one["systems"])} for one in known]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{self.path} must be a list of circumstances in JSON, each with `id` and "
                f"`systems` ({type(error).__name__}: {error}). Move it away with runs.csv, or "
                "choose another folder."
            ) from error

    def begin(self, systems: dict[str, ComparedSystem], jobs: int) -> str:
        """Write down what runs of these systems are done with; its identifier."""
        set_as = {name: configuration(system) for name, system in systems.items()}
        now = {**surroundings(systems), "systems": set_as}
        text = json.dumps(now, sort_keys=True)
        identifier = hashlib.sha256(text.encode()).hexdigest()[:8]
        found = self.find(identifier)
        if not found:
            found = {"id": identifier, **now, "sessions": []}
            self.known.append(found)
        self._session = {"runs": 0, "jobs": jobs, "seconds": 0.0}
        found["sessions"].append(self._session)
        self.write()
        self._began = self._written = time.perf_counter()
        return identifier

    def count(self) -> int:
        """One more run of the session is done; how many are.

        Written down from time to time, so that it is known of what was killed too.
        """
        now = time.perf_counter()
        self._session["runs"] += 1
        self._session["seconds"] = round(now - self._began, 1)
        if now - self._written > BETWEEN_WRITES:
            self.write()
            self._written = now
        return int(self._session["runs"])

    def write(self) -> None:
        """Write the file anew."""
        write_whole(self.path, json.dumps(self.known, indent=2) + "\n")

    def find(self, identifier: str) -> dict[str, Any]:
        """The circumstances of an identifier, {} if they are not known."""
        return next((one for one in self.known if one["id"] == identifier), {})

    def configuration(self, identifier: str, system: str) -> str | None:
        """How a system was set, None if that is not known."""
        systems: dict[str, str] = self.find(identifier).get("systems", {})
        return systems.get(system)


def surroundings(systems: dict[str, ComparedSystem]) -> dict[str, Any]:
    """Machine and versions, as far as these systems use them."""
    packages = {
        *RECORDED_PACKAGES,
        *(name for system in systems.values() for name in system.packages),
    }
    return {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "versions": {"unfis": __version__} | {name: version_of(name) for name in sorted(packages)},
        "test share": TEST_SHARE,
    }


def configuration(system: ComparedSystem) -> str:
    """How a system is set, without addresses in memory, which differ each time.

    Of this project's own all settings, so that a changed default is seen; of others, whose versions
    have defaults of their own, what is set here.
    """
    if system.missing:
        return f"{NOT_INSTALLED}: {system.missing}"
    try:
        model = system.build(0)
        steps = [step for _, step in getattr(model, "steps", [("", model)])]
        own = type(steps[-1]).__module__.startswith(("unfis.", "unfis_paper."))
        with sklearn.config_context(print_changed_only=not own):
            text = repr(model)
    except (Exception, SystemExit) as error:  # its runs will say so too
        return f"{type(error).__name__}: {error}"
    return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", text))


def version_of(package: str) -> str:
    """The installed version of a package, by its name or its module's."""
    names = metadata.packages_distributions().get(package, [package])
    try:
        return metadata.version(names[0])
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED
