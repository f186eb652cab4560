"""The dynamics stage, compared with MuJoCo and with finite differences."""

import mujoco
import numpy as np
import pytest

from pliant import Arm
from pliant.arms import Tool, load_arm
from pliant.arms.chain import chain_row
from pliant.arms.pinocchio import build_pinocchio
from pliant.sim.scenes.free import FreeScene
from pliant.sim.world import build_world
from pliant.stages.dynamics import Dynamics
from pliant.stages.model import model_kernel
from pliant.tick import Rows, new_rows

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
    Dynamics(model).update(prev, tick)
    model_kernel(prev, tick, chain_row(model))
    return tick


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
    light = Tool(mass=1e-9, inertia=(1e-12, 1e-12, 1e-12))
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
