"""Drives an arm through all that a controller does, and says which kernels that had to load.

`python loads_later.py warm sim:ur5e` looks after `compile_kernels`, `python loads_later.py built
sim:ur5e` after everything that a controller consists of is built. In a process of its own, because
in another one the kernels may be loaded already.
"""

import gc
import json
import os
import sys
import tempfile
from pathlib import Path

import numba.core.event as event
import numpy as np
from numba.core.dispatcher import Dispatcher

from pliant import commands as c
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.supervisor import _HANDLERS
from pliant.commands.telemetry_line import telemetry_line
from pliant.controller.arm_config import configure
from pliant.controller.arm_kernels import compile_kernels
from pliant.controller.wakeup import Wakeup
from pliant.errors import PliantError
from pliant.laws.hybrid_admittance import PRESETS
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.reasons import State
from pliant.ring.ring import RingWriter
from pliant.robots.registry import open_robot
from pliant.sim.sensor import SensorFault
from pliant.stages.joints import JointMode
from pliant.stages.wrench.zeroing import Zeroing
from pliant.tick import new_rows

Signatures = set[tuple[str, str]]

STEP = (0.0, 0.0, 0.01, 0.05, 0.0, 0.0)
MOTIONS: tuple[c.Command, ...] = (
    c.MoveBy(delta=STEP, frame="world"),
    c.MoveBy(delta=STEP, frame="tool"),
    c.Jog(twist=STEP, frame="world"),
    c.Jog(twist=STEP, frame="tool"),
    c.SetAxes(mask=(False, False, True, False, False, False)),
    c.SetWrench(wrench=(0.0, 0.0, -1.0, 0.0, 0.0, 0.0)),
    c.SetWrench(wrench=(0.0, 0.0, -1.0, 0.0, 0.0, 0.0), frame="world"),
    c.MoveBy(delta=STEP),
    c.SetTaskFrame(pose=(0.4, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0)),
    c.SetAxes(mask=(False, False, True, False, False, False), frame="task"),
    c.SetWrench(wrench=(0.0, 0.0, -1.0, 0.0, 0.0, 0.0), frame="task"),
    c.SetSubspace(n_af=1, Tr=np.eye(6)),
    c.SetAxes(mask=(False,) * 6),
    c.Circle(),
    c.Hold(),
    c.Home(time=0.5),
    c.Sinus(),
    c.SetParameter(path="reference.sinus.phase", value=0.1),
    c.FollowHand(),
    c.Playback(),
    c.React(condition="force(z)>50&speed<1@2", reaction="retract 0.01"),
    c.Disarm(number="all"),
    c.React(condition="speed<10", reaction="hold"),
    c.Until(condition="torque>50", line="RELD 0 0 0.01 0 0 0"),
    c.Disarm(number="all"),
    c.Hold(),
)
"""Commands to a law; one that a law does not follow is refused."""

SETTINGS: tuple[c.Command, ...] = (
    c.SetStiffness(stiffness=(100.0, 100.0, 100.0, 5.0, 5.0, 5.0)),
    c.SetDamping(damping=(50.0, 50.0, 50.0, 2.0, 2.0, 2.0)),
    c.SetInertia(inertia=(3.0, 3.0, 3.0, 0.3, 0.3, 0.3)),
    c.SetParameter(path="wrench.cutoff", value=60.0),
    c.SetParameter(path="safety.contact_force", value=70.0),
    c.SetParameter(path="joints.speed", value=0.2),
    c.SetParameter(path="contact.surface_stiffness", value=2e4),
    *(c.UsePreset(name=name) for name in (*PRESETS, *CONTROLLERS)),
)


def joint_commands(home: tuple[float, ...]) -> tuple[c.Command, ...]:
    """Every command to the joints, in a mode in which it is obeyed."""
    return (
        c.SetMode(joints="all", modes="pos"),
        c.SetJointSpeed(joints="all", values=(0.1,)),
        c.SetJointAcceleration(joints="all", values=(0.5,)),
        c.PositionMove(joints="all", values=home),
        c.SetInteraction(joints="all", interactions="compliant"),
        c.SetImpedance(joints="all", stiffness=(50.0,), damping=(1.0,)),
        c.SetInteraction(joints="all", interactions="stiff"),
        c.StopJoints(joints="all"),
        c.SetMode(joints="all", modes="posd"),
        c.SetPosition(joints="all", values=home),
        c.SetMode(joints="all", modes="vel"),
        c.VelocityMove(joints="all", values=(0.01,)),
        c.SetMode(joints="all", modes="mix"),
        c.SetMode(joints="all", modes="torq"),
        c.SetTorque(joints="all", values=(0.0,)),
        c.SetMode(joints="all", modes="ipwm"),
        c.SetOutput(joints="all", values=(0.0,)),
        c.SetMode(joints="all", modes="idle"),
    )


def path_from(pose: tuple[float, ...]) -> tuple[c.Command, ...]:
    """A path that lifts the tool by a millimetre, and following it."""
    x, y, z, *turned = pose
    points = [[0.1 * i, x, y, z + 2e-4 * i, *turned] for i in range(6)]
    return (
        c.FollowPath(action="new", points=points[:3]),
        c.FollowPath(action="add", points=points[3:]),
        c.FollowPath(action="run"),
    )


class Compiled(event.Listener):
    """Counts kernels that Numba compiles."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: event.Event) -> None:
        """A kernel begins to compile."""
        self.count += 1

    def on_end(self, event: event.Event) -> None:
        """A kernel is compiled."""


def loaded() -> Signatures:
    """The kernels in memory, with the types that they are for."""
    kernels = [found for found in gc.get_objects() if isinstance(found, Dispatcher)]
    return {
        (f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}", str(signature))
        for kernel in kernels
        if kernel.py_func.__module__.startswith("pliant")
        for signature in kernel.signatures
    }


def fail(*_: object) -> None:
    raise ValueError("it broke")


class Driver:
    """An arm with all that a controller needs, ticking as fast as it can.

    Attributes:
        obeyed: The kinds of commands that were not refused.
    """

    def __init__(self, spec: str, folder: Path) -> None:
        config = configure(spec, {"safety": {"lateness": 60.0}}, None)
        self.robot = open_robot(spec, config)
        if self.robot.description.takes_torque:
            playback = {"file": str(self._motion(folder))}
            config = config.replace("reference.playback", playback)
        clock = RealTimeClock(self.robot.dt)
        # it loads its kernel in the first wait, before there is a deadline to miss
        clock.wait(new_rows(self.robot.n), new_rows(self.robot.n))
        # deadlines closer to each other than any tick can keep up with
        clock._times["period"] = 1000
        ring = RingWriter(folder / "ring", self.robot.n, 100, {})
        arm = self.robot.description
        self.loop = Loop(self.robot, arm, clock, config, publisher=ring)
        self.obeyed: set[type[c.Command]] = set()

    def _motion(self, folder: Path) -> Path:
        home, time = np.array(self.robot.description.home), 0.01 * np.arange(60)
        q = home + 0.05 * np.sin(3.0 * time)[:, None]
        path = folder / "motion.csv"
        names = [f"{name}_{j}" for name in ("q", "tau") for j in range(len(home))]
        table = np.column_stack([time, q, 0.0 * q])
        np.savetxt(path, table, delimiter=",", header=",".join(["time", *names]), comments="")
        return path

    def give(self, *commands: c.Command) -> None:
        """Give each command, then run a few ticks."""
        for command in commands:
            try:
                self.loop.take(command)
                self.obeyed.add(type(command))
            except PliantError:
                pass
            self.run(5)

    def run(self, ticks: int) -> None:
        """Run, with telemetry."""
        for _ in range(ticks):
            self.loop.step()
        telemetry_line(self.loop.row)

    def rest(self) -> None:
        """End the law, whatever it takes."""
        self.robot.set_sensor_fault(SensorFault.NONE)
        self.robot.hand.release()
        self.give(c.Deactivate(), c.StopJoints(joints="all"))
        for _ in range(600):
            self.run(5)
            if self.loop.row["state"].item() in (State.INACTIVE, State.FAULT):
                break
        self.give(c.Reset(), c.SetMode(joints="all", modes="fidl"))

    def everything(self) -> None:
        """All that a controller can be asked for."""
        zeroing = Zeroing.after(self.loop.row, self.loop.supervisor.config.wrench)
        self.give(c.Zero())
        while not zeroing.is_done(self.loop.row):
            self.run(1)
        for law in self.loop.supervisor.law_names:
            here = tuple(self.loop.row["X_WT"][0])
            self.give(c.Activate(law=law), *MOTIONS, c.MoveTo(pose=here), c.Hold())
            self.give(*path_from(here))
            self.rest()
        for setting in SETTINGS:
            self.give(setting)
            self.rest()
        home = tuple(self.loop.row["q"][0])
        self.give(*joint_commands(home), c.Calibrate(joints="all"))
        while (self.loop.row["mode"] != JointMode.IDLE).any():
            self.run(5)
        for fault in ("over_torque", "none"):
            self.give(c.InjectFault(joints=(0,), faults=fault))
        self.rest()
        self.failures()

    def failures(self) -> None:
        """A push, a sensor that fails, a law that fails, and an arm that cannot be read."""
        self.give(c.Activate(law="hybrid_admittance"))
        self.robot.hand.schedule([5.0, 0, 0, 0, 0, 0], duration=0.1)
        self.run(20)
        self.robot.set_sensor_fault(SensorFault.NAN)
        self.run(200)
        self.rest()
        self.give(c.Activate(law="position"))
        law = self.loop.pipeline.laws[1]
        law._call, working = fail, law._call
        self.run(1)
        assert self.loop.in_fault
        law._call = working
        self.rest()
        vars(self.robot)["read"] = fail
        try:
            self.loop.step()
        except ValueError:
            return
        raise AssertionError("an arm that cannot be read")


def main(way: str, spec: str) -> None:
    """Print what was loaded too late, and which commands nothing obeyed, as JSON."""
    compiled = Compiled()
    with tempfile.TemporaryDirectory() as folder:
        if way == "warm":
            compile_kernels(spec)
            before = loaded()
            event.register("numba:compile", compiled)
        driver = Driver(spec, Path(folder))
        wakeup = Wakeup(os.pipe()[0])
        if way == "built":
            before = loaded()
            event.register("numba:compile", compiled)
        driver.everything()
        wakeup.close()
    late = sorted(loaded() - before)
    not_obeyed = sorted(kind.__name__ for kind in _HANDLERS.keys() - driver.obeyed)
    print(json.dumps({"late": late, "compiled": compiled.count, "not_obeyed": not_obeyed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
