"""Joint references: exact, smooth at every transition, within limits or refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant import Arm
from pliant.errors import ConfigError, Refused
from pliant.stages.reference.curves import brake_to_rest, decay, go_on, minimum_jerk

DT = 1e-3
number = st.floats(-2.0, 2.0)


@given(x=number, v=number, a=number, goal=number, time=st.floats(0.2, 5.0))
def test_minimum_jerk_planned_again_is_the_same_path(x, v, a, goal, time):
    way = [go_on(x, v, a, goal, time, share * time) for share in (0.3, 0.7)]
    again = go_on(*way[0], goal, 0.7 * time, 0.4 * time)
    assert again == pytest.approx(way[1], abs=1e-8 * (1 + 1 / time**2))
    assert go_on(x, v, a, goal, time, time) == (goal, 0.0, 0.0)


@given(x=number, v=number, a=number, rate=st.floats(1.0, 30.0))
def test_decays_have_consistent_derivatives(x, v, a, rate):
    h = 1e-5
    for curve in (decay, brake_to_rest):
        before, here, after = (curve(x, v, a, rate, t) for t in (0.1 - h, 0.1, 0.1 + h))
        assert here[1] == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-4 * rate**3)
        assert here[2] == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-4 * rate**3)
        assert curve(x, v, a, rate, 0.0) == pytest.approx((x, v, a), abs=1e-9 * rate**2)
        assert curve(x, v, a, rate, 40.0 / rate)[1:] == pytest.approx((0.0, 0.0), abs=1e-9)


def test_the_smooth_rise_is_smooth():
    assert minimum_jerk(-1.0) == (0.0, 0.0, 0.0)
    assert minimum_jerk(0.5) == pytest.approx((0.5, 1.875, 0.0))
    assert minimum_jerk(2.0) == (1.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def arm() -> Arm:
    arm = Arm("sim:panda", config={"safety": {"tool_speed": 2.0}})
    arm.wait(0.05)
    arm.activate("inverse_dynamics")
    arm.wait(0.05)
    return arm


def test_any_reference_after_any_other_without_a_jump(arm):
    start = arm.time
    motions = [
        arm.sinus,
        lambda: arm.home(time=4.0, wait=False),
        arm.hold,
        arm.follow_hand,
        arm.sinus,
    ]
    motions += [
        arm.hold,
        arm.follow_hand,
        lambda: arm.home(time=4.0, wait=False),
        arm.follow_hand,
        arm.hold,
    ]
    for motion in motions:
        motion()
        arm.wait(0.25)
    rows = arm.history.since(start)
    position, velocity = np.diff(rows["q_ref"], axis=0), np.diff(rows["qd_ref"], axis=0)
    mean = 0.5 * DT * (rows["qd_ref"][1:] + rows["qd_ref"][:-1])
    assert np.abs(position - mean).max() < 2e-6
    assert np.abs(velocity).max() < 0.02
    assert not rows["clipped"].any()
    arm.home(time=3.0, wait=False)
    arm.wait(3.0)


def test_homing_arrives_in_time_and_exactly(arm):
    target = arm.tick.q_ref + 0.2
    arm.home(target, time=1.0, wait=False)
    arm.wait(0.999)
    assert not arm.tick.ref_done
    arm.wait(0.001)
    assert arm.tick.ref_done
    np.testing.assert_array_equal(arm.tick.q_ref, target)
    arm.home(time=1.0, wait=False)
    arm.wait(1.1)


REFUSED = [
    (lambda arm: arm.home([0.0] * 6, wait=False), "7 joint positions, one per joint, not 6"),
    (lambda arm: arm.home([9.0, 0, 0, -2, 0, 2, 0], wait=False), "joint 0 at 9 rad is beyond -2.8"),
    (lambda arm: arm.home([2.0, 0.5, 0, -2, 0, 2, 0], time=0.2, wait=False), "give it"),
    (lambda arm: arm.home(time=0.0, wait=False), "0 is not within 1e-09"),
    (
        lambda arm: arm.move_by([0.01, 0, 0, 0, 0, 0], wait=False),
        "follows a reference of the joints",
    ),
    (lambda arm: arm.circle(), "cartesian_impedance"),
    (lambda arm: arm.play(), "reference.playback.file"),
    (lambda arm: arm.set("reference.playback.file", "x.csv"), "no law is active"),
    (lambda arm: arm.use_preset("snakes"), "snake_simplified"),
]


@pytest.mark.parametrize(("ask", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_an_impossible_reference_is_refused_and_changes_nothing(arm, ask, said):
    arm.wait(0.002)
    before = arm.config, arm.tick.ref_kind, arm.law
    with pytest.raises(Refused, match=r".*" + said):
        ask(arm)
    arm.wait(0.002)
    assert (arm.config, arm.tick.ref_kind, arm.law) == before


def test_a_sinus_beyond_the_limits_is_refused_also_while_it_runs(arm):
    arm.set("reference.sinus.amplitude", 1.0)
    with pytest.raises(Refused, match=r"would swing at .* lower reference.sinus.amplitude or"):
        arm.sinus()
    arm.set("reference.sinus.frequency", 0.02)
    with pytest.raises(
        Refused, match=r"joint 3 would swing between .* or start from another configuration"
    ):
        arm.sinus()
    arm.set("reference.sinus.frequency", 0.25)
    arm.set("reference.sinus.amplitude", 0.1)
    arm.sinus()
    arm.wait(0.1)
    with pytest.raises(Refused, match="would swing"):
        arm.set("reference.sinus.frequency", 8.0)
    assert arm.get("reference.sinus.frequency") == 0.25
    with pytest.raises(ConfigError, match="one number, or 7"):
        arm.set("reference.sinus.amplitude", [0.1, 0.1])
    arm.wait(0.1)
    arm.hold()
    arm.wait(1.0)


def test_a_law_that_follows_nothing_takes_no_reference():
    arm = Arm("sim:panda")
    arm.use_preset("gravity")
    arm.wait(0.01)
    with pytest.raises(Refused, match="gravity follows no reference"):
        arm.sinus()
    with pytest.raises(Refused, match="gravity follows no reference"):
        arm.move_by([0.01, 0, 0, 0, 0, 0], wait=False)


def test_a_position_arm_takes_no_such_preset():
    arm = Arm("sim:ur5e")
    with pytest.raises(Refused, match="this arm accepts only positions"):
        arm.use_preset("snake")
    assert arm.law is None
