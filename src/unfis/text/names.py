"""What the inputs, categories and outputs of a model are called, and how names are written."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unfis.fitting.rows import ColumnFacts

# Words that would be read as part of a rule. A name that has them is put into quotes.
RESERVED = re.compile(
    r'[,;"]|:( |$)|(^| )(is|or|and|AND|THEN)( |$)|^(IF|not|in list)( |$)'
    r"|^(unknown|known|anything)?$|^ | $|  "
)

# Characters that would turn the reading direction of what follows them.
TURNS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
# Classes that say little without the name of their column, and columns that say nothing.
VAGUE = {"yes", "no", "true", "false", "y", "n", "t", "f", "0", "1", "target", "class", ""}


@dataclass(frozen=True)
class Names:
    """What the inputs, their categories and the outputs of a model are called."""

    inputs: tuple[str, ...]
    categories: tuple[tuple[Any, ...], ...]  # of each input; () of a number
    outputs: tuple[str, ...]  # both classes of two, each of several, the number
    whole: tuple[bool, ...] = ()  # whether each input has whole numbers only; () if not known
    pairs: tuple[tuple[float, float] | None, ...] = ()  # of each input that has two values only
    target: str = ""  # the name of the column of classes

    def is_whole(self, j: int) -> bool:
        """Whether an input has whole numbers only."""
        return bool(self.whole) and self.whole[j]

    def pair(self, j: int) -> tuple[float, float] | None:
        """The two values of an input that has no others."""
        return self.pairs[j] if self.pairs else None

    def input(self, j: int) -> str:
        """An input as it is written."""
        return name_words(self.inputs[j])

    def category(self, j: int, code: int) -> str:
        """A category as it is written."""
        return name_words(self.categories[j][code])

    def output(self, c: int) -> str:
        """A class as it is written, "class 1" of a number; or the target."""
        name = self.outputs[c]
        return f"class {name}" if re.fullmatch(r"[-+.\d]+", name) else name_words(name)

    def titled_output(self, c: int) -> str:
        """One of two classes, with the name of its column if it needs it: "sick = yes"."""
        is_named = self.target.lower() not in VAGUE and len(self.outputs) == 2
        if is_named and self.outputs[c].lower() in VAGUE:
            return f"{name_words(self.target)} = {name_words(self.outputs[c])}"
        return self.output(c)


def names_of(
    inputs: Sequence[str],
    categories: Sequence[tuple[Any, ...]],
    outputs: Sequence[str],
    facts: ColumnFacts,
    target: str = "",
) -> Names:
    """The names of a table, and which of its inputs have whole numbers or two values only."""
    whole, pairs = [], []
    for j, (low, high) in enumerate(zip(facts.low.tolist(), facts.high.tolist(), strict=True)):
        whole.append(not categories[j] and bool(facts.whole[j]) and low <= high)
        pairs.append((low, high) if facts.two[j] and low < high else None)
    return Names(
        tuple(inputs), tuple(categories), tuple(outputs), tuple(whole), tuple(pairs), target
    )


def visible(text: Any) -> str:
    """Text in one line, with what cannot be seen written out."""
    if not str(text).strip():
        return repr(text)
    return "".join(
        repr(char)[1:-1]
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or ord(char) in TURNS
        else char
        for char in str(text)
    )


def name_words(name: Any) -> str:
    """A name on one line, in quotes where it could be taken for something else."""
    text = str(name)
    if text.isprintable() and not RESERVED.search(text):
        return text
    quoted = json.dumps(text, ensure_ascii=not text.isprintable())
    return re.sub(r"(?<=[ \"]) | (?=\")", r"\\u0020", quoted)
