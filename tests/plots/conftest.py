import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

from unfis import UNFISClassifier, UNFISNetworkClassifier, UNFISRegressor

HURTFUL_NAMES = [
    "long " * 40 + "(kg)",
    r"$\frac_ and $ one_more",
    "line\nbreak <script>alert(1)</script>\x00",
    "طول گلبرگ 花瓣",
]
HURTFUL_CLASSES = ["_hidden $a$ " + "long " * 40, r"$\bad{", "بنفش\n花"]


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def iris():
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="session")
def crossed_table():
    """Two numbers whose signs decide together, and a kind and a number that do not matter."""
    generator = np.random.RandomState(0)
    X = pd.DataFrame(generator.uniform(-1, 1, (300, 3)), columns=["east (km)", "north (km)", "up"])
    return X, np.where((X["east (km)"] > 0) ^ (X["north (km)"] > 0), "apart", "together")


@pytest.fixture(scope="session")
def mixed_table():
    generator = np.random.RandomState(0)
    X = pd.DataFrame(
        {
            "size": generator.standard_normal(80),
            "kind": pd.Categorical(generator.choice(["oak", "fir", "elm"], 80)),
            "wild": generator.rand(80) > 0.5,
            "age": generator.randint(0, 5, 80).astype(float),
        }
    )
    y = np.where((X["kind"] == "oak") ^ (X["size"] > 0.5), "yes", "no")
    X.loc[3, "size"] = np.nan
    return X, y


@pytest.fixture(scope="session")
def hurtful_table(iris):
    X, y = iris
    classes = dict(zip(np.unique(y), HURTFUL_CLASSES, strict=True))
    return X.set_axis(HURTFUL_NAMES, axis=1), [classes[label] for label in y]


@pytest.fixture(scope="session")
def net(iris):
    return UNFISNetworkClassifier(2, ridge=0.15).fit(*iris)


@pytest.fixture(scope="session")
def mixed_net(mixed_table):
    return UNFISNetworkClassifier(3, ridge=0.15).fit(*mixed_table)


@pytest.fixture(scope="session")
def hurtful_net(hurtful_table):
    return UNFISNetworkClassifier(2, ridge=0.15).fit(*hurtful_table)


@pytest.fixture
def draws():
    """Check that a figure can be drawn, and return all text in it."""

    def draw(figure):
        figure.canvas.draw()
        return [text.get_text() for text in figure.findobj(matplotlib.text.Text)]

    return draw


@pytest.fixture
def legend_labels():
    return lambda ax: [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.fixture
def beside_data():
    """Check that a legend does not cover its axes."""

    def check(ax):
        ax.figure.canvas.draw()
        legend = ax.get_legend().get_window_extent()
        assert not legend.overlaps(ax.get_window_extent())
        assert legend.x1 <= ax.figure.bbox.x1 + 1

    return check


@pytest.fixture(scope="session")
def crossed(crossed_table):
    """Rules of two conditions."""
    return UNFISClassifier().fit(*crossed_table)


@pytest.fixture(scope="session")
def hurtful(hurtful_table):
    return UNFISClassifier().fit(*hurtful_table)


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
