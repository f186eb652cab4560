"""Reactions act in the tick in which their condition first holds, and are recomputed from it."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm, Reaction, Refused, force
from pliant.api.armed_reaction import ArmedReaction
from pliant.errors import ArmStopped
from pliant.reasons import Reason, State
from pliant.recording.recomputation import recompute
from pliant.sim.sensor import SensorFault
from pliant.stages.reference import RefKind
from pliant.tick import MOST_REACTIONS

SPEED = 0.02
DOWN = [0, 0, -0.2, 0, 0, 0]
STIFF = {"sim": {"scene": {"kind": "table", "stiffness": 1e5}}, "safety": {"contact_force": 500.0}}
RATES = {"sim:ur5e/table": 500, "sim:panda/table": 1000, "sim:fr3/table": 1000}


def above_the_table(spec: str = "sim:ur5e/table", law: str = "position") -> Arm:
    """An arm whose tool is a little above a hard table, at rest, its sensor zeroed."""
    arm = Arm(spec, config=STIFF, seed=1, flight=False)
    arm.zero()
    arm.activate(law)
    arm.move_by([0, 0, -0.045, 0, 0, 0], speed=0.1)
    return arm


def events(arm: Arm) -> list[str]:
    return [line.text for line in arm.history.lines if line.kind == "event"]


@pytest.mark.parametrize(
    ("spec", "law"),
    [(spec, "position") for spec in RATES]
    + [
        ("sim:ur5e/table", "hybrid_admittance"),
        ("sim:panda/table", "cartesian_impedance"),
        ("sim:panda/table", "task_space_inverse_dynamics"),
    ],
)
def test_a_reaction_is_in_force_in_the_tick_in_which_its_condition_first_holds(
    spec: str, law: str, tmp_path: Path
) -> None:
    arm = above_the_table(spec, law)
    assert round(1.0 / arm.dt) == RATES[spec]
    with pliant.record(arm, tmp_path / "touch.mcap"):
        armed = arm.on(force("z") > 5, Reaction.hold())
        arm.move_by(DOWN, speed=SPEED, wait=False)
        arm.wait_until(lambda tick: tick.reaction_slot == 1, 5.0)
        arm.wait(0.2)
    assert_acted_at_once(arm, armed)
    assert events(arm) == ["reaction 1: force(z)>5: hold"]
    recording = pliant.load(tmp_path / "touch.mcap")
    middle = int(recording["k"][len(recording) // 2])
    assert armed.tick is not None
    for start in (None, middle, armed.tick, armed.tick + 1):
        assert recompute(recording, start).difference is None


def assert_acted_at_once(arm: Arm, armed: ArmedReaction) -> None:
    """The condition holds first in the tick of the reaction, and in that one braking begins."""
    k, w_z = arm.history["k"], np.abs(arm.history["w_T"][:, 2])
    first = int(np.argmax(w_z > 5))
    assert w_z[first] > 5
    assert armed.tick == k[first]
    kind, v_z = arm.history["ref_kind"], arm.history["v_WR_W"][:, 2]
    assert kind[first - 1] == RefKind.POSE and kind[first] == RefKind.BRAKE
    np.testing.assert_allclose(v_z[first - 5 : first], -SPEED, rtol=1e-6)
    assert v_z[first] > -0.9 * SPEED
    assert (v_z[first + 12 :] == 0.0).all()


@pytest.mark.parametrize("spec", ["sim:ur5e/table", "sim:panda/table"])
def test_it_is_the_same_in_real_time(spec: str, folder: Path, tmp_path: Path) -> None:
    patient = STIFF | {"safety": {"contact_force": 500.0, "lateness": 60.0}}
    file = tmp_path / "touch.mcap"
    with Arm(spec, clock="real", config=patient, flight=False) as arm:
        arm.zero()
        arm.activate("position")
        arm.move_by([0, 0, -0.045, 0, 0, 0], speed=0.1)
        with pliant.record(arm, file):
            armed = arm.on(force("z") > 5, Reaction.hold())
            arm.move_by(DOWN, speed=SPEED, wait=False)
            arm.wait_until(lambda tick: tick.reaction_k[0] > 0, 20.0)
            arm.wait(0.1)
        assert_acted_at_once(arm, armed)
        reacted = armed.tick
    recording = pliant.load(file)
    assert reacted in recording["k"]
    for start in (None, reacted):
        assert recompute(recording, start).difference is None


def test_a_condition_holds_for_as_many_ticks_as_it_says() -> None:
    arm = above_the_table()
    ticks = arm.on((force("z") > 5).for_ticks(8), Reaction.wrench([0, 0, -1, 0, 0, 0]))
    seconds = arm.on((force("z") > 5).held(0.02), Reaction.hold())
    arm.move_by(DOWN, speed=SPEED, wait=False)
    arm.wait_until(lambda tick: tick.reaction_k[1] > 0, 5.0)
    first = int(arm.history["k"][np.argmax(np.abs(arm.history["w_T"][:, 2]) > 5)])
    assert ticks.tick == first + 7
    assert seconds.tick == first + 9
    assert arm.tick.w_target[2] == -1.0


def test_the_lowest_number_acts_and_the_others_are_spent() -> None:
    arm = above_the_table()
    later = arm.on(force("z") > 500, "stop")
    first = arm.on(force("z") > 5, Reaction.retract(0.004, 0.05))
    second = arm.on(force("z") > 4, "stop")
    second.cancel()
    third = arm.on((force("z") > 5) & (pliant.speed() < 1), "stop")
    arm.move_by(DOWN, speed=SPEED, wait=False)
    arm.wait_until(lambda tick: tick.reaction_slot != 0, 5.0)
    assert arm.tick.reaction_slot == first.number == 2
    assert first.tick == third.tick == arm.tick.k
    assert not later.fired and not second.fired
    touched = float(arm.tick.X_WR[2])
    arm.wait(1.0)
    assert arm.state is State.ACTIVE
    assert arm.tick.ref_done == 1
    assert 0.0035 < arm.tick.X_WR[2] - touched < 0.0045
    assert arm.tick.reactions_armed == 1


def test_a_retraction_from_rest_goes_back_along_the_tool() -> None:
    arm = above_the_table()
    before = arm.tick.X_WR
    arm.on(pliant.column("time") > arm.time + 0.01, Reaction.retract(0.01, 0.1))
    arm.wait(1.0)
    # the tool points down
    np.testing.assert_allclose(arm.tick.X_WR[:3] - before[:3], [0, 0, 0.01], atol=1e-6)


def test_a_stop_ends_the_law_and_a_law_takes_over() -> None:
    arm = above_the_table()
    soon = pliant.column("time") > arm.time + 0.05
    arm.on(soon, Reaction.law("hybrid_admittance"))
    arm.move_by(DOWN, speed=SPEED, wait=False)
    arm.wait(0.1)
    assert arm.law == "hybrid_admittance"
    assert arm.state is State.ACTIVE and arm.tick.ref_kind == RefKind.HOLD
    arm.on(pliant.speed() < 1, Reaction.stop())
    arm.on(pliant.force() > 100, Reaction.stop())
    arm.wait(0.002)
    assert arm.state is State.STOPPING and arm.tick.reason == Reason.REACTION
    assert arm.reason == "stopped by a reaction: number 1"
    assert arm.tick.reactions_armed == 0
    arm.wait_until(lambda tick: tick.state == State.INACTIVE, 2.0)


def test_without_a_law_the_joints_come_to_rest() -> None:
    arm = Arm("sim:ur5e/table")
    start = arm.tick.q
    moved = arm.joints.move(start + 0.3, speed=0.5, until=pliant.column("q", 1) > start[1] + 0.1)
    assert moved is not None and str(moved.stopped_by).startswith("q[1]>")
    arm.wait(0.5)
    assert start[1] + 0.1 < arm.tick.q[1] < start[1] + 0.17
    assert arm.joints.done()


def test_a_fault_beats_all_and_disarms() -> None:
    arm = above_the_table()
    arm.set("safety.contact_force", 4.0)
    armed = arm.on(pliant.column("trip") > 0, Reaction.retract(0.01))
    arm.move_by(DOWN, speed=SPEED, wait=False)
    with pytest.raises(ArmStopped):
        arm.wait(5.0)
    assert not armed.fired and arm.tick.reactions_armed == 0
    with pytest.raises(Refused, match="reset first"):
        arm.on(force() > 5, "hold")


def test_deactivation_disarms() -> None:
    arm = above_the_table()
    armed = arm.on(force() > 5, "hold")
    arm.deactivate()
    arm.wait(0.01)
    assert arm.tick.reactions_armed == 0 and not armed.fired


def test_an_arm_that_waits_for_a_touch_holds_if_its_sensor_fails() -> None:
    arm = above_the_table()
    # else safety stops the arm before
    arm.set("safety", {"contact_force": float("inf"), "contact_torque": float("inf")})
    armed = arm.on(force("z") > 5, Reaction.retract(0.01))
    arm.move_by(DOWN, speed=SPEED, wait=False)
    arm.wait(0.05)
    arm.simulation.set_sensor_fault(SensorFault.FROZEN)
    arm.wait(0.3)
    assert arm.state is State.ACTIVE
    assert arm.tick.ref_kind == RefKind.BRAKE and arm.tick.ref_done == 1
    assert armed.fired and arm.tick.reaction_k[0] < 0
    assert "the arm holds, as the force sensor" in events(arm)[0]


def test_what_cannot_be_judged_is_refused() -> None:
    arm = Arm("sim:ur5e/table")
    with pytest.raises(Refused, match="never zeroed"):
        arm.on(force("z") > 5, "hold")
    with pytest.raises(Refused, match="w_ext_T is no number on this arm"):
        arm.on(pliant.column("w_ext_T", 2) > 5, "hold")
    with pytest.raises(Refused, match="q has 6 elements"):
        arm.on(pliant.column("q", 6) > 5, "hold")
    with pytest.raises(Refused, match="unknown law 'nonsense'"):
        arm.on(pliant.column("q", 1) > 5, "law nonsense")
    for _ in range(MOST_REACTIONS):
        arm.on(pliant.column("q", 1) > 5, "hold")
    with pytest.raises(Refused, match="8 conditions are armed"):
        arm.on(pliant.column("q", 1) > 5, "hold")


def test_a_handle_remembers_that_it_fired_after_its_number_is_given_again() -> None:
    arm = above_the_table()
    first = arm.on(pliant.speed() < 1, "hold")
    arm.wait(0.01)
    second = arm.on(force() > 100, "hold")
    arm.wait(0.01)
    assert first.number == second.number == 1
    assert first.fired and not second.fired
    first.cancel()
    arm.wait(0.01)
    assert arm.tick.reactions_armed == 1
    second.cancel()
    arm.wait(0.01)
    assert arm.tick.reactions_armed == 0
