import numpy as np
import pytest

from unfis.model.measures import reliability, wilson


def test_wilson_against_known_values():
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=1e-4)


def test_reliability_by_hand():
    found = reliability(np.array([1, 0, 1, 1]), np.array([0.95, 0.95, 0.55, 1.0]))
    assert found.counts.tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 0, 3]
    assert found.accuracy[[5, 9]] == pytest.approx([1, 2 / 3])
    assert found.confidence[[5, 9]] == pytest.approx([0.55, 2.9 / 3])
    assert np.isnan(found.accuracy[0])
    assert found.error == pytest.approx((0.45 + 0.9) / 4)
    assert reliability(np.ones(3), np.ones(3)).error == 0
