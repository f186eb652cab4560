"""Run an arm in real time, obeying lines on standard input and on a local socket."""

import io
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated

import tyro

from pliant import commands as c
from pliant.api.arm import Arm
from pliant.api.open_session import configure
from pliant.api.remote_session import find_controllers
from pliant.api.watched_ring import new_ring
from pliant.arms import load_arm
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.line_protocol import parse
from pliant.config import Config
from pliant.controller.controller import Controller, Start
from pliant.controller.intake import Intake
from pliant.controller.line_client import without_blocking
from pliant.controller.warm_up import rehearse, warm
from pliant.errors import (
    ArmStopped,
    ConfigError,
    PliantError,
    RecordingError,
    Refused,
    UnknownNameError,
)
from pliant.laws import Law
from pliant.laws.hybrid_admittance import preset
from pliant.laws.law_file import is_law_file, load_law
from pliant.loop.clock import Clock, FastClock
from pliant.loop.fan_out import Tee
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.metadata import about, law_files
from pliant.loop.publisher import Watcher
from pliant.loop.real_time_clock import RealTimeClock, prepare
from pliant.recording.flight import flight_folder
from pliant.recording.follow import header
from pliant.recording.guarded import Guarded
from pliant.recording.recorder_process import RecorderProcess
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader, RingWriter
from pliant.ring.runtime_folder import (
    SOCKET_SUFFIX,
    check_name,
    clean_up,
    runtime_folder,
)
from pliant.robots.sim import SimRobot

_TRIAL = 0.1
Six = tuple[float, float, float, float, float, float]


@dataclass
class ControlOptions:
    """What can be set for a controller."""

    robot: str = "sim:ur5e"
    """Which arm: sim:ur5e, sim:panda, sim:fr3, or with a scene: sim:ur5e/table, sim:panda/peg, …"""
    rate: float | None = None
    """Control rate, Hz; the arm's own if not given."""
    time: float = 0.0
    """How long to run, s; 0 runs until STOP."""
    config: Path | None = None
    """A YAML file with parameters."""
    print_config: bool = False
    """Print the configuration in force and end."""
    law: str = "hybrid_admittance"
    """The law to put in charge at the start: a name, or ./my_law.py:MyLaw for one of your own."""
    preset: str | None = None
    """Gains of the hybrid admittance law by name; or law, gains and motion of a torque arm:
    gravity, snake, snake_simplified, snake_pd, homing, cartesian, impedance, colab, playback."""
    wrench: Six | None = None
    """Wrench target at the start: Fx Fy Fz Tx Ty Tz, N and N·m, tool axes."""
    pose: Six | None = None
    """Pose to go to at the start: x y z rx ry rz, m and a rotation vector, rad."""
    strict: bool = False
    """Refuse gains that would be unstable on the surface of contact.surface_stiffness."""
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
    record: Path | None = None
    """Record every tick and every command to this file, in MCAP."""
    no_flight: bool = False
    """Do not save the last 10 s before a fault."""
    ft_ip: str | None = None
    """Address of a real sensor; a simulated one has none and ignores it."""


def control(options: Annotated[ControlOptions, tyro.conf.arg(name="")]) -> None:
    """Run an arm in real time until told to stop.

    Zeroes the force sensor, puts the law in charge with no axis compliant, and obeys lines on
    standard input and on a local socket. `pliant commands` lists what they may say.
    """
    _open_standard_descriptors()
    arm, config = configure(options.robot, options.config, None)
    if options.preset is not None and options.preset not in CONTROLLERS:
        gains = preset(options.preset, others=CONTROLLERS)
        config = config.replace("laws.hybrid_admittance", gains)
    elif options.preset is not None and not load_arm(arm).takes_torque:
        raise ConfigError(
            f"--preset {options.preset} needs an arm that takes torques, and {arm} takes positions"
        )
    if options.strict:
        config = config.replace("contact.refuse_unstable", True)
    if options.print_config:
        print(config.to_yaml(), end="")
        return
    output = _protocol_output()
    leave_early = _leave_when_told()
    name = check_name(options.name or f"{arm}-{os.getpid()}")
    start = _start(options)
    with ExitStack() as ending:
        recorder = _start_recorder(options, ending)
        warm(arm)
        rehearse(arm)
        robot = SimRobot(arm, config.sim, options.rate)
        laws = _own_laws(options, config)
        loop = _loop(robot, config, laws, options.fast)
        leave_early()
        status = _run(options, robot, loop, laws, name, start, output, recorder)
    sys.exit(status)


def _leave_when_told() -> Callable[[], None]:
    """Let signals end the program while there is nothing yet to bring to rest.

    A library that is called back may swallow that. What is returned, called later, makes good.
    """
    told: list[int] = []

    def leave(number: int, _frame: object) -> None:
        told.append(number)
        sys.exit(128 + number)

    def leave_if_told() -> None:
        if told:
            sys.exit(128 + told[0])

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    return leave_if_told


def _start_recorder(options: ControlOptions, ending: ExitStack) -> RecorderProcess | None:
    """Start it early: it takes as long to start as the controller."""
    recording = options.record is not None and not options.fast
    if not recording and (options.no_flight or flight_folder() is None):
        return None
    recorder = RecorderProcess()
    ending.callback(recorder.finish)
    return recorder


def _own_laws(options: ControlOptions, config: Config) -> list[Law]:
    if not is_law_file(options.law):
        return []
    _try(load_law(options.law), options.robot, config)
    return [load_law(options.law)]


def _loop(robot: SimRobot, config: Config, laws: list[Law], fast: bool) -> Loop:
    clock: Clock = FastClock(robot.dt) if fast else RealTimeClock(robot.dt)
    # the ring is made last, so that who finds it finds a controller that is ready
    nobody = History(robot.n, 1)
    loop = Loop(robot, robot.description, clock, config, laws=laws, publisher=nobody)
    if beware := loop.supervisor.guard(config):
        _say(beware)
    return loop


def _run(
    options: ControlOptions,
    robot: SimRobot,
    loop: Loop,
    laws: list[Law],
    name: str,
    start: Start,
    output: int,
    recorder: RecorderProcess | None,
) -> int:
    names = loop.supervisor.law_names
    if start.law is not None and start.law not in names:
        raise UnknownNameError("law", start.law, [*names, "FILE.py:CLASS"])
    for left in clean_up():
        _say(f"removed what the controller {left} left behind")
    if name in find_controllers():
        raise PliantError(f"a controller named {name} runs already; give another --name")
    folder = runtime_folder()
    with ExitStack() as undo:
        ring = _ring(name, options, robot, loop, laws)
        undo.callback(ring.close)
        published = _recorded(options, ring, recorder)
        intake = Intake(folder / f"{name}{SOCKET_SUFFIX}", 0, output)
        undo.callback(intake.close)
        if not options.fast:
            for message in prepare(options.cpu):
                _say(message)
        controller = Controller(loop, intake, published, start)
        undo.pop_all()
    return controller.run().status


def _recorded(
    options: ControlOptions, ring: RingWriter, recorder: RecorderProcess | None
) -> Watcher:
    """The ring, with everything attached to it that records."""
    file = options.record
    if recorder is not None:
        flights = None if options.no_flight else flight_folder()
        try:
            recorder.attach(ring.path, None if options.fast else file, flights)
        except RecordingError as error:
            if file is not None:
                raise
            _say(f"no flight recorder: {error}")
    if file is None or not options.fast:
        return ring
    # another process could not keep up with simulated time
    reader = RingReader(ring.path)
    writer = RecordingWriter(file, header(reader), reader.header["config"])
    return Tee(ring, Guarded(writer, _say))


def _try(law: Law, spec: str, config: Config) -> None:
    """Let a law of the user's own run in simulation, so that it is compiled and does not raise."""
    with Arm(spec, config=config, laws=[law], flight=False) as arm:
        arm.wait(_TRIAL)
        arm.zero()
        try:
            arm.activate(law.name)
            arm.wait(_TRIAL)
        except ArmStopped as error:
            raise ConfigError(f"the law was tried in simulation: {error}") from None


def _start(options: ControlOptions) -> Start:
    if options.time < 0.0 or not isfinite(options.time):
        raise ConfigError(f"--time is a number of seconds, 0 for ever, not {options.time:g}")
    if options.rate is not None and not 0.0 < options.rate < 1e5:
        raise ConfigError(f"--rate is a number of ticks a second, not {options.rate:g}")
    law = load_law(options.law).name if is_law_file(options.law) else options.law
    commands = _commands(options)
    if options.preset in CONTROLLERS and not options.inactive:
        # it brings its own law
        law, commands = None, [c.UsePreset(name=options.preset), *commands]
    return Start(
        law=None if options.inactive else law,
        commands=tuple(commands),
        duration=options.time,
        stay=options.stay,
    )


def _commands(options: ControlOptions) -> list[c.Command]:
    given = {"WRENCH": options.wrench, "REFA": options.pose}
    try:
        return [parse(f"{word} {_words(six)}") for word, six in given.items() if six is not None]
    except Refused as error:
        raise ConfigError(f"--wrench or --pose: {error}") from None


def _words(values: Six) -> str:
    return " ".join(repr(value) for value in values)


def _ring(
    name: str, options: ControlOptions, robot: SimRobot, loop: Loop, laws: list[Law]
) -> RingWriter:
    clock = "fast" if options.fast else "real"
    said = about(options.robot, robot.description.name, loop, clock, law_files(laws))
    return new_ring(name, options.robot, robot, loop, said)


def _open_standard_descriptors() -> None:
    """See that nothing else ends up as standard input, output or error where they are closed."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _protocol_output() -> int:
    """Standard output for the protocol alone, never waited for.

    What a law or a library prints goes to standard error, and is lost where that would block.
    """
    output = os.dup(1)
    os.dup2(without_blocking(2, os.O_WRONLY), 2)
    os.dup2(2, 1)
    # without a buffer, because a full one raises where a plain descriptor only drops
    plain = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)
    sys.stdout = sys.stderr = plain
    return output


def _say(message: str) -> None:
    """Tell a person; standard output is for the protocol."""
    print(f"pliant control: {message}", file=sys.stderr, flush=True)


VERB = control
