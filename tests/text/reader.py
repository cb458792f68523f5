"""An independent reader: computes predictions from the printed text alone, as a person would."""

import json
import math
import re

NUMBER = r"[-+]?[\d,]*\.?\d+(?:e[-+]?\d+)?"
QUOTED = r'"(?:[^"\\]|\\.)*"'
GIVEN = " (given the others)"


class TextReader:
    """The rules in a text: for each class, or the one sum, its start and its rules."""

    def __init__(self, text):
        lines = text.split("\n")
        self.flat = " ".join(line.strip() for line in lines)
        self.lists = {}
        self.starts = {}
        self.rules = []  # (class, conditions, points)
        self.conditions = {}  # words -> condition, in the order of the print
        self._rules(list(self._joined(lines)))
        self._lists(lines)
        self._unknown()

    @staticmethod
    def _joined(lines):
        """Titles and rules, each with the lines that it goes on in, until the tables begin."""
        found = []
        for line in lines:
            if re.match(
                r"(sum of points|points behind|Points (for .*)?from the \d+ rules on) ", line
            ):
                break
            if re.match(r"(Between two|rows: |A missing|Any other|List \d)", line):
                break
            if re.fullmatch(r" +points( .*)?", line) or not line:
                continue
            figures = re.match(rf"(  IF .*?|     and .*?)  +({NUMBER})(  .*)?$", line)
            if figures:
                found.append([figures[1], figures[2]])
            elif (line.startswith("     ") and found and len(found[-1]) == 2) or (
                found and len(found[-1]) == 1
            ):
                found[-1][0] += " " + line.strip()
            else:
                found.append([line])
        return found

    def _rules(self, parts):
        output, text = None, None
        for words, *points in parts:
            if not points and words.startswith("No rules for "):
                for one in words.removeprefix("No rules for ").split("; "):
                    name, start = one.rsplit(", starting at ", 1)
                    self.starts[name] = number(start)
            elif not points:
                title = re.sub(r" \([^()]*rows[^()]*\)$", "", words)
                output, _, start = title.removeprefix("Points for ").partition(", starting at ")
                self.starts[output] = number(start or "0")
            elif words.startswith("  IF "):
                text = words.removeprefix("  IF ").removesuffix(GIVEN)
                self._add(output, text, points[0])
            else:
                name = re.sub(r"^ +and (for|against) ", "", words).removesuffix(GIVEN)
                self._add(name, text, points[0])

    def _add(self, output, text, points):
        found = []
        for words in split(text, " AND "):
            found.append(self.conditions.setdefault(words, Condition(words)))
        self.rules.append((output, found, number(points)))
        self.starts.setdefault(output, 0.0)

    def _lists(self, lines):
        for n, line in enumerate(lines):
            found = re.match(r"List (\d+), \d+ of the \d+ values of ", line)
            if found:
                more = [line]
                while n + len(more) < len(lines) and lines[n + len(more)].startswith("  "):
                    more.append(lines[n + len(more)].strip())
                text = " ".join(more)[found.end() :].removesuffix(".")
                _, words = split(text, ": ", 1)
                self.lists[found[1]] = {unquoted(one) for one in split(words, ", ")}
        for one in self.conditions.values():
            one.take(self.lists)

    def _unknown(self):
        found = re.search(r"meets a condition in part[^:]*: (.*? %)\.(?: |$)", self.flat)
        for part in split(found[1], "; ") if found else []:
            shares = re.search(rf" ({NUMBER} %(, )?)+$", part)
            name = unquoted(part[: shares.start()])
            numbers = [number(one.removesuffix(" %")) for one in split(shares[0].strip(), ", ")]
            those = [
                one
                for one in self.conditions.values()
                if one.name == name and one.words != "unknown"
            ]
            assert len(those) == len(numbers)
            for one, share in zip(those, numbers, strict=True):
                one.unknown = share / 100

    def points(self, row):
        """The sum of each class."""
        sums = dict(self.starts)
        for output, conditions, points in self.rules:
            sums[output] += points * math.prod(one.degree(row) for one in conditions)
        return sums

    def prediction(self, row):
        """The probabilities of classes by name, the probability of one, or a number."""
        sums = self.points(row)
        found = re.search(
            rf"At ({NUMBER}) points the probability is 50 %; "
            rf"each point multiplies the odds by ({NUMBER})\.",
            self.flat,
        )
        if found:
            ((_, total),) = sums.items()
            odds = number(found[2]) ** (total - number(found[1]))
            return odds / (1 + odds)
        found = re.search(
            rf"At 0 points ({NUMBER}) is expected; each point multiplies it by ({NUMBER})\.",
            self.flat,
        )
        if found:
            ((_, total),) = sums.items()
            return number(found[1]) * number(found[2]) ** total
        found = re.search(rf"Each point behind multiplies the weight by ({NUMBER})\.", self.flat)
        if found:
            most = max(sums.values())
            weights = {name: number(found[1]) ** (most - total) for name, total in sums.items()}
            return {name: weight / sum(weights.values()) for name, weight in weights.items()}
        ((_, total),) = sums.items()
        return total


class Condition:
    """A condition in words."""

    def __init__(self, words):
        found = re.match(QUOTED, words)
        end = found.end() if found else words.index(" is ")
        self.name = unquoted(words[:end])
        self.words = words[end:].removeprefix(" is ")
        self.unknown = float(self.words.endswith(" or unknown") or self.words == "unknown")
        self.words = self.words.removesuffix(" or unknown")
        self.among = None
        self.lists = {}

    def take(self, lists):
        self.lists = lists

    def degree(self, row):
        value = row[self.name]
        if value is None:
            return self.unknown
        if self.words == "unknown":
            return 0.0
        if isinstance(value, str):
            return float(self._among(value))
        return self._range(value)

    def _among(self, value):
        if self.words.startswith("in list "):
            return value in self.lists[self.words.removeprefix("in list ")]
        negated = self.words.startswith("not ")
        parts = [
            unquoted(one)
            for two in split(self.words.removeprefix("not "), " or ")
            for one in split(two, ", ")
        ]
        return (value in parts) != negated

    def _range(self, value):
        words = re.sub(r"^(high|low|medium) \((.*)\)$", r"\2", self.words)
        if words == "known":
            return 1.0
        exact = re.fullmatch(rf"({NUMBER})(?: to ({NUMBER}))?", words)
        if exact:
            return float(number(exact[1]) <= value <= number(exact[2] or exact[1]))
        less = re.fullmatch(rf"({NUMBER}) or less", words)
        if less:
            return float(value <= number(less[1]))
        bounds, _, full = words.partition(", fully ")
        parts = {key: number(n) for key, n in re.findall(rf"(above|below) ({NUMBER})", bounds)}
        more = re.search(rf"({NUMBER}) or more", bounds)
        start = re.search(rf"(?:from|at) ({NUMBER})", full)
        end = re.search(rf"(?:to|at) ({NUMBER})", full)
        rise = fall = 1.0
        if more:
            rise = float(value >= number(more[1]))
        elif "above" in parts:
            low, high = parts["above"], number(start[1])
            rise = min(max((value - low) / (high - low), 0.0), 1.0)
        if "below" in parts:
            high = parts["below"]
            low = number(end[1]) if end else high
            fall = (
                float(value < high)
                if low == high
                else min(max((high - value) / (high - low), 0.0), 1.0)
            )
        assert more or parts, words
        return min(rise, fall)


def number(text):
    return float(text.replace(",", ""))


def unquoted(text):
    return json.loads(text) if text.startswith('"') else text


def split(text, separator, most=None):
    """The parts of a text, apart from what is in quotes."""
    parts, last = [], 0
    for found in re.finditer(rf"{QUOTED}|{re.escape(separator)}", text):
        if found[0] == separator and (most is None or len(parts) < most):
            parts.append(text[last : found.start()])
            last = found.end()
    return [*parts, text[last:]]
