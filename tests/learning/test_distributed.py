"""A problem whose samples lie in three other processes, of which only sums come back."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from reference import random_samples

from unfis.learning.damped import LM, TrustRegion
from unfis.learning.epochs import SGD, GqLM, Momentum
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import ALL, Prior, ProblemEvaluation
from unfis.learning.system import NormalEquations
from unfis.network import Shape
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start


def asked(part, rows, name, *arguments):
    """What a part says of some of its samples, in its process; equations as arrays."""
    found = getattr(part.subset(rows), name)(*arguments)
    return (found.rhs, found.rows, found.gram) if name == "system" else found


@dataclass(frozen=True, eq=False)
class Distributed:
    """Sums over parts, each without a prior, which is added here."""

    pool: ProcessPoolExecutor
    parts: list  # LocalProblems, each of which goes to a process
    rows: list  # which of each part's samples this is
    prior: Prior
    outputs: int
    whole_weight: float

    @property
    def samples(self):
        return sum(
            len(part.weights[rows]) for part, rows in zip(self.parts, self.rows, strict=True)
        )

    @property
    def weight(self):
        return sum(
            part.weights[rows].sum() for part, rows in zip(self.parts, self.rows, strict=True)
        )

    @property
    def share(self):
        return self.weight / self.whole_weight

    def subset(self, rows):
        if rows is ALL:
            return self
        ends = np.cumsum([0, *(len(part.X) for part in self.parts)])
        inside = [rows[(rows >= a) & (rows < b)] - a for a, b in pairwise(ends)]
        return replace(self, rows=inside)

    def value(self, vector):
        penalty = 0.5 * self.prior.precision @ (vector - self.prior.mean) ** 2
        return sum(self._ask("value", vector)) + self.share * penalty

    def gradient(self, vector):
        prior = self.share * self.prior.precision * (vector - self.prior.mean)
        return sum(self._ask("gradient", vector), start=prior)

    def system(self, vector, curved=None):
        assert curved is None
        precision = self.share * self.prior.precision
        total = NormalEquations(-precision * (vector - self.prior.mean), precision)
        for rhs, rows, gram in self._ask("system", vector):
            total.rhs = total.rhs + rhs
            if gram is None:
                total.add_rows(rows)
            else:
                total.add_gram(gram)
        return total

    def evaluate(self, vector, curved=None):
        return ProblemEvaluation(self.value(vector), partial(self.system, vector, curved))

    def _ask(self, name, *arguments):
        asks = zip(self.parts, self.rows, strict=True)
        jobs = [self.pool.submit(asked, part, rows, name, *arguments) for part, rows in asks]
        return [job.result() for job in jobs]


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(3) as pool:
        yield pool


@pytest.mark.parametrize(
    "learner",
    [
        TrustRegion(tol=1e-12),
        TrustRegion(batch_size=30, max_iter=8),
        LM(tol=1e-12),
        GqLM(damping=100.0, eta=0.1, max_iter=2),
        SGD(max_iter=2),
        Momentum(max_iter=2),
    ],
    ids=str,
)
def test_sums_of_three_processes_train_the_same_network(pool, learner):
    shape = Shape(2, 3, 3)
    X = random_samples(shape, 0, samples=90)
    objective = learner.objective or CrossEntropy()
    targets = objective.encode(np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7]), 3)
    weights = np.linspace(0.5, 1.5, 90)
    start = kmeans_start(X, targets, weights, 2)
    network = trainable(objective, start, "none", "linear")
    prior = start_prior(network, start, 0.3, "linear")
    local = LocalProblem(network, objective, X, targets, weights, prior)
    nothing = Prior(prior.mean, np.zeros_like(prior.precision))
    parts = [
        replace(local, X=X[rows], targets=targets[rows], weights=weights[rows], prior=nothing)
        for rows in np.split(np.arange(90), [20, 55])
    ]
    apart = Distributed(pool, parts, [ALL] * 3, prior, 3, weights.sum())
    found, expected = (
        network.parameters(
            train(learner, problem, network.start, np.random.RandomState(0)).vector
        ).to_vector()
        for problem in (apart, local)
    )
    inside = np.isfinite(expected)
    np.testing.assert_allclose(found[inside], expected[inside], rtol=1e-10, atol=1e-10)
    assert not np.allclose(expected[inside], network.parameters(network.start).to_vector()[inside])
