"""An arm that is driven against its limits is held there, and returns."""

from collections.abc import Callable

import numpy as np

from pliant import Arm
from pliant.laws.hybrid_admittance.kernel import State as HybridState
from pliant.reasons import State
from pliant.tick import Rows, table_dtype

from .quick import FAST

Check = Callable[[Arm, Rows], None]


def test_the_tool_is_never_faster_than_its_limit(within_limits: Check) -> None:
    # the law needs an acceleration reserve to catch up with a braking reference
    reference = {"max_acceleration": (1.0, 5.0)}
    arm = Arm("sim:ur5e", config={"safety": {"tool_speed": 0.05}, "reference": reference})
    arm.activate("position")
    target = arm.tick.X_WT_sent + np.array([0, 0.1, 0.05, 0, 0, 0, 0])
    arm.move_to(target, wait=False)
    arm.wait(4.0)
    rows = arm.history.since(0.0)
    v = np.einsum("kij,kj->ki", rows["J_sent_W"][:, :3], rows["qd_limited"])
    assert np.linalg.norm(v, axis=1).max() <= 0.05 * (1 + 1e-3)
    assert arm.state is State.ACTIVE
    np.testing.assert_allclose(arm.tick.X_WT_sent[:3], target[:3], atol=1e-6)
    ahead = (rows["X_WT_sent"][:, :3] - target[:3]) @ np.array([0, 0.1, 0.05]) / np.hypot(0.1, 0.05)
    assert ahead.max() < 1e-6
    within_limits(arm, rows)


def test_a_jog_held_back_by_a_limit_ends_on_command() -> None:
    arm = Arm("sim:ur5e", config={"safety": {"tool_speed": 0.05}})
    arm.activate("position")
    for _ in range(20):
        arm.jog([0, 0.1, 0, 0, 0, 0])
        arm.wait(0.05)
    here = float(arm.tick.X_WT_sent[1])
    arm.hold()
    arm.wait(1.0)
    braking = 0.05**2 / (2 * arm.config.reference.max_acceleration[0])
    assert arm.tick.X_WT_sent[1] - here < braking + 5e-4


def at_the_elbow_limit() -> Arm:
    """An arm that folds its elbow up to the limit, configured well before a singularity."""
    config = FAST | {"safety": {"joint_margin": 0.9}}
    arm = Arm("sim:ur5e", config=config)
    arm.activate("position")
    for _ in range(30):
        arm.jog([-0.1, 0, 0, 0, 0, 0])
        arm.wait(0.1)
    return arm


def test_a_joint_stops_at_its_limit(within_limits: Check) -> None:
    arm = at_the_elbow_limit()
    rows = arm.history.since(0.0)
    d = arm.simulation.description
    assert arm.state is State.ACTIVE
    assert arm.tick.clipped & 1
    room = d.q_max[2] - 0.9 - rows["q_sent"][:, 2]
    assert -1e-9 < room.min() < 1e-6
    within_limits(arm, rows)
    arm.move_by([0.2, 0, 0, 0, 0, 0], wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(0.1)
    np.testing.assert_allclose(arm.tick.X_WT_sent, arm.tick.X_WR, atol=1e-6)
    assert arm.tick.clipped == 0
    within_limits(arm, arm.history.since(0.0))


def test_a_law_held_at_a_joint_limit_does_not_wind_up(within_limits: Check) -> None:
    """The law presses against a joint limit for two seconds, and reverses at once when released."""
    gains = {"pid_i": (1.0, 0.0), "pid_i_limit": (50.0, 0.0)}
    config = FAST | {"safety": {"joint_margin": 0.9}, "laws": {"hybrid_admittance": gains}}
    arm = Arm("sim:ur5e", config=config, seed=2)
    arm.zero()
    arm.activate("position")
    arm.move_by([-0.3, 0, 0, 0, 0, 0], wait=False)
    arm.wait_until(lambda tick: bool(tick.clipped & 1))
    arm.hold()
    arm.wait(0.5)
    arm.activate("hybrid_admittance")
    arm.set_axes("x")
    arm.set_wrench([10, 0, 0, 0, 0, 0], frame="world")
    arm.wait(0.5)
    begun, place = integral(arm), arm.tick.X_WT_sent
    arm.wait(2.0)
    assert arm.tick.clipped & 1
    np.testing.assert_allclose(arm.tick.X_WT_sent, place, atol=1e-5)
    assert np.linalg.norm(arm.tick.X_WT_cmd[:3] - place[:3]) < 2e-3
    np.testing.assert_allclose(integral(arm), begun, atol=0.1)
    arm.set_wrench([-10, 0, 0, 0, 0, 0], frame="world")
    arm.wait(0.6)
    assert arm.tick.clipped == 0
    assert arm.tick.v_WT_sent_W[0] > 0.005
    within_limits(arm, arm.history.since(0.0))


def integral(arm: Arm) -> np.ndarray:
    """The integral of the force error in the state of the hybrid law."""
    dtype = table_dtype(HybridState, 0)
    return np.frombuffer(arm.tick.law_state.tobytes()[: dtype.itemsize], dtype)["integral_T"][0]


def test_full_stretch_is_held_within_limits_and_left_again(within_limits: Check) -> None:
    arm = Arm("sim:ur5e", config=FAST)
    start = arm.tick.X_WT_sent
    arm.activate("position")
    for _ in range(70):
        arm.jog([0.1, 0, 0, 0, 0, 0])
        arm.wait(0.1)
    arm.hold()
    out = arm.history.since(0.0)
    assert out["sigma_min"].min() < 0.01
    assert np.abs(out["qd_limited"][-500:]).max() < 0.1, "calm, not racing"
    lead = np.linalg.norm(out["X_WT_cmd"][:, :3] - out["X_WT_sent"][:, :3], axis=1)
    assert lead.max() < 1e-3
    arm.move_to(start, wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(1.0)
    np.testing.assert_allclose(arm.tick.X_WT_sent, start, atol=1e-6)
    assert arm.state is State.ACTIVE
    within_limits(arm, arm.history.since(0.0))


def test_through_the_wrist_singularity(within_limits: Check) -> None:
    """Wrist 2 passes zero while the tool is commanded in the singular direction."""
    near_singular = {"q_start": (0.0, -1.65, 1.87, -1.79, -0.3, 0.0)}
    arm = Arm("sim:ur5e", config=FAST | {"sim": near_singular})
    start = arm.tick.X_WT_sent
    arm.activate("position")
    arm.wait(0.01)
    turn = 0.3 * arm.tick.J_W[:, 4]
    for _ in range(20):
        singular = 0.03 * arm.tick.u_min * np.array([1, 1, 1, 0, 0, 0])
        arm.jog(turn + singular)
        arm.wait(0.1)
    rows = arm.history.since(0.0)
    assert rows["sigma_min"].min() < arm.config.resolve.near_singular
    lead = np.linalg.norm(rows["X_WT_cmd"][:, :3] - rows["X_WT_sent"][:, :3], axis=1)
    assert lead.max() < 1e-3
    arm.move_to(start, wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(1.0)
    np.testing.assert_allclose(arm.tick.X_WT_sent, start, atol=1e-6)
    within_limits(arm, arm.history.since(0.0))
