"""All that the page shows, as plain data for its templates."""

from __future__ import annotations

from typing import Any

from unfis import __version__
from unfis.app.report.accuracy import exact_share, measurements
from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import Comparison, compare
from unfis.app.report.cards import histograms, importance_table, rule_cards
from unfis.app.report.pictures import CHART, path_chart
from unfis.app.report.quality import baseline_table, calibration_chart, confusion_table
from unfis.app.report.rows import explained_rows, unsure_rows, wrong_rows
from unfis.app.report.table import class_shares, inputs_table, table_words
from unfis.app.report.whatif import controls, page_data, preset_of, typical_row
from unfis.rules.text.terms import worded_list
from unfis.rules.text.words import class_name, footnotes, visible


def contents_of(answers: TableAnswers, title: str | None, target: str | None) -> dict[str, Any]:
    """The variables of the templates."""
    model, base = answers.model, answers.base
    comparison = None
    if answers.codes is not None:
        comparison = compare(model, answers.X, answers.values, answers.codes)
    known = measurements(answers, comparison)
    wrong, unsure = wrong_rows(answers), unsure_rows(answers)
    places = list(dict.fromkeys([*wrong.tolist(), *unsure.tolist()]))
    presets = [typical_row(base)]
    presets += [
        preset_of(base, f"row {answers.numbers[row]}", answers.values[row]) for row in places
    ]
    return {
        "title": visible(title) if title else f"Rules for {question(base.classes, target)}",
        "lead": known[0] if known else None,
        "others": known[1:] if answers.learned or answers.codes is None else known[1:2],
        "majority": majority(answers),
        "learned": answers.learned,
        "standing_unknown": not answers.learned and not answers.held_out,
        "by_hand": answers.by_hand,
        "fitted_accuracy": exact_share(answers.hits.mean()) if answers.learned else "",
        "table": table_words(answers),
        "classes": class_shares(answers),
        "class_names": [class_name(label) for label in base.classes],
        "inputs": inputs_table(answers),
        "cards": rule_cards(base),
        "histograms": histograms(answers),
        "footnotes": footnotes(base),
        "controls": controls(base),
        "presets": presets,
        "preset_of_row": {row: number for number, row in enumerate(places, start=1)},
        "importance": importance_table(answers),
        **quality(answers, comparison),
        "path": path_chart(model.path_) if model.path_ else None,
        "wrong": explained_rows(answers, wrong),
        "wrong_count": int((~answers.hits).sum()) if answers.codes is not None else 0,
        "unsure": explained_rows(answers, unsure),
        "has_truth": answers.codes is not None,
        "data_of_page": page_data(base, presets),
        "frame": CHART,
        "version": __version__,
    }


def quality(answers: TableAnswers, comparison: Comparison | None) -> dict[str, Any]:
    """What is measured, on rows that the models in question had not learned from if possible."""
    empty = {"baselines": None, "confusion": None, "calibration": None, "evaluated": ""}
    if answers.codes is None:
        return empty
    codes, probabilities = answers.codes, answers.probabilities
    evaluated = "The held-out rows." if answers.held_out else "The rows of this table."
    if answers.learned and comparison is not None and comparison.probabilities is not None:
        codes, probabilities = codes[comparison.rows], comparison.probabilities
        evaluated = (
            f"Since the model learned from these rows, {comparison.folds} models of the same "
            "settings are judged in its place, each on rows that it had not seen."
        )
        if answers.by_hand:
            evaluated += " They lack what was changed or chosen by hand."
    elif answers.learned:
        evaluated = "The rows that it learned from: on others it will be right less often."
    return {
        "baselines": baseline_table(comparison, len(answers.values)),
        "confusion": confusion_table(answers.base.classes, codes, probabilities),
        "calibration": calibration_chart(codes, probabilities),
        "evaluated": evaluated,
    }


def majority(answers: TableAnswers) -> tuple[str, str] | None:
    """The most frequent class, and how often it would be right to say it always."""
    shares = class_shares(answers)
    if not shares:
        return None
    name, _, share, _ = max(shares, key=lambda found: found[2])
    return name, exact_share(share)


def question(classes: Any, target: str | None) -> str:
    """What is decided."""
    return visible(target) if target else worded_list([class_name(label) for label in classes])
