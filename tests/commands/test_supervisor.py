"""Every transition and every refusal, on a simulated arm."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pliant import Arm, commands
from pliant import commands as c
from pliant.errors import ArmStopped, ConfigError, PliantError, Refused, UnknownNameError
from pliant.laws import Position
from pliant.reasons import Reason, State
from pliant.sim.sensor import SensorFault
from pliant.stages.supervisor import read_text, write_text
from pliant.tick import new_rows

FAST: dict[str, Any] = {"wrench": {"zero_time": 0.02}}
Use = Callable[[Arm], Any]


def inactive() -> Arm:
    arm = Arm("sim:ur5e", config=FAST)
    arm.zero()
    return arm


def active(law: str = "hybrid_admittance") -> Arm:
    arm = inactive()
    arm.activate(law)
    arm.wait(0.02)
    return arm


def moving() -> Arm:
    arm = active()
    arm.jog([0, 0, 0.05, 0, 0, 0], timeout=2.0)
    arm.wait(0.2)
    return arm


def stopping() -> Arm:
    arm = moving()
    arm.deactivate()
    arm.wait(0.01)
    assert arm.state is State.STOPPING
    return arm


def fault() -> Arm:
    arm = active()
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped):
        arm.wait(0.1)
    return arm


def pressing() -> Arm:
    arm = Arm("sim:ur5e/table", config=FAST)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0, -0.0505, 0, 0, 0], wait=False)
    arm.wait(1.5)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait(1.0)
    return arm


def test_starts_inactive_and_holds() -> None:
    arm = Arm("sim:ur5e", config=FAST)
    assert arm.state is State.INACTIVE
    assert arm.law is None
    arm.wait(0.2)
    assert np.ptp(arm.history["q_sent"], axis=0).max() == 0.0


def test_the_way_round() -> None:
    arm = inactive()
    arm.activate("hybrid_admittance")
    arm.wait(0.002)
    assert (arm.state, arm.law, arm.reason) == (State.ACTIVE, "hybrid_admittance", "")
    arm.activate("position")
    arm.wait(0.002)
    assert (arm.state, arm.law) == (State.ACTIVE, "position")
    arm.move_by([0, 0, 0.02, 0, 0, 0], wait=False)
    arm.wait(0.2)
    arm.deactivate()
    arm.wait(0.002)
    assert (arm.state, arm.law) == (State.STOPPING, "position")
    assert arm.reason == Reason.STOP_ASKED.text
    arm.wait(0.5)
    assert (arm.state, arm.law) == (State.INACTIVE, None)
    assert np.abs(arm.tick.qd_limited).max() == 0.0
    arm.activate("position")
    arm.wait(0.002)
    assert (arm.state, arm.reason) == (State.ACTIVE, "")


def test_a_stop_can_be_taken_back() -> None:
    arm = stopping()
    arm.activate("hybrid_admittance")
    arm.wait(0.5)
    assert arm.state is State.ACTIVE
    assert np.abs(arm.tick.v_cmd_T).max() < 1e-3


def test_fault_and_reset() -> None:
    arm = fault()
    assert arm.state is State.FAULT
    arm.simulation.set_sensor_fault(SensorFault.NONE)
    arm.wait(0.01)
    arm.reset()
    arm.activate("hybrid_admittance")
    arm.wait(0.002)
    assert (arm.state, arm.reason) == (State.ACTIVE, "")


def test_what_has_nothing_to_do_says_so() -> None:
    arm = inactive()
    arm.deactivate()
    arm.reset()
    arm.hold()
    arm.wait(0.01)
    assert arm.state is State.INACTIVE
    arm.activate("position")
    arm.wait(0.01)
    seq = arm.tick.law_seq
    arm.activate("position")
    arm.wait(0.01)
    assert arm.tick.law_seq == seq


HERE = (0.4, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0)

REFUSALS: list[tuple[Callable[[], Arm], Use, type[PliantError], str]] = [
    (inactive, lambda a: a.session.take(c.MoveTo(pose=HERE)), Refused, "no law is active"),
    (inactive, lambda a: a.session.take(c.MoveBy(delta=(0,) * 6)), Refused, "no law is active"),
    (inactive, lambda a: a.jog([0, 0, 0, 0, 0, 0]), Refused, "no law is active"),
    (inactive, lambda a: a.activate("nothing"), UnknownNameError, "hybrid_admittance, position"),
    (fault, lambda a: a.activate("position"), Refused, "reset first"),
    (fault, lambda a: a.jog([0, 0, 0, 0, 0, 0]), Refused, "reset, then activate"),
    (fault, lambda a: a.reset(), Refused, "still there"),
    (fault, lambda a: a.zero(), Refused, "not numbers"),
    (fault, lambda a: a.set_wrench([0, 0, -5, 0, 0, 0]), Refused, "reset first"),
    (stopping, lambda a: a.jog([0, 0, 0, 0, 0, 0]), Refused, "no law is active"),
    (stopping, lambda a: a.set_wrench([0, 0, -5, 0, 0, 0]), Refused, "coming to rest"),
    (moving, lambda a: a.session.take(c.Zero()), Refused, "while the tool moves"),
    (pressing, lambda a: a.zero(), Refused, "while a force is asked for"),
    (active, lambda a: a.jog([np.nan, 0, 0, 0, 0, 0]), Refused, "finite"),
    (active, lambda a: a.jog([1, 0, 0]), Refused, "twist"),
    (active, lambda a: a.move_to([0, 0, 0, 2, 0, 0, 0], wait=False), Refused, "2, not 1"),
    (active, lambda a: a.move_to([0, np.nan, 0, 1, 0, 0, 0], wait=False), Refused, "finite"),
    (active, lambda a: a.move_to([0, 0, 0, np.nan, 0, 0, 0], wait=False), Refused, "finite"),
    (active, lambda a: a.set_wrench([np.inf, 0, 0, 0, 0, 0]), Refused, "finite"),
    (active, lambda a: a.set_axes("x q"), Refused, "unknown axis 'q'"),
    (active, lambda a: a.set_axes(2 * np.eye(6), 3), Refused, "not orthonormal"),
    (active, lambda a: a.set("sim.seed", 3), Refused, "cannot be changed while the arm"),
    (
        active,
        lambda a: a.set("tool.X_FT", [0, 0, 0, 1, 0, 0, 0]),
        Refused,
        "cannot be changed while",
    ),
    (active, lambda a: a.set("safety.nothing", 3), UnknownNameError, "contact_force"),
    (active, lambda a: a.set("safety.tool_speed", -1.0), ConfigError, "greater than or equal"),
    (active, lambda a: a.law.set(inertia=(0.01, 0.25)), ConfigError, "exceeds 1"),
    (active, lambda a: a.law.set(damping=(0.0, 0.0)), ConfigError, "no damping"),
    (active, lambda a: a.use_preset("nothing"), UnknownNameError, "force_control_demo"),
    (active, lambda a: a.law.set(rigid_axes="spring"), ConfigError, "stiffness"),
]


@pytest.mark.parametrize(("make", "use", "error", "message"), REFUSALS)
def test_a_refused_command_says_why_and_changes_nothing(
    make: Callable[[], Arm], use: Use, error: type[PliantError], message: str
) -> None:
    arm, twin = make(), make()
    config = arm.config
    with pytest.raises(error, match=message):
        use(arm)
    assert arm.config == config
    for one in (arm, twin):
        one.wait(0.02)
    assert arm.history.since(0.0).tobytes() == twin.history.since(0.0).tobytes()


def test_zeroing_is_refused_while_the_force_is_implausible() -> None:
    arm = inactive()
    arm.hand.schedule([0, 0, 40, 0, 0, 0], start=arm.time)
    arm.wait(0.1)
    with pytest.raises(Refused, match="implausibly large"):
        arm.zero()
    with pytest.raises(Refused, match="implausibly large"):
        arm.activate("hybrid_admittance")


def test_zeroing_is_refused_with_a_stale_sensor() -> None:
    arm = inactive()
    arm.simulation.set_sensor_fault(SensorFault.FROZEN)
    arm.wait(0.1)
    with pytest.raises(Refused, match="sends nothing new"):
        arm.zero()


def test_zeroing_is_refused_until_the_force_has_been_let_go() -> None:
    arm = pressing()
    arm.use_preset("stiff_surface")
    arm.wait(0.5)
    arm.set_wrench([0, 0, 0, 0, 0, 0])
    with pytest.raises(Refused, match="while a force is asked for"):
        arm.zero()


def test_two_laws_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="must be unique"):
        Arm("sim:ur5e", laws=[Position()])


def test_a_zeroing_that_is_disturbed_is_reported() -> None:
    arm = Arm("sim:ur5e", config={"wrench": {"zero_time": 0.2}})
    arm.zero()
    bias = arm.tick.w_bias_S
    arm.hand.schedule([20, 0, 0, 0, 0, 0], start=arm.time + 0.05)
    with pytest.raises(Refused, match="interrupted"):
        arm.zero()
    np.testing.assert_array_equal(arm.tick.w_bias_S, bias)


def test_the_wrench_stage_keeps_its_parameters_while_zeroing() -> None:
    arm = Arm("sim:ur5e", config={"wrench": {"zero_time": 0.2}})
    waiting = arm.ticks()
    next(waiting)
    for seen in range(40):
        if seen == 0:
            arm._command(commands.Zero)
        with pytest.raises(Refused, match="being zeroed"):
            arm.set("wrench.zero_time", 1.0)
        next(waiting)
    arm.wait(0.3)
    arm.set("wrench.zero_time", 1.0)
    assert arm.tick.zeroed == 1


def test_a_clamped_wrench_says_so() -> None:
    arm = active()
    applied = arm.set_wrench([0, 0, -50, 0, 4, 0])
    np.testing.assert_array_equal(applied, [0, 0, -20, 0, 3, 0])
    arm.wait(0.002)
    np.testing.assert_array_equal(arm.tick.w_target, applied)


def test_the_reply_to_a_clamped_wrench_names_the_axes() -> None:
    arm = active()
    reply = arm._command(commands.SetWrench, wrench=(0, 0, -50, 0, 4, 0))
    assert "Fz clamped to -20" in reply.text
    assert "Ty clamped to 3" in reply.text
    assert "Fx" not in reply.text


def test_deactivation_in_contact_lets_the_force_go() -> None:
    arm = pressing()
    assert arm.tick.true_f_fixture_W[2] == pytest.approx(-5.0, abs=0.7)
    began = arm.time
    arm.deactivate()
    arm.wait_until(lambda tick: tick.state == State.INACTIVE, timeout=1.5)
    arm.wait(0.3)
    rows = arm.history.since(began)
    ramp = rows["w_desired_T"][:, 2]
    assert np.abs(np.diff(ramp)[1:]).max() <= 50.0 * arm.dt * (1 + 1e-9)
    assert np.abs(rows["true_f_fixture_W"][:, 2]).max() < 6.0
    assert np.abs(arm.tick.true_f_fixture_W[2]) < 1.5
    assert np.abs(arm.tick.qd_limited).max() == 0.0


def test_a_stop_that_takes_too_long_ends_all_the_same() -> None:
    config = FAST | {"supervisor": {"stop_time": 0.1}}
    arm = Arm("sim:ur5e", config=config)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -20, 0, 0, 0])
    arm.wait(1.0)
    arm.deactivate()
    arm.wait(0.11)
    assert arm.state is State.INACTIVE
    arm.wait(0.1)
    assert np.abs(arm.tick.qd_limited).max() == 0.0


def test_two_commands_between_ticks_both_act() -> None:
    arm = active()
    target = arm.tick.X_WR + np.array([0, 0, 0.02, 0, 0, 0, 0])
    arm.move_to(target, wait=False)
    arm.set_axes("x")
    arm.set_wrench([1, 0, 0, 0, 0, 0])
    arm.wait(0.002)
    assert arm.tick.ref_kind == 1
    assert arm.tick.n_af == 1
    assert arm.tick.w_target[0] == 1.0
    np.testing.assert_array_equal(arm.tick.X_WR_target, target)


def test_commands_between_ticks_see_each_other() -> None:
    arm = inactive()
    arm.activate("position")
    arm.move_by([0, 0, 0.01, 0, 0, 0], wait=False)
    arm.move_by([0, 0, 0.01, 0, 0, 0], wait=False)
    before = arm.tick.X_WT_sent
    arm.wait(1.5)
    assert arm.tick.X_WT_sent[2] - before[2] == pytest.approx(0.02, abs=1e-6)
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.deactivate()
    with pytest.raises(Refused):
        arm.jog([0, 0, 0.1, 0, 0, 0])
    arm.wait(0.002)
    assert arm.tick.w_target[2] == 0.0


@pytest.mark.parametrize("text", ["", "short", "ü" * 100, "x" * 119 + "ü", "€" * 40 + "x"])
def test_the_reason_is_cut_between_characters(text: str) -> None:
    row = new_rows(6)
    write_text(row, "something longer that must not shine through")
    write_text(row, text)
    assert text.startswith(read_text(row))
    assert len(read_text(row).encode()) >= min(len(text.encode()), 117)


def test_the_weight_of_the_tool_can_be_corrected_in_contact_free_force_control() -> None:
    guess = {"tool": {"mass": 0.9}, "sim": {"tool": {"mass": 0.5}}}
    arm = Arm("sim:ur5e", config=guess)
    arm.zero()
    arm.activate("hybrid_admittance")
    before = arm.tick.w_T_filtered
    arm.set("tool.mass", 0.5)
    arm.wait(0.2)
    np.testing.assert_allclose(arm.tick.w_T_filtered, before, atol=0.3)
    assert arm.config.tool.mass == 0.5

    # elsewhere it would have felt 4 N of weight
    arm.move_by([0, 0, 0, 0.8, 0, 0], wait=False)
    arm.wait_until(lambda tick: tick.ref_done)
    arm.wait(0.5)
    np.testing.assert_allclose(arm.tick.w_T_filtered[:3], 0.0, atol=0.3)


def test_the_weight_is_part_of_a_torque_arms_model() -> None:
    arm = Arm("sim:panda")
    with pytest.raises(Refused, match="part of the model"):
        arm.set("tool.mass", 0.7)


def test_a_move_right_after_a_change_of_axes_counts_from_where_the_tool_stays() -> None:
    with Arm("sim:ur5e/table", config=FAST) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("z")
        arm.set_wrench([0, 0, -5, 0, 0, 0])
        arm.wait_until(lambda tick: tick.w_T[2] < -4.0, timeout=30.0)
        arm.wait(1.0)
        z = arm.tick.X_WT_cmd[2]
        assert arm.tick.X_WR[2] - z > 0.02
        arm.set_axes("")
        arm.move_by([0, 0, 0.01, 0, 0, 0], frame="world", wait=False)
        arm.wait(2.0)
        assert arm.tick.X_WR[2] == pytest.approx(z + 0.01, abs=1e-4)
        assert arm.tick.X_WT[2] == pytest.approx(z + 0.01, abs=1e-4)
