"""The kernels of an arm, compiled or loaded all at once, or in parts by several processes."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.controller.wakeup import compile_wakeup
from pliant.extras import on_linux
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.pipeline import Pipeline
from pliant.loop.real_time_clock import RealTimeClock
from pliant.ring.ring import RingReader, RingWriter
from pliant.robots.base import Robot
from pliant.robots.registry import describe_robot, open_robot
from pliant.sim.spec import PREFIX
from pliant.tick import Rows, new_rows

_MOMENT = 1e-3


def compile_kernels(spec: str) -> None:
    """Compile or load everything that a controller of a robot calls."""
    _compile_surroundings(spec)
    arm = describe_robot(spec)
    still = StillRobot(arm)
    history = History(arm.n, 1)
    Loop(still, arm, FastClock(still.dt), Config(), publisher=history).step()


def kernel_parts(spec: str) -> dict[str, Callable[[], None]]:
    """What compiles the kernels of a robot, in parts that have little in common; long ones first.

    Together they compile all that `compile_kernels` does.
    """
    arm = describe_robot(spec)
    pipeline = Pipeline(arm, Config(), StillRobot(arm).dt, ())
    return pipeline.loaders | {"surroundings": partial(_compile_surroundings, spec)}


def _compile_surroundings(spec: str) -> None:
    """Compile or load what is called around the pipeline: simulation, clocks, history and ring."""
    arm = describe_robot(spec)
    row = new_rows(arm.n)
    if spec.startswith(PREFIX):
        open_robot(spec, configure(spec, None, None)).read(row)
    FastClock(_MOMENT).wait(row, row)
    History(arm.n, 1).publish(row)
    if not on_linux():
        return
    RealTimeClock(_MOMENT).wait(row, new_rows(arm.n))
    compile_wakeup()
    with tempfile.TemporaryDirectory() as folder:
        _compile_ring(Path(folder) / "warm.ring", row)


def _compile_ring(path: Path, row: Rows) -> None:
    writer = RingWriter(path, len(row["q"][0]), 1, {})
    reader = RingReader(path)
    writer.publish(row)
    writer.write_line("event", 0, "warm")
    for _ in (*reader.ticks(), *reader.lines()):
        pass
    writer.close()


class StillRobot(Robot):
    """An arm at home that never moves, and feels nothing."""

    simulated = True

    def __init__(self, arm: ArmDescription) -> None:
        self.description = arm

    def read(self, tick: Rows) -> None:
        """Report the home position, and no force."""
        tick["q"], tick["qd"] = self.description.home, 0.0
        tick["temperature"] = 25.0
        tick["sensor_seq"] += 1
        tick["tau_ext"] = np.nan

    def write(self, tick: Rows) -> None:
        """Note what would be sent."""
        tick["q_sent"], tick["tau_sent"] = tick["q_limited"], tick["tau_limited"]
