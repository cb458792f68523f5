"""What inputs add to a prediction, as a table in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfis.rules.text.numbers import signed_percent
from unfis.rules.text.words import class_name

if TYPE_CHECKING:
    from unfis.rules.text.explanation import Explanation


def share_table(explanation: Explanation) -> list[tuple[str, str, float]]:
    """The start, what each input adds to it, and the total: in words, in figures, and exactly."""
    start, total = explanation.start, explanation.total
    inputs = [
        (part.label, explanation.added(part.share), part.share) for part in explanation.inputs
    ]
    # The strongest come first: those that add nothing to speak of are the last.
    nothing = sum(told == signed_percent(0.0) for _, told, _ in inputs)
    if nothing > 1:
        rest = sum(share for _, _, share in inputs[-nothing:])
        inputs = [
            *inputs[:-nothing],
            (f"{nothing} {'more ' * (len(inputs) > nothing)}inputs", "under 1 % each", rest),
        ]
    return [
        ("with nothing known", explanation.amount(start), start),
        *inputs,
        ("together", explanation.amount(total), total),
    ]


def share_title(explanation: Explanation) -> str:
    """What the shares add up to."""
    if explanation.quantity == "probability":
        named = class_name(explanation.prediction)
        return f"What speaks for {named} (in points of probability, beside knowing nothing)"
    first, second = class_name(explanation.prediction), class_name(explanation.runner_up)
    return f"What speaks for {first} against {second} (log-odds, beside knowing nothing)"
