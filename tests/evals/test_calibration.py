import math

import pytest

from evals.calibration import calibration_error, log_loss


def test_log_loss_punishes_certainty_in_the_wrong_and_stays_finite() -> None:
    assert log_loss([0.5, 0.25]) == pytest.approx((math.log(2) + math.log(4)) / 2)
    assert log_loss([0.0]) == pytest.approx(math.log(1e6))
    assert log_loss([]) is None


def test_a_provider_that_is_right_as_often_as_it_says_is_calibrated() -> None:
    assert calibration_error([(0.8, True)] * 8 + [(0.8, False)] * 2) == pytest.approx(0)


def test_a_constant_certainty_is_not() -> None:
    assert calibration_error([(0.95, True)] * 6 + [(0.95, False)] * 4) == pytest.approx(0.35)


def test_bins_are_weighted_and_one_is_a_confidence() -> None:
    assert calibration_error([(1.0, True), (0.15, True)]) == pytest.approx(0.425)
    assert calibration_error([]) is None
