"""The rigid-body model agrees with MuJoCo's and with third parties' kinematics."""

from importlib.util import find_spec
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from ur_analytic_ik import ur5e  # pyright: ignore[reportAttributeAccessIssue]

from pliant.arms import ArmDescription, Tool, arm_names, load_arm
from pliant.arms.pinocchio import SENSOR_FRAME, TCP_FRAME, build_pinocchio
from pliant.sim.scenes.table import TableScene
from pliant.sim.world import World, build_world

Pair = tuple[ArmDescription, pin.Model, World]

TOOLS = [
    Tool(),
    Tool(
        mass=2.3,
        com_F=(0.02, -0.03, 0.1),
        inertia=(0.01, 0.02, 0.015),
        X_FT=(0.1, 0.05, 0.2, 0.5, 0.5, -0.5, 0.5),
    ),
]


def configurations(n: int) -> np.ndarray:
    """A random configuration, without regard to limits."""
    return np.random.default_rng(1).uniform(-np.pi, np.pi, (20, n))


@pytest.fixture(scope="module", params=arm_names())
def arm(request: pytest.FixtureRequest) -> ArmDescription:
    """Every arm."""
    return load_arm(request.param)


@pytest.fixture(scope="module", params=TOOLS, ids=["default", "heavy"])
def pair(arm: ArmDescription, request: pytest.FixtureRequest) -> Pair:
    """The same arm and tool for Pinocchio and for MuJoCo."""
    tool = request.param
    world = build_world(arm, tool, TableScene(), np.array(arm.home))
    return arm, build_pinocchio(arm, tool), world


def at(world: World, q: np.ndarray) -> mujoco.MjData:
    world.data.qpos[: q.size] = q
    mujoco.mj_forward(world.model, world.data)
    return world.data


def test_kinematics_agree(pair: Pair) -> None:
    arm, model, world = pair
    data = model.createData()
    for q in configurations(arm.n):
        mj = at(world, q)
        pin.framesForwardKinematics(model, data, q)
        X_WT = data.oMf[model.getFrameId(TCP_FRAME)]
        X_WS = data.oMf[model.getFrameId(SENSOR_FRAME)]
        np.testing.assert_allclose(mj.body("T").xpos, X_WT.translation, atol=1e-9)
        np.testing.assert_allclose(mj.body("T").xmat.reshape(3, 3), X_WT.rotation, atol=1e-9)
        np.testing.assert_allclose(mj.site("S").xpos, X_WS.translation, atol=1e-9)
        np.testing.assert_allclose(mj.site("S").xmat.reshape(3, 3), X_WS.rotation, atol=1e-9)


def test_gravity_torques_agree(pair: Pair) -> None:
    arm, model, world = pair
    data = model.createData()
    for q in configurations(arm.n):
        gravity = pin.computeGeneralizedGravity(model, data, q)
        np.testing.assert_allclose(at(world, q).qfrc_bias[: arm.n], gravity, atol=1e-9)


def test_mass_matrices_agree_with_armature(pair: Pair) -> None:
    arm, model, world = pair
    data = model.createData()
    for q in configurations(arm.n):
        M = np.zeros((world.model.nv, world.model.nv))
        mujoco.mj_fullM(world.model, at(world, q), M)
        upper = np.triu(pin.crba(model, data, q))
        expected = upper + np.triu(upper, 1).T
        np.testing.assert_allclose(M[: arm.n, : arm.n], expected, atol=1e-9)


def flange(arm: ArmDescription, q: np.ndarray) -> np.ndarray:
    """Pose of the flange in the base, by the arm's URDF."""
    model = pin.buildModelFromUrdf(str(arm.urdf))
    data = model.createData()
    pin.framesForwardKinematics(model, data, q)
    return data.oMf[model.getFrameId(arm.flange)].homogeneous


def test_forward_kinematics_agree_with_ur_analytic_ik() -> None:
    # the base of the package is UR's, rotated by 180° about z from base_link
    R_DB = np.diag([-1.0, -1.0, 1.0, 1.0])
    for q in configurations(6):
        X_BF = flange(load_arm("ur5e"), q)
        np.testing.assert_allclose(R_DB @ X_BF, ur5e.forward_kinematics(*q), atol=1e-9)


@pytest.mark.parametrize("name", ["fr3", "panda"])
def test_forward_kinematics_agree_with_the_fr3_of_franky_sim(name: str) -> None:
    package = find_spec("franky_sim")
    assert package is not None
    assert package.origin is not None
    theirs = pin.buildModelFromUrdf(str(Path(package.origin).parent / "assets" / "fr3.urdf"))
    data = theirs.createData()
    for q in configurations(7):
        fingers = np.zeros(theirs.nq - 7)
        pin.framesForwardKinematics(theirs, data, np.concatenate([q, fingers]))
        X_BF = data.oMf[theirs.getFrameId("fr3_link8")].homogeneous
        np.testing.assert_allclose(flange(load_arm(name), q), X_BF, atol=1e-9)
