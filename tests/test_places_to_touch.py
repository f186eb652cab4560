"""What CONTRIBUTING says of adding things: each is added to a copy of the package, and works.

Every file that is changed is named here, so that a test fails when one more becomes necessary. The
copies run as plain Python, which compiles nothing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import pliant

_SOURCES = Path(pliant.__file__).parent
_LEFT_OUT = shutil.ignore_patterns("node_modules", "static", "_kernels", "__pycache__")

POSE_LAW = """
'''Stands still.'''

from pliant.laws.law_base import PoseLaw, no_torque
from pliant.numerics.kernels import kernel
from pliant.params import Params, param


class StandStillConfig(Params):
    '''How to stand still.'''

    calm: float = param(0.25, "1", "Nothing depends on it.")


@kernel
def stand_still_kernel(prev, tick, p):
    '''Write all law columns of one tick.'''
    t = tick[0]
    t.X_WT_cmd[:] = prev[0].X_WT_sent
    t.v_cmd_T[:] = 0.0
    t.e_T[:] = 0.0
    t.w_desired_T[:] = p[0].calm
    t.law_limited = 0
    t.reseed = 0
    t.X_WR_seed[:] = t.X_WR
    t.law_state[:] = 0.0
    no_torque(tick)


class StandStill(PoseLaw):
    '''X_cmd = X_sent.'''

    name = "stand_still"
    Config = StandStillConfig
    kernel = staticmethod(stand_still_kernel)
"""

TORQUE_LAW = """
'''Every joint is damped by its share of the inertia.'''

from dataclasses import dataclass

import numpy as np

from pliant.laws.law_base import TorqueLaw, bumpless, follow_measured
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, NonNegative, Params, param
from pliant.tick import Tick


class LimpConfig(Params):
    '''How limp.'''

    decay: NonNegative = param(2.0, "1/s", "Rate at which a joint slows down.", le=20.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class LimpParams(KernelParams):
    '''Parameters of the law.'''

    decay: float
    tau_rate_max: Array


@kernel
def limp_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[LimpParams]) -> None:
    '''Write all law columns of one tick.'''
    t = tick[0]
    tau = np.empty(t.qd.shape[0])
    for j in range(tau.shape[0]):
        tau[j] = -p[0].decay * t.M[j, j] * t.qd[j]
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    follow_measured(tick)
    t.law_state[:] = 0.0


class Limp(TorqueLaw):
    '''τ_j = −r·M_jj·q̇_j.

    The arm yields to any push, and a joint that moves alone slows down with the time constant 1/r.
    '''

    name = "limp"
    takes = "nothing"
    Config = LimpConfig
    kernel = staticmethod(limp_kernel)

    def parameters(self, config: LimpConfig) -> np.ndarray:
        '''The row of the kernel for these parameters.'''
        rate = self._arm.description.tau_rate_max
        return LimpParams(decay=config.decay, tau_rate_max=rate).row()
"""

ARM = """
'''A UR5e that is called otherwise, and slower.'''

from dataclasses import replace

from pliant.arms.description import frozen_array
from pliant.arms.ur5e import DESCRIPTION as UR5E

DESCRIPTION = replace(UR5E, name="slow", qd_max=frozen_array([0.5] * 6))
"""

BACKEND = """
'''An arm that follows at once.'''

import numpy as np

from pliant.arms.description import load_arm
from pliant.robots.base import Robot


class Follower(Robot):
    '''Joints that follow at once.'''

    simulated = True

    def __init__(self, description):
        self.description = description
        self.q = np.array(description.home)
        self.readings = 0

    @classmethod
    def describe(cls, place):
        return load_arm(place)

    @classmethod
    def open(cls, place, config, rate=None):
        return cls(load_arm(place))

    def read(self, tick):
        self.readings += 1
        tick["q"], tick["qd"], tick["temperature"] = self.q, 0.0, 25.0
        tick["w_S_raw"] = np.random.default_rng(self.readings).normal(0.0, 0.01, 6)
        tick["sensor_seq"] = self.readings

    def write(self, tick):
        self.q = tick["q_limited"][0].copy()
        tick["q_sent"] = self.q
"""

COMMAND = '''

class Lift(Command):
    """Lift the reference."""

    word = "LIFT"
    moves = True
    height: float = argument("height", "m", "How far, up.", ge=0.0, le=0.1)
'''

HANDLER = '''

def lift(context: HandlerContext, command: c.Lift, row: Rows) -> Reply:
    """Lift the reference."""
    return move_by(context, c.MoveBy(delta=(0.0, 0.0, command.height, 0.0, 0.0, 0.0)), row)


HANDLERS = {
    c.Lift: lift,
'''

COLUMN = '    mood: float = column("clock", (), "1", "How it feels.")\n'

METHOD = '''    def lift(self, height: float) -> None:
        """Lift the reference, m."""
        self._command(c.Lift, height=height)

    def jog(self'''

IN_LAW = """
import pliant
with pliant.Arm("sim:{arm}", config={{"laws": {{"{law}": {{"{parameter}": {value}}}}}}}) as arm:
    arm.zero()
    arm.activate("{law}")
    arm.wait(0.02)
    print(arm.tick.w_desired_T[0], arm.tick.tau_law[0], arm.state)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to be changed."""
    shutil.copytree(_SOURCES, tmp_path / "pliant", ignore=_LEFT_OUT)
    return tmp_path / "pliant"


def run(package: Path, program: str) -> str:
    """What a program prints that imports the changed package."""
    environment = os.environ | {"PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edit(file: Path, changes: Mapping[str, str]) -> None:
    """Replace texts that occur once in a file."""
    text = file.read_text()
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text)


def add_law(package: Path, module: str, source: str, name: str) -> None:
    """A file of its own, and its entry with the import that it needs."""
    (package / f"laws/{module}.py").write_text(source)
    entry = f"    {module}: Annotated[{name}Config, {name}] = {name}Config()\n"
    edit(
        package / "laws/__init__.py",
        {
            "from pliant.params import Params\n": (
                f"from pliant.laws.{module} import {name}, {name}Config\n"
                "from pliant.params import Params\n"
            ),
            "    position: Annotated": f"{entry}    position: Annotated",
        },
    )


def test_pose_law_is_a_file_and_its_entry(package: Path) -> None:
    add_law(package, "stand_still", POSE_LAW, "StandStill")
    program = IN_LAW.format(arm="ur5e", law="stand_still", parameter="calm", value=0.5)
    assert run(package, program).split()[0] == "0.5"


def test_torque_law_is_a_file_and_its_entry(package: Path) -> None:
    add_law(package, "limp", TORQUE_LAW, "Limp")
    program = IN_LAW.format(arm="panda", law="limp", parameter="decay", value=5.0)
    assert abs(float(run(package, program).split()[1])) < 0.1


def test_arm_is_a_folder_and_its_entry(package: Path) -> None:
    (package / "arms/slow").mkdir()
    (package / "arms/slow/__init__.py").write_text(ARM)
    edit(
        package / "arms/description.py",
        {"_MODULES = {\n": '_MODULES = {\n    "slow": "pliant.arms.slow",\n'},
    )
    program = """
import pliant
with pliant.Arm("sim:slow/peg") as arm:
    print(arm.description.name, arm.description.qd_max.max())
    arm.joints.set_modes("velocity")
    arm.wait(0.01)
    arm.joints.velocity_move(0, 0.4)
    arm.wait(0.3)
    print(arm.tick.qd_limited[0])
"""
    name, fastest, speed = run(package, program).split()
    assert (name, float(fastest)) == ("slow", 0.5)
    assert 0.1 < float(speed) < 0.5


def test_backend_is_a_file_and_its_entry(package: Path) -> None:
    (package / "robots/follower.py").write_text(BACKEND)
    edit(
        package / "robots/registry.py",
        {"BACKENDS = {": 'BACKENDS = {"follow": "pliant.robots.follower:Follower",'},
    )
    program = """
import pliant
with pliant.Arm("follow:ur5e") as arm:
    arm.zero()
    arm.activate("position")
    start = arm.tick.X_WT[2]
    arm.move_by([0, 0, 0.002, 0, 0, 0], frame="world", wait=False)
    arm.wait(0.3)
    print(arm.tick.X_WT[2] - start)
"""
    assert abs(float(run(package, program)) - 0.002) < 1e-4


def test_command_is_a_class_its_handler_and_a_method(package: Path) -> None:
    edit(
        package / "commands/tool_commands.py",
        {"\n\nclass MoveTo(Command):": f"{COMMAND}\n\nclass MoveTo(Command):"},
    )
    edit(
        package / "commands/__init__.py",
        {
            "    Jog,\n    MoveBy,": "    Jog,\n    Lift,\n    MoveBy,",
            "    Jog,\n    Home,": "    Jog,\n    Lift,\n    Home,",
        },
    )
    edit(package / "commands/handlers/tool_handlers.py", {"\n\nHANDLERS = {\n": HANDLER})
    edit(package / "api/arm_motion.py", {"    def jog(self": METHOD})
    program = """
import pliant
with pliant.Arm("sim:ur5e") as arm:
    arm.zero()
    arm.activate("position")
    start = arm.tick.X_WT_cmd[2]
    arm.lift(0.002)
    arm.wait(0.3)
    print(arm.tick.X_WT_cmd[2] - start)
"""
    assert abs(float(run(package, program)) - 0.002) < 1e-4


def test_column_is_a_line(package: Path, tmp_path: Path) -> None:
    edit(
        package / "tick.py",
        {"    q: Array = column(": f"{COLUMN}    q: Array = column("},
    )
    program = f"""
import pliant
from pliant.cli.columns import VERB
with pliant.Arm("sim:ur5e") as arm, pliant.record(arm, r"{tmp_path / "mood.mcap"}"):
    arm.wait(0.01)
print(pliant.load(r"{tmp_path / "mood.mcap"}").rows["mood"][-1])
VERB(markdown=True)
"""
    shown = run(package, program)
    assert shown.splitlines()[0] == "0.0"
    assert "How it feels." in shown
