"""A second, slow reader: computes a prediction from the text of rules alone, as a person would.

It knows nothing of the package: lines, numbers, and the recipe at the end of the text.
"""

import math
import re

NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
SET = re.compile(rf"centre ({NUMBER}) \+ ({NUMBER}), width ({NUMBER}), selection ({NUMBER})$")


class TextReader:
    """The rules in a text with every number."""

    def __init__(self, text, labels):
        """`labels` are the names of the inputs, since a name may hold anything."""
        self.labels = sorted(labels, key=len, reverse=True)
        self.rules = []
        for line in text.splitlines():
            if line == "  WITH":
                self.rules.append({"sets": {}, "opinions": {}, "otherwise": False})
            elif line == "    no sets: it holds where no other rule does":
                self.rules[-1]["otherwise"] = True
            elif line.startswith("    set of "):
                label, rest = self._label(line.removeprefix("    set of "))
                self.rules[-1]["sets"][label] = self._set(rest.removeprefix(": "))
            elif line.startswith("    opinion on "):
                name, said = line.removeprefix("    opinion on ").split(": ", 1)
                self.rules[-1]["opinions"][name] = said
        epsilon = re.search(rf"with e = ({NUMBER})", text)
        self.epsilon = float(epsilon[1]) if epsilon else 0.0
        self.averages = "The probabilities are the sum over the rules of strength times" in text

    def _label(self, text):
        label = next(label for label in self.labels if text.startswith(label))
        return label, text[len(label) :]

    def _set(self, text):
        found = SET.match(text)
        return tuple(float(part) for part in found.groups()) if found else table(text)

    def degree(self, numbers, value):
        """How far a condition holds."""
        if value is None:
            return 1.0
        if isinstance(numbers, dict):
            return numbers[str(value)]
        reference, shift, width, selection = numbers
        membership = math.exp(-((value - reference - shift) ** 2) / (2 * width**2))
        if selection == 1:
            return membership
        top = membership + self.epsilon
        return top / ((1 - selection) * membership + selection + self.epsilon)

    def opinion(self, said, row):
        """The bias and what each input adds."""
        bias, *parts = said.split(" + ")
        total = float(bias)
        for part in parts:
            category = re.match(r"(.*) \[(.*)\]$", part)
            if category:
                value = row[category[1]]
                total += 0.0 if value is None else table(category[2])[str(value)]
                continue
            slope, rest = part.split(" * (", 1)
            label, reference = self._label(rest)
            value = row[label]
            if value is not None:
                reference = float(reference.removeprefix(" - ").removesuffix(")"))
                total += float(slope) * (value - reference)
        return total

    def firing(self, row):
        """How far each rule holds."""
        products = [
            math.prod(self.degree(numbers, row[label]) for label, numbers in rule["sets"].items())
            for rule in self.rules
        ]
        rest = math.prod(
            1 - product
            for rule, product in zip(self.rules, products, strict=True)
            if not rule["otherwise"]
        )
        return [
            rest if rule["otherwise"] else product
            for rule, product in zip(self.rules, products, strict=True)
        ]

    def probabilities(self, row):
        """What the rules say of a row, a dict from label to value; None where unknown."""
        firing = self.firing(row)
        strengths = [fires / sum(firing) for fires in firing]
        opinions = [
            {name: self.opinion(said, row) for name, said in rule["opinions"].items()}
            for rule in self.rules
        ]
        if self.averages:
            return mean(strengths, [softmax(opinion) for opinion in opinions])
        return softmax(mean(strengths, opinions))


def mean(strengths, numbers):
    """The sum over the rules of strength times what they have for each class."""
    return {
        name: sum(s * own[name] for s, own in zip(strengths, numbers, strict=True))
        for name in numbers[0]
    }


def softmax(logits):
    """exp of each number, divided by the sum of exp."""
    largest = max(logits.values())
    powers = {name: math.exp(logit - largest) for name, logit in logits.items()}
    return {name: power / sum(powers.values()) for name, power in powers.items()}


def table(text):
    """Numbers by name."""
    parts = re.findall(rf"(.+?) = ({NUMBER})(?:, |$)", text)
    return {name: float(number) for name, number in parts}
