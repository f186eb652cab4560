"""Identification of the tool's mass, by moving the arm and from synthetic poses."""

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.tool import Tool
from pliant.identify import PosesTooSimilar, RestPose, fit_tool, identify_tool, tool_from_rows
from pliant.numerics.spatial import quat_exp, quat_multiply, quat_unrotate

STEADY = {"drift_force": 0.0, "drift_torque": 0.0}
NOISE = np.array([0.1] * 3 + [0.005] * 3)


def random_tool(seed: int) -> Tool:
    """A tool of 0.3 to 3 kg, its sensor rotated about z."""
    rng = np.random.default_rng(seed)
    mass, turn = rng.uniform(0.3, 3.0), rng.uniform(-np.pi, np.pi)
    return Tool(
        mass=mass,
        com_F=(*rng.uniform(-0.03, 0.03, 2), rng.uniform(0.02, 0.12)),
        inertia=(1e-3 * mass,) * 3,
        X_FS=(0.0, 0.0, 0.02, np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)),
    )


def arm_with(tool: Tool, configured: Tool, seed: int) -> Arm:
    sim = {"tool": tool.model_dump(), "sensor": STEADY}
    arm = Arm("sim:ur5e", config={"tool": configured.model_dump(), "sim": sim}, seed=seed)
    arm.wait(0.05)
    return arm


@pytest.mark.parametrize("seed", range(2))
def test_an_identified_tool_is_compensated(seed):
    true = random_tool(seed)
    arm = arm_with(true, Tool(X_FS=true.X_FS), seed)
    start = np.array(arm.tick.X_WT)
    fit = identify_tool(arm)
    np.testing.assert_allclose(arm.tick.X_WT, start, atol=1e-4)
    assert arm.law is None
    assert fit.mass.value == pytest.approx(true.mass, rel=0.01)
    np.testing.assert_allclose([c.value for c in fit.com_F], true.com_F, atol=2e-3)
    bias = arm.simulation._sensor["bias"][0]
    for estimate, expected in zip(fit.bias, bias, strict=True):
        assert abs(estimate.value - expected) < 4.0 * estimate.error
    assert_compensated(arm_with(true, fit.applied_to(arm.config.tool), seed))


def assert_compensated(arm: Arm) -> None:
    """After zeroing once, a free tool at rest reads zero in every orientation and every tick."""
    arm.zero()
    arm.activate("position")
    arm.wait(0.01)
    rng, start, turned = np.random.default_rng(1), np.array(arm.tick.X_WT), np.empty(4)
    for _ in range(6):
        turn = np.empty(4)
        quat_exp(rng.uniform(-0.7, 0.7, 3), turn)
        quat_multiply(start[3:], turn, turned)
        arm.move_to([*start[:3], *turned], wait=False)
        arm.wait(0.01)
        arm.wait_until(lambda tick: bool(tick.ref_done))
        arm.wait(0.3)
        since = arm.time
        arm.wait(0.3)
        assert not arm.history.since(since)["w_T"].any()


@pytest.mark.parametrize(("robot", "tilt"), [("sim:panda", 50.0), ("sim:ur5e", 170.0)])
def test_other_arms_and_unreachable_orientations_work(robot, tilt):
    arm = Arm(robot, config={"sim": {"tool": {"mass": 0.7}}})
    arm.wait(0.05)
    start = np.array(arm.tick.X_WT)
    fit = identify_tool(arm, tilt=np.radians(tilt))
    assert fit.poses == 8
    assert fit.mass.value == pytest.approx(0.7, rel=0.01)
    np.testing.assert_allclose(arm.tick.X_WT, start, atol=1e-3)


def test_recorded_ticks_are_as_good_as_moving():
    true = random_tool(7)
    arm = arm_with(true, Tool(X_FS=true.X_FS), 7)
    identify_tool(arm, poses=5)
    fit = tool_from_rows(arm.history.since(0.0), arm.config.tool)
    assert fit.poses >= 5
    assert fit.mass.value == pytest.approx(true.mass, rel=0.01)
    np.testing.assert_allclose([c.value for c in fit.com_F], true.com_F, atol=2e-3)


def synthetic_poses(
    rotations: list[np.ndarray], tool: Tool, bias: np.ndarray, rng=None
) -> list[RestPose]:
    """Poses of a sensor at the flange origin, rotated from W by rotation vectors."""
    poses = []
    for rotation in rotations:
        quat, g_S = np.empty(4), np.empty(3)
        quat_exp(np.array(rotation, dtype=float), quat)
        quat_unrotate(quat, np.array([0.0, 0.0, -9.81]), g_S)
        w_S = bias + np.concatenate([tool.mass * g_S, np.cross(tool.com_F, tool.mass * g_S)])
        if rng is not None:
            w_S = w_S + NOISE * rng.standard_normal(6) / np.sqrt(250)
        poses.append(RestPose(g_S=g_S, w_S=w_S, w_T=w_S, noise=NOISE, count=250))
    return poses


PLAIN = Tool(mass=0.7, com_F=(0.01, -0.02, 0.05), X_FS=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
BIAS = np.array([1.0, -2.0, 3.0, 0.1, -0.2, 0.05])


def test_without_noise_the_fit_is_exact():
    poses = synthetic_poses([[a, 0, 0] for a in np.linspace(0.0, np.pi, 5)], PLAIN, BIAS)
    fit = fit_tool(poses, PLAIN)
    assert fit.mass.value == pytest.approx(0.7, abs=1e-9)
    np.testing.assert_allclose([c.value for c in fit.com_F], PLAIN.com_F, atol=1e-9)
    np.testing.assert_allclose([b.value for b in fit.bias], BIAS, atol=1e-9)


def test_standard_errors_match_the_scatter():
    """Over many samples of noise, the estimates scatter according to their standard errors."""
    rng = np.random.default_rng(0)
    turns = [[0, 0, 0], [0.9, 0, 0], [-0.9, 0, 0], [0, 0.9, 0], [0, -0.9, 0]]
    fits = [fit_tool(synthetic_poses(turns, PLAIN, BIAS, rng), PLAIN) for _ in range(300)]
    for estimates, true in (
        ([fit.mass for fit in fits], 0.7),
        ([fit.com_F[2] for fit in fits], 0.05),
        ([fit.bias[0] for fit in fits], 1.0),
        ([fit.bias[3] for fit in fits], 0.1),
    ):
        deviations = np.array([(e.value - true) / e.error for e in estimates])
        assert 0.8 < deviations.std() < 1.2
        inside = [e.interval[0] < true < e.interval[1] for e in estimates]
        assert 0.9 < np.mean(inside) < 0.99


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([[0, 0, 0]] * 6, "1 distinct gravity directions"),
        ([[0, 0, 0], [1.0, 0, 0]] * 3, "2 distinct gravity directions"),
        ([[0, 0, a] for a in (0.0, 1.0, 2.0)], "1 distinct gravity directions"),
        ([[a, 0, 0] for a in np.radians([0.0, 11.0, 22.0, 35.0])], "too close together"),
    ],
)
def test_insufficient_poses_are_refused(turns, message):
    with pytest.raises(PosesTooSimilar, match=message):
        fit_tool(synthetic_poses(turns, PLAIN, BIAS), PLAIN)


def test_a_negative_mass_is_refused():
    poses = synthetic_poses([[0, 0, 0], [1.0, 0, 0], [-1.0, 0, 0], [0, 1.0, 0]], PLAIN, BIAS)
    upside_down = [
        RestPose(g_S=-p.g_S, w_S=p.w_S, w_T=p.w_T, noise=p.noise, count=p.count) for p in poses
    ]
    with pytest.raises(PosesTooSimilar, match=r"a mass of -0.7 kg"):
        fit_tool(upside_down, PLAIN)
