import numpy as np
import pytest

from unfis.learning.objective import CrossEntropy, QuasiCrossEntropy, SquaredError

OBJECTIVES = [CrossEntropy(), QuasiCrossEntropy(), SquaredError()]


def samples(classes, seed=0):
    generator = np.random.default_rng(seed)
    logits = generator.normal(size=(5, classes))
    return logits, np.eye(classes)[generator.integers(classes, size=5)]


def spread(logits):
    """S = diag(p) - p p' of each sample."""
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return np.array([np.diag(row) - np.outer(row, row) for row in p])


def test_by_hand():
    """Two classes at z = 0: loss ln 2 or 1/4, residual 1/2 and -1/2 or half of it, S = 1/4."""
    logits, targets = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    assert CrossEntropy().losses(logits, targets)[0] == pytest.approx(np.log(2))
    assert SquaredError().losses(logits, targets)[0] == pytest.approx(0.25)
    np.testing.assert_allclose(CrossEntropy().residuals(logits, targets), [[0.5, -0.5]])
    np.testing.assert_allclose(SquaredError().residuals(logits, targets), [[0.25, -0.25]])
    roots, pulls = CrossEntropy().roots(logits, targets)
    np.testing.assert_allclose(roots, [[[0.5, -0.5]]])
    np.testing.assert_allclose(pulls, [[1.0]])


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_residuals_are_minus_the_gradient(objective, classes):
    logits, targets = samples(classes)
    step = 1e-6
    for c in range(classes):
        change = step * (np.arange(classes) == c)
        ahead = objective.losses(logits + change, targets)
        behind = objective.losses(logits - change, targets)
        numeric = -(ahead - behind) / (2 * step)
        np.testing.assert_allclose(objective.residuals(logits, targets)[:, c], numeric, atol=1e-8)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_roots_have_rank_c_minus_1_and_give_the_curvature(classes):
    """B' B = S for cross-entropy, S^2 for the two that linearise the probabilities."""
    logits, targets = samples(classes)
    S = spread(logits)
    for objective, curvature in zip(OBJECTIVES, [S, S @ S, S @ S], strict=True):
        roots, pulls = objective.roots(logits, targets)
        assert roots.shape == (5, classes - 1, classes)
        np.testing.assert_allclose(roots.transpose(0, 2, 1) @ roots, curvature, atol=1e-12)
        if pulls is not None:
            residuals = (roots * pulls[:, :, None]).sum(axis=1)
            np.testing.assert_allclose(residuals, objective.residuals(logits, targets), atol=1e-12)


def test_certain_predictions_stay_finite():
    logits, targets = np.array([[0.0, 2000.0, -2000.0]]), np.array([[1.0, 0.0, 0.0]])
    for objective in OBJECTIVES:
        assert np.isfinite(objective.losses(logits, targets)).all()
        assert np.isfinite(objective.residuals(logits, targets)).all()
        roots, pulls = objective.roots(logits, targets)
        assert np.isfinite(roots).all()
        if pulls is not None:
            residuals = (roots * pulls[:, :, None]).sum(axis=1)
            np.testing.assert_allclose(residuals, objective.residuals(logits, targets), rtol=1e-9)
