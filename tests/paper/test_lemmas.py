"""The paper's two lemmas, by hypothesis."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unfis.network import layers
from unfis.network.layers import EPSILON

open_unit = st.floats(1e-6, 1 - 1e-6)


def selected(mu, vs):
    mu = np.array([[[mu]]])
    return float(np.exp(layers.selection_layer(np.log(mu), mu, np.array([[vs]])))[0, 0, 0])


@given(open_unit, open_unit)
def test_lemma_1_the_selected_membership_is_between_0_and_1(mu, vs):
    assert 0 < selected(mu, vs) < 1


@given(open_unit, open_unit)
def test_selection_only_raises_a_membership(mu, vs):
    assert selected(mu, vs) >= mu


@given(open_unit, open_unit, open_unit)
def test_lemma_2_centre_and_order_are_kept(first, second, vs):
    """mu+ is 1 where mu is, and grows with mu: so the centre of A+ is that of A."""
    assert selected(1.0, vs) == 1.0
    low, high = sorted([first, second])
    assert selected(low, vs) <= selected(high, vs)


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_lemma_2_slope_has_the_factor_one_plus_epsilon(mu, vs):
    """d mu+/d mu = vs (1 + eps) / ((1 - vs) mu + vs + eps)^2; the print drops 1 + eps."""
    step = 1e-6
    slope = (selected(mu + step, vs) - selected(mu - step, vs)) / (2 * step)
    expected = vs * (1 + EPSILON) / ((1 - vs) * mu + vs + EPSILON) ** 2
    np.testing.assert_allclose(slope, expected, rtol=1e-6)
