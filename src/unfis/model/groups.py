"""Rates by group: whether a model treats groups of rows alike, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import random_table

from unfis.arrays import Mask
from unfis.model.measures import wilson
from unfis.model.performance import in_quotes
from unfis.model.ranking import positive_class
from unfis.rules.text.numbers import exact, percent
from unfis.rules.text.words import visible

# More groups than this are put together, and a rate of fewer rows than this may be chance.
MOST_GROUPS = 10
ENOUGH_ROWS = 10
QUARTERS = 4
# A difference that so few of so many tables of chance reach is beyond chance.
CHANCE, TABLES_OF_CHANCE = 0.05, 2000


class Rate(NamedTuple):
    """A share of some rows of a group, with its 95 % interval (Wilson's)."""

    part: int
    rows: int

    @property
    def value(self) -> float | None:
        """The share, None of no rows."""
        return self.part / self.rows if self.rows else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its 95 % interval, None of no rows."""
        return wilson(self.part / self.rows, self.rows) if self.rows else None


class GroupRates(NamedTuple):
    """How the rows of one group fared, with regard to one class."""

    group: str
    rows: int
    right: Rate  # of all rows
    answered: Rate  # of all rows, how many were answered with the class
    found: Rate  # of the rows of the class
    false_alarms: Rate  # of the other rows

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        rates = {
            name: {"value": rate.value, "interval": rate.interval, "rows": rate.rows}
            for name, rate in zip(RATES, self[2:], strict=True)
        }
        return {"group": self.group, "rows": self.rows, "few": self.rows < ENOUGH_ROWS, **rates}


RATES = GroupRates._fields[2:]


@dataclass(frozen=True)
class RatesByGroup:
    """The rates of all groups: of two classes with regard to the rarer, of several to each."""

    by_class: dict[Any, list[GroupRates]]

    def sentences(self) -> list[str]:
        """The largest difference of each rate between groups, and whether it is beyond chance."""
        only = next(iter(self.by_class.values()))
        if len(only) == 1:
            return [
                f"All rows are of one group, {only[0].group}: there is none to compare it with."
            ]
        told: list[str] = []
        silent: list[str] = []
        for label, groups in self.by_class.items():
            for name in RATES:
                if name == "right" and label != next(iter(self.by_class)):
                    continue
                words = difference_words(label, name, groups)
                (told if words else silent).append(words or rate_name(label, name))
        if silent:
            told.append(f"Too few rows to compare groups by: {', '.join(silent)}.")
        few = [one.group for one in next(iter(self.by_class.values())) if one.rows < ENOUGH_ROWS]
        small = f"Fewer than {ENOUGH_ROWS} rows, so that rates may be chance: {', '.join(few)}."
        return told + ([small] if few else [])

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the sentences as "words"."""
        classes = [
            {"class": label, "groups": [one.to_dict() for one in groups]}
            for label, groups in self.by_class.items()
        ]
        return {"classes": classes, "words": self.sentences()}


def rates_by_group(y_true: Any, y_pred: Any, groups: Any) -> RatesByGroup:
    """How often each class is answered, found and mistaken in groups of rows.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_samples,)
        The classes, and those answered.
    groups : array-like of shape (n_samples,)
        What each row has of the attribute that should make no difference. Numbers of more than
        four values are put in quarters; of more than ten groups the smallest are put together.

    Returns
    -------
    rates : RatesByGroup
    """
    true, answered, attribute = np.asarray(y_true), np.asarray(y_pred), np.asarray(groups)
    if not len(true) == len(answered) == len(attribute) > 0:
        raise ValueError(
            "y_true, y_pred and groups must have the same number of rows, at least one, got "
            f"{len(true)}, {len(answered)} and {len(attribute)}."
        )
    classes, codes = np.unique(np.concatenate([true, answered]), return_inverse=True)
    codes, answers = codes[: len(true)], codes[len(true) :]
    names, positions = grouped(attribute)
    regarded = [positive_class(codes)] if len(classes) == 2 else range(len(classes))
    members = [positions == g for g in range(len(names))]
    labels = classes.tolist()
    return RatesByGroup(
        {
            labels[c]: [
                group_rates(name, here, codes == c, answers == c, codes == answers)
                for name, here in zip(names, members, strict=True)
            ]
            for c in regarded
        }
    )


def group_rates(name: str, here: Mask, positive: Mask, answered: Mask, right: Mask) -> GroupRates:
    """The rates of the rows that are here; masks of shape (rows,)."""
    rows, positives = int(here.sum()), int((here & positive).sum())
    return GroupRates(
        name,
        rows,
        Rate(int((here & right).sum()), rows),
        Rate(int((here & answered).sum()), rows),
        Rate(int((here & answered & positive).sum()), positives),
        Rate(int((here & answered & ~positive).sum()), rows - positives),
    )


def grouped(values: NDArray[Any]) -> tuple[list[str], NDArray[np.intp]]:
    """The names of groups, and which of them each row is in, (rows,)."""
    missing = np.array([value is None or value != value for value in values.tolist()])
    if values.dtype.kind in "iuf" and len(np.unique(values[~missing])) > QUARTERS:
        names, positions = in_quarters(values.astype(float), missing)
    else:
        known_values = values[~missing].tolist()
        told = [exact(v) if isinstance(v, float) else str(v) for v in known_values]
        kinds, known = np.unique(np.array(told, dtype=str), return_inverse=True)
        names, positions = [visible(kind) for kind in kinds.tolist()], np.full(len(values), -1)
        positions[~missing] = known
    if missing.any():
        names = [*names, "missing"]
        positions[missing] = len(names) - 1
    return fewer_groups(names, positions)


def in_quarters(values: NDArray[Any], missing: Mask) -> tuple[list[str], NDArray[np.intp]]:
    """Numbers in four groups of about as many rows, by values that occur."""
    shares = np.arange(1, QUARTERS) / QUARTERS
    cuts = np.unique(np.quantile(values[~missing], shares, method="inverted_cdf"))
    cuts = cuts[cuts < values[~missing].max()]
    told = [f"{cut:.6g}" for cut in cuts]
    between = [f"above {low} to {high}" for low, high in pairwise(told)]
    return [f"up to {told[0]}", *between, f"above {told[-1]}"], np.searchsorted(cuts, values)


def fewer_groups(
    names: list[str], positions: NDArray[np.intp]
) -> tuple[list[str], NDArray[np.intp]]:
    """At most ten groups: the largest, and all others as one."""
    if len(names) <= MOST_GROUPS:
        return names, positions
    order = np.argsort(-np.bincount(positions, minlength=len(names)), kind="stable")
    kept = np.sort(order[: MOST_GROUPS - 1])
    places = np.full(len(names), MOST_GROUPS - 1)
    places[kept] = np.arange(len(kept))
    rest = f"the {len(names) - len(kept)} others"
    return [*(names[k] for k in kept), rest], places[positions]


def difference_words(label: Any, name: str, groups: list[GroupRates]) -> str:
    """The largest difference of a rate between groups of enough rows; "" if there are not two."""
    rates = {one.group: getattr(one, name) for one in groups}
    told = {group: rate for group, rate in rates.items() if rate.rows >= ENOUGH_ROWS}
    if len(told) < 2:
        return ""
    least, most = (pick(told, key=lambda g: told[g].value) for pick in (min, max))
    low, high = percent(told[least].value), percent(told[most].value)
    what = rate_name(label, name)
    what = what[0].upper() + what[1:]
    if told[least].value == told[most].value:
        return f"{what}: {low} in all groups."
    chance = by_chance(list(told.values()))
    verdict = "beyond chance" if chance < CHANCE else "chance alone often makes as much"
    often = f"p = {chance:.2f}" if chance >= 0.01 else "p < 0.01"
    if low == high:
        return f"{what}: about {low} in all groups; {verdict} ({often})."
    return f"{what}: from {low} ({least}) to {high} ({most}); {verdict} ({often})."


def rate_name(label: Any, name: str) -> str:
    """What a rate is called."""
    names = {
        "right": "right answers",
        "answered": f"answered {in_quotes(label)}",
        "found": f"found of {in_quotes(label)}",
        "false_alarms": f"false alarms of {in_quotes(label)}",
    }
    return names[name]


def by_chance(rates: list[Rate]) -> float:
    """How probable differences as large are if all groups are treated alike.

    The share of tables with the same sums, drawn at random but always the same, whose chi-squared
    is at least as large.
    """
    counts = np.array([[rate.part, rate.rows - rate.part] for rate in rates])
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    if not columns.all():
        return 1.0
    expected = np.outer(rows, columns) / rows.sum()
    drawn = random_table(rows, columns).rvs(TABLES_OF_CHANCE, random_state=0)
    found, chance = (
        (np.square(table - expected) / expected).sum(axis=(-2, -1)) for table in (counts, drawn)
    )
    return float((1 + (chance >= found * (1 - 1e-9)).sum()) / (1 + TABLES_OF_CHANCE))
