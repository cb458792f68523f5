"""Equations without a matrix against those with one."""

import numpy as np
import pytest

from unfis.learning import implicit
from unfis.learning.implicit import CurvatureBlocks, ImplicitEquations
from unfis.learning.system import NormalEquations

PARAMETERS = 9


@pytest.fixture
def both():
    """The same equations in both ways; blocks of three parameters, and of the last two of them."""
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(30, PARAMETERS))
    rhs, diagonal = generator.normal(size=PARAMETERS), generator.uniform(0.1, 1.0, PARAMETERS)
    dense = NormalEquations(rhs, diagonal)
    dense.add_rows(rows)
    gram = rows.T @ rows
    places = np.array([[0, 3, 6], [1, 4, 7], [2, 5, -1], [-1, -1, 8]])
    blocks = CurvatureBlocks([places], [np.stack([gram[np.ix_(p, p)] for p in places])])
    return dense, ImplicitEquations(rhs, diagonal, lambda v: gram @ v, blocks, 30.0)


def test_solved_to_the_end_it_is_the_same_step(both, monkeypatch):
    dense, found = both
    monkeypatch.setattr(implicit, "CLOSE", 1e-12)
    monkeypatch.setattr(implicit, "ROUGH", 1e-12)
    for damping in (0.0, 0.5, 100.0):
        np.testing.assert_allclose(found.solve(damping), dense.solve(damping), rtol=1e-8)


def test_a_rough_solve_leaves_a_small_residual_and_gains_nearly_all(both):
    dense, found = both
    step = found.solve(0.5)
    assert 0.01 <= found.tolerance <= 0.1
    best = dense.decrease_along(dense.solve(0.5))
    assert found.decrease_along(step) == pytest.approx(best, rel=0.05)


def test_both_say_the_same_of_a_step(both):
    dense, found = both
    own = found.solve(0.5)
    for step in (own, np.arange(PARAMETERS, dtype=float)):
        assert found.curvature_along(step) == pytest.approx(dense.curvature_along(step), rel=1e-9)
        assert found.decrease_along(step) == pytest.approx(dense.decrease_along(step), rel=1e-9)
    np.testing.assert_allclose(found.curvature_diagonal(), dense.curvature_diagonal())
    assert found.least_damping() == pytest.approx(dense.least_damping())
    assert found.uncoupled_decrease() == pytest.approx(dense.uncoupled_decrease())


def test_a_step_is_multiplied_once(both, monkeypatch):
    """What the solve knows of its step is not asked for again."""
    _, found = both
    asked = []
    inner = found.product
    monkeypatch.setattr(found, "product", lambda vector: asked.append(vector) or inner(vector))
    step = found.solve(0.5)
    count = len(asked)
    found.decrease_along(step)
    assert len(asked) == count


def test_a_system_that_is_not_finite_is_refused(both):
    _, found = both
    found.product = lambda vector: np.full_like(vector, np.nan)
    with pytest.raises(np.linalg.LinAlgError):
        found.solve(1.0)
