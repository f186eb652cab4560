"""The wrench stage against closed forms: weight, lever arm, filter, dead band, zeroing, verdict."""

from math import exp, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from pliant.arms.tool import Tool
from pliant.numerics.filters import dead_band
from pliant.params import spread
from pliant.reasons import Verdict
from pliant.stages.wrench import AT_REST, ZERO_ABORTED, WrenchConfig
from pliant.stages.wrench.stage import wrench_kernel, wrench_params
from pliant.tick import Rows, new_rows

DT = 0.002
TURNED = Rotation.from_euler("xyz", [0.3, -0.5, 1.1])
TOOL = Tool(
    mass=1.3,
    com_F=(0.02, -0.03, 0.07),
    X_FT=(0.01, 0.02, 0.15, *TURNED.as_quat(scalar_first=True)),
)
NO_BAND = WrenchConfig(cutoff=1e6, dead_band=spread(0.0, 0.0), zero_time=5 * DT, bias=(100.0, 10.0))


class Bench:
    """A wrench stage that gets one reading per tick."""

    def __init__(self, config: WrenchConfig = NO_BAND, tool: Tool = TOOL) -> None:
        self.p = wrench_params(config, tool)
        self.prev, self.tick = new_rows(6), new_rows(6)

    def feed(self, w_S: np.ndarray | float = 0.0, *, fresh: bool = True, **columns: object) -> Rows:
        """One tick; columns given are set in it."""
        prev, tick = self.prev, self.tick
        tick["dt"] = DT
        tick["w_S_raw"] = w_S
        tick["sensor_seq"] = prev["sensor_seq"] + int(fresh)
        tick["X_WT"] = columns.pop("X_WT", prev["X_WT"])
        tick["v_WT_W"] = columns.pop("v_WT_W", 0.0)
        wrench_kernel(prev, tick, self.p)
        # as the supervisor writes them
        tick["zero_seq"] = columns.pop("zero_seq", prev["zero_seq"])
        tick["law"] = columns.pop("law", prev["law"])
        assert not columns
        self.prev, self.tick = tick, prev
        return tick

    def zero(self, w_S: np.ndarray | float) -> Rows:
        """A complete zeroing."""
        self.feed(w_S, zero_seq=self.prev["zero_seq"] + 1)
        for _ in range(5):
            self.feed(w_S)
        return self.prev


def weight_S(tool: Tool, R_WT: Rotation) -> np.ndarray:
    """The wrench of the tool's weight at its sensor, from first principles."""
    X_FT, X_FS = np.array(tool.X_FT), np.array(tool.X_FS)
    R_FT = Rotation.from_quat(X_FT[3:], scalar_first=True)
    R_FS = Rotation.from_quat(X_FS[3:], scalar_first=True)
    R_WS = R_WT * R_FT.inv() * R_FS
    force = R_WS.inv().apply([0, 0, -9.81 * tool.mass])
    com_S = R_FS.inv().apply(np.array(tool.com_F) - X_FS[:3])
    return np.concatenate([force, np.cross(com_S, force)])


def to_sensor(tool: Tool, w_T: np.ndarray) -> np.ndarray:
    """A wrench at the TCP in T, as the sensor measures it at its origin."""
    X_FT, X_FS = np.array(tool.X_FT), np.array(tool.X_FS)
    R_FT = Rotation.from_quat(X_FT[3:], scalar_first=True)
    R_FS = Rotation.from_quat(X_FS[3:], scalar_first=True)
    force_F, torque_F = R_FT.apply(w_T[:3]), R_FT.apply(w_T[3:])
    torque_F = torque_F + np.cross(X_FT[:3] - X_FS[:3], force_F)
    return np.concatenate([R_FS.inv().apply(force_F), R_FS.inv().apply(torque_F)])


def pose_of(R_WT: Rotation) -> np.ndarray:
    return np.concatenate([[0.4, 0.1, 0.3], R_WT.as_quat(scalar_first=True)])


@pytest.mark.parametrize("seed", range(20))
def test_only_the_external_wrench_remains_at_any_orientation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, then = Rotation.random(2, rng=rng)
    bias, w_T = rng.normal(0, [5, 5, 5, 0.5, 0.5, 0.5]), rng.normal(0, [9, 9, 9, 1, 1, 1])
    bench = Bench()
    bench.feed(X_WT=pose_of(first))
    bench.zero(weight_S(TOOL, first) + bias)
    loaded = weight_S(TOOL, then) + bias + to_sensor(TOOL, w_T)
    tick = bench.feed(loaded, X_WT=pose_of(then))
    np.testing.assert_allclose(tick["w_bias_S"][0], bias, atol=1e-9)
    np.testing.assert_allclose(tick["w_T"][0], w_T, atol=1e-9)


def test_the_step_response_is_that_of_the_low_pass() -> None:
    config = WrenchConfig(cutoff=20.0, dead_band=spread(0.0, 0.0), zero_time=DT)
    bench = Bench(config)
    free = weight_S(TOOL, Rotation.identity())
    bench.zero(free)
    w_T = np.array([10.0, 0, 0, 0, 0.5, 0])
    for k in range(1, 40):
        tick = bench.feed(free + to_sensor(TOOL, w_T))
        share = 1.0 - exp(-2 * pi * 20.0 * k * DT)
        np.testing.assert_allclose(tick["w_T_filtered"][0], share * w_T, atol=1e-9)
        np.testing.assert_allclose(tick["w_T_raw"][0], w_T, atol=1e-9)


@given(x=st.floats(-100, 100), width=st.floats(0, 10))
def test_dead_band(x: float, width: float) -> None:
    y = dead_band(x, width)
    if abs(x) <= width:
        assert y == 0.0 or width == 0.0
    elif abs(x) >= 2 * width:
        assert y == x
    else:
        assert y == pytest.approx(2 * (x - np.sign(x) * width))
    assert abs(y) <= abs(x)
    near = dead_band(x + 1e-9, width)
    assert abs(near - y) <= 2.1e-9, "continuous, slope at most 2"


def test_the_dead_band_acts_on_the_filtered_wrench_per_axis() -> None:
    bench = Bench(WrenchConfig(cutoff=1e6, dead_band=spread(1.0, 0.1), zero_time=DT))
    free = weight_S(TOOL, Rotation.identity())
    bench.zero(free)
    w_T = np.array([0.9, 1.5, -3.0, 0.15, 0.05, -0.3])
    tick = bench.feed(free + to_sensor(TOOL, w_T))
    np.testing.assert_allclose(tick["w_T"][0], [0, 1.0, -3.0, 0.1, 0, -0.3], atol=1e-9)


def test_a_new_bias_does_not_ring_through_the_filter() -> None:
    bench = Bench(WrenchConfig(cutoff=5.0, dead_band=spread(0.0, 0.0), zero_time=5 * DT))
    biased = weight_S(TOOL, Rotation.identity()) + np.array([8.0, 0, 0, 0, 0, 0])
    for _ in range(2000):
        bench.feed(biased)
    tick = bench.zero(biased)
    np.testing.assert_allclose(tick["w_T_filtered"][0], 0.0, atol=1e-6)


def test_zeroing_averages() -> None:
    bench = Bench()
    free = weight_S(TOOL, Rotation.identity())
    bench.feed(free, zero_seq=1)
    for k in range(5):
        assert bench.prev["zeroed"][0] == 0
        bench.feed(free + k)
    assert bench.prev["zeroed"][0] == 1
    np.testing.assert_allclose(bench.prev["w_bias_S"][0], 2.0, atol=1e-9)


@pytest.mark.parametrize(
    "disturbance",
    [
        {"v_WT_W": 2 * AT_REST},
        {"w_S": np.nan},
        {"w_S": 300.0},
        {"X_WT": np.full(7, np.nan)},
    ],
)
def test_a_disturbed_zeroing_is_aborted_and_keeps_the_old_bias(disturbance: dict) -> None:
    disturbance = dict(disturbance)
    bench = Bench()
    free = weight_S(TOOL, Rotation.identity())
    pose = pose_of(Rotation.identity())
    bench.feed(free, X_WT=pose)
    before = bench.zero(free + 1.0)["w_bias_S"].copy()
    bench.feed(free + 2.0, zero_seq=2)
    bench.feed(free + 2.0)
    bench.feed(disturbance.pop("w_S", free), **disturbance)
    assert bench.prev["zero_left"][0] == ZERO_ABORTED
    for _ in range(10):
        bench.feed(free + 2.0, X_WT=pose)
    assert bench.prev["zero_left"][0] == ZERO_ABORTED
    np.testing.assert_array_equal(bench.prev["w_bias_S"], before)
    assert np.isfinite(bench.prev["w_T_filtered"]).all()


def test_a_frozen_sensor_is_not_averaged() -> None:
    bench = Bench(WrenchConfig(zero_time=0.2, stale_after=0.01))
    bench.feed(zero_seq=1)
    for _ in range(20):
        bench.feed(fresh=False)
    assert bench.prev["zero_left"][0] == ZERO_ABORTED
    assert bench.prev["zeroed"][0] == 0


def test_a_non_finite_reading_keeps_the_last_wrench() -> None:
    bench = Bench()
    free = weight_S(TOOL, Rotation.identity())
    bench.zero(free)
    w_T = np.array([3.0, 0, 0, 0, 0, 0])
    bench.feed(free + to_sensor(TOOL, w_T))
    for bad in (np.nan, np.inf):
        tick = bench.feed(bad)
        np.testing.assert_allclose(tick["w_T"][0], w_T, atol=1e-9)
        assert tick["verdict"][0] == Verdict.NOT_FINITE
    tick = bench.feed(free)
    assert tick["verdict"][0] == Verdict.READY
    np.testing.assert_allclose(tick["w_T"][0], 0.0, atol=1e-9)


def test_precedence_of_the_verdict() -> None:
    """Each cause hides the later ones; removed one by one, all are reported."""
    bench = Bench(WrenchConfig(cutoff=1e6, zero_time=DT, stale_after=2.5 * DT))
    huge = np.array([0, 0, 300.0, 0, 0, 0])
    for _ in range(4):
        bench.feed(np.nan, fresh=False)
    assert bench.prev["verdict"][0] == Verdict.NOT_FINITE
    assert bench.feed(huge, fresh=False)["verdict"][0] == Verdict.STALE
    assert bench.feed(huge)["verdict"][0] == Verdict.SATURATED
    assert bench.feed(huge / 2)["verdict"][0] == Verdict.NEVER_ZEROED
    free = weight_S(TOOL, Rotation.identity())
    bench.zero(free)
    assert bench.feed(huge / 2)["verdict"][0] == Verdict.IMPLAUSIBLE
    assert bench.feed(free)["verdict"][0] == Verdict.READY


def test_a_large_force_is_plausible_under_a_law() -> None:
    bench = Bench()
    free = weight_S(TOOL, Rotation.identity())
    bench.zero(free)
    pushed = free + to_sensor(TOOL, np.array([0, 0, -40.0, 0, 0, 0]))
    assert bench.feed(pushed)["verdict"][0] == Verdict.IMPLAUSIBLE
    bench.feed(pushed, law=0)
    assert bench.feed(pushed)["verdict"][0] == Verdict.READY


def test_a_corrected_weight_is_as_if_zeroed_with_it() -> None:
    then, now = Rotation.from_euler("xyz", [[2.8, 0.2, 0.4], [0.3, 1.2, -0.6]])
    bias = np.array([4.0, -2.0, 1.0, 0.1, -0.2, 0.3])
    guess = TOOL.model_copy(update={"mass": 0.6, "com_F": (0.0, 0.0, 0.03)})
    bench = Bench(tool=guess)
    bench.feed(X_WT=pose_of(then))
    tick = bench.zero(weight_S(TOOL, then) + bias)
    np.testing.assert_allclose(tick["w_T"][0], 0.0, atol=1e-9)

    # in the orientation of the zeroing nothing changes
    bench.p = wrench_params(NO_BAND, TOOL)
    tick = bench.feed(weight_S(TOOL, then) + bias)
    np.testing.assert_allclose(tick["w_T"][0], 0.0, atol=1e-9)
    np.testing.assert_allclose(tick["w_bias_S"][0], bias, atol=1e-9)

    # in other orientations the wrench is correct now
    tick = bench.feed(weight_S(TOOL, now) + bias, X_WT=pose_of(now))
    np.testing.assert_allclose(tick["w_T"][0], 0.0, atol=1e-9)


def test_a_corrected_weight_passes_the_filter_rather_than_jump() -> None:
    config = WrenchConfig(cutoff=20.0, dead_band=spread(0.0, 0.0), zero_time=DT)
    bench = Bench(config)
    bench.zero(weight_S(TOOL, Rotation.identity()))
    tilted = pose_of(Rotation.from_euler("x", 1.0))
    reading = weight_S(TOOL, Rotation.from_euler("x", 1.0))
    bench.feed(reading, X_WT=tilted)
    bench.p = wrench_params(config, TOOL.model_copy(update={"mass": 2 * TOOL.mass}))
    before = bench.prev["w_T_filtered"][0].copy()
    alpha = 1.0 - exp(-2 * pi * 20.0 * DT)
    tick = bench.feed(reading)
    step = tick["w_T_filtered"][0] - before
    np.testing.assert_allclose(step, alpha * (tick["w_T_raw"][0] - before), atol=1e-9)
    assert np.linalg.norm(tick["w_T_raw"][0][:3]) > 5.0
