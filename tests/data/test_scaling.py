import numpy as np

from unfis.data import scaling


def measured(values, weights):
    return scaling.centre_and_scale(scaling.LocalColumns(values, weights), [0, 1])


def test_numbers_of_any_size_in_many_blocks(monkeypatch):
    monkeypatch.setattr(scaling, "BLOCK_ROWS", 7)
    values = np.random.RandomState(0).normal(3.0, 2.0, (30, 2))
    values[:14, 0] = np.nan
    weights = np.random.RandomState(1).random(30)
    sizes = np.array([-700, 700])
    usual = measured(values, weights)
    found = measured(np.ldexp(values, sizes), weights)
    np.testing.assert_allclose(found, np.ldexp(usual, sizes))


def test_scales_do_not_depend_on_blocks(monkeypatch):
    values = np.random.default_rng(0).normal(3.0, 2.0, (1000, 2))
    values[::5, 0] = np.nan
    weights = np.random.default_rng(1).random(1000)
    at_once = measured(values, weights)
    monkeypatch.setattr(scaling, "BLOCK_ROWS", 64)
    np.testing.assert_allclose(measured(values, weights), at_once, rtol=1e-12)
