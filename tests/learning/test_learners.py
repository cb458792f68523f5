"""Every learner on a problem whose minimum scipy knows, and on what can go wrong."""

from dataclasses import fields, replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize

from unfis.learning import damped, subsample
from unfis.learning.damped import LM, TrustRegion
from unfis.learning.epochs import SGD, GqLM, Momentum
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import PATIENCE, Iteration, Learner, train
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior, ProblemEvaluation

LEARNERS = [
    GqLM(damping=100.0, eta=0.1, smoothing=0.5, max_iter=300),
    GqLM(batch_size=None, damping=10.0, eta=0.1, max_iter=300),
    LM(),
    SGD(learning_rate=0.3, batch_size=None, max_iter=400),
    Momentum(learning_rate=0.1, batch_size=None, max_iter=300),
    TrustRegion(),
    TrustRegion(batch_size=20),  # seeks no minimum, but comes near it
]


def run(learner, problem, start, **options):
    return train(learner, problem, start, np.random.RandomState(0), **options)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_every_learner_reaches_the_minimum(learner, regression):
    problem, start = regression
    problem = replace(problem, objective=learner.objective or problem.objective)
    best = minimize(problem.value, start).fun
    outcome = run(learner, problem, start)
    stochastic = getattr(learner, "batch_size", None) == 32
    reached = problem.value(outcome.vector)
    assert reached <= best * (1.05 if stochastic else 1.001) + 1e-6
    assert outcome.converged
    assert outcome.advice == ""
    assert outcome.records[-1].loss == pytest.approx(reached / 120)


@pytest.mark.parametrize("learner", [LM(), TrustRegion()], ids=str)
def test_damped_learners_never_accept_a_step_that_raises_the_objective(learner, regression):
    problem, start = regression
    outcome = run(learner, problem, start + 3.0)
    losses = [record.loss for record in outcome.records]
    assert (np.diff(losses) <= 0).all()


def test_trust_region_rejects_and_recovers():
    """A step that overshoots is retried with more damping within the same iteration."""

    class Steep:
        """z = (1000 v^3, 0): Gauss-Newton from far away overshoots."""

        def outputs(self, vector, X):
            return np.column_stack([1000 * vector[0] ** 3 * X[:, 0], np.zeros(len(X))])

        def prepared(self, X):
            return X

        def linearise(self, vector, X):
            slope = 3000 * vector[0] ** 2 * X[:, :1, None]
            return SimpleNamespace(
                outputs=self.outputs(vector, X),
                rows=lambda weights: weights[:, :, :1] * slope,
            )

        def block_length(self, rows_per_sample):
            return 100

    prior = Prior(np.zeros(1), np.full(1, 1e-3))
    X, targets = np.array([[1.0], [1.0], [1.0]]), np.eye(2)[[0, 0, 1]]
    problem = LocalProblem(Steep(), CrossEntropy(), X, targets, np.ones(3), prior)
    learner = TrustRegion(damping=1e-6, max_iter=100)
    outcome = run(learner, problem, np.array([0.01]))
    dampings = [record.damping for record in outcome.records]
    assert max(dampings) > 1e-6
    assert problem.value(outcome.vector) < problem.value(np.array([0.01]))


def test_trust_region_grows_its_batches(regression):
    problem, start = regression
    learner = TrustRegion(batch_size=10)
    seen = []

    class Spy(TrustRegion):
        def iterate(self, problem, vector, state):
            seen.append(state.sample.size)
            return super().iterate(problem, vector, state)

    run(Spy(**learner.get_params()), problem, start)
    assert sorted(set(seen)) == [10, 40, 120]
    assert seen == sorted(seen)


def test_no_vector_is_looked_at_twice(regression, monkeypatch):
    """What the value of a step took is there for the next normal equations."""
    problem, start = regression
    few = {name: getattr(problem, name)[:100] for name in ("X", "targets", "weights")}
    problem, seen = replace(problem, **few), []
    linearise = type(problem.model).linearise

    def spied(model, vector, X):
        seen.append((vector.tobytes(), X.tobytes()))
        return linearise(model, vector, X)

    monkeypatch.setattr(type(problem.model), "linearise", spied)
    run(TrustRegion(), problem, start)
    assert len(seen) == len(set(seen)) > 3


def test_the_tolerance_counts_for_many_samples_too(regression):
    """Of more than batch_size samples it is 30 times as large."""
    problem, start = regression
    values = [
        problem.value(run(learner, problem, start).vector)
        for learner in (TrustRegion(batch_size=20, tol=tol) for tol in (1e-3, 1e-9))
    ]
    best = minimize(problem.value, start).fun
    assert values[0] - best < 0.03 * best
    assert values[1] - best < 1e-6 * best


def test_a_step_that_goes_too_far_is_not_the_end(regression):
    """One that gains little, but was to gain much: damped more, the next one gains more."""
    problem, start = regression
    learner = TrustRegion(batch_size=20)
    state = learner.begin(problem, problem.evaluate(start), np.random.RandomState(0))
    here = problem.subset(state.sample.rows).evaluate(start)
    state = replace(state, evaluation=here)
    reached = iter([here.value - 0.02, here.value - 0.04])
    assert here.system().decrease_along(here.system().solve(learner.damping)) > 1

    class Flat(LocalProblem):
        def evaluate(self, *arguments):
            return ProblemEvaluation(next(reached), here.system)

    flat = Flat(*(getattr(problem, field.name) for field in fields(problem)))
    first = learner.descend(flat, start, state)
    assert not first.finished
    assert learner.descend(flat, start, first.state).finished


def test_a_part_is_left_when_it_teaches_nothing_of_others(regression):
    """Twelve parameters fit a few samples by heart: what unseen ones pay for that is not kept."""
    problem, start = regression
    losses = {}

    class Spy(TrustRegion):
        def iterate(self, problem, vector, state):
            size = state.sample.size
            iteration = super().iterate(problem, vector, state)
            unseen = problem.subset(state.sample.order[8:16]).value(iteration.vector)
            losses.setdefault(size, []).append(unseen)
            return iteration

    run(Spy(batch_size=8, damping=1e-6), problem, start)
    assert losses[8] == sorted(losses[8], reverse=True)
    assert 2 <= len(losses[8]) < 5
    assert sorted(losses) == [8, 32, 120]


def test_the_curvature_of_some_samples_leads_to_the_minimum_of_all(regression, monkeypatch):
    problem, start = regression
    exact = run(TrustRegion(), problem, start)
    monkeypatch.setattr(subsample, "CURVED_SAMPLES", 40)
    monkeypatch.setattr(subsample, "GROWING_TOLERANCE", 0.0)
    monkeypatch.setattr(damped, "SAMPLING_TOLERANCE", 0.0)
    some = run(TrustRegion(tol=1e-9, batch_size=30), problem, start)
    assert some.converged
    np.testing.assert_allclose(some.vector, exact.vector, atol=2e-2)
    values = [problem.value(outcome.vector) for outcome in (some, exact)]
    assert values[0] == pytest.approx(values[1], rel=1e-5)


def test_a_diverging_learner_stops_and_keeps_the_last_finite_parameters(regression):
    problem, start = regression

    class Exploding(SGD):
        def iterate(self, problem, vector, state):
            state = replace(state, step=state.step + 1)
            value = np.inf if state.step[0] > 2 else 1.0
            return Iteration(vector + 1, value, np.nan, state)

    outcome = run(Exploding(), problem, start)
    assert not outcome.converged
    assert "diverged in iteration 3" in outcome.advice
    assert "smaller step" in outcome.advice
    np.testing.assert_array_equal(outcome.vector, start + 2)
    np.testing.assert_array_equal(outcome.state.step, 2)  # that of these parameters
    assert len(outcome.records) == 2


def test_a_learner_that_raises_its_objective_says_so(regression):
    problem, start = regression
    outcome = run(SGD(learning_rate=1e4, max_iter=5), replace(problem, prior=no_prior()), start)
    assert not outcome.converged
    assert "raised the objective" in outcome.advice


def test_too_few_iterations_are_told(regression):
    problem, start = regression
    assert "max_iter=1 " in run(TrustRegion(max_iter=1), problem, start).advice
    assert "Raise max_iter" in run(SGD(learning_rate=0.01, max_iter=3), problem, start).advice


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_training_leaves_the_state_that_it_goes_on_with(learner, regression):
    """Each of two that go on with it learns what it would alone, and so does one interrupted."""
    problem, start = regression
    first = run(learner, problem, start, max_iter=2)

    def interrupt(number, vector, record):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(learner, problem, first.vector, state=first.state, max_iter=2, monitor=interrupt)
    went_on = [run(learner, problem, first.vector, state=first.state, max_iter=2) for _ in range(2)]
    whole = run(learner, problem, start, max_iter=4)
    for outcome in went_on:
        np.testing.assert_array_equal(outcome.vector, whole.vector)


def test_early_stopping_keeps_the_state_of_the_best_vector(regression):
    problem, start = regression
    numbers = iter(range(100))
    outcome = run(
        Momentum(max_iter=30), problem, start, validation=lambda vector: abs(next(numbers) - 4)
    )
    whole = run(Momentum(max_iter=30), problem, start, max_iter=5)
    np.testing.assert_array_equal(outcome.vector, whole.vector)
    np.testing.assert_array_equal(outcome.state.step, whole.state.step)


def test_early_stopping_keeps_the_best_vector(regression):
    problem, start = regression
    calls = []

    def validation(vector):
        calls.append(vector)
        return abs(len(calls) - 4)

    outcome = run(SGD(max_iter=100), problem, start, validation=validation)
    np.testing.assert_array_equal(outcome.vector, calls[3])
    assert len(calls) == 4 + PATIENCE
    assert outcome.converged


def test_a_monitor_sees_every_iteration_and_can_stop(regression):
    problem, start = regression
    numbers = []

    def monitor(number, vector, record):
        numbers.append(number)
        return number == 3

    outcome = run(SGD(max_iter=100), problem, start, monitor=monitor)
    assert numbers == [1, 2, 3]
    assert len(outcome.records) == 3
    assert all(r.seconds >= 0 and r.step > 0 for r in outcome.records)
    assert not outcome.converged
    assert outcome.advice == ""


def test_an_epoch_sees_every_sample_once():
    learner = SGD(batch_size=7)
    batches = list(learner.batches(30, np.random.RandomState(0)))
    assert [len(batch) for batch in batches] == [7, 7, 7, 7, 2]
    assert sorted(np.concatenate(batches)) == list(range(30))


def test_a_stiff_prior_cannot_make_explicit_steps_diverge(regression):
    problem, start = regression
    stiff = replace(problem, prior=Prior(np.ones(12), np.full(12, 1e6)))
    for learner in (SGD(), Momentum(), GqLM()):
        outcome = run(learner, stiff, start)
        np.testing.assert_allclose(outcome.vector, 1.0, atol=1e-2)


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (GqLM(damping=-1.0), "damping"),
        (GqLM(eta=0), "eta"),
        (GqLM(smoothing=1.0), "smoothing"),
        (GqLM(batch_size=0), "batch_size"),
        (GqLM(max_iter=1.5), "max_iter"),
        (LM(damping=-1.0), "damping"),
        (SGD(learning_rate=np.nan), "learning_rate"),
        (Momentum(smoothing=-0.1), "smoothing"),
        (TrustRegion(tol=-1), "tol"),
        (TrustRegion(batch_size=True), "batch_size"),
    ],
    ids=str,
)
def test_settings_out_of_range_are_named(learner, name):
    with pytest.raises(ValueError, match=rf"^{name} must be a .*, got "):
        learner.check()


def test_learners_are_scikit_learn_objects():
    from sklearn.base import clone

    for learner in LEARNERS:
        assert isinstance(learner, Learner)
        assert clone(learner).get_params() == learner.get_params()


def no_prior():
    return Prior(np.zeros(12), np.zeros(12))


def test_what_a_learner_of_ones_own_needs_is_found_in_the_room():
    from unfis import learning
    from unfis.learning.loop import Learner

    assert learning.Learner is Learner
    assert learning.train is train
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        learning.nothing  # noqa: B018
