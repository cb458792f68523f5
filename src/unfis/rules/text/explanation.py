"""One prediction taken apart: as plain data, in words and as HTML."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from unfis.rules.text.numbers import percent, signed
from unfis.rules.text.render import STYLE, for_html
from unfis.rules.text.terms import ANYTHING
from unfis.rules.text.words import class_name, visible
from unfis.ties import ranked

# A rule with less of the say than this is shown in one line.
LITTLE = 0.05
# A condition that holds better than this hardly limits its rule.
MATTERS = 0.95
# A row that is covered no better than this share of the training rows is hardly covered.
RARE = 0.01


@dataclass(frozen=True)
class HeldCondition:
    """How far one condition of a rule holds in a row."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    term: str  # the condition in words
    degree: float  # from 0 to 1; 1 where the value is unknown
    limits: bool  # whether it is the one that holds least in its rule


@dataclass(frozen=True)
class RulePart:
    """What one rule has to say on a row."""

    number: int  # counted from 1
    strength: float  # how much of the say it has, all rules together 1
    share: float  # what it adds to the logit, strength times opinion
    conditions: tuple[HeldCondition, ...]


@dataclass(frozen=True)
class InputPart:
    """What one input adds to the logit, over all rules."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    share: float  # by the conditions it fulfils and by the opinions it moves


@dataclass(frozen=True)
class Neighbour:
    """A training row that the rules see much alike."""

    row: int  # in the training table, counted from 0
    label: Any  # its class
    distance: float  # 0 where the rules cannot tell them apart


@dataclass(frozen=True)
class Change:
    """The smallest change of one input that would change the answer."""

    input: str
    value: Any
    to: Any  # what it would have to be
    label: str  # all of it in words
    prediction: Any  # the answer then


@dataclass(frozen=True)
class Explanation:
    """Why a row got its answer: parts that add up to the logit.

    Attributes
    ----------
    prediction, runner_up : the most probable class and the next
    probabilities : of each class, in the order of `classes`
    classes : labels of the classes
    margin : logit of the prediction against the runner-up:
        the shares of all rules together, and start + the shares of all inputs
    start : the margin if no input were known
    rules : what each rule has to say
    inputs : what each input adds
    unknown : names of the inputs of which nothing is known
    coverage : the share of training rows that are covered no better; 0 where nothing like it
    neighbours : the training rows most like it
    change : the smallest change of one input that changes the answer, None if there is none
    """

    prediction: Any
    runner_up: Any
    probabilities: tuple[float, ...]
    classes: tuple[Any, ...]
    margin: float
    start: float
    rules: tuple[RulePart, ...]
    inputs: tuple[InputPart, ...]
    unknown: tuple[str, ...]
    coverage: float
    neighbours: tuple[Neighbour, ...]
    change: Change | None

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self) -> str:
        """The explanation in words."""
        lines = [answer(self), *warnings_of(self), ""]
        for rule in strongest_first(self):
            conditions = worth_telling(self, rule)
            if rule.strength < LITTLE:
                conditions = [condition for condition in conditions if condition.limits][:1]
            lines += [say(rule), *(f"  {held(condition)}" for condition in conditions)]
        lines += ["", f"{share_title(self)}:"]
        table = [*share_table(self), ("together", self.margin)]
        widest = min(60, max(len(label) for label, _ in table))
        lines += [f"  {label:{widest}s} {signed(share):>8s}" for label, share in table]
        lines += ["", *closing_words(self)]
        return "\n".join(lines)

    def to_html(self) -> str:
        """The explanation as HTML that stands by itself or inside a page."""
        parts = [STYLE, f'<div class="unfis"><div class="rule"><b>{for_html(answer(self))}</b>']
        parts += [f"<p><b>{for_html(warning)}</b></p>" for warning in warnings_of(self)]
        for rule in strongest_first(self):
            words = [f"<li>{for_html(held(c))}</li>" for c in worth_telling(self, rule)]
            parts.append(f"<p>{say(rule)}</p><ul>{''.join(words)}</ul>")
        parts.append(f"<p>{for_html(share_title(self))}:</p><table>")
        table = share_table(self)
        largest = max(abs(share) for _, share in table) or 1.0
        for label, share in table:
            side = "against" if share < 0 else "for"
            bar = f'<span class="bar {side}" style="width:{8 * abs(share) / largest:.2f}em"></span>'
            name = f'<td class="name">{for_html(label)}</td>'
            parts.append(f"<tr>{name}<td>{signed(share)}</td><td>{bar}</td></tr>")
        parts += [f"<tr><th>together</th><th>{signed(self.margin)}</th></tr>", "</table>"]
        parts += [f'<p class="soft">{for_html(closing)}</p>' for closing in closing_words(self)]
        return "\n".join([*parts, "</div></div>"])

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, tuples, numbers and text."""
        return asdict(self)

    @property
    def title(self) -> str:
        """The answer in one line."""
        return f"{class_name(self.prediction)} rather than {class_name(self.runner_up)}"

    def plot(self, ax: Any = None) -> Any:
        """What each input adds to the logit, as a waterfall; needs matplotlib."""
        from unfis.plots import WaterfallDisplay

        return WaterfallDisplay.from_explanation(self, ax=ax)


def answer(explanation: Explanation) -> str:
    """The answer and the next best, with their probabilities."""
    shares = dict(zip(explanation.classes, explanation.probabilities, strict=True))
    first, second = explanation.prediction, explanation.runner_up
    return (
        f"{class_name(first)} ({percent(shares[first])}) "
        f"rather than {class_name(second)} ({percent(shares[second])})"
    )


def held(condition: HeldCondition) -> str:
    """How far a condition holds."""
    if condition.value is None:
        return f'{condition.label}: "{visible(condition.term)}" counts as fulfilled'
    matters = condition.limits and condition.degree < MATTERS and condition.term != ANYTHING
    limits = ", which limits the rule" if matters else ""
    return f'{condition.label}: "{visible(condition.term)}" holds by {condition.degree:.2f}{limits}'


def say(rule: RulePart) -> str:
    """How much of the say a rule has, and what it adds."""
    return (
        f"Rule {rule.number} has {percent(rule.strength)} of the say and adds {signed(rule.share)}"
    )


def worth_telling(explanation: Explanation, rule: RulePart) -> list[HeldCondition]:
    """The conditions of a rule; none of a single one, which has all the say whatever they do."""
    return list(rule.conditions) if len(explanation.rules) > 1 else []


def warnings_of(explanation: Explanation) -> list[str]:
    """What a reader must know before trusting the answer."""
    found = []
    if all(part.value is None for part in explanation.inputs):
        found.append("Nothing is known that the rules look at.")
    elif explanation.coverage == 0:
        found.append(
            "The rules fit this row worse than any training row: do not rely on the answer."
        )
    elif explanation.coverage <= RARE:
        better = percent(1 - explanation.coverage)
        found.append(f"The rules fit this row worse than {better} of the training rows.")
    if explanation.unknown:
        found.append(f"Unknown: {', '.join(visible(name) for name in explanation.unknown)}.")
    return found


def closing_words(explanation: Explanation) -> list[str]:
    """The training rows most like this one, if any are kept, and what would change the answer."""
    rows = [f"{n.row} ({class_name(n.label)})" for n in explanation.neighbours]
    alike = [f"Most like it under the rules: training rows {', '.join(rows)}"] if rows else []
    return [*alike, change_words(explanation)]


def change_words(explanation: Explanation) -> str:
    """The smallest change that would change the answer."""
    change = explanation.change
    if change is None:
        return "No change of one input within the range seen would change the answer"
    then = class_name(change.prediction)
    return f"Smallest change of one input for another answer: {change.label} gives {then}"


def share_table(explanation: Explanation) -> list[tuple[str, float]]:
    """The start and what each input adds to it, in words."""
    return [("with nothing known", explanation.start)] + [
        (part.label, part.share) for part in explanation.inputs
    ]


def share_title(explanation: Explanation) -> str:
    """What the shares add up to."""
    first, second = class_name(explanation.prediction), class_name(explanation.runner_up)
    return f"What speaks for {first} against {second} (log-odds, beside knowing nothing)"


def strongest_first(explanation: Explanation) -> list[RulePart]:
    """The rules in the order of how much say they have."""
    return [explanation.rules[i] for i in ranked([-rule.strength for rule in explanation.rules])]
