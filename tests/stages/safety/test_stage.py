"""The safety stage alone, with unreasonable requests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant.arms.description import load_arm
from pliant.numerics.profiles import brake_speed
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, Verdict
from pliant.stages.safety import Clip, SafetyConfig
from pliant.stages.safety.stage import safety_kernel, safety_params
from pliant.tick import Rows, new_rows

ARM = load_arm("ur5e")
DT = 0.002
FAR = SafetyConfig(tool_speed=3.0)
JACOBIAN = np.array(
    [
        [-0.356, 0.178, -0.358, 0.072, -0.017, 0.104, 0.0],
        [0.646, 0.154, 0.648, 0.037, 0.034, -0.005, 0.0],
        [0.0, -0.722, 0.002, 0.659, 0.007, 0.261, 0.0],
    ]
)
"""Of the tool's position, in the tick of an FR3 below."""


class Bench:
    """A safety stage between requests and set points, without an arm."""

    def __init__(self, config: SafetyConfig = FAR, q: np.ndarray | float = 0.0) -> None:
        self.p = safety_params(config, ARM)
        self.prev, self.tick = new_rows(6), new_rows(6)
        self.prev["q_sent"] = q
        self.sent = [self.prev["q_sent"][0].copy()]

    def ask(self, q_asked: np.ndarray | float, **columns: object) -> Rows:
        """One tick with a request; columns given are set in it."""
        prev, tick = self.prev, self.tick
        tick["dt"] = DT
        tick["q_requested"] = q_asked
        for name, value in columns.items():
            tick[name] = value
        safety_kernel(prev, tick, self.p)
        tick["q_sent"] = tick["q_limited"]
        self.sent.append(tick["q_sent"][0].copy())
        self.prev, self.tick = tick, prev
        return tick

    def derivatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions, velocities and accelerations of the set points sent."""
        q = np.array(self.sent)
        v = np.diff(q, axis=0, prepend=q[:1]) / DT
        return q, v, np.diff(v, axis=0) / DT


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.sampled_from([1e-4, 1e-2, 1.0, 100.0, 1e200]),
    near=st.booleans(),
)
def test_joints_stay_within_their_limits_for_any_request(
    seed: int, size: float, near: bool
) -> None:
    """Random goals, each held for some time, from any start, also near the joint limits."""
    rng = np.random.default_rng(seed)
    low, high = ARM.q_min + FAR.joint_margin, ARM.q_max - FAR.joint_margin
    bench = Bench(q=high - rng.uniform(0, 0.05, 6) if near else rng.uniform(low, high))
    for _ in range(20):
        step = rng.normal(size=6) * size
        for _ in range(rng.integers(1, 40)):
            tick = bench.ask(bench.sent[-1] + step)
            assert tick["trip"][0] == 0
    q, v, a = bench.derivatives()
    assert (q <= high + 1e-9).all()
    assert (q >= low - 1e-9).all()
    assert (np.abs(v) <= ARM.qd_max * FAR.joint_speed_share * (1 + 1e-6)).all()
    assert (np.abs(a) <= ARM.qdd_max * (1 + 1e-6)).all()


@pytest.mark.parametrize("distance", np.geomspace(1e-7, 3.0, 40))
@pytest.mark.parametrize("acceleration", [0.5, 20.0])
def test_braking_from_the_allowed_speed_ends_at_the_limit(
    distance: float, acceleration: float
) -> None:
    left, before = distance, None
    for _ in range(5000):
        v = brake_speed(left, acceleration, DT)
        assert before is None or before - v <= acceleration * DT * (1 + 1e-6)
        left, before = max(0.0, left - v * DT), v
    assert left == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "tightened",
    [
        {"joint_margin": 0.6},
        {"joint_acceleration_share": 0.2},
        {"joint_speed_share": 0.1},
        {"joint_margin": 1.0, "joint_acceleration_share": 0.1},
    ],
)
def test_limits_tightened_in_motion_are_reached_with_the_arms_acceleration(tightened: dict) -> None:
    q_max = ARM.q_max[2]
    for begin in np.linspace(0.05, 0.9, 12):
        bench = Bench(q=np.array([0, 0, q_max - 1.5, 0, 0, 0]))
        goal = np.array([0, 0, 10.0, 0, 0, 0])
        while q_max - bench.sent[-1][2] > begin:
            bench.ask(goal)
        bench.p = safety_params(FAR.model_copy(update=tightened), ARM)
        for _ in range(1500):
            bench.ask(goal)
        q, v, a = bench.derivatives()
        assert (np.abs(a) <= ARM.qdd_max * (1 + 1e-6)).all()
        assert q[:, 2].max() <= q_max - FAR.joint_margin + 1e-9
        assert v[-1, 2] == 0.0


def test_the_tool_stops_on_its_path_at_a_joint_limit() -> None:
    bench = Bench(q=np.array([0, 0, ARM.q_max[2] - 0.3, 0, 0, 0]))
    way = np.array([0.5, -0.3, 1.0, 0.2, 0.0, 0.1])
    for _ in range(500):
        tick = bench.ask(bench.sent[-1] + 0.002 * way)
    q, v, _ = bench.derivatives()
    assert v[-1].tolist() == [0.0] * 6
    assert tick["clipped"][0] & Clip.POSITION
    assert q[-1, 2] == pytest.approx(ARM.q_max[2] - FAR.joint_margin, abs=1e-9)
    moved = q - q[0]
    np.testing.assert_allclose(moved, np.outer(moved[:, 2], way), atol=2e-3)


def test_rounding_does_not_hold_an_arm_that_moves_along_a_limit() -> None:
    bench = Bench(q=np.array([0, 0, ARM.q_max[2] - FAR.joint_margin, 0, 0, 0]))
    for _ in range(100):
        bench.ask(bench.sent[-1] + np.array([1e-3, 0, 1e-9, 0, 0, 0]))
    assert bench.sent[-1][0] == pytest.approx(0.1, rel=0.2)


def test_the_tool_speed_scales_all_joints_alike() -> None:
    bench = Bench(SafetyConfig(tool_speed=0.1))
    J = np.random.default_rng(0).normal(size=(6, 6))
    way = np.array([1.0, -0.5, 0.3, 0.2, 0.1, -1.0]) * 1e-3
    for _ in range(100):
        tick = bench.ask(bench.sent[-1] + way, J_sent_W=J)
    v = tick["qd_limited"][0]
    assert np.linalg.norm(J[:3] @ v) == pytest.approx(0.1, rel=1e-9)
    np.testing.assert_allclose(v / v[0], way / way[0], rtol=1e-9)
    assert tick["clipped"][0] == Clip.TOOL_SPEED


def test_few_joints_that_can_still_slow_down_keep_the_tool_to_its_speed() -> None:
    """A tick of a soak: five joints slow down as hard as they can, two have to do more."""
    fr3 = load_arm("fr3")
    prev, tick = new_rows(7), new_rows(7)
    prev["q_sent"] = [0.7116, -0.0113, -0.217, -1.7721, 0.1938, 2.6861, -0.6777]
    prev["qd_limited"] = [0.9996, -0.8267, -0.3896, -1.0599, -2.495, 2.202, 2.2769]
    wanted = np.array([0.8203, -5.3635, -0.3626, -3.4025, -7.2446, 0.3472, 6.39])
    tick["dt"], tick["q_requested"] = 0.001, prev["q_sent"] + 0.001 * wanted
    tick["q"] = prev["q_sent"]
    tick["J_sent_W"][0, :3] = JACOBIAN
    safety_kernel(prev, tick, safety_params(SafetyConfig(tool_speed=0.5), fr3))
    assert np.linalg.norm(JACOBIAN @ tick["qd_limited"][0]) < 0.5 * (1.0 + 1e-4)
    assert (np.abs(tick["qdd_limited"][0]) <= fr3.qdd_max * (1.0 + 1e-6)).all()


def test_an_allowed_request_is_not_changed() -> None:
    bench = Bench()
    q = 1e-3 * (1 - np.cos(np.linspace(0, 6, 500)))
    for value in q:
        tick = bench.ask(value)
        assert tick["clipped"][0] == 0
        np.testing.assert_allclose(tick["q_limited"][0], value, atol=1e-15)


TRIPS = [
    ({"q_requested": np.nan}, Reason.NOT_FINITE),
    ({"q_requested": 1e308}, Reason.NOT_FINITE),
    ({"q": np.nan}, Reason.NOT_FINITE),
    ({"qd": np.inf}, Reason.NOT_FINITE),
    ({"temperature": 60.0}, Reason.TEMPERATURE),
    ({"temperature": np.nan}, Reason.TEMPERATURE),
    ({"lateness": 0.051}, Reason.LATE),
    ({"zeroed": 1, "law": 0, "w_T_raw": (61.0, 0, 0, 0, 0, 0)}, Reason.CONTACT_FORCE),
    ({"zeroed": 1, "law": 0, "w_T_raw": (0, 0, 0, 0, 8.1, 0)}, Reason.CONTACT_FORCE),
    ({"zeroed": 0, "w_T_raw": (61.0, 0, 0, 0, 0, 0)}, Reason.NONE),
    ({"zeroed": 1, "law": 1, "verdict": Verdict.STALE}, Reason.SENSOR_STALE),
    ({"zeroed": 1, "law": 1, "verdict": Verdict.IMPLAUSIBLE}, Reason.NONE),
    ({"zeroed": 1, "law": -1, "verdict": Verdict.STALE}, Reason.NONE),
    ({"zeroed": 0, "law": 1, "verdict": Verdict.STALE}, Reason.NONE),
]


@pytest.mark.parametrize(("columns", "reason"), TRIPS)
def test_a_trip_brakes_in_the_same_tick(columns: dict, reason: Reason) -> None:
    bench = Bench()
    for _ in range(50):
        bench.ask(bench.sent[-1] + 1e-3)
    before = bench.prev["qd_limited"][0].copy()
    tick = bench.ask(bench.sent[-1] + 1e-3, **columns)
    assert tick["trip"][0] == reason
    slower = np.abs(tick["qd_limited"][0]) < np.abs(before)
    assert slower.all() == (reason is not Reason.NONE)
    _, _, a = bench.derivatives()
    assert (np.abs(a) <= ARM.qdd_max * (1 + 1e-6)).all()


@pytest.mark.parametrize(
    ("force", "torque", "watched"),
    [(60.0, 8.0, True), (np.inf, 8.0, True), (60.0, np.inf, True), (np.inf, np.inf, False)],
)
def test_a_lost_sensor_trips_only_while_contact_is_monitored(
    force: float, torque: float, watched: bool
) -> None:
    bench = Bench(SafetyConfig(contact_force=force, contact_torque=torque))
    tick = bench.ask(0.0, zeroed=1, law=1, verdict=Verdict.SATURATED)
    expected = Verdict.SATURATED + SENSOR_REASON_OFFSET if watched else Reason.NONE
    assert tick["trip"][0] == expected
