"""Verbs of force: they wait, tell how they ended, and can be interrupted."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pliant
from pliant import Arm, Pressed, Refused, WaitTimeout
from pliant.reasons import State


@pytest.fixture
def arm() -> Arm:
    made = Arm("sim:ur5e/table", seed=1, flight=False)
    made.zero()
    return made


def force_on_table(arm: Arm, seconds: float = 1.0) -> np.ndarray:
    """The physics engine's contact force of the last ticks, N."""
    rows = arm.history.since(arm.time - seconds)
    return np.linalg.norm(rows["true_f_fixture_W"], axis=1)


def test_press_reaches_its_force_and_goes_on(arm: Arm) -> None:
    pressed = arm.press(5.0)
    assert isinstance(pressed, Pressed) and pressed.reached and pressed.stopped_by is None
    assert pressed.force == pytest.approx(5.0, abs=0.5)
    arm.wait(2.0)
    assert force_on_table(arm).mean() == pytest.approx(5.0, abs=0.3)
    assert arm.history["true_f_peak"].max() < 15.0
    # more of it, without letting go
    pressed = arm.press(10.0)
    assert pressed is not None and pressed.reached
    assert force_on_table(arm, 0.5).min() > 4.0


def test_press_where_nothing_is_gives_up_with_no_force(arm: Arm) -> None:
    told = r"5 N were not reached within 0\.5 s; the force target is zero; nothing was touched: app"
    with pytest.raises(WaitTimeout, match=told):
        arm.press(5.0, "x", timeout=0.5)
    arm.wait(0.5)
    assert np.abs(arm.tick.w_target).max() == 0.0
    assert arm.state is State.ACTIVE
    # the axis that it took is rigid again
    assert arm.tick.n_af == 0
    moved = arm.move_by([0.02, 0, 0, 0, 0, 0])
    assert moved is not None and moved.reached


def test_a_press_that_times_out_in_contact_says_what_stays(arm: Arm) -> None:
    arm.press(5.0)
    with pytest.raises(WaitTimeout, match="z stays force-controlled: retract"):
        arm.press(10.0, timeout=0.02)
    assert arm.tick.n_af == 1


def test_gains_that_are_left_from_before_are_warned_about_when_they_press(arm: Arm) -> None:
    with pytest.warns(pliant.PliantWarning, match="would be unstable"):
        arm.activate("hybrid_admittance", damping=(1, 2))
    with pytest.warns(pliant.PliantWarning, match="would be unstable"):
        arm.press(5.0, wait=False)
    arm.law.damping = (800, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pliant.PliantWarning)
        arm.press(5.0, wait=False)


def test_a_condition_ends_pressing_in_the_loop(arm: Arm) -> None:
    deep = pliant.position("z") < arm.pose.position[2] - 0.005
    pressed = arm.press(5.0, until=deep)
    assert pressed is not None and not pressed.reached
    assert str(pressed.stopped_by) == str(deep)
    arm.wait(1.0)
    assert np.abs(arm.tick.w_target).max() == 0.0
    assert np.abs(arm.tick.v_WT_W[:3]).max() < 1e-3
    assert arm.tick.reactions_armed == 0


def test_slide_keeps_the_force_while_it_moves(arm: Arm) -> None:
    begun = arm.pose.position
    moved = arm.slide([0.0, 0.04, 0.0, 0, 0, 0], 5.0, speed=0.02)
    assert moved is not None and moved.reached
    way = arm.pose.position - begun
    assert way[1] == pytest.approx(0.04, abs=1e-3)
    assert way[2] < -0.01
    # over 20 ms: single steps of the physics engine lose a sliding contact
    sliding = np.convolve(force_on_table(arm, 1.5), np.full(10, 0.1), "valid")
    assert sliding.min() > 4.0
    assert sliding.max() < 7.0


def test_a_slide_ends_at_its_condition_and_still_presses(arm: Arm) -> None:
    far = pliant.position("y") > arm.pose.position[1] + 0.02
    moved = arm.slide([0.0, 0.06, 0.0, 0, 0, 0], 5.0, until=far)
    assert moved is not None and moved.stopped_by is not None
    arm.wait(1.0)
    assert force_on_table(arm, 0.5).mean() == pytest.approx(5.0, abs=0.5)


def test_retract_leaves_the_surface_and_is_rigid(arm: Arm) -> None:
    arm.press(5.0)
    touching = arm.pose.position[2]
    moved = arm.retract(0.03)
    assert moved is not None and moved.reached
    assert arm.pose.position[2] == pytest.approx(touching + 0.03, abs=2e-3)
    assert force_on_table(arm, 0.1).max() == 0.0
    assert arm.tick.n_af == 0
    assert np.abs(arm.tick.w_target).max() == 0.0


@pytest.mark.parametrize("spec", ["sim:ur5e", "sim:panda"])
def test_a_hand_guides_the_arm_and_then_it_holds(spec: str) -> None:
    arm = Arm(spec, seed=1, flight=False)
    arm.zero()
    gains, begun = arm.config.laws.hybrid_admittance, arm.pose.position
    arm.hand.schedule([0, 12, 0, 0, 0, 0], start=arm.time + 0.2, duration=0.8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arm.guide(1.0)
    led = arm.pose.position
    assert led[1] - begun[1] > 0.05
    assert arm.law == "position"
    assert arm.config.laws.hybrid_admittance == gains
    arm.wait(1.0)
    held = arm.pose.position
    arm.hand.schedule([0, 12, 0, 0, 0, 0], start=arm.time, duration=0.5)
    arm.wait(0.5)
    assert np.linalg.norm(arm.pose.position - held) < 2e-3


def test_guiding_ends_at_its_condition(arm: Arm) -> None:
    far = pliant.position("y") > arm.pose.position[1] + 0.03
    arm.hand.schedule([0, 12, 0, 0, 0, 0], start=arm.time, duration=3.0)
    begun = arm.time
    arm.guide(until=far)
    assert arm.time - begun < 2.0
    assert arm.law == "position"
    # rigid from the tick of the condition on, although the hand goes on pushing
    place = arm.pose.position[1]
    arm.wait(0.5)
    assert arm.pose.position[1] - place < 0.02


def test_wait_done_waits_for_a_move_under_way(arm: Arm) -> None:
    arm.activate("position")
    target = arm.pose.moved([0, 0.05, 0.02])
    arm.move_to(target, wait=False)
    moved = arm.wait_done()
    assert moved.reached
    assert np.linalg.norm(arm.pose.position - target.position) < 1e-3
    assert arm.wait_done().reached, "of a motion that is done already too"
    arm.move_by([0, -0.1, 0, 0, 0, 0], speed=0.02, wait=False)
    with pytest.raises(WaitTimeout):
        arm.wait_done(timeout=0.5)
    arm.wait(0.5)
    assert np.abs(arm.tick.v_WT_W[:3]).max() < 1e-3, "it holds"


def test_a_profile_of_wrenches_is_followed(arm: Arm) -> None:
    arm.press(2.0)
    arm.wait(1.0)
    start = arm.time
    last = arm.set_wrench(
        [(0, [0, 0, -2, 0, 0, 0]), (2, [0, 0, -8, 0, 0, 0]), (4, [0, 0, -5, 0, 0, 0])]
    )
    assert arm.time - start == pytest.approx(4.0)
    assert last[2] == -5.0
    rows = arm.history.since(start)
    wished = np.interp(rows["time"] - start, [0, 2, 4], [-2, -8, -5])
    assert np.abs(rows["w_target"][:, 2] - wished).max() < 0.05
    # the contact itself takes its time
    assert np.sqrt(np.mean((rows["w_T"][:, 2] - wished) ** 2)) < 1.0


@pytest.mark.parametrize(
    ("do", "why"),
    [
        (lambda arm: arm.press(5.0, "rz"), "x, y or z, not 'rz'"),
        (lambda arm: arm.set_wrench([(1, [0] * 6), (2, [0] * 6)]), "ascending times"),
        (lambda arm: arm.set_wrench([(0, [0] * 5), (2, [0] * 6)]), "six numbers"),
        (lambda arm: arm.set_wrench([]), "six"),
    ],
)
def test_what_makes_no_sense_is_refused(arm: Arm, do: Callable[[Arm], Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        do(arm)


def test_an_interrupted_press_lets_go(arm: Arm, monkeypatch: pytest.MonkeyPatch) -> None:
    advance = arm.session.advance

    def interrupted() -> Any:
        if arm.time > 1.0:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return advance()

    monkeypatch.setattr(arm.session, "advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        arm.press(5.0)
    arm.wait(0.1)
    assert np.abs(arm.tick.w_target).max() == 0.0


def test_the_sensor_can_be_zeroed_right_after_a_move(arm: Arm) -> None:
    arm.move_by([0, 0.05, 0, 0, 0, 0.3])
    arm.zero()
    assert np.abs(arm.tick.w_T).max() < 0.5


def test_more_force_than_may_be_asked_for_is_refused(arm: Arm) -> None:
    with pytest.raises(Refused, match=r"at most 20 N, supervisor\.wrench_limit, not 25 N"):
        arm.press(25.0)
    with pytest.raises(Refused, match="more than 0 m"):
        arm.retract(-0.01)


def test_wait_done_waits_for_the_retraction_of_a_reaction(arm: Arm) -> None:
    arm.on(pliant.force("z") > 5, pliant.Reaction.retract(0.02))
    arm.move_by([0, 0, -0.08, 0, 0, 0], speed=0.02)
    touching = arm.pose.position[2]
    arm.wait_done()
    assert arm.pose.position[2] > touching + 0.017
    assert np.linalg.norm(arm.tick.v_WT_W[:3]) < 2e-3


def test_a_slide_that_cannot_be_is_refused_before_anything_moves(arm: Arm) -> None:
    start = arm.time
    with pytest.raises(Refused, match="give six numbers"):
        arm.slide([0, 0.02, 0], 5.0)
    assert arm.time == start and arm.law is None


def test_guiding_without_end_is_refused_in_simulated_time(arm: Arm) -> None:
    with pytest.raises(Refused, match="for how long"):
        arm.guide()
