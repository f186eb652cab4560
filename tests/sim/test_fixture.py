"""Every scene's surface has its configured stiffness under quasi-static load."""

from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest

from pliant import Arm
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio, reach
from pliant.numerics.spatial import quat_exp, quat_multiply
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.scenes.peg import PegScene
from pliant.sim.scenes.scene import Scene
from pliant.sim.scenes.table import TableScene
from pliant.sim.scenes.wall import WallScene
from pliant.tick import new_rows

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]

# Stiffness of the UR5e's servos at the tool, to choose set points for a force.
ARM_STIFFNESS = 1e5
SETTLE = 400

RNG = np.random.default_rng(7)
STIFFNESSES = [1e3, 1e4, 1e5, *np.exp(RNG.uniform(np.log(1e3), np.log(1e5), 3))]
CASES = [
    (scene, stiffness, RNG.uniform(0.02, 0.04) * np.array([np.cos(a), np.sin(a)]))
    for scene in (TableScene, WallScene, PegScene)
    for stiffness, a in zip(STIFFNESSES, RNG.uniform(0.0, 2.0 * np.pi, 6), strict=True)
]
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def press(
    robot: SimRobot,
    follow: Follow,
    place: np.ndarray,
    lean: np.ndarray,
    stiffness: float,
    forces: tuple[float, float],
) -> tuple[np.ndarray, np.ndarray]:
    """Force on the fixture and depth of the tool into the surface, at about two forces."""
    scene = robot.scene
    X_WH = np.array(robot.scene_nominal.X_WH)
    model = build_pinocchio(robot.description, robot.tool)
    data = model.createData()
    R_WH = pin.Quaternion(X_WH[3], *X_WH[4:]).matrix()
    X_WT = np.array(scene.start())
    quat_multiply(X_WT[3:], lean, X_WT[3:])
    # over the surface at the place, as high above it as the start is
    above = R_WH.T @ (X_WT[:3] - X_WH[:3])
    q = np.array(robot.world.data.qpos[: robot.n])
    measured = []
    levels = [0.002, *(-f * (1.0 / stiffness + 1.0 / ARM_STIFFNESS) for f in forces)]
    for height in levels:
        X_WT[:3] = X_WH[:3] + R_WH @ np.array([above[0] + place[0], above[1] + place[1], height])
        q_next = reach(model, X_WT, q)
        ramp = np.linspace(0.0, 1.0, SETTLE)[:, None]
        follow(robot, q + ramp * (q_next - q))
        rows = follow(robot, np.tile(q_next, (SETTLE, 1)))
        q = q_next
        pin.framesForwardKinematics(model, data, rows["q"][-1])
        p_WT = data.oMf[model.getFrameId(TCP_FRAME)].translation
        into = -R_WH[:, 2]
        measured.append((into @ rows["true_f_fixture_W"][-1], into @ p_WT))
    force, depth = np.array(measured[1:]).T
    return force, depth


@pytest.mark.parametrize(
    ("scene", "stiffness", "place"), CASES, ids=[f"{c[0].__name__}-{c[1]:.0f}" for c in CASES]
)
def test_surface_has_the_configured_stiffness(
    scene: type[Scene], stiffness: float, place: np.ndarray, ideal: SimConfig, follow: Follow
) -> None:
    built = scene.model_validate({"stiffness": stiffness})
    robot = SimRobot(config=ideal.model_copy(update={"scene": built}))
    lean = UPRIGHT.copy()
    if scene is not PegScene:
        quat_exp(np.random.default_rng(int(stiffness)).uniform(-0.3, 0.3, 3), lean)
    force, depth = press(robot, follow, place, lean, stiffness, (5.0, 20.0))
    assert force[1] > 10.0
    # the number of contact points of a peg is not known in advance
    off = 0.05 if scene is PegScene else 0.005
    assert np.diff(force)[0] / np.diff(depth)[0] == pytest.approx(stiffness, rel=off)


def test_contact_force_and_sensor_agree(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal.model_copy(update={"scene": TableScene(stiffness=1e4)}))
    force, _ = press(robot, follow, np.zeros(2), UPRIGHT, 1e4, (5.0, 10.0))
    # the set point stays, so the arm keeps pressing
    tick = new_rows(robot.n)
    robot.read(tick)
    weight = robot.tool.mass * 9.81
    # tool pointing down: its z axis is -z of the world
    assert tick["w_S_raw"][0, 2] == pytest.approx(weight - force[1], abs=0.02)
    assert tick["true_f_fixture_W"][0, 2] == pytest.approx(-force[1], abs=0.02)


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
def test_a_sliding_tip_stays_in_contact(stiffness: float) -> None:
    scene = {"kind": "table", "stiffness": stiffness}
    arm = Arm("sim:ur5e/table", config={"sim": {"scene": scene}})
    arm.wait(0.05)
    arm.zero()
    arm.use_preset("stiff_surface")
    arm.activate("hybrid_admittance")
    arm.move_by([0.0, 0.0, -0.0495, 0.0, 0.0, 0.0], wait=False)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    arm.set_axes("z")
    arm.set_wrench([0.0, 0.0, -5.0, 0.0, 0.0, 0.0])
    arm.wait_until(lambda tick: tick.w_T[2] < -4.5)
    begin = arm.time
    for _ in range(40):
        arm.jog([0.005, 0.0, 0.0, 0.0, 0.0, 0.0], timeout=0.1)
        arm.wait(0.05)
    rows = arm.history.since(begin)
    # it slides: friction is at its limit
    assert np.abs(rows["true_f_fixture_W"][:, 0]).max() > 1.0
    force = -rows["true_f_fixture_W"][:, 2]
    assert force.min() > 3.0
    assert np.abs(np.diff(force)).max() < 0.5
