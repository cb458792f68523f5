"""Performance: how good a model's answers to some rows were, led by what suits their classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.held_out import LEAST_LIKELIHOOD
from unfis.model.measures import Estimate, mean_of_rows, mean_of_shares, wilson
from unfis.model.ranking import average_precision, positive_class, roc_auc
from unfis.rules.costs import Costs
from unfis.rules.text.numbers import numbered, percent
from unfis.rules.text.words import visible

# A class is rare that has less than this part of an even share: of two classes, below 20 %.
RARE_PART = 0.4
BESIDE_ACCURACY = ("balanced_accuracy", "roc_auc", "average_precision", "log_loss", "cost")


@dataclass(frozen=True)
class Performance:
    """How good answers were, each measure beside the best answer that looks at no input."""

    classes: list[Any]
    rows: tuple[int, ...]  # of each class
    answered: tuple[int, ...]  # to how many rows each class was
    found: tuple[int, ...]  # of these, how many had it
    accuracy: Estimate
    balanced_accuracy: Estimate  # of the classes that some rows have
    log_loss: Estimate  # nats per row
    roc_auc: Estimate | None  # None where rows have one class alone; of several, each against rest
    average_precision: Estimate | None
    positive: Any  # of two classes that of the average precision, the rarer; of several None
    cost: Estimate | None  # per row, where wrong answers cost different amounts
    most_frequent: Any
    cheapest: Any  # the one answer to all rows that costs least; the most frequent without costs

    @property
    def is_rare(self) -> bool:
        """Whether a class has far fewer rows than its even share: of two, below 20 %."""
        return has_rare_class(self.rows)

    @property
    def leading_name(self) -> str:
        """What suits the table: the cost if there is one, with a rare class balanced accuracy."""
        if self.cost is not None:
            return "cost"
        return "balanced_accuracy" if self.is_rare else "accuracy"

    @property
    def leading(self) -> Estimate:
        """That figure."""
        found: Estimate = getattr(self, self.leading_name)
        return found

    @property
    def beats_baseline(self) -> bool:
        """Whether the leading figure's whole interval is better than one answer to all rows."""
        if self.leading is self.cost:
            return self.leading.high < self.leading.baseline
        return self.leading.low > self.leading.baseline

    def sentences(self, row: str = "row") -> list[str]:
        """All of it in words, what suits the table first; rows may be of a kind, "held-out row"."""
        right, ranking = self._right_words(row), self._roc_words()
        ordered = [right, *ranking]
        if self.is_rare:
            rare = [*self._found_words(), self._balanced_words()]
            ordered = [*rare, *ranking, *self._precision_words(), right]
        return [*self._cost_words(), *ordered, *self.verdict()]

    def to_dict(self) -> dict[str, Any]:
        """Numbers, text and truth values by name; None where something cannot be measured."""
        found: dict[str, Any] = {
            "rows": sum(self.rows),
            **dict(zip(("accuracy", "low", "high", "baseline"), self.accuracy, strict=True)),
        }
        for name in BESIDE_ACCURACY:
            measured = getattr(self, name) or (None,) * len(Estimate._fields)
            value, *others = measured
            found[name] = value
            for field, number in zip(("low", "high", "baseline"), others, strict=True):
                found[f"{name}_{field}"] = number
        told = {name: getattr(self, name) for name in ("most_frequent", "cheapest", "positive")}
        return found | told | {"rare": self.is_rare, "beats_baseline": self.beats_baseline}

    def _right_words(self, row: str) -> str:
        count = sum(self.rows)
        right, base = round(self.accuracy.value * count), percent(self.accuracy.baseline, 1)
        too = " too" if base == percent(self.accuracy.value, 1) else ""
        return (
            f"Right on {right:,} of {numbered(count, row)}: {share_words(self.accuracy)}, where "
            f"{always(self.most_frequent)} is right on {base}{too}."
        )

    def _balanced_words(self) -> str:
        base = percent(self.balanced_accuracy.baseline, 1)
        words = share_words(self.balanced_accuracy)
        return f"Balanced accuracy {words}, where {always(self.most_frequent)} has {base}."

    def _found_words(self) -> list[str]:
        if self.positive is None:
            return []
        c, name = self.classes.index(self.positive), in_quotes(self.positive)
        found, rows, answered = self.found[c], self.rows[c], self.answered[c]
        interval = percents(*wilson(found / rows, rows))
        words = f"Found {found:,} of {rows:,} {name} (95 % interval {interval})"
        when = f"it was right in {found:,} of the {answered:,} rows where it answered so"
        return [f"{words}; {when if answered else 'it was answered nowhere'}."]

    def _roc_words(self) -> list[str]:
        if self.roc_auc is None:
            return []
        return [f"ROC AUC {number_words(self.roc_auc)}, where chance has 0.5."]

    def _precision_words(self) -> list[str]:
        if self.average_precision is None:
            return []
        of = "" if self.positive is None else f" of {in_quotes(self.positive)}"
        words = number_words(self.average_precision)
        return [
            f"Average precision{of} {words}, where chance has {self.average_precision[-1]:.3f}."
        ]

    def _cost_words(self) -> list[str]:
        if self.cost is None:
            return []
        words = number_words(self.cost)
        return [
            f"Cost per row {words}, where {always(self.cheapest)} costs {self.cost.baseline:.3f}."
        ]

    def verdict(self) -> list[str]:
        """The last sentences: that it is, or may be, no better than one answer to all rows."""
        if self.beats_baseline or len([count for count in self.rows if count]) < 2:
            return []
        worse = self.leading.value - self.leading.baseline
        worse = worse if self.leading is self.cost else -worse
        no_better = worse > -1e-9
        told = [
            f"No better than {always(self.cheapest)}."
            if no_better
            else f"Perhaps no better than {always(self.cheapest)}: the interval reaches as far."
        ]
        ranks = self.roc_auc is not None and self.roc_auc.low > self.roc_auc.baseline
        if ranks and self.cost is None:
            told.append(
                "Its probabilities do tell the classes apart: another threshold, or what wrong "
                "answers cost, would make more of them."
            )
        return told


def performance(
    classes: list[Any],
    codes: NDArray[np.intp],
    probabilities: Array,
    answers: NDArray[np.intp],
    costs: Costs = (),
) -> Performance:
    """Measure answers, (rows,), and the probabilities behind them, (rows, classes).

    codes are the rows' classes, (rows,), by their positions in `classes`; so are answers.
    """
    rows = np.bincount(codes, minlength=len(classes))
    there, shares = np.flatnonzero(rows), rows / len(codes)
    hits = answers == codes
    found = np.bincount(codes[hits], minlength=len(classes))
    likelihoods = probabilities[np.arange(len(codes)), codes]
    losses = -np.log(np.maximum(likelihoods, LEAST_LIKELIHOOD))
    # What each answer would cost if it were that to all rows.
    prices = shares @ np.array(costs) if costs else 1 - shares
    cost = mean_of_rows(np.array(costs)[codes, answers], float(prices.min())) if costs else None
    right = float(hits.mean())
    return Performance(
        classes=classes,
        rows=tuple(rows.tolist()),
        answered=tuple(np.bincount(answers, minlength=len(classes)).tolist()),
        found=tuple(found.tolist()),
        accuracy=Estimate(right, *wilson(right, len(codes)), float(shares.max())),
        balanced_accuracy=mean_of_shares(
            found[there] / rows[there], rows[there].astype(float), 1 / len(there)
        ),
        log_loss=mean_of_rows(losses, float(-shares[there] @ np.log(shares[there]))),
        roc_auc=roc_auc(codes, probabilities),
        average_precision=average_precision(codes, probabilities),
        positive=classes[positive_class(codes)] if len(classes) == 2 else None,
        cost=cost,
        most_frequent=classes[int(rows.argmax())],
        cheapest=classes[int(prices.argmin())],
    )


def has_rare_class(rows: Sequence[float]) -> bool:
    """Whether, of the classes that some rows have, one has far fewer than its even share."""
    there = [count for count in rows if count]
    return min(there) < RARE_PART * sum(there) / len(there)


def in_quotes(label: Any) -> str:
    """A class as the table writes it, in quotes."""
    return f'"{visible(label)}"'


def always(label: Any) -> str:
    """The answer that looks at no input, in words."""
    return f"always answering {in_quotes(label)}"


def share_words(share: Estimate) -> str:
    """A share with its interval, in words."""
    return f"{percent(share.value, 1)} (95 % interval {percents(share.low, share.high)})"


def percents(low: float, high: float) -> str:
    """Two shares, from the one to the other, in words."""
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def number_words(number: Estimate) -> str:
    """A number with its interval, in words."""
    return f"{number.value:.3f} (95 % interval {number.low:.3f} to {number.high:.3f})"
