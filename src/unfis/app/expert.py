"""What an expert says on the command line: --increasing, --decreasing, --forbid and --given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from unfis.app.request import RequestError, check_known
from unfis.app.tables.inputs import PreparedTable
from unfis.rules.given_reader import GivenRulesError
from unfis.serial.messages import listed, quoted


@contextmanager
def rules_given(path: Path | None, rules: int | None) -> Iterator[str | None]:
    """The text of a file of rules; what is found wrong with them is told of that file."""
    if path is None:
        yield None
        return
    if rules is not None:
        raise RequestError(
            "--rules cannot be with --given, whose rules are as many as they are, and one for all "
            "other rows."
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RequestError(f"{path} must be text in UTF-8, got other bytes.") from None
    try:
        yield text
    except GivenRulesError as error:
        raise RequestError(f"{path}, {error.wrong}") from None


class Said(NamedTuple):
    """Names of columns, each list as its option was given."""

    increasing: Sequence[str] = ()
    decreasing: Sequence[str] = ()
    forbid: Sequence[str] = ()
    about: str | None = None  # the class whose probability rises or falls, --for

    @property
    def options(self) -> dict[str, Sequence[str]]:
        """The columns by the option that names them."""
        return {
            "--increasing": self.increasing,
            "--decreasing": self.decreasing,
            "--forbid": self.forbid,
        }


def constraints_given(
    said: Said, table: str, prepared: PreparedTable, classes: Sequence[Any]
) -> dict[str, Any]:
    """The estimator's `monotonic_cst` and `forbidden_inputs`; RequestError where they cannot be.

    Errors name the table.
    """
    check_columns(said, table, prepared)
    signs = dict.fromkeys(said.increasing, 1) | dict.fromkeys(said.decreasing, -1)
    if signs or said.about is not None:
        turn = direction(said, classes)
        check_ordered(said, prepared)
        signs = {name: turn * sign for name, sign in signs.items()}
    forbidden = list(said.forbid)
    if forbidden and set(forbidden) >= set(prepared.X.columns):
        raise RequestError(
            "--forbid names every column that there is to learn from; leave at least one free."
        )
    return {"monotonic_cst": signs or None, "forbidden_inputs": forbidden or None}


def check_columns(said: Said, table: str, prepared: PreparedTable) -> None:
    """Raise RequestError for columns that are not learned from, or are named twice."""
    roles, seen = {role.name: role for role in prepared.roles}, dict[str, str]()
    for option, names in said.options.items():
        check_known(names, list(roles), table)
        for name in names:
            if not roles[name].is_input:
                why = "left out" if roles[name].role == "left out" else f"the {roles[name].role}"
                reason = f": {roles[name].reason}" if why == "left out" else ""
                raise RequestError(
                    f"{option} names {quoted(name)}, which is {why}{reason}. Name a column that is "
                    "learned from."
                )
            if seen.setdefault(name, option) != option:
                raise RequestError(
                    f"{quoted(name)} is in {seen[name]} and in {option}; only one can be meant."
                )


def direction(said: Said, classes: Sequence[Any]) -> int:
    """1 where the directions are about the second class of two, -1 where about the first."""
    options = " and ".join(name for name in ("--increasing", "--decreasing") if said.options[name])
    if not options:
        raise RequestError("--for says what --increasing or --decreasing is about; give one too.")
    names = [str(label) for label in classes]
    if len(names) != 2:
        raise RequestError(
            f"{options} is about the probability of one of two classes, but {len(names)} were "
            f"found: [{listed(names)}]. Leave it out, or make two classes of them."
        )
    if said.about is not None and said.about not in names:
        raise RequestError(
            f"--for names {quoted(said.about)}, which is not among [{listed(names)}]."
        )
    return -1 if said.about == names[0] else 1


def check_ordered(said: Said, prepared: PreparedTable) -> None:
    """Raise RequestError for a category of several kinds, none of which is more than another."""
    for option in ("--increasing", "--decreasing"):
        for name in said.options[option]:
            if name not in prepared.categories:
                continue
            kinds = sorted({kind for kind in prepared.X[name] if isinstance(kind, str)})
            if len(kinds) > 2:
                raise RequestError(
                    f"{option} names {quoted(name)}, a category of {len(kinds)} kinds "
                    f"([{listed(kinds)}]), none of which is more than another. Make it a number "
                    "in the table, or leave it out."
                )
