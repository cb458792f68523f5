"""The rules for the page: line by line as in the print, and what they add up to as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.charts import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    Chart,
    Frame,
    round_ticks,
    tick_words,
)
from unfis.arrays import Array
from unfis.model.curves import Curve, PairMap, Scale, curves_of, maps_of, same_runs
from unfis.plots.curves import run_words
from unfis.serial.messages import shortened
from unfis.text.answers import answer_table
from unfis.text.decision import decision_lines
from unfis.text.listing import Print, no_rules, reading_order, rules_by_output
from unfis.text.notes import category_lists
from unfis.text.numbers import percent, points_words, rounded
from unfis.text.together import range_points, single_inputs

TOGETHER = 3  # classes whose curves are drawn in one chart
MOST_MAPS = 12  # pairs of inputs with a picture, of one class or of all together
SIDE_BY_SIDE = 34  # characters that stand side by side below a chart
MAP_LEFT = 112.0  # room for the names of categories at the left of a map
WRITTEN_CELLS = 6  # cells of a map in a row or column with their points in figures
HISTOGRAM = 0.45  # of a chart that its highest bar takes


def rules_contents(answers: TableAnswers) -> dict[str, Any]:
    """The variables of the templates that show the model itself."""
    fitted, names = answers.fitted, answers.names
    if not fitted.rules.rules:
        nothing = dict.fromkeys(("rule_groups", "curve_groups", "states"), ())
        return {"no_rules": no_rules(fitted.rules, names), "rule_count": 0, **nothing}
    order = reading_order(fitted.rules.rules)
    rules = replace(fitted.rules, rules=tuple(fitted.rules.rules[n] for n in order))
    words = Print(rules, names, tuple(fitted.evidence[n] for n in order))
    return {
        "rule_groups": rule_groups(words, order),
        "states": states(replace(words, evidence=()), order),
        "rule_count": len(order),
        "no_rules": "",
        "scale": answer_table(rules, is_most_probable=not fitted.costs),
        "lists": [one for one in " ".join(category_lists(words.wording)).split("List ") if one],
        "notes": " ".join(words.notes()).strip(),
        "curve_groups": curve_groups(answers),
    }


def curve_groups(answers: TableAnswers) -> list[dict[str, Any]]:
    """The pictures of inputs and of pairs of them: by class, or of few classes all together."""
    curves, maps = curves_of(answers.pictured), maps_of(answers.pictured)
    count, found = len(answers.fitted.rules.start), []
    for c in range(count) if count > TOGETHER else [-1]:
        own = [one_class(one, c) for one in curves if c in (-1, *one.outputs)]
        pairs = [one for one in maps if c in (-1, one.output)]
        if own or pairs:
            found.append(
                {
                    "name": answers.class_names[c] if c >= 0 else "",
                    "curves": [curve_card(answers, one) for one in own],
                    "maps": [map_card(answers, one) for one in pairs[:MOST_MAPS]],
                    "more": max(0, len(pairs) - MOST_MAPS),
                }
            )
    return found


def one_class(one: Curve, c: int) -> Curve:
    """The part of a curve that is of one class; all of it for -1."""
    if c < 0:
        return one
    place = [one.outputs.index(c)]
    return replace(one, outputs=(c,), points=one.points[place], unknown=one.unknown[place])


def decision_words(answers: TableAnswers) -> dict[str, Any]:
    """Which class is the answer where errors cost differently: a sentence, and a table of several.

    Nothing where it is the most probable one.
    """
    fitted = answers.fitted
    lines = decision_lines(fitted.rules, answers.names, fitted.costs)
    if len(fitted.costs) > 2:
        return {"words": "The answer is the class that is expected to cost least.", "lines": lines}
    return {"words": " ".join(lines).strip(), "lines": []}


def rule_groups(words: Print, order: Sequence[int]) -> list[dict[str, Any]]:
    """The rules of each output, as the print has them, with their places in the model."""
    rules, groups = words.model.rules, []
    largest = max(abs(rule.points) for rule in rules)
    for output, entries in rules_by_output(rules).items():
        lines = []
        for n in (n for entry in entries for n in entry):
            is_more = not any(n == entry[0] for entry in entries)
            rule, verb = rules[n], "for" if rules[n].points >= 0 else "against"
            text = words.wording.rule(rule) if not is_more else f"and {verb} "
            points, *figures = words.figures(n)
            lines.append(
                {
                    "place": order[n],
                    "text": text + words.names.output(rule.output) * is_more + words.given(n),
                    "is_more": is_more,
                    "points": points.replace("-", "−"),
                    "size": rule.points / largest,
                    "figures": figures,
                }
            )
        groups.append({"title": words.title(output), "lines": lines})
    return groups


def states(words: Print, order: Sequence[int]) -> list[dict[str, Any]]:
    """The rules of each output with their places in the model, each beside its own sum."""
    found: list[dict[str, Any]] = [
        {"output": output, "head": words.title(output), "rules": []}
        for output in range(len(words.model.start))
    ]
    for place, rule in zip(order, words.model.rules, strict=True):
        found[rule.output]["rules"].append((place, words.wording.rule(rule)))
    return found


def curve_card(answers: TableAnswers, one: Curve) -> dict[str, Any]:
    """An input: the sum of the points of the rules on it alone, as a chart or as bars."""
    names, several = answers.names, 1 < len(answers.fitted.rules.start) <= TOGETHER
    outputs = [answers.class_names[c] if several else "" for c in one.outputs]
    singles = single_inputs(answers.fitted.rules)
    own = [singles.get((c, one.input), []) for c in one.outputs]
    tables = [range_points(rules, names, one.input) if len(rules) > 1 else [] for rules in own]
    return {
        "name": names.input(one.input),
        "chart": input_chart(answers, one) if one.scale.is_range else None,
        "levels": [] if one.scale.is_range else levels(one, outputs),
        "outputs": outputs if several else [],
        "tables": [
            (name, [(place, points_words(rounded(total, 3))) for place, total in table])
            for name, table in zip(outputs, tables, strict=True)
            if table and one.scale.is_range
        ],
    }


def input_chart(answers: TableAnswers, one: Curve) -> Chart:
    """Lines over a range of the input, before a histogram of the rows."""
    low, high = one.scale.values.tolist()
    points = one.points.ravel()
    unit = answers.names.output(0) if answers.fitted.rules.link == "identity" else "points"
    axes = ("", low, high), (unit, min(0.0, points.min()), max(0.0, points.max()))
    chart = Chart.of("", *axes)
    if len(one.shares) and answers.shows_rows:
        chart.stairs("bars", one.borders, one.shares, HISTOGRAM)
    chart.line("zero", [(low, 0), (high, 0)])
    for place, row in enumerate(one.points.tolist()):
        chart.line(f"path series-{place % 7}", zip(one.places.tolist(), row, strict=True))
    return chart


def levels(one: Curve, outputs: Sequence[str]) -> list[dict[str, Any]]:
    """The bars of few values: values with the same points together, a bar for each output."""
    largest, found = float(np.abs(one.points).max()) or 1.0, []
    columns = [
        (
            run_words([one.scale.labels[n] for n in run], one.scale.ordered),
            one.points[:, run[0]].tolist(),
            percent(float(one.shares[run].sum())) if len(one.shares) else "",
        )
        for run in same_runs(one)
    ]
    if one.is_unknown:
        columns.append(("unknown", one.unknown.tolist(), ""))
    for label, points, share in columns:
        bars = [
            (name, points_words(rounded(p, 3)).replace("-", "−"), p / largest)
            for name, p in zip(outputs, points, strict=True)
            if p or len(points) == 1
        ]
        found.append({"label": label, "share": share, "bars": bars or [("", "0", 0.0)]})
    return found


def map_card(answers: TableAnswers, one: PairMap) -> dict[str, Any]:
    """Two inputs: the sum of the points of the rules on both together, as shaded cells."""
    (first, second), (across, upwards), points = one.scales, one.borders, one.points
    if first.labels and not second.labels:  # names of categories have their room at the left
        (first, second), (across, upwards), points = (second, first), (upwards, across), points.T
    left = MAP_LEFT if second.labels else LEFT
    x, below = scale_axis(
        first, across, left, RIGHT, max(3, SIDE_BY_SIDE // max(len(first.labels), 1))
    )
    y, beside = scale_axis(second, upwards, BOTTOM, TOP, SIDE_BY_SIDE // 2)
    inputs = [answers.names.input(scale.input) for scale in (first, second)]
    several = 1 < len(answers.fitted.rules.start) <= TOGETHER
    most, is_written = float(np.abs(points).max()) or 1.0, max(points.shape) <= WRITTEN_CELLS
    chart = Chart("", inputs[0], inputs[1], x, y, "", below, beside, left=left)
    shades: dict[tuple[str, float], str] = {}
    for row, column in np.ndindex(*points.shape):
        number = float(points[row, column])
        start, end = x.at(float(across[column])), x.at(float(across[column + 1]))
        top, bottom = y.at(float(upwards[row + 1])), y.at(float(upwards[row]))
        if number:
            key = "against" if number < 0 else "for", round(0.06 + 0.84 * abs(number) / most, 2)
            cell = f"M{start:g} {top:g}H{end:g}V{bottom:g}H{start:g}z"
            shades[key] = shades.get(key, "") + cell
        if is_written:
            text = points_words(rounded(number, 2)).replace("-", "−")
            chart.texts.append(((start + end) / 2, (top + bottom) / 2 + 4, text))
    chart.shades = [(*key, path) for key, path in shades.items()]
    return {
        "title": f"{inputs[0]} and {inputs[1]}",
        "output": answers.class_names[one.output] if several else "",
        "chart": chart,
        "most": points_words(rounded(most, 3)).removeprefix("+"),
        "unit": "" if answers.fitted.rules.link == "identity" else " points",
    }


def scale_axis(
    scale: Scale, borders: Array, start: float, end: float, room: int
) -> tuple[Frame, list[tuple[float, str]]]:
    """Where the values of an input lie on a map, and ticks with labels of at most so many signs."""
    low, high = float(borders[0]), float(borders[-1])
    frame = Frame(low, high, start, end)
    if scale.labels:
        return frame, [(frame.at(n), shortened(one, room)) for n, one in enumerate(scale.labels)]
    ticks = [one for one in round_ticks(low, high) if low <= one <= high]
    return frame, [(frame.at(one), tick_words(one)) for one in ticks]
