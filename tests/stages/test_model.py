"""The model stage: dynamics compared with MuJoCo and with finite differences."""

import mujoco
import numpy as np
import pytest

from pliant.arms import Tool, load_arm
from pliant.sim.scenes.free import FreeScene
from pliant.sim.world import build_world
from pliant.stages.model import ModelConfig, ModelStage
from pliant.tick import Rows, new_rows

RNG = np.random.default_rng(5)
PANDA = load_arm("panda")
STATES = [
    (PANDA.home + RNG.uniform(-0.5, 0.5, 7), RNG.uniform(-1.0, 1.0, 7), RNG.uniform(-5.0, 5.0, 7))
    for _ in range(5)
]


def modelled(arm_name: str, q: np.ndarray, qd: np.ndarray, scale: float = 1.0) -> Rows:
    """The model columns of an arm at q with velocity qd."""
    arm = load_arm(arm_name)
    prev, tick = new_rows(arm.n), new_rows(arm.n)
    prev["q_sent"] = tick["q"] = q
    tick["qd"] = qd
    ModelStage(arm, Tool(), ModelConfig(mass_scale=scale)).update(prev, tick)
    return tick


@pytest.mark.parametrize(("q", "qd", "qdd"), STATES)
def test_the_equation_of_motion_agrees_with_mujoco(
    q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> None:
    world = build_world(PANDA, Tool(), FreeScene(), q)
    data = world.data
    data.qvel[:7], data.qacc[:7] = qd, qdd
    # MuJoCo would count the arm's gravity compensation as an external force
    world.model.body_gravcomp[:] = 0.0
    mujoco.mj_inverse(world.model, data)
    t = modelled("panda", q, qd)[0]
    np.testing.assert_allclose(t.M @ qdd + t.c + t.g, data.qfrc_inverse[:7], atol=1e-9)


@pytest.mark.parametrize(("q", "qd", "qdd"), STATES)
def test_the_tools_acceleration_is_the_change_of_its_velocity(
    q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> None:
    h = 1e-5
    before = modelled("panda", q - qd * h + 0.5 * qdd * h * h, qd - qdd * h)
    after = modelled("panda", q + qd * h + 0.5 * qdd * h * h, qd + qdd * h)
    here = modelled("panda", q, qd)[0]
    change = (after["v_WT_W"][0] - before["v_WT_W"][0]) / (2.0 * h)
    np.testing.assert_allclose(here.J_W @ qdd + here.a_bias_W, change, atol=1e-5)


def test_a_wrong_mass_scales_the_links_and_not_the_tool() -> None:
    q, qd, _ = STATES[0]
    right, wrong = modelled("panda", q, qd)[0], modelled("panda", q, qd, 1.1)[0]
    light = Tool(mass=1e-9, inertia=(1e-12, 1e-12, 1e-12))
    prev, links = new_rows(7), new_rows(7)
    prev["q_sent"] = links["q"] = q
    links["qd"] = qd
    ModelStage(PANDA, light).update(prev, links)
    for name in ("M", "c", "g"):
        grown = wrong[name] - right[name]
        np.testing.assert_allclose(grown, 0.1 * links[name][0], atol=1e-7)
    np.testing.assert_array_equal(wrong["J_W"], right["J_W"])


def test_a_position_arm_has_no_dynamics() -> None:
    arm = load_arm("ur5e")
    t = modelled("ur5e", np.array(arm.home), np.ones(6))[0]
    for name in ("M", "c", "g", "a_bias_W"):
        assert not t[name].any()
