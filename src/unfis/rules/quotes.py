"""Text in which names may stand in double quotes, between which no word or sign counts."""

from __future__ import annotations

import re
from typing import Any

from unfis.serial.messages import quoted

QUOTE = re.compile(r'"[^"]*"')


def in_double_quotes(name: Any) -> str:
    """A name in double quotes, between which no word of the language counts."""
    if '"' in str(name):
        raise ValueError(f"given_rules cannot name {quoted(name)}, which has a double quote in it.")
    return f'"{name}"'


def without_comment(line: str) -> str:
    """A line without what follows # outside of quotes, and without blanks around it."""
    return line[: (masked(line) + "#").index("#")].strip()


def masked(text: str) -> str:
    """Text with dashes in place of all that is in quotes."""
    return QUOTE.sub(lambda match: "-" * len(match[0]), text)


def found_outside(text: str, pattern: str) -> list[str]:
    """What matches a pattern outside of quotes."""
    return [match[0] for match in re.finditer(pattern, masked(text), re.I)]


def split_outside(text: str, pattern: str) -> list[str]:
    """Text cut where a pattern matches outside of quotes."""
    parts, begin = [], 0
    for match in re.finditer(pattern, masked(text), re.I):
        parts.append(text[begin : match.start()])
        begin = match.end()
    return [*parts, text[begin:]]


def without_quotes(text: str) -> str:
    """A name without blanks and double quotes around it."""
    told = text.strip()
    return told[1:-1] if len(told) > 1 and told[0] == told[-1] == '"' else told
