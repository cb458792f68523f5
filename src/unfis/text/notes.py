"""What stands below the rules: long sets of categories, and what a missing value counts."""

from __future__ import annotations

from unfis.rules import Unknown
from unfis.text.layout import paragraph
from unfis.text.numbers import number_words
from unfis.text.words import Wording


def category_lists(wording: Wording) -> list[str]:
    """The categories of sets that are too large for a line."""
    lines: list[str] = []
    for (j, kinds), number in wording.lists.items():
        every = len(wording.names.categories[j])
        words = ", ".join(wording.names.category(j, code) for code in kinds)
        title = f"List {number}, {len(kinds)} of the {every} values of {wording.names.input(j)}"
        lines += ["", *paragraph(f"{title}: {words}.", after=2)]
    return lines


def missing_notes(wording: Wording) -> list[str]:
    """How far conditions hold for missing values."""
    parts: dict[int, list[str]] = {}
    conditions = wording.conditions
    partly = [one for one in conditions if not isinstance(one, Unknown) and 0 < one.unknown < 1]
    for one in {wording.condition(one): one for one in partly}.values():
        share = number_words(round(100 * one.unknown, 9))
        parts.setdefault(one.input, []).append(f"{share} %")
    notes = []
    if parts:
        inputs = "; ".join(f"{wording.names.input(j)} {', '.join(p)}" for j, p in parts.items())
        order = " (in the order above)" if max(map(len, parts.values())) > 1 else ""
        notes.append(f"A missing value meets a condition in part{order}: {inputs}.")
    if len(partly) < len(conditions):
        which = "Any other" if parts else "A"
        notes.append(f'{which} missing value meets no condition, unless a rule says "unknown".')
    return notes
