import matplotlib
from networks import RuleNetwork

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

from unfis import UNFISClassifier, UNFISNetworkClassifier

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
def decisive(iris):
    """Several rules that name classes."""
    return UNFISClassifier(consequents="constant").fit(*iris)


@pytest.fixture(scope="session")
def scorecard(iris):
    """One rule without IF that counts."""
    return UNFISClassifier(1).fit(*iris)


@pytest.fixture(scope="session")
def crossed_table():
    """Two numbers whose signs decide together, and a kind and a number that do not matter."""
    generator = np.random.RandomState(0)
    X = pd.DataFrame(generator.uniform(-1, 1, (300, 3)), columns=["east (km)", "north (km)", "up"])
    return X, np.where((X["east (km)"] > 0) ^ (X["north (km)"] > 0), "apart", "together")


@pytest.fixture(scope="session")
def crossed(crossed_table):
    """Rules with inputs in IF or in THEN."""
    return UNFISClassifier(2).fit(*crossed_table)


@pytest.fixture(scope="session")
def soft(iris):
    return RuleNetwork(2, selection="soft", ridge=0.15).fit(*iris)


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
def mixed(mixed_table):
    return RuleNetwork(2, selection="soft", ridge=0.15).fit(*mixed_table)


@pytest.fixture(scope="session")
def hurtful_table(iris):
    X, y = iris
    classes = dict(zip(np.unique(y), HURTFUL_CLASSES, strict=True))
    return X.set_axis(HURTFUL_NAMES, axis=1), [classes[label] for label in y]


@pytest.fixture(scope="session")
def hurtful(hurtful_table):
    return RuleNetwork(2, selection="soft", ridge=0.15).fit(*hurtful_table)


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
