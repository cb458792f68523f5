"""A second, independent reading of printed rules: it knows the text and the table, nothing else.

A table is a data frame; a label of an input is its name without a unit in brackets.
"""

import math
import re
from typing import NamedTuple

import numpy as np

NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
# What each word means: from which cut to which, of those at 10, 35, 65 and 90 % of the values.
WORDS = {
    "very low": (None, 0),
    "low": (None, 1),
    "not high": (None, 2),
    "not very high": (None, 3),
    "fairly low": (0, 1),
    "low to medium": (0, 2),
    "not extreme": (0, 3),
    "not very low": (0, None),
    "medium": (1, 2),
    "medium to high": (1, 3),
    "not low": (1, None),
    "fairly high": (2, 3),
    "high": (2, None),
    "very high": (3, None),
}
CUTS = (0.10, 0.35, 0.65, 0.90)


class PrintedRule(NamedTuple):
    """A rule as it is read."""

    title: str
    conditions: list  # (label, "is" term, range or "")
    conclusion: str
    count: int | None  # rows led
    shares: dict  # class to the text of its share
    times: dict  # class to the text of its ratio to the average
    # (name, numbers by class, step, origin): step None of what is no number; the start comes first,
    # of several classes with those that have nothing else, and 0 of the one that has no points.
    points: list
    scale: dict  # points to the text of the probability
    remarks: list


class PrintedRules(NamedTuple):
    """All that is printed."""

    text: str
    headline: str
    rules: list
    same: str | None  # the share of rows on which single rules answer the same
    notes: list


def read(text, classes):
    """A printed rule base; `classes` are the names of the classes as they are printed."""
    blocks = text.split("\n\n")
    rules, notes = [], []
    for block in blocks[1:]:
        lines = unwrapped(block.split("\n"))
        if re.match(r"Rule \d+|Otherwise|Points|Log-odds", lines[0]):
            rules.append(read_rule(lines, classes))
        else:
            notes += lines
    same = re.search(r"the same answer on (.+?) of the rows", "\n".join(notes))
    return PrintedRules(text, blocks[0], rules, same and same[1], notes)


def unwrapped(lines):
    """Lines of a block without the margin, with titles in lines of their own."""
    title = re.match(r"(Rule \d+|Otherwise) *", lines[0])
    if not title:
        return lines
    rest = [lines[0][title.end() :]] + [line[8:] for line in lines[1:]]
    return [title[1], *(line for line in rest if line)]


def read_rule(lines, classes):
    """One rule of its lines."""
    found = PrintedRule(lines[0], [], "", None, {}, {}, [], {}, [])
    conclusion, count, head, listed, scale = "", None, None, False, None
    for line in joined(lines if re.match("Points|Log-odds", lines[0]) else lines[1:]):
        condition = re.match(r"(IF|AND) (.+?) is (.+?)(?: \((.*)\))?$", line)
        rows = re.match(r"(?:about )?([\d,]+) rows?(?:, .+? of the weight)?: (.*)$", line)
        bare = line.strip()
        if condition:
            found.conditions.append((condition[2], condition[3], condition[4] or ""))
        elif line.startswith("THEN "):
            conclusion = line.removeprefix("THEN ")
        elif rows:
            count = int(rows[1].replace(",", ""))
            read_shares(rows[2], classes, found)
        elif re.match(r"(Points|Log-odds) for", bare):
            listed = bare.endswith("for each class")
            head = [(None, None)] if listed else columns_of(line, classes)
        elif re.match(rf"(points|log-odds) +{NUMBER}", bare):
            scale = re.findall(NUMBER, bare)
        elif scale is not None and not found.scale:
            shares = re.findall(r"(?:under |over )?\d+ %", bare)
            found.scale.update(zip(map(int, scale), shares, strict=True))
        elif head and re.search(rf"  {NUMBER} *(  for each .*)?$", bare) and line.startswith("  "):
            if listed:
                head = [(owner_of(line, classes) or head[0][0], None)]
                line = without_owner(line, classes)
            add_points(found.points, line, head)
        else:
            found.remarks.append(bare)
    if len(classes) > 2 and found.points:
        read_starts(" ".join(found.remarks), classes, found.points[0][1])
    return found._replace(conclusion=conclusion, count=count)


def owner_of(line, classes):
    """The class whose lines begin here, if any do."""
    return next((c for c in classes if line.strip().startswith(f"{c}  ")), None)


def without_owner(line, classes):
    """A line of the list of classes without its class."""
    owner = owner_of(line, classes)
    return "  " + (line.strip().removeprefix(owner) if owner else line).strip()


def columns_of(line, classes):
    """The classes of a table, each with the place where its column ends."""
    named = re.sub(r"^ *(Points|Log-odds) for +", "", line)
    found = in_order(named, classes)
    if len(classes) == 2 or len(found) == 1:
        return [(c, None) for c in found]
    return [(c, re.search(rf"  {re.escape(c)}(?=  |$)", line).end()) for c in found]


def read_starts(text, classes, starts):
    """The starts of classes that no input speaks for, added to those of others."""
    told = re.search(r"Start only: (.+?)\.(?: |$)(?!\d)", text)
    for name in classes:
        alone = told and re.search(rf"(?:^|, ){re.escape(name)} ({NUMBER})(?:,|$)", told[1])
        if alone:
            starts[name] = float(alone[1])
        elif re.search(rf"(?:^| ){re.escape(name)} has 0\.", text):
            starts[name] = 0.0


def joined(lines):
    """Sentences that were wrapped, in one line again."""
    told = []
    for line in lines:
        goes_on = (
            line.startswith("  ") and told and re.match(r"(IF|AND|about|[\d,]+ rows?)\b", told[-1])
        )
        if goes_on:
            told[-1] += " " + line.strip()
        else:
            told.append(line)
    return told


def in_order(text, classes):
    """The classes that a line names, in the order it names them."""
    return sorted(
        (c for c in classes if re.search(rf"(^|  ){re.escape(c)}(  |$)", text)), key=text.index
    )


def read_shares(text, classes, found):
    """The shares of classes, and what they are of the average."""
    for name in classes:
        part = re.search(
            rf"((?:under |over )?\d+ %) {re.escape(name)}(?: \((.+?) the average\))?(?:,|$)", text
        )
        if part:
            found.shares[name] = part[1]
            if part[2]:
                found.times[name] = part[2]


def add_points(points, line, head):
    """Add a line of points; what one number adds for several classes comes together."""
    measure = re.search(rf"  for each ({NUMBER})(.*) above ({NUMBER})$", line)
    cells = line[: measure.start()] if measure else line
    name = re.match(rf" *(.+?)(?=  +{NUMBER}( |$))", cells)
    shift = max(0, len(name[1]) - 40)
    numbers = {}
    for found in re.finditer(NUMBER, cells[name.end() :]):
        ends = [c for c, end in head if end in (None, name.end() + found.end() - shift)]
        (owner,) = ends
        numbers[owner] = float(found[0])
    step, origin = (float(measure[1]), float(measure[3])) if measure else (None, None)
    before = [one for one in points if one[0] == name[1].strip() and (step or one[0] == "start")]
    if before:
        before[0][1].update(numbers)
    else:
        points.append((name[1].strip(), numbers, step, origin))


def same_percent(text, share):
    """Whether a printed percentage is that of a share."""
    if text.startswith("under"):
        return 0 < share < 0.0051
    if text.startswith("over"):
        return 0.9949 < share < 1
    return abs(float(text.removesuffix(" %")) - 100 * share) <= 0.5 + 1e-6


def same_times(text, ratio):
    """Whether a printed ratio is that of two shares."""
    if text == "below a tenth of":
        return ratio < 0.1
    printed = text.removesuffix(" times")
    return abs(float(printed) - ratio) <= (0.05 if "." in printed else 0.5) + 1e-6


def fulfils(condition, table, labels):
    """Which rows of a table fulfil a printed condition; unknown values do."""
    label, term, bounds = condition
    column = table[labels[label]]
    inside = column.isna().to_numpy().copy()
    ends = re.match(rf"(below|above)? ?about ({NUMBER})(?: to ({NUMBER}))?", bounds or term)
    if ends:
        values, low = column.to_numpy(float), float(ends[2])
        if ends[3]:
            return inside | ((values >= low) & (values <= float(ends[3])))
        return inside | (values < low if ends[1] == "below" else values > low)
    negated = term.startswith("not ")
    names = re.split(r", | or ", term.removeprefix("not "))
    texts = column.map(as_printed, na_action="ignore")
    return inside | (texts.isin(names).to_numpy() != negated)


def as_printed(value):
    """A value as it is printed."""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)


def word_range(word, values):
    """From where to where a word means values, of how they lie."""
    known = np.sort(values[~np.isnan(values)])
    cuts = [known[math.ceil(share * len(known) - 1e-9) - 1] for share in CUTS]
    first, last = WORDS[word]
    return (
        -np.inf if first is None else cuts[first],
        np.inf if last is None else cuts[last],
    )


def points_of(rule, row, labels):
    """The points of each class that a row gets by a printed rule."""
    total = dict.fromkeys(rule.points[0][1], 0.0)
    for name, numbers, step, origin in rule.points:
        times = 1.0
        if step is not None:
            value = row[labels[name]]
            times = 0.0 if value != value else (value - origin) / step
        elif name != "start":
            times = float(has_kind(name, row, labels))
        for label, number in numbers.items():
            total[label] += times * number
    return total


def has_kind(name, row, labels):
    """Whether "x is a or b" is so in a row."""
    label = next(one for one in labels if name.startswith(f"{one} is "))
    value, told = row[labels[label]], name.removeprefix(f"{label} is ")
    if value is None or value != value:
        return told == "unknown"
    if told.startswith("known"):
        others = re.split(r", | or ", told.removeprefix("known and not ")) if " " in told else []
        return as_printed(value) not in others
    return as_printed(value) in re.split(r", | or ", told)
