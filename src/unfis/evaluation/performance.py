"""Performance: how good a model's answers to some rows were, led by what suits their classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from unfis.arrays import Array
from unfis.evaluation.measures import Estimate, mean_of_rows, mean_of_shares, wilson
from unfis.evaluation.ranking import average_precision, positive_class, roc_auc
from unfis.ties import LEAST_LIKELIHOOD

# A class is rare that has less than this part of an even share: of two classes, below 20 %.
RARE_PART = 0.4
BESIDE_ACCURACY = ("balanced_accuracy", "roc_auc", "average_precision", "log_loss", "cost")


@dataclass(frozen=True)
class Performance:
    """How good answers were, each measure beside the best answer that looks at no input."""

    classes: list[Any]
    confusion: NDArray[np.intp]  # rows of each class by what they were answered, (classes, classes)
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
        return has_rare_class(self.confusion.sum(axis=1).tolist())

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

    def to_dict(self) -> dict[str, Any]:
        """Numbers, text and truth values by name; None where something cannot be measured."""
        found = {"rows": int(self.confusion.sum()), **self.accuracy._asdict()}
        found["accuracy"] = found.pop("value")
        for name in BESIDE_ACCURACY:
            value, *others = getattr(self, name) or (None,) * len(Estimate._fields)
            found[name] = value
            for field, number in zip(Estimate._fields[1:], others, strict=True):
                found[f"{name}_{field}"] = number
        told = {name: getattr(self, name) for name in ("most_frequent", "cheapest", "positive")}
        return found | told | {"rare": self.is_rare, "beats_baseline": self.beats_baseline}


def performance(
    classes: list[Any],
    codes: NDArray[np.intp],
    probabilities: Array,
    answers: NDArray[np.intp],
    costs: Sequence[Sequence[float]] = (),
) -> Performance:
    """Measure answers, (rows,), and the probabilities behind them, (rows, classes).

    codes are the rows' classes, (rows,), by their positions in `classes`; so are answers. costs are
    (classes, classes), by the class and the answer.
    """
    confusion = confusion_matrix(codes, answers, labels=range(len(classes)))
    rows = confusion.sum(axis=1)
    there, shares = np.flatnonzero(rows), rows / len(codes)
    likelihoods = probabilities[np.arange(len(codes)), codes]
    losses = -np.log(np.maximum(likelihoods, LEAST_LIKELIHOOD))
    # What each answer would cost if it were that to all rows.
    prices = shares @ np.array(costs) if costs else 1 - shares
    cost = mean_of_rows(np.array(costs)[codes, answers], float(prices.min())) if costs else None
    right = float(confusion.trace() / len(codes))
    return Performance(
        classes=classes,
        confusion=confusion,
        accuracy=Estimate(right, *wilson(right, len(codes)), float(shares.max())),
        balanced_accuracy=mean_of_shares(
            confusion.diagonal()[there] / rows[there], rows[there].astype(float), 1 / len(there)
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
