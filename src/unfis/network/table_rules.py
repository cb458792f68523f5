"""NetworkRules: the rules of the paper's network in the units of its table, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log10
from textwrap import wrap
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input
from unfis.network.layers import selection_layer, squared_widths
from unfis.network.parameters import Parameters
from unfis.serial.messages import shortened

PAGE_WIDTH = 80
# Inputs that are selected less far are relaxed, and told in one line.
RELAXED = 0.1
# So many characters of a name, of a class above its numbers, and so many kinds of a category.
WIDEST_LABEL, CLASS_WIDTH, KINDS_TOLD = 34, 12, 6


@dataclass(frozen=True, eq=False)
class NetworkRules:
    """What a network has learned, as the paper writes it; `print` it.

    Rule i fires by f_i = prod_j mu+_j^i, and y_c^i = alpha_c0^i + sum_j vs_j^i alpha_cj^i x_j for
    the x of the table. A category of three kinds and more is a column of 0 and 1 for each of them.

    Attributes
    ----------
    inputs : of the table, and which columns they are
    classes : labels, (classes,)
    centres, widths : m and sigma, (rules, columns)
    degrees : vs, (rules, columns)
    consequents : alpha, (rules, classes, 1 + columns); the constant comes first
    thresholds : theta, (classes,)
    ends : the lowest and the highest value of each input, (2, inputs)
    """

    inputs: tuple[Input, ...]
    classes: tuple[Any, ...]
    centres: Array
    widths: Array
    degrees: Array
    consequents: Array
    thresholds: Array
    ends: Array

    @classmethod
    def of(
        cls, network: Parameters, inputs: Sequence[Input], classes: Sequence[Any], ends: Array
    ) -> NetworkRules:
        """A network on scaled columns, x = offset + scale * the network's."""
        offsets = np.concatenate([item.offsets for item in inputs])
        scales = np.concatenate([item.scales for item in inputs])
        degrees = network.selection.degrees
        consequents = network.consequents.copy()
        consequents[:, :, 1:] /= scales
        counted = degrees[:, None, :] * consequents[:, :, 1:]
        consequents[:, :, 0] -= counted @ offsets
        return cls(
            tuple(inputs),
            tuple(classes),
            offsets + scales * network.centres,
            scales * np.sqrt(squared_widths(network.widths)),
            degrees,
            consequents,
            network.thresholds,
            ends,
        )

    def __len__(self) -> int:
        return len(self.degrees)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, most: int = 20) -> str:
        """The rules in words of at most 80 columns, with so many inputs each at most."""
        return rules_in_text(self, most)

    @cached_property
    def selection(self) -> Array:
        """How far inputs are in rules, (rules, inputs); of a category the mean over its kinds."""
        return np.array([self.degrees[:, item.columns].mean(axis=1) for item in self.inputs]).T

    @property
    def active_features(self) -> Array:
        """n_af^i = sum_j vs_j^i, eq. (AF), (rules,)."""
        return np.asarray(self.selection.sum(axis=1))

    def memberships(self, rule: int, number: int, values: Array) -> Array:
        """mu+ of a rule's set on an input, eq. (muplus), at values of it, (values,).

        Those of a category are the positions of its kinds.
        """
        item = self.inputs[number]
        columns = np.asarray(values, dtype=float)[:, None]
        if len(item.scales) > 1:
            columns = (columns == np.arange(len(item.categories))).astype(float)
        centres, widths = self.centres[rule, item.columns], self.widths[rule, item.columns]
        log_memberships = -0.5 * np.square((columns - centres) / widths)
        degrees = self.degrees[rule, item.columns]
        selected = selection_layer(log_memberships, np.exp(log_memberships), degrees)
        return np.asarray(np.exp(selected.sum(axis=1)))


def rules_in_text(rules: NetworkRules, most: int) -> str:
    """All rules, and how their outputs become probabilities."""
    found = [rule_in_text(rules, rule, most) for rule in range(len(rules))]
    thresholds = (
        f"{printable(label)} {theta:.3g}"
        for label, theta in zip(rules.classes, rules.thresholds, strict=True)
    )
    whole = (
        "p = softmax(sum of phi * y less theta): y is what a rule's THEN adds up to, phi its share "
        f"in the firing of all rules. theta: {', '.join(thresholds)}."
    )
    return "\n\n".join([*found, "\n".join(wrap(whole, PAGE_WIDTH))])


def rule_in_text(rules: NetworkRules, rule: int, most: int) -> str:
    """One rule: its IF, what it relaxes, and its THEN."""
    selection = rules.selection[rule]
    order = np.argsort(-selection, kind="stable")
    inside = [j for j in order if selection[j] >= RELAXED][:most]
    active, count = rules.active_features[rule], len(rules.inputs)
    lines = [f"Rule {rule + 1}, {active:.3g} of {count} inputs active"]
    for number, j in enumerate(inside):
        lines += hanging("AND " if number else "IF ", set_in_words(rules, rule, int(j)))
    rest = [j for j in order if j not in set(inside)]
    near = [j for j in rest if selection[j] >= RELAXED]
    if near:
        lines += hanging("AND ", f"{len(near):,} more, selected {selection[near[0]]:.2f} or less")
    relaxed = [f"{printable(rules.inputs[j].name)} {selection[j]:.2f}" for j in rest[len(near) :]]
    if relaxed:
        more = [f"{len(relaxed) - most:,} more"] if len(relaxed) > most else []
        lines += hanging("Relaxed: ", ", ".join([*relaxed[:most], *more]))
    told = [j for j in order if selection[j] > 0][:most]
    return "\n".join([*lines, *consequent_lines(rules, rule, told)])


def set_in_words(rules: NetworkRules, rule: int, number: int) -> str:
    """The condition on an input, with how far it is selected if not wholly."""
    item, degree = rules.inputs[number], rules.selection[rule, number]
    notes = [f"selected {degree:.2f}"] if degree < 1 else []
    if not item.categories:
        centre = float(rules.centres[rule, item.columns][0])
        width = float(rules.widths[rule, item.columns][0])
        notes = [f"width {width:.2g}", *notes]
        return f"{printable(item.name)} is about {resolved(centre, width)} ({', '.join(notes)})"
    kinds = rules.memberships(rule, number, np.arange(float(len(item.categories))))
    order = np.argsort(-kinds, kind="stable")
    first, *others = (f"{named_kind(item, k)} {kinds[k]:.2f}" for k in order[:KINDS_TOLD])
    more = [f"{len(order) - KINDS_TOLD:,} more"] if len(order) > KINDS_TOLD else []
    note = f" ({notes[0]})" if notes else ""
    return f"{printable(item.name)} is {first}, else {', '.join([*others, *more])}{note}"


def consequent_lines(rules: NetworkRules, rule: int, numbers: Sequence[int]) -> list[str]:
    """y for each class, a line for the constant and for each column of these inputs."""
    names, columns = ["constant"], [0]
    for j in numbers:
        item = rules.inputs[j]
        names += names_of_columns(item)
        columns += [1 + column for column in range(item.columns.start, item.columns.stop)]
    counted = np.append(1.0, rules.degrees[rule])[columns]  # alpha+ of eq. (alphaplus)
    table = rules.consequents[rule][:, columns] * counted
    if not table[:, 1:].any():
        names, table = names[:1], table[:, :1]
    left = out_of_rules(rules, len(numbers)) if len(names) > 1 else []
    return [*table_lines(names, [printable(label) for label in rules.classes], table.T), *left]


def out_of_rules(rules: NetworkRules, told: int) -> list[str]:
    """That more inputs count than are told."""
    left = len(rules.inputs) - told
    return [f"     and {left:,} more inputs"] if left else []


def table_lines(names: Sequence[str], classes: Sequence[str], numbers: Array) -> list[str]:
    """A line for each name and a column for each class, in blocks as wide as a page."""
    first = max(len(name) for name in names)
    cells = [[f"{number:.3g}" for number in row] for row in numbers.tolist()]
    heads = [shortened(label, CLASS_WIDTH) for label in classes]
    widths = [max(len(head), *(len(row[c]) for row in cells)) + 2 for c, head in enumerate(heads)]
    lines: list[str] = []
    for block in fitting_blocks(widths, PAGE_WIDTH - 5 - first):
        for label, row in zip(["", *names], [heads, *cells], strict=True):
            start = "THEN" if not label and not lines else "    "
            line = "".join(row[c].rjust(widths[c]) for c in block)
            lines.append(f"{start} {label:{first}}{line}".rstrip())
    return lines


def fitting_blocks(widths: Sequence[int], room: int) -> list[list[int]]:
    """The numbers of columns, in blocks that fit into a room."""
    blocks: list[list[int]] = [[]]
    for column, width in enumerate(widths):
        if blocks[-1] and sum(widths[c] for c in blocks[-1]) + width > room:
            blocks.append([])
        blocks[-1].append(column)
    return blocks


def names_of_columns(item: Input) -> list[str]:
    """What the columns of an input are called beside their numbers."""
    if not item.categories:
        return [printable(item.name)]
    kinds = range(len(item.categories)) if len(item.scales) > 1 else [1]
    return [
        shortened(f"{printable(item.name)} is {named_kind(item, k)}", WIDEST_LABEL) for k in kinds
    ]


def named_kind(item: Input, number: int) -> str:
    """A kind of a category; of a truth value yes or no."""
    if item.kind == "boolean":
        return ("no", "yes")[number]
    return printable(item.categories[number])


def printable(label: Any) -> str:
    """A name on one line, not too long, without characters that nothing can show."""
    signs = (sign if sign.isprintable() else " " for sign in str(label))
    return shortened(" ".join("".join(signs).split()), WIDEST_LABEL)


def resolved(centre: float, width: float) -> str:
    """A centre with the digits that count beside its width."""
    size = max(abs(centre) / width, 1.0)
    return f"{centre:.{min(2 + ceil(log10(size)), 15)}g}"


def hanging(start: str, text: str) -> list[str]:
    """Text after its first words, in lines that hang below them."""
    return wrap(start + text, PAGE_WIDTH, subsequent_indent="    ")
