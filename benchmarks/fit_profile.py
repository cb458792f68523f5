"""Where the time of a fit goes, and what share of the machine's limits it reaches.

python benchmarks/fit_profile.py [--quick] [--limit 1800] [--output benchmarks/profile.md]

Not `profile.py`: that name is the standard library's, and `cProfile` would import this file.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from machine import cores, exponential_rate, product_rate
from measuring import in_child, markdown
from profiled import ORDER, counted_fit, profiled_fit, timed_fit

from unfis import UNFISClassifier, UNFISNetworkClassifier

DEFAULT, SOFT = UNFISClassifier(random_state=0), UNFISNetworkClassifier(random_state=0)
SOFT_2 = UNFISNetworkClassifier(2, random_state=0)
NONE_8 = UNFISNetworkClassifier(8, selection="none", random_state=0)
CASES = {
    ("iris", "default"): DEFAULT,
    ("iris", "soft"): SOFT,
    ("breast cancer", "default"): DEFAULT,
    ("breast cancer", "soft"): SOFT,
    ("100,000 x 20", "default"): DEFAULT,
    ("100,000 x 20", "none, 8 rules"): NONE_8,
    ("2,000 x 2,000", "default"): DEFAULT,
    ("2,000 x 2,000", "soft, 2 rules"): SOFT_2,
}
QUICK_CASES = {("iris", "soft"): SOFT, ("200 x 20", "soft, 2 rules"): SOFT_2}
HEAD = """# Where the time of a fit goes

Made by `benchmarks/fit_profile.py`; do not edit it.

Profiled with one thread, since a profiler sees one only; "seconds" are those of fits without a
profiler, with one thread and with all. A share is that of a group's own functions, together with
what they call outside of the library; a profiler makes small Python functions dearer than they are.
"in the choice" is all that happens while rules, ridge and conditions are chosen, training included.
"""


COUNTED = """
With one thread, in double precision. A symmetric product of n rows and P parameters is counted as
n P (P + 1) operations; other products are in the groups above.
"""


def limits() -> Iterator[tuple[str, str, dict[int, float]]]:
    """The machine's rates, by kind and precision and number of threads."""
    for dtype in (np.float64, np.float32):
        for kind, rate in {"product": product_rate, "exponential": exponential_rate}.items():
            yield kind, dtype.__name__, {n: rate(n, dtype) for n in sorted({1, cores()})}


def limits_table(found: list[tuple[str, str, dict[int, float]]]) -> str:
    """The limits for a reader."""
    words = {
        "product": "matrix product, 2,000 x 2,000, 10^9 operations per second",
        "exponential": "exponentials of an array in the cache, 10^9 per second",
    }
    head = ["", "precision", *(f"{n} thread{'s' * (n > 1)}" for n in found[0][2])]
    rows = [
        [words[kind], dtype, *(f"{rate / 1e9:.3g}" for rate in rates.values())]
        for kind, dtype, rates in found
    ]
    return markdown(head, rows)


def case_rows(
    cases: dict[tuple[str, str], Any], limit: float, most: dict[str, float]
) -> Iterator[tuple[list[str], list[str]]]:
    """For every case a row of shares of time, and one of shares of the machine's limits."""
    for (name, label), model in cases.items():
        options = {"name": name, "model": model, "limit": limit}
        alone = in_child(timed_fit, threads=1, **options)
        together = in_child(timed_fit, **options)
        shares = in_child(profiled_fit, threads=1, **options)
        counted = in_child(counted_fit, threads=1, **options)
        failed = [one["failed"] for one in (alone, together, shares, counted) if "failed" in one]
        if failed:
            yield [name, label, failed[0]], [name, label, failed[0]]
            continue
        seconds = [f"{one['seconds']:.3g}" for one in (alone, together)]
        cells = [f"{100 * shares[group]:.0f} %" for group in (*ORDER, "in the choice")]
        reached = [
            told
            for kind in ("product", "exponential")
            for told in (
                f"{100 * counted[f'{kind}_share']:.0f} %",
                f"{100 * counted[f'{kind}_rate'] / most[kind]:.0f} %",
            )
        ]
        print(name, label, *seconds, *cells, *reached, sep=", ", flush=True)
        yield [name, label, *seconds, *cells], [name, label, *reached]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a rehearsal with small tables")
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds of one process")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("profile.md"))
    arguments = parser.parse_args()
    found = list(limits())
    most = {kind: rates[1] for kind, dtype, rates in found if dtype == "float64"}
    cases = QUICK_CASES if arguments.quick else CASES
    times, reached = zip(*case_rows(cases, arguments.limit, most), strict=True)
    head = ["table", "model", "seconds, one thread", "seconds, all", *ORDER, "in the choice"]
    works = ("curvature products", "exponentials and logarithms")
    kinds = [f"{work}: {share}" for work in works for share in ("of the time", "of the limit")]
    parts = [
        HEAD,
        markdown(head, times),
        "\n## The machine's limits, and what is reached of them\n",
        limits_table(found),
        COUNTED,
        markdown(["table", "model", *kinds], reached),
    ]
    arguments.output.write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(f"\nWritten to {arguments.output}.")


if __name__ == "__main__":
    main()
