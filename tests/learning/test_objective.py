import numpy as np
import pytest

from unfis.learning.objective import CrossEntropy, OneHotRows, QuasiCrossEntropy, SquaredError

OBJECTIVES = [CrossEntropy(), QuasiCrossEntropy(), SquaredError()]


def samples(classes, seed=0):
    generator = np.random.default_rng(seed)
    outputs = generator.normal(size=(5, classes))
    return outputs, np.eye(classes)[generator.integers(classes, size=5)]


def spread(outputs):
    """S = diag(p) - p p' of each sample."""
    p = np.exp(outputs) / np.exp(outputs).sum(axis=1, keepdims=True)
    return np.array([np.diag(row) - np.outer(row, row) for row in p])


def test_by_hand():
    """Two classes at z = 0: loss ln 2 or 1/4, residual 1/2 and -1/2 or half of it, S = 1/4."""
    outputs, targets = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    assert CrossEntropy().losses(outputs, targets)[0] == pytest.approx(np.log(2))
    assert SquaredError().losses(outputs, targets)[0] == pytest.approx(0.25)
    np.testing.assert_allclose(CrossEntropy().residuals(outputs, targets), [[0.5, -0.5]])
    np.testing.assert_allclose(SquaredError().residuals(outputs, targets), [[0.25, -0.25]])
    roots, whitened = CrossEntropy().roots(outputs, targets)
    np.testing.assert_allclose(roots, [[[0.5, -0.5]]])
    np.testing.assert_allclose(whitened, [[1.0]])


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_residuals_are_minus_the_gradient(objective, classes):
    outputs, targets = samples(classes)
    step = 1e-6
    for c in range(classes):
        change = step * (np.arange(classes) == c)
        ahead = objective.losses(outputs + change, targets)
        behind = objective.losses(outputs - change, targets)
        numeric = -(ahead - behind) / (2 * step)
        np.testing.assert_allclose(objective.residuals(outputs, targets)[:, c], numeric, atol=1e-8)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_roots_have_rank_c_minus_1_and_give_the_curvature(classes):
    """B' B = S for cross-entropy, S^2 for the two that linearise the probabilities."""
    outputs, targets = samples(classes)
    S = spread(outputs)
    for objective, curvature in zip(OBJECTIVES, [S, S @ S, S @ S], strict=True):
        roots, whitened = objective.roots(outputs, targets)
        assert roots.shape == (5, classes - 1, classes)
        np.testing.assert_allclose(roots.transpose(0, 2, 1) @ roots, curvature, atol=1e-12)
        if whitened is not None:
            residuals = (roots * whitened[:, :, None]).sum(axis=1)
            np.testing.assert_allclose(residuals, objective.residuals(outputs, targets), atol=1e-12)


def test_certain_predictions_stay_finite():
    outputs, targets = np.array([[0.0, 2000.0, -2000.0]]), np.array([[1.0, 0.0, 0.0]])
    for objective in OBJECTIVES:
        assert np.isfinite(objective.losses(outputs, targets)).all()
        assert np.isfinite(objective.residuals(outputs, targets)).all()
        roots, whitened = objective.roots(outputs, targets)
        assert np.isfinite(roots).all()
        if whitened is not None:
            residuals = (roots * whitened[:, :, None]).sum(axis=1)
            np.testing.assert_allclose(residuals, objective.residuals(outputs, targets), rtol=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("classes", [2, 3, 6])
def test_an_unrooted_change_is_the_one_that_was_rooted(objective, classes):
    """But for what soft-max does not mind: the same for all classes."""
    outputs, targets = samples(classes)
    change = np.random.default_rng(1).normal(size=outputs.shape)
    roots, _ = objective.roots(outputs, targets)
    found = objective.unrooted(roots, np.einsum("krc,kc->kr", roots, change))
    basis = objective.contrasts(classes)
    np.testing.assert_allclose(found @ basis.T, change @ basis.T, atol=1e-9)


def test_what_the_numbers_of_classes_mean():
    objective = CrossEntropy()
    np.testing.assert_array_equal(objective.encode(np.array([0, 0]), 2), [[1, 0], [1, 0]])
    np.testing.assert_allclose(objective.contrasts(2), [[0.5**0.5, -(0.5**0.5)]])


CODES = np.array([2, 0, 1, 1, 2])


@pytest.mark.parametrize("rows", [slice(None), slice(1, 3), np.array([4, 0])])
def test_targets_made_of_rows_are_the_targets(monkeypatch, rows):
    expected = np.eye(3)[CODES]
    np.testing.assert_array_equal(CrossEntropy().encode(CODES, 3), expected)
    monkeypatch.setattr("unfis.learning.objective.MOST_TARGETS", 10)
    made = CrossEntropy().encode(CODES, 3)
    assert isinstance(made, OneHotRows)
    assert (len(made), made.shape) == (5, expected.shape)
    np.testing.assert_array_equal(made[rows], expected[rows])
    np.testing.assert_array_equal(made.argmax(axis=1), CODES)
