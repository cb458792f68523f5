"""A whole model as plain data that predicts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data import Notation
from unfis.data.costs import LARGEST_COST, free_error, least_costly
from unfis.data.frames import check_frame, is_frame
from unfis.data.values import ValueReader
from unfis.network.combination import COMBINATIONS
from unfis.rules.data import (
    Positive,
    Rule,
    Share,
    Variable,
    check_lengths,
    check_rule,
    check_variables,
)
from unfis.rules.evaluation import Evaluation, RuleArrays
from unfis.rules.text.words import labels_of
from unfis.serial.messages import listed, quoted
from unfis.serial.schema import (
    check_of,
    list_of,
    number,
    one_of,
    record,
    require,
    scalar,
    text,
    whole,
)

NOTATION = record(
    {"decimal": one_of(".", ",")} | dict.fromkeys(("missing", "true", "false"), list_of(text)),
    Notation,
)
FiringPoint = tuple[float, float]


@dataclass(frozen=True)
class PlainRules:
    """The rules of a fitted model, complete, without a word of how they are shown.

    Their strengths phi and opinions y give p = softmax(sum_i phi_i y^i) of mixed outputs, and
    p = sum_i phi_i softmax(y^i) of averaged probabilities.

    Attributes
    ----------
    classes : labels of the classes
    variables : the inputs of the table
    rules : the rules
    combination : "mixed outputs" or "averaged probabilities"
    rows : how many rows were learned from
    kept : how many of them the counts are of; evenly spaced ones, if they are fewer
    firing : how strongly the best rule fires on the training rows: pairs of log f and the share of
        rows that have no more
    overlap : how far each two rules speak on the same rows, from 0 to 1
    alone : share of the rows on which the strongest rule by itself, read as it is printed, gives
        the answer of all; None where it is not known
    class_weights : by how much the rows of each class were weighted in learning; () if not
    costs : what each answer costs where each class is the true one; () if all errors cost the same
    monotonic : 1 for each variable with which the second class of two can only become more
        probable, -1 for those with which it can only become less probable; () if there are none
    notation : how text spells numbers and truth values, and that a value is missing
    """

    classes: Annotated[tuple[Any, ...], list_of(scalar, least=1)]
    variables: Annotated[tuple[Variable, ...], list_of(check_of(Variable), least=1)]
    rules: Annotated[tuple[Rule, ...], list_of(check_of(Rule), least=1)]
    combination: Annotated[str, one_of(*COMBINATIONS)]
    rows: int
    kept: int
    firing: Annotated[tuple[FiringPoint, ...], list_of(check_of(FiringPoint), least=1)]
    overlap: tuple[tuple[Share, ...], ...]
    notation: Annotated[Notation, NOTATION] = field(default_factory=Notation)
    alone: Share | None = None
    class_weights: tuple[Positive, ...] = ()
    costs: tuple[tuple[Annotated[float, number(0.0, LARGEST_COST)], ...], ...] = ()
    monotonic: tuple[Annotated[int, whole(-1, 1)], ...] = ()

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, number: int) -> Rule:
        return self.rules[number]

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, lists, numbers and text."""
        plain: dict[str, Any] = json.loads(self.to_json())
        return plain

    def to_json(self, indent: int | None = 2) -> str:
        """All of it as JSON."""
        return json.dumps(asdict(self), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Any, where: str = "") -> Self:
        """A rule base of what `to_dict` gave, or of JSON; errors call the data by `where`."""
        prefix = f"{where}." if where else ""
        found: Self = check_of(cls)(data, where)
        found._check_agreement(prefix)
        return found

    def _check_agreement(self, prefix: str) -> None:
        """Raise SchemaError where parts of it do not fit together."""
        check_variables(self.variables, prefix)
        different = len(set(map(repr, self.classes))) == len(self.classes)
        require(different, f"{prefix}classes must be different from each other.")
        steps = [point for point, _ in self.firing]
        require(steps == sorted(steps), f"{prefix}firing must be in rising order.")
        check_lengths(f"{prefix}overlap", self.overlap, self.rules, "rule")
        if self.class_weights:
            check_lengths(f"{prefix}class_weights", self.class_weights, self.classes, "class")
        if self.monotonic:
            check_lengths(f"{prefix}monotonic", self.monotonic, self.variables, "variable")
            require(len(self.classes) == 2, f"{prefix}monotonic must be () unless of two classes.")
        if self.costs:
            check_lengths(f"{prefix}costs", self.costs, self.classes, "class")
        for c, row in enumerate(self.costs):
            check_lengths(f"{prefix}costs[{c}]", row, self.classes, "class")
        dear = not self.costs or free_error(self.costs) is None
        require(dear, f"{prefix}costs must be higher for wrong answers than for right ones.")
        for i, (rule, row) in enumerate(zip(self.rules, self.overlap, strict=True)):
            check_lengths(f"{prefix}overlap[{i}]", row, self.rules, "rule")
            check_rule(rule, self.classes, self.by_name, f"{prefix}rules[{i}]")
        others = sum(rule.otherwise for rule in self.rules)
        most = int(COMBINATIONS[self.combination].has_otherwise and len(self) > 1)
        require(
            others <= most, f"{prefix}rules must have otherwise in {most} at most, got {others}."
        )

    @cached_property
    def arrays(self) -> RuleArrays:
        """The rules as arrays."""
        return RuleArrays(self.variables, self.rules, self.combination)

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        """The inputs by their names."""
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def labels(self) -> dict[str, str]:
        """How each input is called in words, by its name."""
        return labels_of(self.variables)

    @cached_property
    def reader(self) -> ValueReader:
        """What reads tables for these rules."""
        parts = ("name", "kind", "categories")
        return ValueReader(*([getattr(one, part) for one in self.variables] for part in parts))

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class for each row of a table, shape (rows, classes)."""
        return softmax(self.arrays.evaluate(self.read(X)).logits)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class to answer for each row of a table, shape (rows,)."""
        return np.array(self.classes)[self.answers(self.predict_proba(X))]

    def answers(self, probabilities: Array) -> NDArray[np.intp]:
        """The positions of the classes to answer, given their probabilities, (rows,)."""
        return least_costly(probabilities, self.costs)

    def coverage(self, X: Any) -> Array:
        """The share of training rows on which no rule holds better than on each row, (rows,).

        0 where every rule holds less than on any training row, unlike anything seen, where a
        number lies farther outside the range of the training rows than half of it (a rule without
        IF holds there too), and where nothing is known that the rules look at.
        """
        return self.covered(self.arrays.evaluate(self.read(X)))

    def covered(self, found: Evaluation) -> Array:
        """As `coverage`, of rows that were evaluated."""
        best = found.log_firing.max(axis=1)
        points, reached = np.array(self.firing).T
        # A hair's breadth, since the same row may be summed in another order.
        steps = np.searchsorted(points, best + 1e-9 * (1 + np.abs(best)), side="right")
        known = found.knows_something & ~found.far
        return np.where(known, np.concatenate([[0.0], reached])[steps], 0.0)

    def read(self, X: Any) -> Array:
        """The values of a table, its columns by name if it has names, shape (rows, inputs)."""
        names = self.reader.names
        if is_frame(X):
            check_frame(X, None)
            columns = {str(column): column for column in X.columns}
            absent = [name for name in names if name not in columns]
            if absent:
                raise ValueError(
                    f"X must have the columns [{listed(names)}], got none named "
                    f"{quoted(absent[0])}."
                )
            table = X[[columns[name] for name in names]]
            return self.reader.values(table, notation=self.notation)
        array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
        array = array.astype(np.float64 if array.dtype.kind in "fiu" else object, copy=False)
        if array.ndim != 2 or array.shape[1] != len(names):
            raise ValueError(
                f"X must be a table of {len(names)} columns, got an array of shape {array.shape}."
            )
        return self.reader.values(array, notation=self.notation)
