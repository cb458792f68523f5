import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from unfis import UNFISClassifier, UNFISRegressor


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def table():
    """A number with gaps, a category, a truth value and few whole numbers that all matter."""
    generator = np.random.default_rng(0)
    count = 400
    X = pd.DataFrame(
        {
            "size (cm)": generator.integers(0, 200, count) / 4,
            "kind": pd.Categorical(generator.choice(["oak", "fir", "elm"], count)),
            "wild": generator.random(count) > 0.5,
            "stage": generator.integers(1, 5, count),
        }
    )
    X.loc[::9, "size (cm)"] = np.nan
    return X


@pytest.fixture(scope="session")
def numbers(table):
    """What the regressor learns: 3 or more stages, a size above 30, and wild oaks."""
    wild = (table["kind"] == "oak") & table["wild"]
    y = 8.0 * (table["stage"] >= 3) + 5.0 * (table["size (cm)"] > 30) + 9.0 * wild
    noise = np.random.default_rng(1).normal(size=len(y))
    return pd.Series(y + noise, name="height")


@pytest.fixture(scope="session")
def regressor(table, numbers):
    return UNFISRegressor().fit(table, numbers)


@pytest.fixture(scope="session")
def two(table, numbers):
    return UNFISClassifier(max_rules=6).fit(table, np.where(numbers > 9, "high", "low"))


@pytest.fixture(scope="session")
def three(table, numbers):
    places = np.digitize(numbers, [5, 12])
    return UNFISClassifier(max_rules=9).fit(table, np.array(["$ a", "b_{", "c"])[places])


@pytest.fixture
def words():
    """All text in a figure that can be drawn; none of it leaves the figure."""

    def words_of(figure):
        figure.canvas.draw()
        box = figure.get_tightbbox(figure.canvas.get_renderer())
        (width, height), inches = figure.get_size_inches(), 0.02
        assert min(box.x0, box.y0) > -inches
        assert box.x1 < width + inches
        assert box.y1 < height + inches
        return [text.get_text() for text in figure.findobj(matplotlib.text.Text)]

    return words_of
