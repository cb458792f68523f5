import numpy as np
import pytest

from unfis.learning.acceptance import (
    ExactCriterion,
    MarquardtDamping,
    RatioDamping,
    SamplingCriterion,
    Trial,
    Verdict,
)
from unfis.learning.system import NormalEquations


def test_marquardts_damping():
    assert MarquardtDamping(1.0).accepted(0.9).value == pytest.approx(0.1)
    assert MarquardtDamping(1.0).rejected().rejected().value == 100.0


def test_ratio_damping():
    """1 - (2 ratio - 1)^3, a third at least; rejections double, and double faster each time."""
    damping = RatioDamping(1.0)
    assert damping.accepted(1.0).value == pytest.approx(1 / 3)
    assert damping.accepted(0.5).value == 1.0
    assert damping.accepted(0.25).value == pytest.approx(1.125)
    rejected = damping.rejected().rejected().rejected()
    assert rejected.value == 2 * 4 * 8
    assert rejected.accepted(0.5).rejected().value == 128.0  # doubled: the growth starts anew


def test_a_ratio_is_at_most_1():
    assert Trial(0.5, 0.25, True).ratio == 0.5
    assert Trial(0.0, 1e-20, True).ratio == 1.0
    assert Trial(1e-300, 1.0, True).ratio == 1.0


def exact(gradient):
    """One parameter of curvature 1: by itself it promises half its gradient's square."""
    return ExactCriterion(0.01, NormalEquations(np.array([gradient]), np.ones(1)))


@pytest.mark.parametrize(
    ("criterion", "trial", "verdict"),
    [
        (exact(1.0), Trial(0.5, 0.4, True), Verdict.ACCEPTED),
        (exact(1.0), Trial(0.5, -0.1, True), Verdict.REJECTED),
        (exact(1.0), Trial(0.5, np.nan, True), Verdict.REJECTED),
        (exact(1.0), Trial(np.nan, np.nan, True), Verdict.REJECTED),
        (exact(0.1), Trial(0.005, 0.005, False), Verdict.CONVERGED),
        (exact(0.1), Trial(0.5, 0.005, False), Verdict.CONVERGED),
        (exact(0.1), Trial(0.5, 0.005, True), Verdict.ACCEPTED),
        (exact(1.0), Trial(0.005, 0.005, False), Verdict.STUCK),
        (SamplingCriterion(0.01, False), Trial(0.5, 0.4, True), Verdict.ACCEPTED),
        (SamplingCriterion(0.01, False), Trial(0.5, 0.005, True), Verdict.ACCEPTED),
        (SamplingCriterion(0.01, True), Trial(0.5, 0.005, True), Verdict.CONVERGED),
        (SamplingCriterion(0.01, False), Trial(0.008, 0.005, True), Verdict.CONVERGED),
        (SamplingCriterion(0.01, False), Trial(0.008, 0.005, False), Verdict.ACCEPTED),
        (SamplingCriterion(0.01, False), Trial(0.008, -0.1, True), Verdict.CONVERGED),
        (SamplingCriterion(0.01, False), Trial(0.5, -0.1, True), Verdict.REJECTED),
    ],
)
def test_what_becomes_of_a_step(criterion, trial, verdict):
    assert criterion.verdict(trial) is verdict


def test_only_where_there_is_a_minimum_a_short_step_is_doubted():
    assert exact(1.0).doubts(0.005)
    assert not exact(1.0).doubts(0.5)
    assert not SamplingCriterion(0.01, False).doubts(0.005)
