"""The dynamics stage, compared with Pinocchio, with MuJoCo and with finite differences."""

import runpy
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from pliant import Arm
from pliant.arms import Tool, load_arm
from pliant.arms.chain import chain_row
from pliant.arms.links import links_row
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.sim.scenes.free import FreeScene
from pliant.sim.world import build_world
from pliant.stages.dynamics import dynamics_kernel
from pliant.stages.model import model_kernel
from pliant.tick import MOST_JOINTS, Rows, new_rows

SIXTEEN = Path(__file__).parents[1] / "laws" / "sixteen_joints.py"
RNG = np.random.default_rng(5)
PANDA = load_arm("panda")
TOOL = Tool()
STATES = [
    (PANDA.home + RNG.uniform(-0.5, 0.5, 7), RNG.uniform(-1.0, 1.0, 7), RNG.uniform(-5.0, 5.0, 7))
    for _ in range(5)
]


def modelled(q: np.ndarray, qd: np.ndarray, tool: Tool = TOOL, scale: float = 1.0) -> Rows:
    """The dynamics and model columns of a Panda at q with velocity qd."""
    model = build_pinocchio(PANDA, tool, scale)
    prev, tick = new_rows(7), new_rows(7)
    prev["q_sent"] = tick["q"] = q
    tick["qd"] = qd
    dynamics_kernel(prev, tick, links_row(model))
    model_kernel(prev, tick, chain_row(model))
    return tick


@pytest.fixture(params=["panda", "fr3", "ur5e", "snake"])
def arm(request: pytest.FixtureRequest, tmp_path: Path) -> pin.Model:
    """Every arm with an off-centre tool, and a chain of the largest number of joints."""
    tool = Tool(mass=2.3, com_F=(0.02, -0.03, 0.1), X_FT=(0.1, -0.05, 0.2, 0.5, 0.5, -0.5, 0.5))
    if request.param != "snake":
        return build_pinocchio(load_arm(request.param), tool)
    snake = runpy.run_path(str(SIXTEEN))["snake"]
    return build_pinocchio(snake(MOST_JOINTS, tmp_path, "torque"), tool)


def states(model: pin.Model, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random positions and velocities of the joints."""
    rng = np.random.default_rng(11)
    return list(rng.uniform(-1.0, 1.0, (count, 2, model.nv)) * np.array([[np.pi], [2.0]]))


def at(links: np.ndarray, q: np.ndarray, qd: np.ndarray) -> np.record:
    """The dynamics columns of an arm at q with velocity qd."""
    tick = new_rows(q.size)
    tick["q"], tick["qd"] = q, qd
    dynamics_kernel(tick, tick, links)
    return tick[0]


def by_pinocchio(
    model: pin.Model, q: np.ndarray, qd: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M, c, g and a_bias_W as Pinocchio computes them."""
    data, still = model.createData(), np.zeros(model.nv)
    pin.forwardKinematics(model, data, q, qd, still)
    bias = pin.getFrameClassicalAcceleration(
        model, data, model.getFrameId(TCP_FRAME), pin.LOCAL_WORLD_ALIGNED
    )
    upper = np.triu(pin.crba(model, data, q))
    g = pin.computeGeneralizedGravity(model, data, q).copy()
    c = pin.nonLinearEffects(model, data, q, qd) - g
    return upper + np.triu(upper, 1).T, c, g, bias.vector


def test_the_kernel_agrees_with_pinocchio(arm: pin.Model) -> None:
    links = links_row(arm)
    for q, qd in states(arm, 200):
        t = at(links, q, qd)
        M, c, g, a_bias_W = by_pinocchio(arm, q, qd)
        # an entry of M is at most the geometric mean of its two diagonal entries
        scale = np.sqrt(np.outer(np.diag(M), np.diag(M)))
        np.testing.assert_allclose(t.M / scale, M / scale, rtol=0.0, atol=1e-12)
        # c is Pinocchio's difference of two sums that contain gravity
        assert np.abs(t.c - c).max() < 1e-12 * (np.abs(c).max() + np.abs(g).max())
        assert np.abs(t.g - g).max() < 1e-12 * np.abs(g).max()
        assert np.abs(t.a_bias_W - a_bias_W).max() < 1e-12 * np.abs(a_bias_W).max()


def test_coriolis_torques_do_the_work_that_the_mass_matrix_takes(arm: pin.Model) -> None:
    """Passivity: d/dt ½·q̇ᵀ·M·q̇ at q̈ = 0 is q̇ᵀ·c, because Ṁ − 2·C is skew-symmetric."""
    links, h = links_row(arm), 1e-5
    for q, qd in states(arm, 20):
        after, before = at(links, q + h * qd, qd), at(links, q - h * qd, qd)
        growth = 0.5 * qd @ (after.M - before.M) @ qd / (2.0 * h)
        assert qd @ at(links, q, qd).c == pytest.approx(growth, rel=1e-6, abs=1e-6)


def test_gravity_torques_are_the_slope_of_the_potential_energy(arm: pin.Model) -> None:
    links, h = links_row(arm), 1e-5
    data = arm.createData()
    for q, _ in states(arm, 5):
        slope = [
            (
                pin.computePotentialEnergy(arm, data, q + step)
                - pin.computePotentialEnergy(arm, data, q - step)
            )
            / (2.0 * h)
            for step in h * np.eye(arm.nv)
        ]
        np.testing.assert_allclose(at(links, q, 0.0 * q).g, slope, rtol=0.0, atol=1e-5)


def test_at_rest_only_gravity_acts(arm: pin.Model) -> None:
    links = links_row(arm)
    for q, _ in states(arm, 5):
        t = at(links, q, 0.0 * q)
        assert not t.c.any()
        assert not t.a_bias_W.any()
        np.testing.assert_array_equal(t.M, t.M.T)


@pytest.mark.parametrize(("q", "qd", "qdd"), STATES)
def test_the_equation_of_motion_agrees_with_mujoco(
    q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> None:
    world = build_world(PANDA, TOOL, FreeScene(), q)
    data = world.data
    data.qvel[:7], data.qacc[:7] = qd, qdd
    # MuJoCo would count the arm's gravity compensation as an external force
    world.model.body_gravcomp[:] = 0.0
    mujoco.mj_inverse(world.model, data)
    t = modelled(q, qd)[0]
    np.testing.assert_allclose(t.M @ qdd + t.c + t.g, data.qfrc_inverse[:7], atol=1e-9)


@pytest.mark.parametrize(("q", "qd", "qdd"), STATES)
def test_the_tools_acceleration_is_the_change_of_its_velocity(
    q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> None:
    h = 1e-5
    before = modelled(q - qd * h + 0.5 * qdd * h * h, qd - qdd * h)
    after = modelled(q + qd * h + 0.5 * qdd * h * h, qd + qdd * h)
    here = modelled(q, qd)[0]
    change = (after["v_WT_W"][0] - before["v_WT_W"][0]) / (2.0 * h)
    np.testing.assert_allclose(here.J_W @ qdd + here.a_bias_W, change, atol=1e-5)


def test_a_wrong_mass_scales_the_links_and_not_the_tool() -> None:
    q, qd, _ = STATES[0]
    right, wrong = modelled(q, qd)[0], modelled(q, qd, scale=1.1)[0]
    light = Tool(mass=1e-9, inertia=(1e-9, 1e-9, 1e-9))
    links = modelled(q, qd, light)
    for name in ("M", "c", "g"):
        grown = wrong[name] - right[name]
        np.testing.assert_allclose(grown, 0.1 * links[name][0], atol=1e-7)
    np.testing.assert_array_equal(wrong["J_W"], right["J_W"])


def test_a_position_arm_has_no_dynamics() -> None:
    arm = Arm("sim:ur5e")
    arm.activate("position")
    arm.jog([0.1, 0, 0, 0, 0, 0])
    arm.wait(0.05)
    assert arm.tick.qd.any()
    for name in ("M", "c", "g", "a_bias_W"):
        assert not arm.history[name].any()
