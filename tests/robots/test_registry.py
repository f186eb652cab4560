"""From a spec to a robot: Pliant's own, or one in a user's file."""

from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError, UnknownNameError
from pliant.reasons import State
from pliant.robots.registry import describe_robot, open_robot, settle
from pliant.robots.sim import SimRobot
from pliant.sim.scenes.peg import PegScene

ROBOT = '''
from pliant.arms.description import load_arm
from pliant.robots.base import Robot

class Still(Robot):
    description = load_arm("ur5e")
    simulated = True

    def read(self, tick):
        tick["q"], tick["qd"], tick["temperature"] = self.description.home, 0.0, 25.0
        tick["sensor_seq"] += 1

    def write(self, tick):
        tick["q_sent"] = tick["q_limited"]

class Ready(Robot):
    """An arm that goes at once where it is told to go."""

    description = load_arm("ur5e")
    simulated = True

    def __init__(self):
        self.q = self.description.home

    def read(self, tick):
        tick["q"], tick["qd"] = self.q, 0.0
        tick["temperature"] = 25.0
        tick["sensor_seq"] += 1

    def write(self, tick):
        tick["q_sent"], tick["tau_sent"] = tick["q_limited"], tick["tau_limited"]
        self.q = tick["q_sent"][0].copy()

class Unfinished(Robot):
    description = load_arm("ur5e")

class NoRobot:
    pass
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_robot.py"
    path.write_text(ROBOT)
    return path


@pytest.mark.parametrize("use", [describe_robot, lambda s: configure(s, None, None), Arm])
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ur5e", r"unknown robot 'ur5e'; did you mean sim:ur5e\? valid: .*sim:panda.*ur:…"),
        ("none:192.0.2.1", r"unknown robot 'none:192.0.2.1'; valid: .*sim:panda.*ur:…"),
        ("", r"unknown robot ''; valid: .*sim:panda.*ur:…"),
        ("sim:", r"unknown arm ''; valid: .*panda.*ur5e"),
        ("sim:ur99", r"unknown arm 'ur99'; valid: .*panda.*ur5e"),
        ("sim:ur5e/moon", r"unknown scene 'moon'; valid: .*free.*peg"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(use, spec, message) -> None:
    with pytest.raises(UnknownNameError, match=f"^{message}"):
        use(spec)


def test_a_robot_that_does_not_exist_is_not_opened() -> None:
    for spec in ("none:192.0.2.1", "sim:ur99"):
        with pytest.raises(UnknownNameError):
            open_robot(spec, Config())


def test_a_simulated_robot_is_opened_as_its_spec_and_its_configuration_say() -> None:
    config = configure("sim:panda/peg", None, 3)
    robot = open_robot("sim:panda/peg", config)
    assert isinstance(robot, SimRobot)
    assert robot.simulated
    assert robot.description.name == "panda"
    assert robot.scene == PegScene()
    assert robot.config.seed == 3
    assert robot.dt == 1.0 / robot.description.rate


@pytest.mark.parametrize(("spec", "n", "torque"), [("ur5e/peg", 6, False), ("panda", 7, True)])
def test_a_robot_is_described_without_being_opened(spec, n, torque, monkeypatch) -> None:
    monkeypatch.setattr(SimRobot, "__init__", lambda *_: 1 / 0)
    arm = describe_robot(f"sim:{spec}")
    assert arm.name == spec.partition("/")[0]
    assert (arm.n, arm.takes_torque) == (n, torque)


def test_the_spec_fills_in_what_the_configuration_leaves_open() -> None:
    tool = {"mass": 0.7}
    config = settle("sim:ur5e/peg", Config.from_dict({"tool": tool}), 5)
    assert config.sim.scene == PegScene()
    assert config.sim.seed == 5
    assert config.sim.tool.mass == 0.7
    own = Config.from_dict({"sim": {"scene": {"kind": "peg", "clearance": 1e-4}, "seed": 2}})
    assert settle("sim:ur5e/peg", own, None).sim.scene.clearance == 1e-4
    assert settle("sim:ur5e/peg", own, None).sim.seed == 2
    assert settle("sim:ur5e/peg", config, None) == config


def test_a_spec_and_a_configuration_that_contradict_each_other_are_refused() -> None:
    config = Config.from_dict({"sim": {"scene": {"kind": "peg"}}})
    with pytest.raises(ConfigError, match=r"asks for the scene table, but .* has peg"):
        settle("sim:ur5e/table", config, None)
    with pytest.raises(ConfigError, match="not -1"):
        settle("sim:ur5e", Config(), -1)


def test_a_rate_of_the_users_choice() -> None:
    assert open_robot("sim:ur5e", Config()).dt == pytest.approx(0.002)
    assert open_robot("sim:ur5e", Config(), rate=250.0).dt == pytest.approx(0.004)


def test_a_robot_of_the_users_own_needs_only_read_and_write(file: Path) -> None:
    spec = f"{file}:Still"
    assert describe_robot(spec).name == "ur5e"
    robot = open_robot(spec, Config(), rate=100.0)
    assert (robot.n, robot.dt, robot.simulated) == (6, 0.01, True)
    arm = Arm(spec)
    arm.wait(0.1)
    np.testing.assert_array_equal(arm.tick.q_sent, robot.description.home)


def test_a_robot_of_the_users_own_is_moved(file: Path) -> None:
    spec = f"{file}:Ready"
    with Arm(spec) as arm:
        assert arm.robot.simulated
        arm.zero()
        arm.activate("position")
        start = arm.tick.X_WT
        arm.move_by([0, 0, 0.02, 0, 0, 0], wait=False)
        arm.wait_until(lambda tick: tick.ref_done, timeout=5.0)
        arm.wait(0.1)
        assert arm.state is State.ACTIVE
        np.testing.assert_allclose(arm.tick.X_WT[:3], start[:3] + np.array([0, 0, 0.02]), atol=1e-5)
        assert arm.session.metadata["spec"] == spec
        assert arm.session.metadata["scene"] is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Moving", "has no robot 'Moving'; those in it: Still, Ready, Unfinished"),
        ("NoRobot", "has no robot 'NoRobot'; those in it: Still, Ready, Unfinished"),
        ("Robot", "has no robot 'Robot'; those in it: Still, Ready, Unfinished"),
    ],
)
def test_a_class_that_is_no_robot_is_refused_with_those_that_are(file, name, message) -> None:
    with pytest.raises(ConfigError, match=message):
        describe_robot(f"{file}:{name}")


def test_a_users_robot_that_cannot_be_made_is_refused_with_a_sentence(file: Path) -> None:
    with pytest.raises(ConfigError, match=r"Unfinished\(\) failed: TypeError: .*read.*write"):
        open_robot(f"{file}:Unfinished", Config())


def test_a_file_that_does_not_exist_or_raises_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no file \./nowhere\.py with a robot"):
        describe_robot("./nowhere.py:Still")
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0")
    with pytest.raises(ConfigError, match="failed: ZeroDivisionError"):
        describe_robot(f"{broken}:Still")


def test_parameters_of_a_scene_are_of_the_scene_in_the_spec() -> None:
    config = configure("sim:ur5e/table", {"sim": {"scene": {"stiffness": 2e4}}}, None)
    assert config.sim.model_dump()["scene"]["kind"] == "table"
    assert config.sim.model_dump()["scene"]["stiffness"] == 2e4
    with pytest.raises(ConfigError, match=r"sim\.scene\.table\.stifness"):
        configure("sim:ur5e/table", {"sim": {"scene": {"stifness": 2e4}}}, None)
