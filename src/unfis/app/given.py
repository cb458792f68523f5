"""Rules that a person writes, a line each, as plain data for the estimators.

IF age >= 60 AND ward is A or B THEN ill +2. A line may also be the data itself, as JSON.
"""

from __future__ import annotations

import json
import re
from math import inf, nextafter
from typing import Any

from unfis.app.requests import RequestError
from unfis.app.tables.inputs import PreparedTable
from unfis.data import Notation
from unfis.serial.messages import quoted

EXAMPLE = "IF age >= 60 AND ward is A or B THEN ill +2"
RULE = re.compile(r"IF (.+?)(?:\s+THEN\b\s*(.*?))?(?:(?<=\s)([+-]\d+(?:\.\d+)?))?", re.IGNORECASE)
AT_BORDER = re.compile(r"(.+?)\s*(>=|<)\s*([^\s<>=]+)")
OF_KINDS = re.compile(r"(.+?) is (.+)")
LINE_OF_RULE = re.compile(r"rule (\d+) of given_rules")


class GivenRules:
    """The rules of a text, one in each line that is neither empty nor begins with #."""

    def __init__(self, text: str, prepared: PreparedTable) -> None:
        kinds = {role.name: role.role for role in prepared.roles}
        self._kinds, self._X = kinds, prepared.X
        self._labels = {str(label): label for label in sorted(set(prepared.y.tolist()))}
        self._target = prepared.target
        lines = enumerate(text.splitlines(), 1)
        self._lines = {n: line for n, line in lines if line.strip() and line.strip()[0] != "#"}
        if not self._lines:
            raise RequestError(f"`given_rules` must have at least one rule, such as {EXAMPLE}.")
        self.rules = [self._rule(n, line.strip()) for n, line in self._lines.items()]

    def in_lines(self, error: ValueError) -> ValueError:
        """An error about a rule by its number as one about its line; others as they are."""
        found, lines = LINE_OF_RULE.search(str(error)), [*self._lines]
        if not found:
            return error
        line = f"line {lines[int(found[1]) - 1]} of `given_rules`"
        return RequestError(str(error).replace(found[0], line))

    def _rule(self, number: int, line: str) -> Any:
        """One rule as the estimators take it."""
        if line.startswith("{"):
            try:
                return json.loads(line)
            except ValueError as error:
                raise self._wrong(number, f"be JSON ({error})", line) from None
        found = RULE.fullmatch(line)
        if not found:
            raise self._wrong(number, f"be such as {EXAMPLE}", line)
        parts: dict[str, Any] = {}
        for text in re.split(r"\s+AND\s+", found[1]):
            name, condition = self._condition(number, text.strip())
            if isinstance(before := parts.get(name), list) and isinstance(condition, list):
                condition = [one if one is not None else other for one, other
                             in zip(condition, before, strict=False)]  # fmt: skip
            parts[name] = condition
        rule = {"if": parts} | self._then((found[2] or "").strip())
        return rule | ({"points": float(found[3])} if found[3] else {})

    def _then(self, text: str) -> dict[str, Any]:
        """What a rule is for: a class, or nothing of a number."""
        if self._target.task == "classes":
            return {"then": self._labels.get(text, text)} if text else {}
        return {} if text in ("", self._target.name) else {"then": text}

    def _condition(self, number: int, text: str) -> tuple[str, Any]:
        """One condition, with the name of its column."""
        if border := AT_BORDER.fullmatch(text):
            try:
                value = float(border[3])
            except ValueError:
                raise self._wrong(number, f"have a number after {border[2]}", border[3]) from None
            return border[1], [value, None] if border[2] == ">=" else [None, value]
        if kinds := OF_KINDS.fullmatch(text):
            name, words = kinds[1], kinds[2].split(" or ")
            if words == ["unknown"]:
                return name, None
            kind = self._kinds.get(name)
            at = Notation().number(kinds[2]) if kind == "number" else None
            if at is not None:
                is_whole = bool((self._X[name].dropna() % 1 == 0).all())
                return name, [at, at + 1 if is_whole else nextafter(at, inf)]
            truth = Notation().truth(kinds[2]) if kind == "boolean" else None
            return name, bool(truth) if truth in (0.0, 1.0) else words
        what = (
            "have conditions such as 'age >= 60', 'age < 60', 'ward is A or B' or 'age is unknown'"
        )
        raise self._wrong(number, what, text)

    def _wrong(self, number: int, what: str, came: str) -> RequestError:
        return RequestError(f"Line {number} of `given_rules` must {what}; got {quoted(came)}.")
