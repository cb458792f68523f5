"""What answers what-if in the page by itself: the model as data, controls, rows to begin with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.export.portable import Portable, model_data
from unfis.model.curves import scale_of
from unfis.text.numbers import number_words

POSITIONS = 200  # of a slider, at most
CONFIDENCE = 0.95  # of the sets of classes


def page_data(answers: TableAnswers, presets: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the page's script reads."""
    fitted, portable = answers.fitted, Portable.of(answers.fitted)
    is_logistic = fitted.rules.link == "logistic"
    sets = None
    if answers.classes and fitted.calibration is not None:
        least = fitted.calibration.thresholds(CONFIDENCE).tolist()
        sets = [max(one, 0.0) for one in least]  # -inf where a class is in every set
    return {
        "model": model_data(portable),
        "names": answers.class_names or [answers.names.output(0)],
        # Where one sum counts, its start is part of the table from sums to answers.
        "starts": [0.0, fitted.rules.start[0]] if is_logistic else [0.0] * len(fitted.rules.start),
        "sets": sets,
        "sliders": [slider(answers, j) for j in portable.used],
        "presets": list(presets),
    }


def controls(answers: TableAnswers) -> list[dict[str, Any]]:
    """What the control of each input that a rule looks at is called, and what it offers."""
    found = []
    for j in answers.used:
        one = slider(answers, j)
        count = len(answers.names.categories[j])
        found.append(
            {
                "name": answers.names.input(j),
                "kinds": [answers.names.category(j, code) for code in range(count)],
                "ends": [number_words(end) for end in (one["low"], one["high"])] if one else [],
            }
        )
    return found


def slider(answers: TableAnswers, j: int) -> dict[str, Any] | None:
    """The ends and the step of a number's slider, and what training had; None of categories."""
    if answers.names.categories[j]:
        return None
    ranges, values = answers.fitted.ranges, scale_of(answers.pictured, j).values
    low, high = float(values.min()), float(values.max())
    is_seen = ranges is not None and math.isfinite(ranges.low[j])
    seen = [float(ranges.low[j]), float(ranges.high[j])] if ranges and is_seen else None
    if seen is not None and answers.shows_rows:
        low, high = seen
    step = rounded_up((high - low) / POSITIONS)
    step = max(step, 1.0) if answers.names.is_whole(j) else step
    return {"low": low, "high": high, "step": step, "seen": seen}


def rounded_up(value: float) -> float:
    """The next 1, 2 or 5 with zeros that is not less; 0 for 0."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= value * (1 - 1e-9))


def presets_of(answers: TableAnswers, rows: Sequence[int]) -> list[dict[str, Any]]:
    """What to begin with: the row of every input's typical value, and rows of the table."""
    found = [{"name": "a typical row", "values": [typical(answers, j) for j in answers.used]}]
    for row in rows:
        values = [plain_value(answers, j, answers.values[row, j]) for j in answers.used]
        found.append({"name": f"row {answers.numbers[row]}", "values": values})
    return found


def typical(answers: TableAnswers, j: int) -> Any:
    """The mean of a number in training, at the step of its slider; the commonest category."""
    one = answers.fitted.columns.inputs[j]
    mean = float(one.offsets[0])
    if one.categories:
        several = len(one.offsets) > 1
        code = int(np.argmax(one.offsets)) if several else int(mean > 0.5)
        return plain_value(answers, j, float(code))
    found = slider(answers, j)
    step = found["step"] if found else 0.0
    return float(f"{round(mean / step) * step:.12g}") if step else mean


def plain_value(answers: TableAnswers, j: int, value: float) -> int | float | None:
    """A value as the page has it: a number, the place of a category, None where unknown."""
    if np.isnan(value):
        return None
    return int(value) if answers.names.categories[j] else float(value)
