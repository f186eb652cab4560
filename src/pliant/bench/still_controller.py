"""A controller whose arm costs nothing, so that all the processor time it takes is its own.

Run as a program it serves lines and a ring like `pliant control`, under the name given:
`python -m pliant.bench.still_controller --name <name>`.
"""

import sys

from pliant.arms.description import load_arm
from pliant.bench.null_robot import NullRobot
from pliant.config import Config
from pliant.runtime.controller import Controller, Start
from pliant.runtime.folder import RING_SUFFIX, SOCKET_SUFFIX, runtime_folder
from pliant.runtime.history import History
from pliant.runtime.intake import Intake
from pliant.runtime.loop import Loop
from pliant.runtime.realtime import RealTimeClock, prepare
from pliant.runtime.ring import RingWriter
from pliant.runtime.shown_ring import RING_SECONDS
from pliant.runtime.warm import rehearse, warm
from pliant.tick import new_rows


def run(name: str) -> int:
    """Run until told to stop; the exit status."""
    warm("ur5e")
    rehearse("ur5e")
    robot = NullRobot(load_arm("ur5e"))
    robot.write(new_rows(robot.n))
    clock = RealTimeClock(robot.dt)
    # a tick held up by other work is a figure here, and not a fault
    config = Config().replace("safety.lateness", 30.0)
    loop = Loop(robot, robot.description, clock, config, publisher=History(robot.n, 1))
    folder = runtime_folder()
    path = folder / f"{name}{RING_SUFFIX}"
    ring = RingWriter(path, robot.n, round(RING_SECONDS / robot.dt), {"dt": robot.dt})
    intake = Intake(folder / f"{name}{SOCKET_SUFFIX}")
    prepare()
    return Controller(loop, intake, ring, Start()).run().status


if __name__ == "__main__":
    sys.exit(run(sys.argv[sys.argv.index("--name") + 1]))
