"""Rules that an expert writes: IF age > 60 AND ward is A or B THEN ill with 80 %.

A condition compares a number (age > 60, 30 <= bmi < 40, age is 30 to 40, age is high), or names
kinds of a category or a truth value (ward is A or B, ward is not C, smoker is yes). Names that hold
a word of this language go in double quotes. After # a line is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from unfis.data.columns import Input, TableColumns
from unfis.data.files import meant
from unfis.data.notation import CategoryReader, Notation
from unfis.rules.given import TURNED, GivenCondition, GivenRule
from unfis.rules.quotes import (
    found_outside,
    in_double_quotes,
    masked,
    split_outside,
    without_comment,
    without_quotes,
)
from unfis.rules.text.terms import TERMS
from unfis.rules.text.words import category_name
from unfis.serial.messages import listed, quoted

# The cuts of a number's values between its zones, by the position of the input.
Cuts = Callable[[int], Sequence[float]]
SIGN = "<=|>=|[<>≤≥=]"
PLAIN_SIGNS = {"≤": "<=", "≥": ">="}
SHARE = re.compile(
    r"(.+?)\s+(?:with(?:\s+probability)?\s+|\()\s*([\d.,]+(?:e-?\d+)?)\s*(%?)\s*\)?", re.I
)
# So many rules that are wrong are told of at once.
MOST_WRONG = 5
EXAMPLE_RULE = "such as: IF age > 60 AND ward is A or B THEN ill"


class GivenRulesError(ValueError):
    """Rules that an expert gave cannot be; `wrong` tells where and why."""

    def __init__(self, wrong: Sequence[str]) -> None:
        more = len(wrong) - MOST_WRONG
        told = [*wrong[:MOST_WRONG], *([f"{more} more are wrong."] if more > 0 else [])]
        self.wrong = " ".join(told)
        super().__init__(f"given_rules, {self.wrong}")


class GivenReader(NamedTuple):
    """Reads the rules of an expert who knows a table's columns and classes."""

    inputs: Sequence[Input]
    classes: Sequence[Any]
    notation: Notation
    cuts: Cuts

    def rules(self, given: Any) -> list[GivenRule]:
        """The rules of lines of text, or of a list of them; ValueError tells all that is wrong."""
        if isinstance(given, str):
            lines, unit = given.splitlines(), "line"
        elif isinstance(given, Sequence) and all(isinstance(line, str) for line in given):
            lines, unit = list(given), "rule"
        else:
            raise ValueError(
                f"given_rules must be text, or a list of rules {EXAMPLE_RULE}; got {quoted(given)}."
            )
        found, wrong = [], []
        for number, line in enumerate(lines, 1):
            if not (told := without_comment(line)):
                continue
            try:
                found.append(self.rule(told))
            except ValueError as error:
                wrong.append(f"{unit} {number}: {error}")
        if not found and not wrong:
            wrong = [f"{unit} 1: at least one rule was expected, {EXAMPLE_RULE}; got none."]
        if wrong:
            raise GivenRulesError(wrong)
        return found

    def rule(self, text: str) -> GivenRule:
        """A rule of one line."""
        halves = split_outside(text, r"\bthen\b")
        begin = re.match(r"\s*if\b", text, re.I)
        if begin is None or len(halves) != 2:
            raise ValueError(f"a rule has one IF and one THEN, {EXAMPLE_RULE}; got {quoted(text)}.")
        parts = split_outside(halves[0][begin.end() :], r"\band\b")
        conditions = [self.condition(part) for part in parts]
        seen = [one.input for one in conditions]
        for one in seen:
            if seen.count(one) > 1:
                name = self.inputs[one].name
                raise ValueError(
                    f"{quoted(name)} has more than one condition. Give them as one, such as "
                    f"30 <= {name} < 40."
                )
        return GivenRule(tuple(conditions), *self.conclusion(halves[1]))

    def conclusion(self, text: str) -> tuple[int, float | None]:
        """The class of a THEN, and its probability if that is given."""
        told = text.strip().rstrip(".")
        share = SHARE.fullmatch(told) if self.class_of(told) is None else None
        label = self.class_of(share[1] if share else told)
        if label is None:
            raise ValueError(
                f"THEN must name one of the classes {listed(map(str, self.classes))}, optionally "
                f"with a probability such as with 80 %; got {quoted(text.strip())}."
            )
        if share is None:
            return label, None
        probability = self.number(share[2], share[0]) / (100 if share[3] else 1)
        if not 0 < probability < 1:
            raise ValueError(
                f"a probability must be above 0 % and below 100 %, got {share[2]}{share[3]}."
            )
        return label, probability

    def class_of(self, text: str) -> int | None:
        """The position of the class that a text names."""
        names = [str(label) for label in self.classes]
        return position_among(without_quotes(text), names)

    def condition(self, text: str) -> GivenCondition:
        """One condition."""
        told = text.strip()
        parts = split_outside(told, SIGN)
        signs = [PLAIN_SIGNS.get(sign, sign) for sign in found_outside(told, SIGN)]
        if len(signs) == 1:
            return self.compared(parts[0], parts[1], signs[0])
        if len(signs) == 2:
            return self.between(parts, signs, told)
        for match in re.finditer(r"\bis\b", masked(told), re.I):
            name, value = told[: match.start()], told[match.end() :]
            if (position := self.input_of(name)) is not None:
                return self.described(position, value.strip())
        raise ValueError(
            "a condition compares a number or names a kind, such as age > 60, 30 <= bmi < 40 or "
            f"ward is A or B; got {quoted(told)}."
        )

    def compared(self, left: str, right: str, sign: str) -> GivenCondition:
        """A condition with one sign, in either order."""
        if self.input_of(left) is None and self.input_of(right) is not None:
            left, right, sign = right, left, TURNED[sign]
        position = self.known_input(left)
        if sign == "=":
            return self.described(position, right.strip())
        number, closed = self.number_for(position, right), sign.endswith("=")
        if sign[0] == ">":
            return GivenCondition(position, (number, None), (closed, False))
        return GivenCondition(position, (None, number), (False, closed))

    def between(self, parts: Sequence[str], signs: Sequence[str], text: str) -> GivenCondition:
        """A condition with a number on either side."""
        low, name, high = parts
        if {sign[0] for sign in signs} not in ({"<"}, {">"}):
            raise ValueError(f"a range is given as 30 <= age < 40; got {quoted(text)}.")
        if signs[0][0] == ">":
            low, high, signs = high, low, [TURNED[sign] for sign in reversed(signs)]
        position = self.known_input(name)
        ends = self.number_for(position, low), self.number_for(position, high)
        closed = signs[0] == "<=", signs[1] == "<="
        return self.range(position, ends, closed)

    def range(
        self, position: int, ends: tuple[float, float], closed: tuple[bool, bool]
    ) -> GivenCondition:
        """A range of a number, which must hold anything."""
        if not (ends[0] < ends[1] or (ends[0] == ends[1] and all(closed))):
            raise ValueError(
                f"the range of {quoted(self.inputs[position].name)} must go from a smaller to a "
                f"larger number, got {ends[0]:g} and {ends[1]:g}."
            )
        return GivenCondition(position, ends, closed)

    def described(self, position: int, text: str) -> GivenCondition:
        """A condition that says what an input is."""
        item = self.inputs[position]
        if item.categories or item.kind != "number":
            return self.kinds(position, text)
        if text.casefold() in TERMS.values():
            edges = next(edges for edges, term in TERMS.items() if term == text.casefold())
            cuts = [None, *self.cuts(position), None]
            low, high = cuts[edges[0]], cuts[edges[1]]
            return GivenCondition(position, (low, high), (False, high is not None))
        bounds = re.fullmatch(r"(above|below|at least|at most)\s+(.+)", text, re.I)
        if bounds:
            sign = {"above": ">", "below": "<", "at least": ">=", "at most": "<="}
            return self.compared(in_double_quotes(item.name), bounds[2], sign[bounds[1].casefold()])
        parts = re.split(r"\s+to\s+", text, maxsplit=1, flags=re.I)
        numbers = [self.number_for(position, part) for part in parts]
        return self.range(position, (numbers[0], numbers[-1]), (True, True))

    def kinds(self, position: int, text: str) -> GivenCondition:
        """A condition on a category or a truth value."""
        item = self.inputs[position]
        negated = re.match(r"not\s+", text, re.I)
        told = split_outside(text[negated.end() :] if negated else text, r",|\bor\b")
        found = {self.kind(item, without_quotes(one)) for one in told}
        if negated:
            found = set(range(len(item.categories))) - found
        if not 0 < len(found) < len(item.categories):
            names = listed(category_name(kind) for kind in item.categories)
            raise ValueError(
                f"a condition on {quoted(item.name)} must name some of its kinds, and not all of "
                f"them: {names}; got {quoted(text)}."
            )
        return GivenCondition(position, accepted=tuple(sorted(found)))

    def kind(self, item: Input, text: str) -> int:
        """The position of a kind."""
        if item.kind == "boolean":
            truth = self.notation.truth(text)
            if truth in (0.0, 1.0):
                return int(truth)
            raise ValueError(f"{quoted(item.name)} is yes or no, got {quoted(text)}.")
        try:
            found = CategoryReader(item.categories, self.notation).position(text)
        except KeyError:
            found = position_among(text, [str(kind) for kind in item.categories])
        if found is None:
            names = [str(kind) for kind in item.categories]
            raise ValueError(
                f"{quoted(text)} is no kind of {quoted(item.name)}. {meant(text, names)}"
            )
        return found

    def known_input(self, name: str) -> int:
        """The position of an input that must be there."""
        position = self.input_of(name)
        if position is None:
            told, names = without_quotes(name), [item.name for item in self.inputs]
            raise ValueError(f"there is no input {quoted(told)}. {meant(told, names)}")
        return position

    def input_of(self, name: str) -> int | None:
        """The position of an input by its name, or by that without the unit; None if unknown."""
        told, names = without_quotes(name), [item.name for item in self.inputs]
        found = position_among(told, names)
        bare = [re.sub(r"\s+\([^()]*\)$", "", one) for one in names]
        return position_among(told, bare) if found is None else found

    def number_for(self, position: int, text: str) -> float:
        """A number to compare an input with, with or without its unit."""
        item = self.inputs[position]
        if item.kind != "number":
            raise ValueError(
                f"{quoted(item.name)} is a {item.kind}, which is no number: say what it is, such "
                f"as {item.name} is {category_name(item.categories[-1])}."
            )
        unit = re.search(r"\(([^()]+)\)$", item.name)
        told = text.strip().removesuffix(unit[1]) if unit else text
        truth = self.notation.truth(told)  # which tables have as 0 and 1 too
        return self.number(told, text) if truth not in (0.0, 1.0) else truth

    def number(self, text: str, whole: str) -> float:
        """A finite number in the table's notation, or in the usual one."""
        for notation in (Notation(), self.notation):
            number = notation.number(text)
            if number is not None and abs(number) < float("inf"):
                return number
        raise ValueError(f"a finite number was expected, got {quoted(whole.strip())}.")


def reread(texts: Sequence[str], columns: TableColumns) -> list[GivenRule | None]:
    """Given rules of what `GivenRule.text` wrote, None for "": those that were learned."""

    def cuts(position: int) -> Sequence[float]:
        raise ValueError(f"{quoted(columns.inputs[position].name)} must be compared with a number.")

    reader = GivenReader(columns.inputs, columns.classes.tolist(), columns.notation, cuts)
    return [reader.rule(text) if text else None for text in texts]


def position_among(text: str, names: Sequence[str]) -> int | None:
    """Where a name is among some, by its letters, or else whatever their case, if one alone is."""
    if text in names:
        return names.index(text)
    alike = [k for k, name in enumerate(names) if name.casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else None
