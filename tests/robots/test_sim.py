"""The simulated arm as a backend."""

import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

from pliant.errors import ConfigError, PliantError
from pliant.robots.sim import SimConfig, SimRobot, _substeps
from pliant.sim.scenes.peg import PegScene
from pliant.sim.sensor import BLOCK
from pliant.tick import columns, new_rows


def wander(robot: SimRobot, ticks: int) -> np.ndarray:
    """Press the peg down in small random steps, a row per tick."""
    rng = np.random.default_rng(11)
    rows = new_rows(robot.n, ticks)
    q = robot.world.data.qpos[: robot.n].copy()
    for k in range(ticks):
        tick = rows[k : k + 1]
        robot.read(tick)
        q = q + 2e-4 * np.array([0.0, 1.0, 0.0, -0.2, 0.0, 0.0]) + 1e-4 * rng.normal(size=6)
        tick["q_limited"][0] = q
        robot.write(tick)
    return rows


def test_repeats_bit_for_bit_in_contact() -> None:
    config = SimConfig(scene=PegScene(), seed=4)
    first = wander(SimRobot(config=config), 2 * BLOCK)
    second = wander(SimRobot(config=config), 2 * BLOCK)
    assert first["true_f_peak"].max() > 1.0
    assert first.tobytes() == second.tobytes()


def test_writes_its_own_columns_only() -> None:
    robot = SimRobot()
    tick = new_rows(robot.n)
    tick.view(np.uint8)[:] = 0xAB
    before = tick.copy()
    robot.read(tick)
    for name, column, _ in columns():
        # what an arm without a gripper never writes stays as the loop has begun it
        if column.stage == "robot" and not name.startswith("gripper_"):
            assert not np.array_equal(tick[name], before[name]), name
        else:
            assert np.array_equal(tick[name], before[name]), name


def test_holds_its_start_before_the_first_write() -> None:
    q_start = (0.3, -1.4, 1.6, -1.5, -1.4, 0.2)
    robot = SimRobot(config=SimConfig(q_start=q_start))
    tick = new_rows(robot.n)
    for _ in range(200):
        robot.read(tick)
    np.testing.assert_allclose(tick["q"][0], q_start, atol=1e-9)


def test_it_writes_the_sent_columns() -> None:
    robot = SimRobot()
    tick = new_rows(robot.n)
    tick["q_limited"][0] = robot.description.home + 0.001
    robot.write(tick)
    np.testing.assert_array_equal(tick["q_sent"], tick["q_limited"])


def test_a_start_with_the_wrong_number_of_joints_is_refused() -> None:
    with pytest.raises(ConfigError, match="6 numbers"):
        SimRobot(config=SimConfig(q_start=(0.0, 1.0)))


def test_divergence_is_an_error_not_a_reset(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # MuJoCo writes its log file to the working directory
    monkeypatch.chdir(tmp_path)
    robot = SimRobot()
    robot.world.data.qvel[0] = np.nan
    # more ticks than one block of random numbers
    for _ in range(BLOCK + 10):
        with pytest.raises(PliantError, match="diverged"):
            robot.read(new_rows(robot.n))


def test_scene_config_is_chosen_by_its_kind() -> None:
    config = SimConfig.model_validate({"scene": {"kind": "peg", "clearance": 1e-4}})
    assert isinstance(config.scene, PegScene)
    assert SimConfig.model_validate_json(config.model_dump_json()) == config


def test_a_scene_without_fixture_has_no_contact_detection_and_equal_results() -> None:
    spared, looking = SimRobot(), SimRobot()
    no_contact = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    assert looking.world.model.opt.disableflags & no_contact
    looking.world.model.opt.disableflags &= ~no_contact
    assert wander(spared, 300).tobytes() == wander(looking, 300).tobytes()
    touching = SimRobot(config=SimConfig(scene=PegScene()))
    assert not touching.world.model.opt.disableflags & no_contact


@pytest.mark.parametrize("rate", [2000.0, 300.0])
def test_a_rate_that_the_physics_cannot_have_is_refused_with_those_it_can(rate: float) -> None:
    with pytest.raises(ConfigError, match=f"1000 Hz or a whole fraction .* not at {rate:g} Hz"):
        _substeps(1.0 / rate)
    assert (_substeps(0.001), _substeps(0.002)) == (1, 2)


_BROKEN_PHYSICS = """
from pliant import Arm
arm = Arm("sim:ur5e")
arm.simulation.world.model.opt.integrator = 99
try:
    arm.wait(0.1)
except Exception as error:
    print(type(error).__name__, error)
"""


def test_an_error_of_the_physics_engine_is_an_exception() -> None:
    """Also in a run of several ticks; without MuJoCo's guard it would end the process."""
    ended = subprocess.run(
        [sys.executable, "-c", _BROKEN_PHYSICS], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "FatalError mj_step: invalid integrator\n"
