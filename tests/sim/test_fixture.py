"""Every scene's surface has its configured stiffness under quasi-static load."""

from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest

from pliant import Arm
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio, reach
from pliant.numerics.spatial import quat_exp, quat_multiply
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.ball_contact import TIP_RADIUS
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


@pytest.mark.parametrize("scene", [TableScene, WallScene, PegScene])
def test_the_height_error_is_hidden(scene: type[TableScene]) -> None:
    hidden = scene(height_error=0.002, friction=0.1, stiffness=2e4)
    assert hidden.nominal() == scene().nominal()
    assert hidden.start() == scene().start()


def test_a_stiffness_that_changes_under_load_leaves_the_force_as_it_is(
    ideal: SimConfig, follow: Follow
) -> None:
    """Then it is the new one."""
    scene = TableScene(stiffness=3e3, later_stiffness=1e5, later_time=5.5)
    robot = SimRobot(config=ideal.model_copy(update={"scene": scene}))
    press(robot, follow, np.zeros(2), UPRIGHT, 3e3, (4.0, 5.0))
    q = np.array(robot._drive.q_written)
    assert robot.time < 5.5
    rows = follow(robot, np.tile(q, (round(6.0 / robot.dt) - round(robot.time / robot.dt), 1)))
    felt = -rows["true_f_fixture_W"][:, 2]
    np.testing.assert_allclose(felt, felt[0], rtol=0.05)
    before = felt[-1], robot.world.data.xpos[robot.world.tip, 2]
    robot.hand.schedule([0.0, 0.0, -20.0, 0.0, 0.0, 0.0])
    rows = follow(robot, np.tile(q, (500, 1)))
    after = -rows["true_f_fixture_W"][-1, 2], robot.world.data.xpos[robot.world.tip, 2]
    assert (after[0] - before[0]) / (before[1] - after[1]) == pytest.approx(1e5, rel=0.05)


def test_a_fixture_that_turns_has_its_rotational_stiffness() -> None:
    scene = PegScene(rotational_stiffness=200.0, offset=(0.0, 0.0))
    world = SimRobot(config=SimConfig(scene=scene)).world
    world.data.xfrc_applied[world.fixture, 3] = 1.0
    for _ in range(2000):
        world.step()
    turned = world.data.joint("fixture_rx").qpos[0]
    assert turned == pytest.approx(1.0 / 200.0, rel=0.01)


def slid_fast(name: str, stiffness: float) -> Arm:
    """An arm that has slid at 100 mm/s and 8 N for a second, through the lag of a real arm."""
    scene = {"kind": name, "stiffness": stiffness, "friction": 0.3}
    arm = Arm(f"sim:ur5e/{name}", config={"sim": {"scene": scene}})
    down, along = ([0, 0, -1], [1, 0, 0]) if name == "table" else ([1, 0, 0], [0, 1, 0])
    arm.wait(0.05)
    arm.zero()
    arm.use_preset("stiff_surface")
    arm.activate("hybrid_admittance")
    arm.move_by([*(0.0495 * np.array(down)), 0.0, 0.0, 0.0], wait=False)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    arm.set_axes("z")
    arm.set_wrench([0.0, 0.0, -8.0, 0.0, 0.0, 0.0])
    arm.wait_until(lambda tick: tick.w_T[2] < -7.5)
    arm.wait(1.0)
    for _ in range(20):
        arm.jog([*(0.1 * np.array(along)), 0.0, 0.0, 0.0], timeout=0.1)
        arm.wait(0.05)
    return arm


@pytest.mark.parametrize("name", ["table", "wall"])
@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_a_fast_tip_keeps_in_touch_with_friction_as_configured(name: str, stiffness: float) -> None:
    arm = slid_fast(name, stiffness)
    normal = 2 if name == "table" else 0
    force = arm.history.since(arm.time - 0.6)["true_f_fixture_W"]
    pressed = np.abs(force[:, normal])
    assert np.sqrt(np.mean((pressed - 8.0) ** 2)) < 0.15
    sideways = np.linalg.norm(np.delete(force, normal, axis=1), axis=1)
    np.testing.assert_allclose(sideways / pressed, 0.3, rtol=0.001)


def test_friction_holds_back_a_tip_that_brakes_as_much_as_a_steady_one() -> None:
    arm = slid_fast("table", 1e5)
    begin = arm.time
    arm.hold()
    arm.wait(0.5)
    rows = arm.history.since(begin)
    rows = rows[rows["v_WT_W"][:, 0] > 0.02]
    assert len(rows) > 20
    force = rows["true_f_fixture_W"]
    np.testing.assert_allclose(-force[:, 0] / force[:, 2], 0.3, rtol=0.01)


def test_a_dome_is_as_high_as_its_radius_says(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal.model_copy(update={"scene": TableScene(radius=0.2)}))
    force, depth = press(robot, follow, np.array([0.05, 0.0]), UPRIGHT, 1e4, (5.0, 20.0))
    assert np.diff(force)[0] / np.diff(depth)[0] == pytest.approx(1e4, rel=0.005)


@pytest.mark.parametrize("radius", [0.1, 0.2, 1.0, 10.0])
def test_only_the_tip_touches_a_dome(radius: float) -> None:
    """A ball of a metre would contain the base of the arm."""
    scene = {"kind": "table", "radius": radius, "stiffness": 1e5}
    arm = Arm("sim:ur5e/table", config={"sim": {"scene": scene}}, flight=False)
    arm.wait(0.1)
    assert np.abs(arm.tick.true_f_fixture_W).max() == 0.0


def test_a_dome_pushes_along_its_normal() -> None:
    scene = TableScene(radius=0.2, friction=0.0, stiffness=1e5)
    arm = Arm("sim:ur5e/table", config={"sim": {"scene": scene.model_dump()}}, flight=False)
    arm.zero()
    arm.press(5.0)
    arm.wait(0.5)
    centre = arm.tick.X_WT[:3] + np.array([0.0, 0.0, TIP_RADIUS])
    normal = scene.normal(centre[None])[0]
    # 50 mm off the top of a dome of 200 mm
    assert normal[0] == pytest.approx(-0.05 / 0.205, abs=2e-3)
    force = -arm.tick.true_f_fixture_W
    np.testing.assert_allclose(force / np.linalg.norm(force), normal, atol=2e-3)


@pytest.mark.parametrize("force", [3.0, 5.0])
@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_a_light_tip_at_full_speed_does_not_chatter(force: float, stiffness: float) -> None:
    config = {
        "sim": {"scene": {"kind": "table", "stiffness": stiffness}},
        "laws": {"hybrid_admittance": {"damping": "adaptive"}},
    }
    arm = Arm("sim:ur5e/table", config=config, seed=1, flight=False)
    arm.zero()
    arm.press(force)
    begin = arm.time
    arm.move_by([0.0, 0.08, 0.0, 0.0, 0.0, 0.0], speed=0.1)
    felt = arm.history.since(begin)["true_f_fixture_W"][:, 2]
    assert (felt < -0.7 * force).all()
    # from one period to the next nothing jumps
    assert np.abs(np.diff(felt)).max() < 0.5
