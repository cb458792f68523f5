"""The hydrocarbon network: polynomials in each molecule, and centres that move."""

import numpy as np
import pytest

from unfis_paper.compared.hydrocarbon import (
    MOLECULE_RIDGE,
    HydrocarbonNetwork,
    powers_up_to,
    squared_residuals,
)

GENERATOR = np.random.RandomState(0)
Z = GENERATOR.uniform(size=(80, 2))


def learned(targets, **settings):
    network = HydrocarbonNetwork(**settings)
    network.learn(Z, targets, np.random.RandomState(0))
    return network


def test_powers():
    np.testing.assert_array_equal(powers_up_to(np.array([[2.0, 3.0]]), 2), [[1, 2, 3, 4, 9]])


def test_ends_have_degree_3_and_what_is_between_2():
    assert HydrocarbonNetwork(4).degrees == [3, 2, 2, 3]
    assert HydrocarbonNetwork(1).degrees == [3]


def test_one_molecule_is_ridge_regression_on_powers():
    targets = GENERATOR.normal(size=(80, 2))
    network = learned(targets, molecules=1, iterations=3)
    powers = powers_up_to(Z, 3)
    gram = powers.T @ powers + MOLECULE_RIDGE * np.eye(7)
    expected = powers @ np.linalg.solve(gram, powers.T @ targets)
    np.testing.assert_allclose(network.predict(Z), expected)


@pytest.mark.parametrize("rows", [4, 80])
def test_what_is_left_is_that_of_ridge_regression(rows):
    """Whether there are more rows or more powers."""
    targets = GENERATOR.normal(size=(rows, 2))
    powers = powers_up_to(Z[:rows], 3)
    gram = powers.T @ powers + MOLECULE_RIDGE * np.eye(7)
    left = targets - powers @ np.linalg.solve(gram, powers.T @ targets)
    assert squared_residuals(powers, targets) == pytest.approx((left**2).sum())
    assert squared_residuals(powers[:0], targets[:0]) == 0


def test_several_molecules_fit_what_one_polynomial_does_not():
    targets = np.sign(Z[:, :1] - 0.5)
    errors = [
        ((learned(targets, molecules=count).predict(Z) - targets) ** 2).mean() for count in (1, 3)
    ]
    assert errors[1] < 0.8 * errors[0]


def test_iterations_never_make_it_worse():
    targets = np.sign(Z[:, :1] - 0.5)
    errors = [
        ((learned(targets, iterations=count).predict(Z) - targets) ** 2).sum() for count in (1, 50)
    ]
    assert errors[1] <= errors[0] + 1e-9


def test_one_more_row_is_learned_by_the_molecule_that_owns_it_alone():
    network = learned(GENERATOR.normal(size=(80, 1)))
    before = [molecule.coefficients.copy() for molecule in network.molecules]
    network.update(Z[0], np.array([9.0]))
    changed = [
        not np.array_equal(molecule.coefficients, old)
        for molecule, old in zip(network.molecules, before, strict=True)
    ]
    assert sum(changed) == 1
    owner = changed.index(True)
    assert ((network.centres - Z[0]) ** 2).sum(axis=1).argmin() == owner
