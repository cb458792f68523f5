"""The verdict speaks by the numbers, and of nothing that has not run."""

from pathlib import Path

import pandas as pd
import pytest

from unfis.benchmark.ours import DEFAULT, PRINTED
from unfis.benchmark.tables import summary
from unfis.benchmark.verdict import complete_sets, verdict

ROOT = Path(__file__).parent.parent.parent


def test_numbers_come_from_the_results(results):
    text = verdict(results)
    mean = 100 * summary(results, "iris", DEFAULT, "accuracy")[0]
    assert f"| IRI | {mean:.2f} | 96.25 | 96.17 (EFNN-NullUni) |" in text
    assert "5 random splits" in text
    assert "nan" not in text
    assert "- xanfis: 1 runs without result, not installed: xanfis." in text


def test_a_worse_default_is_told_so(results):
    worse = results.copy()
    is_default = worse["system"] == DEFAULT
    worse.loc[is_default, "accuracy"] -= 0.6
    text = verdict(worse)
    assert "At least the printed UNFIS on 0 of 7 sets" in text
    assert "At least the printed UNFIS on 0 of 7 sets" not in verdict(results)


def test_sets_that_have_not_run_are_left_out(results):
    some = results[results["set"].isin(["iris", "wine"])]
    assert list(complete_sets(some)) == ["IRI", "WIN"]
    text = verdict(some)
    assert "HAB" not in text
    assert "nan" not in text


def test_rows_that_come_out_are_told_from_those_that_do_not(results):
    chosen = (results["set"] == "iris") & (results["system"] == PRINTED[0])
    results.loc[chosen, "accuracy"] = 0.96
    text = verdict(results)
    line = next(line for line in text.splitlines() if line.startswith("- UNFIS on raw inputs"))
    inside, outside = line.split("It is not on")
    assert "IRI 96.0 (printed 96.2 ± 2.7)" in inside
    assert "WIN" in outside


@pytest.mark.skipif(
    not (ROOT / "docs/reproduction.md").exists(), reason="no results are recorded yet"
)
def test_the_page_is_the_recorded_results():
    recorded = pd.read_csv(ROOT / "benchmarks/results/reproduction/runs.csv")
    page = (ROOT / "docs/reproduction.md").read_text(encoding="utf-8")
    assert verdict(recorded) == page
