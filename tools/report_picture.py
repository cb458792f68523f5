"""Makes the README's picture of a report: python tools/report_picture.py docs/pictures/report.png

Needs the extra `app` and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from unfis import UNFISClassifier
from unfis.app.report import write_report

WIDTH, HEIGHT = 1000, 2400
# The headline, the rules and two curves.
SHOWN = (0, 0, 1000, 1500)


def main(path: Path) -> None:
    """Fit, write the report, take a picture of its head, and keep it in 256 colours."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("chromium is not installed.")
    data = load_breast_cancer(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    clf = UNFISClassifier(max_rules=4).fit(X_train, y_train)
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "report.html", Path(folder) / "shot.png"
        write_report(page, clf, X_test, y_test, held_out=True)
        size = f"--window-size={WIDTH},{HEIGHT}"
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", size]
        subprocess.run([chromium, *options, f"--screenshot={shot}", page.as_uri()], check=True)
        picture = Image.open(shot).crop(SHOWN).resize((WIDTH * 3 // 4, 1125))
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=256).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
