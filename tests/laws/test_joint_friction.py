"""The observer of joint friction, judged by the friction that the physics engine computes."""

import numpy as np
import pytest

from pliant.arms.panda import DESCRIPTION as PANDA
from pliant.laws.hybrid_force.law import MOST_FRICTION


def observed(arm, rows) -> np.ndarray:
    """What the law has observed, joint by joint."""
    law = next(law for law in arm._session._loop.pipeline.laws if law.name == "hybrid_force")
    return law.state_of(rows)["friction"][:, : PANDA.n]


def deflection(arm) -> float:
    """How far 2 N move the tool aside."""
    arm.wait(1.0)
    before = arm.tick.X_WT[:3].copy()
    arm.hand.schedule([0.0, 2.0, 0.0, 0, 0, 0])
    arm.wait(4.0)
    return float(np.linalg.norm(arm.tick.X_WT[:3] - before))


@pytest.mark.parametrize("friction", ["off", "typical"])
def test_springs_have_their_stiffness_with_friction(make_panda, friction):
    arm = make_panda(friction=friction)
    arm.zero()
    arm.activate("hybrid_force", stiffness=(400.0, 40.0), friction_share=1.0)
    assert deflection(arm) == pytest.approx(2.0 / 400.0, rel=0.05)


def test_without_the_observer_friction_holds_the_tool(make_panda):
    arm = make_panda(friction="typical")
    arm.zero()
    arm.activate("hybrid_force", stiffness=(400.0, 40.0))
    assert deflection(arm) < 0.8 * 2.0 / 400.0


def test_friction_of_a_moving_arm_is_observed(make_panda):
    arm = make_panda(friction="typical")
    arm.zero()
    arm.activate("hybrid_force", stiffness=(2000.0, 80.0), friction_share=1.0)
    start = arm.time
    for _ in range(15):
        arm.jog([0.03, 0.03, 0.0, 0.1, 0.1, 0.1])
        arm.wait(0.1)
    rows = arm.history.since(start + 0.5)
    moving = np.abs(rows["qd"]) > 0.02
    expected = -np.sign(rows["qd"]) * PANDA.friction
    error = np.where(moving, observed(arm, rows) - expected, 0.0)
    assert moving.all(axis=0).sum() >= 4
    assert np.sqrt(np.mean(error**2)) < 0.05


def test_switched_off_in_motion_the_torques_change_within_their_rate(make_panda):
    arm = make_panda(friction="typical")
    arm.zero()
    arm.activate("hybrid_force", stiffness=(400.0, 40.0), friction_share=1.0)
    for share in (1.0, 0.0):
        begin = arm.time
        arm.law.friction_share = share
        for _ in range(5):
            arm.jog([0.03, 0.0, 0.0, 0.0, 0.0, 0.0])
            arm.wait(0.1)
    rows = arm.history.since(begin)
    step = np.abs(np.diff(rows["tau_law"], axis=0)).max(axis=0)
    assert (step <= PANDA.tau_rate_max * arm.dt).all()
    assert not rows["clipped"].any()
    # what was observed is what the torques lose
    assert step.max() > 0.5 * PANDA.friction.min()


def test_it_is_bounded(make_panda):
    """An arm that is held by force is not taken for one with more and more friction."""
    arm = make_panda(friction="typical", laws={"hybrid_force": {"friction_share": 1.0}})
    arm.zero()
    # the wrist sensor feels nothing of a push on a link, as of a wrong compensation of gravity
    world = arm._session._robot.world
    link = world.model.body("panda_link4").id
    arm.activate("hybrid_force", stiffness=(400.0, 40.0))
    world.data.xfrc_applied[link, :3] = (0.0, 10.0, 0.0)
    arm.wait(1.0)
    found = np.abs(observed(arm, arm.history.since(arm.time - 0.5)))
    bound = MOST_FRICTION * PANDA.friction
    assert (found <= bound + 1e-12).all()
    assert (found[-1] > 0.99 * bound).any()
