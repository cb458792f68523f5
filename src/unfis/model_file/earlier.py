"""Documents of earlier versions, with what they say by leaving fields out."""

from __future__ import annotations

from typing import Any

from unfis.network.combination import MIXED_OUTPUTS

# Settings that files before version 4 lack.
SETTINGS_OF_4 = ("costs", "threshold", "monotonic_cst", "forbidden_inputs", "given_rules")


def with_later_fields(document: dict[str, Any]) -> dict[str, Any]:
    """A document of an earlier version, with what it says by leaving fields out."""
    version, settings = document.get("version"), document.get("settings")
    if not isinstance(version, int) or version >= 4:
        return document
    document = document | {"held_out_answers": None, "uncertainty": None, "given": []}
    document |= {
        name: {"reaches": []} | document[name]
        for name in ("network", "start")
        if isinstance(document.get(name), dict)
    }
    if isinstance(settings, dict):
        added: dict[str, Any] = dict.fromkeys(SETTINGS_OF_4) | (
            {"points": "exact"} if version < 3 else {}
        )
        document = document | {"settings": added | settings}
    return document if version >= 3 else in_third_form(document)


def in_third_form(document: dict[str, Any]) -> dict[str, Any]:
    """A document of version 1 or 2, with what version 3 says of networks and paths."""
    later: dict[str, Any] = {
        name: document[name] | {"combination": MIXED_OUTPUTS.name}
        for name in ("network", "start")
        if isinstance(document.get(name), dict)
    }
    learned = document.get("learned")
    if isinstance(learned, dict) and isinstance(learned.get("path"), dict):
        later["learned"] = {**learned, "path": with_parts(learned["path"], document)}
    return document | later | {"scorecard": None}


def with_parts(path: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """An earlier path: what was in a rule was a condition, and a number for each class but one."""
    try:
        count = len(document["classes"]["labels"])
        return {**path, "parts": [count * each for each in path["conditions"]]}
    except (KeyError, TypeError):  # whatever is wrong with it is told by the checks that follow
        return path
