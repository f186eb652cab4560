"""Moves of the tool and of the joints follow each other; conditions can be waited for."""

import numpy as np
import pytest

import pliant
from pliant import Arm
from pliant.errors import ConfigError, Refused, WaitTimeout


@pytest.mark.parametrize("spec", ["sim:ur5e", "sim:panda"])
def test_tool_and_joints_move_in_turn(spec: str) -> None:
    with Arm(spec) as arm:
        home = np.array(arm.description.home)
        assert arm.move_by([0, 0, 0.03, 0, 0, 0]).reached
        assert arm.law == "position"
        assert arm.home().reached
        assert np.abs(arm.tick.q - home).max() < 2e-3
        assert arm.law is None
        assert arm.move_by([0, 0, 0.03, 0, 0, 0]).reached
        assert arm.joints.move(home + 0.05, speed=0.5).reached
        assert np.abs(arm.tick.q - home - 0.05).max() < 2e-3


@pytest.mark.parametrize(
    "call",
    [
        lambda arm: arm.home([0.1, 0.2]),
        lambda arm: arm.home(time=2.0),
        lambda arm: arm.home(timeout=-1),
        lambda arm: arm.joints.move(np.full(6, 9.0)),
    ],
)
def test_a_move_of_the_joints_that_is_refused_leaves_the_law(call) -> None:
    with Arm("sim:ur5e") as arm:
        arm.activate("position")
        arm.wait(0.1)
        with pytest.raises(Refused):
            call(arm)
        arm.wait(0.1)
        assert arm.law == "position"


def test_a_move_waits_for_the_law_that_was_deactivated() -> None:
    with Arm("sim:ur5e/table") as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        with pytest.raises(Refused, match="hybrid_admittance drives the joints: deactivate"):
            arm.joints.move(arm.description.home)
        arm.deactivate()
        assert arm.joints.move(np.array(arm.description.home) + 0.02).reached
        arm.activate("hybrid_admittance")
        arm.wait(0.1)
        arm.deactivate()
        assert arm.move_by([0, 0, 0.02, 0, 0, 0]).reached
        assert arm.law == "position"
        # a law that is activated after the end of another one stays
        arm.deactivate()
        arm.wait(0.5)
        arm.activate("hybrid_admittance")
        assert arm.move_by([0, 0, -0.02, 0, 0, 0]).reached
        assert arm.law == "hybrid_admittance"


def test_a_condition_is_waited_for_like_a_function() -> None:
    with Arm("sim:ur5e/table") as arm:
        arm.zero()
        arm.move_by([0, 0, -0.1, 0, 0, 0], speed=0.02, wait=False)
        tick = arm.wait_until(pliant.force("z") > 5)
        assert abs(tick.w_T[2]) > 5
        assert (np.abs(arm.history["w_T"][:-1, 2]) <= 5).all()
        arm.hold()
        tick = arm.wait_until(((pliant.speed() < 0.01) & (pliant.column("k") > 0)).for_ticks(25))
        speeds = np.linalg.norm(arm.history["v_WT_W"][-26:, :3], axis=1)
        assert speeds[0] >= 0.01 > speeds[1:].max()
        with pytest.raises(WaitTimeout):
            arm.wait_until("position(z)>2", timeout=0.1)
        with pytest.raises(Refused, match="elements"):
            arm.wait_until(pliant.column("q", 9) > 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda arm: arm.wait(-1),
        lambda arm: arm.wait(float("inf")),
        lambda arm: arm.guide(-1),
        lambda arm: next(arm.ticks(-1)),
        lambda arm: arm.wait_until(lambda _: False, timeout=-1),
        lambda arm: arm.move_by([0, 0, 0.01, 0, 0, 0], timeout=-1),
        lambda arm: arm.home(timeout=-1),
        lambda arm: arm.press(5, timeout=float("nan")),
        lambda arm: arm.slide([0, 0.01, 0, 0, 0, 0], 5, timeout=-1),
        lambda arm: arm.wait_done(timeout=-1),
        lambda arm: arm.joints.wait_done(timeout=-1),
    ],
)
def test_a_duration_that_is_none_is_refused_before_anything_moves(call) -> None:
    with Arm("sim:ur5e") as arm:
        with pytest.raises(Refused, match="number of seconds"):
            call(arm)
        assert arm.time == 0.0 and arm.law is None


def test_verbs_of_force_wait_for_the_law_that_was_deactivated() -> None:
    with Arm("sim:ur5e/table", seed=1, flight=False) as arm:
        arm.zero()
        assert arm.press(5).reached
        for verb in (
            lambda: arm.press(5),
            lambda: arm.slide([0, 0.005, 0, 0, 0, 0], 5),
            arm.retract,
        ):
            arm.deactivate()
            assert verb().reached


def test_slips_are_refused_in_words() -> None:
    with Arm("sim:ur5e/table") as arm:
        with pytest.raises(Refused, match=r"put each comparison in brackets"):
            _ = pliant.force("z") > 5 & pliant.speed() < 0.1
        with pytest.raises(Refused, match="give 6 joint positions, rad, as a list, not"):
            arm.joints.move({"elbow": 1.2})
        with pytest.raises(Refused, match="give six numbers as a list, not -5"):
            arm.set_wrench(-5)
        with pytest.raises(ConfigError, match=r"give a list of values, such as .*, not 0\.5"):
            arm.set("reference.max_speed", 0.5)
        with pytest.warns(pliant.PliantWarning, match="angles are in rad"):
            arm.move_by([0, 0, 0.01, 0, 0, 90])


def test_the_angle_says_why_a_soft_arm_did_not_arrive() -> None:
    with Arm("sim:panda") as arm:
        arm.activate("cartesian_impedance", stiffness=(2400, 30))
        moved = arm.move_to(arm.pose.moved([0, 0, -0.05]))
        assert not moved.reached
        assert moved.distance < 2e-3
        assert moved.angle > 1e-2
        assert f"angle={moved.angle:.3g}" in repr(moved)


def test_axes_are_names_in_a_list_too() -> None:
    with Arm("sim:ur5e") as arm:
        for axes in ("x y rz", ["x", "y", "rz"], [True, True, False, False, False, True]):
            arm.set_axes("")
            arm.set_axes(axes)
            arm.wait(0.01)
            assert arm.tick.n_af == 3
            assert np.flatnonzero(arm.tick.Tr[:3].any(axis=0)).tolist() == [0, 1, 5]


def test_a_path_is_rows_too() -> None:
    with Arm("sim:ur5e") as arm:
        ends = [arm.pose, arm.pose.moved([0.02, 0, 0])]
        assert arm.follow([(0.0, ends[0]), (1.0, ends[1])]).reached
        rows = np.array([[0.0, *ends[1]], [1.0, *ends[0]]])
        assert arm.follow(rows).reached
        assert arm.pose.distance(ends[0])[0] < 2e-3


def test_a_force_that_pulls_is_refused() -> None:
    with Arm("sim:ur5e/table") as arm:
        arm.zero()
        for pull in (
            lambda: arm.press(-5),
            lambda: arm.press([(0, 5), (1, -5)]),
            lambda: arm.slide([0, 0.01, 0, 0, 0, 0], -5),
        ):
            with pytest.raises(Refused, match="a positive force presses"):
                pull()
        assert arm.law is None


def test_a_part_of_the_past_is_plotted() -> None:
    with Arm("sim:ur5e") as arm:
        arm.wait(1.0)
        figure = arm.history.plot("q", since=0.2, to=0.4)
        times = figure.axes[0].lines[0].get_xdata()
        assert times[0] == pytest.approx(0.2)
        assert times[-1] == pytest.approx(0.4)
