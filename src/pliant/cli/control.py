"""Run an arm in real time, obeying lines on standard input and on a local socket."""

import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from pliant.config import Config
from pliant.errors import ConfigError
from pliant.laws.hybrid_admittance import preset
from pliant.robots.sim import SimRobot
from pliant.runtime.arm import configure
from pliant.runtime.clock import Clock, FastClock
from pliant.runtime.controller import Controller, Start
from pliant.runtime.folder import (
    RING_SUFFIX,
    SOCKET_SUFFIX,
    ProcessId,
    clean_up,
    runtime_folder,
)
from pliant.runtime.intake import Intake
from pliant.runtime.loop import Loop
from pliant.runtime.protocol import pose_from_rotvec
from pliant.runtime.realtime import RealTimeClock, prepare
from pliant.runtime.ring import RingWriter
from pliant.runtime.warm import rehearse, warm

_RING_SECONDS = 12.0
Six = tuple[float, float, float, float, float, float]


@dataclass
class ControlOptions:
    """What can be set for a controller."""

    robot: str = "sim:ur5e"
    """Which arm: sim:ur5e, sim:ur5e/table, sim:ur5e/peg, …"""
    rate: float | None = None
    """Control rate, Hz; the arm's own if not given."""
    time: float = 0.0
    """How long to run, s; 0 runs until STOP."""
    config: Path | None = None
    """A YAML file with parameters."""
    print_config: bool = False
    """Print the configuration in force and end."""
    law: str = "hybrid_admittance"
    """The law to put in charge at the start."""
    preset: str | None = None
    """Gains of the hybrid admittance law by name."""
    wrench: Six | None = None
    """Wrench target at the start: Fx Fy Fz Tx Ty Tz, N and N·m, tool axes."""
    pose: Six | None = None
    """Pose to go to at the start: x y z rx ry rz, m and a rotation vector, rad."""
    fast: bool = False
    """Run in simulated time, as fast as the machine allows."""
    inactive: bool = False
    """Put no law in charge at the start."""
    stay: bool = False
    """After a fault hold and wait to be reset, instead of ending."""
    name: str | None = None
    """Name under which others find this controller."""
    cpu: int | None = None
    """The CPU to run on."""
    robot_ip: str | None = None
    """Address of a real arm; a simulated one has none and ignores it."""
    ft_ip: str | None = None
    """Address of a real sensor; a simulated one has none and ignores it."""


def control(options: Annotated[ControlOptions, tyro.conf.arg(name="")]) -> None:
    """Run an arm in real time until told to stop.

    Zeroes the force sensor, puts the law in charge with no axis compliant, and obeys lines on
    standard input and on a local socket. `pliant commands` lists what they may say.
    """
    arm, config = configure(options.robot, options.config, None)
    if options.preset is not None:
        config = config.replace("laws.hybrid_admittance", preset(options.preset))
    if options.print_config:
        print(config.to_yaml(), end="")
        return
    warm()
    rehearse()
    sys.exit(_run(options, arm, config))


def _run(options: ControlOptions, arm: str, config: Config) -> int:
    robot = SimRobot(arm, config.sim, options.rate)
    for name in clean_up():
        _say(f"removed what the controller {name} left behind")
    name = options.name or f"{arm}-{os.getpid()}"
    folder = runtime_folder()
    ring = _ring(folder / f"{name}{RING_SUFFIX}", robot, options.robot, config)
    intake = Intake(folder / f"{name}{SOCKET_SUFFIX}")
    clock: Clock = FastClock(robot.dt) if options.fast else RealTimeClock(robot.dt)
    loop = Loop(robot, robot.description, clock, config, publisher=ring)
    if options.law not in loop.supervisor.law_names:
        raise ConfigError(f"unknown law {options.law!r}; valid: {loop.supervisor.law_names}")
    if not options.fast:
        for message in prepare(options.cpu):
            _say(message)
    return Controller(loop, intake, ring, _start(options)).run().status


def _start(options: ControlOptions) -> Start:
    pose = pose_from_rotvec(np.array(options.pose)) if options.pose else None
    return Start(
        law=None if options.inactive else options.law,
        wrench=options.wrench,
        pose=None if pose is None else tuple(pose.tolist()),
        duration=options.time,
        stay=options.stay,
    )


def _ring(path: Path, robot: SimRobot, spec: str, config: Config) -> RingWriter:
    me = ProcessId.of(os.getpid())
    header = {
        "spec": spec,
        "dt": robot.dt,
        "pid": os.getpid(),
        "started": me.started if me else 0,
        "laws": ["hybrid_admittance", "position"],
        "scene": asdict(robot.scene_nominal),
        "config": config.to_yaml(),
    }
    return RingWriter(path, robot.n, round(_RING_SECONDS / robot.dt), header)


def _say(message: str) -> None:
    """Tell a person; standard output is for the protocol."""
    print(f"pliant control: {message}", file=sys.stderr, flush=True)


VERB = control
