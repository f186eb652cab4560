"""Identification of an arm in real time, in a separate controller process."""

import pytest

from pliant import Arm
from pliant.doctor import examine
from pliant.doctor.lateness import RealTime
from pliant.identify import identify_lag
from tests.virtual_arms import TooBusyError, is_busy, on_virtual_arm

GOOD = RealTime(refused=(), late_p50=5e-5, late_p99=2e-4, late_max=1e-3)


def test_lag_and_set_up_of_a_running_controller_are_checked():
    identify_and_examine("sim:ur5e", move=False)


@pytest.mark.long
@pytest.mark.alone
def test_those_of_a_real_arm_are_checked():
    on_virtual_arm(lambda spec: identify_and_examine(spec, move=True), "ur5e")


def identify_and_examine(spec, move):
    # however busy the machine, as it is not what is tested here
    patient = {"safety": {"lateness": 60.0}}
    with Arm(spec, clock="real", config=patient, history=60.0) as arm:
        arm.wait(0.1)
        arm.zero()
        fit = identify_lag(arm)
        assert fit.lag.value == pytest.approx(0.034, abs=1e-3)
        assert fit.dead_time.value == pytest.approx(0.008, abs=1e-3)
        assert arm.law is None
        report = examine(arm, move=move, lateness=lambda dt, seconds: GOOD)
        if any(is_busy(finding.problem) for finding in report.findings):
            raise TooBusyError
        assert report.is_fit, report.findings
