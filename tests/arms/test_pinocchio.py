"""The rigid-body model agrees with MuJoCo's and with a third party's kinematics."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from ur_analytic_ik import ur5e  # pyright: ignore[reportAttributeAccessIssue]

from pliant.arms import Tool, load_arm
from pliant.arms.pinocchio import SENSOR_FRAME, TCP_FRAME, build_pinocchio
from pliant.sim.scenes.table import TableScene
from pliant.sim.world import World, build_world

ARM = load_arm("ur5e")
TOOLS = [
    Tool(),
    Tool(
        mass=2.3,
        com_F=(0.02, -0.03, 0.1),
        inertia=(0.01, 0.02, 0.015),
        X_FT=(0.1, 0.05, 0.2, 0.5, 0.5, -0.5, 0.5),
    ),
]
CONFIGURATIONS = np.random.default_rng(1).uniform(-np.pi, np.pi, (20, ARM.n))


@pytest.fixture(scope="module", params=range(len(TOOLS)), ids=["default", "heavy"])
def pair(request: pytest.FixtureRequest) -> tuple[pin.Model, World]:
    tool = TOOLS[request.param]
    return build_pinocchio(ARM, tool), build_world(ARM, tool, TableScene(), np.array(ARM.home))


def at(world: World, q: np.ndarray) -> mujoco.MjData:
    world.data.qpos[: ARM.n] = q
    mujoco.mj_forward(world.model, world.data)
    return world.data


def test_kinematics_agree(pair: tuple[pin.Model, World]) -> None:
    model, world = pair
    data = model.createData()
    for q in CONFIGURATIONS:
        mj = at(world, q)
        pin.framesForwardKinematics(model, data, q)
        X_WT = data.oMf[model.getFrameId(TCP_FRAME)]
        X_WS = data.oMf[model.getFrameId(SENSOR_FRAME)]
        np.testing.assert_allclose(mj.body("T").xpos, X_WT.translation, atol=1e-9)
        np.testing.assert_allclose(mj.body("T").xmat.reshape(3, 3), X_WT.rotation, atol=1e-9)
        np.testing.assert_allclose(mj.site("S").xpos, X_WS.translation, atol=1e-9)
        np.testing.assert_allclose(mj.site("S").xmat.reshape(3, 3), X_WS.rotation, atol=1e-9)


def test_gravity_torques_agree(pair: tuple[pin.Model, World]) -> None:
    model, world = pair
    data = model.createData()
    for q in CONFIGURATIONS:
        gravity = pin.computeGeneralizedGravity(model, data, q)
        np.testing.assert_allclose(at(world, q).qfrc_bias[: ARM.n], gravity, atol=1e-9)


def test_mass_matrices_agree_with_armature(pair: tuple[pin.Model, World]) -> None:
    model, world = pair
    data = model.createData()
    for q in CONFIGURATIONS:
        M = np.zeros((world.model.nv, world.model.nv))
        mujoco.mj_fullM(world.model, at(world, q), M)
        upper = np.triu(pin.crba(model, data, q))
        expected = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(M[: ARM.n, : ARM.n], expected, atol=1e-9)


def test_forward_kinematics_agree_with_ur_analytic_ik() -> None:
    model = pin.buildModelFromUrdf(str(ARM.urdf))
    data = model.createData()
    # the package's base is UR's own, turned by 180° about z from base_link
    R_DB = np.diag([-1.0, -1.0, 1.0, 1.0])
    for q in CONFIGURATIONS:
        pin.framesForwardKinematics(model, data, q)
        X_BF = data.oMf[model.getFrameId(ARM.flange)].homogeneous
        np.testing.assert_allclose(R_DB @ X_BF, ur5e.forward_kinematics(*q), atol=1e-9)
