"""A controller with a null arm, so that all its processor time is its own.

As a program it serves lines and a ring like `pliant control`.
"""

import sys
from pathlib import Path
from typing import Any

from pliant.arms.description import load_arm
from pliant.bench.null_robot import NullRobot
from pliant.config import Config
from pliant.controller.companions import Companions
from pliant.controller.controller import Controller
from pliant.controller.guardian_process import GuardianProcess
from pliant.controller.intake import Intake
from pliant.controller.real_time import prepare
from pliant.controller.startup import Start
from pliant.controller.warm_up import warm
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.processes import Parent
from pliant.ring.ring import RING_SECONDS, RingWriter
from pliant.ring.runtime_folder import RING_SUFFIX, SOCKET_SUFFIX, runtime_folder
from pliant.tick import new_rows


def main(options: dict[str, Any], parent: Parent) -> None:
    """Run until it is stopped: the arm in the options, under the name in them."""
    name, spec = options["name"], f"sim:{options['arm']}"
    warm(spec)
    robot = NullRobot(load_arm(options["arm"]))
    robot.write(new_rows(robot.n))
    clock = RealTimeClock(robot.dt)
    # the benchmark measures late ticks, so they must not stop the arm
    config = Config().replace("safety.lateness", 30.0)
    loop = Loop(robot, robot.description, clock, config, publisher=History(robot.n, 1))
    guardian = GuardianProcess(spec, config) if options["guarded"] else None

    def guard(memory: Path) -> None:
        if guardian is not None:
            guardian.attach(memory, robot, None)

    folder = runtime_folder()
    path = folder / f"{name}{RING_SUFFIX}"
    ring = RingWriter(path, robot.n, round(RING_SECONDS / robot.dt), {"dt": robot.dt}, guard)
    intake = Intake(folder / f"{name}{SOCKET_SUFFIX}")
    prepare()
    marks = Companions(arm_stopping=ring.mark_stopping, arm_released=ring.mark_released)
    controller = Controller(loop, intake, ring, Start(on_ready=parent.ready), marks)
    sys.exit(controller.run().status)
