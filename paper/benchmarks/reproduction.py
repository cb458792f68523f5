"""The page about the paper's experiments (docs/reproduction.md), from their recorded results alone.

    python paper/benchmarks/reproduction.py

The results are those of `unfis-paper reproduce all`, whose figures are shown on the page.
"""

import argparse
import shutil
from pathlib import Path

from verdict.comparison import ComparedRuns
from verdict.page import page

from unfis.serial.files import write_whole
from unfis_paper.reproduction.circumstances import Circumstances
from unfis_paper.reproduction.figures import FIGURES
from unfis_paper.reproduction.results import Results

HERE = Path(__file__).parent


def text_of(results: Path, output: Path) -> str:
    """The page of a folder of results, with the figures of the folder where it will be."""
    known = Circumstances(results / "circumstances.json").known
    runs = ComparedRuns(Results(results / "runs.csv").frame(), circumstances=known)
    return page(runs, [name for name in FIGURES if (output / f"{name}.svg").exists()])


def write_page(results: Path, output: Path) -> None:
    """Write the page into a folder, and the figures that are drawn."""
    for figure in results.glob("figure-*.svg"):
        shutil.copy(figure, output)
    write_whole(output / "reproduction.md", text_of(results, output))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--output", type=Path, default=HERE.parent / "docs")
    write_page(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
