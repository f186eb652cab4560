"""`franka:<host>` on a virtual FR3: presses, stops, says why, and comes back when asked."""

from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.franka_status import FrankaStatus
from pliant.errors import PliantError, Refused
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm, virtual_arm

from .franka_loops import activate, connected, in_fault, pressing, recovered, run, status, until

pytestmark = pytest.mark.alone

Running = tuple[Loop, History]


@pytest.fixture(scope="module")
def shared() -> Iterator[VirtualArm]:
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture
def running(shared: VirtualArm) -> Iterator[Running]:
    with connected(shared) as running:
        run(running[0], 0.05)
        yield running


def moving(loop: Loop, arm: VirtualArm) -> None:
    """Move the tool upwards, or downwards where there is no more room."""
    activate(loop, "cartesian_impedance")
    up = 0.1 if loop.row["X_WT"][0, 2] < 0.3 else -0.1
    loop.take(c.MoveBy(delta=(0.0, 0.0, up, 0.0, 0.0, 0.0)))
    until(loop, lambda: abs(loop.row["v_WT_W"][0, 2]) > 0.03)


def fastest(arm: VirtualArm) -> float:
    return float(np.abs(arm.truth()["dq"]).max())


def test_it_holds_and_moves(shared: VirtualArm, running: Running) -> None:
    loop, history = running
    q = loop.row["q"][0].copy()
    activate(loop, "gravity")
    run(loop, 1.0)
    assert np.abs(loop.row["q"][0] - q).max() < 2e-2
    for law in ("cartesian_impedance", "inverse_dynamics"):
        moving(loop, shared)
        activate(loop, law)
        run(loop, 1.0)
        assert not in_fault(loop), read_text(loop.row)
    assert shared.truth()["reflexes"].get("controller_torque_discontinuity") is None
    # libfranka itself takes a state when control starts
    assert history["lateness"].sum() < 2.5 * loop.robot.dt


def test_it_presses_with_what_was_asked() -> None:
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm, connected(arm) as (loop, _):
        pressing(loop)
        run(loop, 2.0)
        forces = []
        for _ in range(50):
            run(loop, 0.01)
            forces.append(arm.truth()["fixture"][2])
        assert not in_fault(loop)
    # zeroing takes the bias of the arm's estimate away, but not that of other configurations
    assert np.mean(forces) == pytest.approx(-5.0, abs=1.0)


REFLEXES = {
    "joint_reflex": FrankaStatus.JOINT_REFLEX,
    "cartesian_reflex": FrankaStatus.CARTESIAN_REFLEX,
    "communication_constraints_violation": FrankaStatus.COMMUNICATION,
    "controller_torque_discontinuity": FrankaStatus.TORQUE_JUMP,
    "joint_velocity_violation": FrankaStatus.JOINT_SPEED,
    "max_goal_pose_deviation_violation": FrankaStatus.OTHER_ERROR,
}


@pytest.mark.parametrize("error", REFLEXES)
def test_a_reflex_is_a_fault_with_a_way_out(
    shared: VirtualArm, running: Running, error: str
) -> None:
    loop, _ = running
    moving(loop, shared)
    assert shared.say(f"reflex {error}") == "ok"
    until(loop, lambda: in_fault(loop))
    assert status(loop) == REFLEXES[error]
    assert REFLEXES[error].text in read_text(loop.row)
    run(loop, 0.5)
    assert fastest(shared) < 1e-3
    assert loop.row["tau_sent"].any() == 0
    said = recovered(loop)
    assert "recovers" in said[0] and "reset again" in said[0]
    moving(loop, shared)
    assert not in_fault(loop)


@pytest.mark.parametrize(
    ("on", "off", "state"),
    [
        ("user_stop on", "user_stop off", FrankaStatus.USER_STOP),
        ("guiding on", "guiding off", FrankaStatus.GUIDING),
        ("brakes closed", "brakes open", FrankaStatus.NOT_READY),
    ],
)
def test_what_a_person_does_at_the_arm_is_a_fault_until_it_is_undone(
    shared: VirtualArm, running: Running, on: str, off: str, state: FrankaStatus
) -> None:
    loop, _ = running
    moving(loop, shared)
    assert shared.say(on) == "ok"
    until(loop, lambda: in_fault(loop))
    assert status(loop) == state
    run(loop, 0.3)
    with pytest.raises(Refused, match=state.text.split(";")[0]):
        loop.take(c.Reset())
    assert shared.say(off) == "ok"
    run(loop, 0.3)
    # nothing starts by itself
    assert status(loop) == FrankaStatus.CONTROL_ENDED
    assert shared.truth()["mode"] == "idle"
    recovered(loop)
    run(loop, 0.1)
    assert shared.truth()["mode"] == "move"


def test_an_arm_that_cannot_move_is_refused_at_the_start(shared: VirtualArm) -> None:
    assert shared.say("user_stop on") == "ok"
    with pytest.raises(PliantError, match="user stop; release"), connected(shared):
        pass
    assert shared.say("user_stop off") == "ok"


def test_lost_states_are_told_as_lateness(shared: VirtualArm, running: Running) -> None:
    loop, history = running
    assert shared.say("lose 10") == "ok"
    run(loop, 0.1)
    assert history["lateness"].max() == pytest.approx(10 * loop.robot.dt, abs=1e-6)
    assert not in_fault(loop)


def test_a_low_success_rate_is_a_fault(shared: VirtualArm, running: Running) -> None:
    loop, _ = running
    run(loop, 0.3)
    assert shared.say("late 0.5") == "ok"
    until(loop, lambda: in_fault(loop))
    assert status(loop) == FrankaStatus.LOSSY
    assert shared.say("late 0") == "ok"
    run(loop, 0.3)
    recovered(loop)


def test_only_one_client_is_served(shared: VirtualArm, running: Running) -> None:
    with pytest.raises(PliantError, match="close other programs"), connected(shared):
        pass
    run(running[0], 0.1)


def test_a_push_has_the_sign_of_what_is_done_to_the_tool(
    shared: VirtualArm, running: Running
) -> None:
    loop, history = running
    loop.take(c.Zero())
    run(loop, 0.4)
    start = loop.row["time"].item()
    assert shared.say("push 6 -8 10 0.4") == "ok"
    run(loop, 0.4)
    rows = history.since(start + 0.25)
    pushed = np.zeros(3)
    for row in rows:
        x, y, z = row["w_ext_T"][:3]
        pushed += np.array([x, y, z]) / len(rows)
    np.testing.assert_allclose(np.linalg.norm(pushed), np.linalg.norm([6, -8, 10]), rtol=0.15)
    # the tool points down: its z axis is opposite to the world's
    assert pushed[2] == pytest.approx(-10.0, abs=1.5)
    assert rows["w_T"][:, 2].mean() == pytest.approx(-10.0, abs=1.5)
    torque = np.einsum("kij,ki->kj", rows["J_W"][:, :3], np.tile([6.0, -8.0, 10.0], (len(rows), 1)))
    np.testing.assert_allclose(rows["tau_ext"].mean(axis=0), torque.mean(axis=0), atol=0.6)


@pytest.mark.parametrize("how", ["drop", "cable off"])
def test_a_lost_connection_is_the_last_word(how: str) -> None:
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm, connected(arm) as (loop, _):
        moving(loop, arm)
        assert arm.say(how) == "ok"
        with pytest.raises(PliantError, match=r"connection to|no state from"):
            run(loop, 5.0)
        assert in_fault(loop)
        while arm.truth()["mode"] == "move":
            pass
        assert arm.truth()["reflexes"] == {"communication_constraints_violation": 1}


def test_an_arm_in_reflex_is_recovered_by_the_first_reset(shared: VirtualArm) -> None:
    assert shared.say("reflex joint_reflex") == "ok"
    with connected(shared) as (loop, _):
        run(loop, 0.05)
        assert in_fault(loop) and status(loop) == FrankaStatus.JOINT_REFLEX
        recovered(loop)
        run(loop, 0.1)
        assert shared.truth()["mode"] == "move"
