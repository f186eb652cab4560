"""The controller program: runs an arm in real time, obeying lines until told to stop."""

import gc
import io
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from pliant import commands as c
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.line_protocol import parse
from pliant.config import Config, config_of_run
from pliant.controller.arm_config import configure
from pliant.controller.arm_kernels import StillRobot
from pliant.controller.companions import Companion, Companions
from pliant.controller.controller import Controller
from pliant.controller.guardian_process import GuardianProcess
from pliant.controller.intake import Intake
from pliant.controller.line_client import without_blocking
from pliant.controller.motion_loader import MotionLoader, motion_folders
from pliant.controller.options import ControlOptions, Six
from pliant.controller.published_ring import new_ring
from pliant.controller.real_time import prepare
from pliant.controller.recorder_start import start_flight_recorder, start_recorder
from pliant.controller.startup import Start
from pliant.controller.warm_up import warm
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
from pliant.laws.own_laws import load_law
from pliant.loop.clock import FastClock
from pliant.loop.fan_out import FanOut
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.metadata import law_files, metadata
from pliant.loop.publisher import Watcher
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.simulated_loop import SimulatedLoop, refuse_real
from pliant.processes import Parent
from pliant.recording.flight_folder import flight_folder
from pliant.recording.recorder_process import RecorderProcess
from pliant.ring.discovery import find_controllers
from pliant.ring.ring import RingWriter
from pliant.ring.runtime_folder import SOCKET_SUFFIX, check_name, clean_up, runtime_folder
from pliant.robots.base import Robot
from pliant.robots.registry import describe_robot, open_robot
from pliant.sim.spec import PREFIX
from pliant.user_file import is_file_class

_TRIAL = 0.1
"""How long a law of the user's own is tried in simulation, s, without and with being active."""


def main(options: dict[str, Any], parent: Parent) -> None:
    """Run as a controller started by another Pliant program."""
    given = options["options"]
    record = Path(given["record"]) if given["record"] else None
    motions = tuple(Path(folder) for folder in given["motions"])
    laws = tuple(given["laws"] or ())
    control = ControlOptions(**given | {"record": record, "laws": laws, "motions": motions})
    recorder, config = start_recorder(control), config_of_run(options["config"])
    sys.exit(run(control, config, recorder, parent.ready, parent.failed, parent.doing))


def settled_config(options: ControlOptions) -> Config:
    """The configuration that the options ask for.

    Raises:
        ConfigError: It cannot work.
    """
    config = configure(options.robot, options.config, None, own_laws(options))
    if options.preset is not None and options.preset not in CONTROLLERS:
        gains = preset(options.preset, others=CONTROLLERS)
        config = config.replace("laws.hybrid_admittance", gains)
    elif options.preset is not None and not (arm := describe_robot(options.robot)).takes_torque:
        raise ConfigError(
            f"--preset {options.preset} needs an arm that takes torques, and {arm.name} takes "
            "positions"
        )
    return config.replace("contact.refuse_unstable", True) if options.strict else config


def run(
    options: ControlOptions,
    config: Config,
    recorder: RecorderProcess | None,
    on_ready: Callable[[], None] = lambda: None,
    on_early_end: Callable[[str], None] = lambda why: None,
    tell: Callable[[str], None] | None = None,
) -> int:
    """Run an arm until told to stop; the exit status.

    Args:
        options: How to run.
        config: The configuration.
        recorder: The recorder, which waits for a ring; None if none is wanted.
        on_ready: Called when clients are obeyed.
        on_early_end: Called with the reason if it ends before that.
        tell: Called with how far compiling is; None prints it.

    Raises:
        PliantError: The controller cannot start.
    """
    _open_standard_descriptors()
    output = _protocol_output()
    leave_early = _leave_when_told()
    config = configure(options.robot, config, None, own_laws(options))
    arm = describe_robot(options.robot)
    name = check_name(options.name or f"{arm.name}-{os.getpid()}")
    start = _start(options, on_ready, on_early_end)
    with ExitStack() as ending:
        if recorder is not None:
            ending.callback(recorder.finish)
        beside = _Beside(recorder=recorder, guardian=_start_guardian(options, config, ending))
        warm(options.robot, tell)
        # starting makes hardly any garbage, and looking for it would take a tenth of the time
        gc.disable()
        laws = _tried_laws(options, config)
        robot = open_robot(options.robot, config, options.rate)
        # the controller closes it too, but it may not come to that
        ending.callback(robot.close)
        if options.no_guardian and not robot.simulated:
            raise ConfigError("--no-guardian: a real arm does not run without a guardian")
        loop = _loop(robot, config, laws, options.fast)
        leave_early()
        return _run(options, loop, laws, name, start, output, beside)


@dataclass(frozen=True, kw_only=True)
class _Beside:
    """The processes beside the controller; None for what is not wanted."""

    recorder: RecorderProcess | None
    guardian: GuardianProcess | None

    def companions(self, ring: RingWriter, simulated: bool) -> Companions:
        """Those that have begun their work, and what the guardian is told through the ring."""
        found = []
        if self.recorder is not None:
            loss = "nothing is recorded from here on"
            child = self.recorder.child
            found.append(Companion(child=child, name="recorder", loss=loss, recorder=True))
        if self.guardian is not None and self.guardian.watching:
            nobody = "nobody would stop the arm if this controller hung"
            loss = nobody if simulated else f"{nobody}, so it is brought to rest"
            child = self.guardian.child
            found.append(Companion(child=child, name="guardian", loss=loss, exits=not simulated))
        return Companions(
            processes=tuple(found),
            arm_stopping=ring.mark_stopping,
            arm_released=ring.mark_released,
            ring_closing=self._wait_for_recorder,
        )

    def _wait_for_recorder(self) -> None:
        """A flight recorder that has just been started finds the ring as long as it is there."""
        if self.recorder is not None and not self.recorder.recording:
            with suppress(RecordingError):
                self.recorder.wait_begun()


def _leave_when_told() -> Callable[[], None]:
    """Exit on a signal as long as no arm moves yet.

    A library's callback may swallow the exit; the function returned makes up for that.
    """
    received: list[int] = []

    def leave(number: int, _frame: object) -> None:
        received.append(number)
        sys.exit(128 + number)

    def leave_if_told() -> None:
        if received:
            sys.exit(128 + received[0])

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    return leave_if_told


def _start_guardian(
    options: ControlOptions, config: Config, ending: ExitStack
) -> GuardianProcess | None:
    """Start the guardian early; in simulated time nothing moves by itself."""
    if options.fast or options.no_guardian:
        return None
    guardian = GuardianProcess(options.robot, config)
    ending.callback(guardian.finish)
    return guardian


def own_laws(options: ControlOptions) -> list[Law]:
    """Make the laws of the user's own that the options name.

    Raises:
        ConfigError: A file or class does not exist, raises an error, or is not a law.
    """
    names = [*(options.laws or ()), *([options.law] if is_file_class(options.law) else [])]
    return [load_law(name) for name in dict.fromkeys(names)]


def _tried_laws(options: ControlOptions, config: Config) -> list[Law]:
    """The laws of the user's own, of which others like them were tried in simulation."""
    for law in own_laws(options):
        _try(law, options.robot, config)
    return own_laws(options)


def _try(law: Law, spec: str, config: Config) -> None:
    """Run a law of the user's own in simulation, so that it is compiled and does not raise."""
    arm = describe_robot(spec)
    # never on the robot itself, unless that is simulated
    stand_in = None if spec.startswith(PREFIX) else StillRobot(arm)
    trial = SimulatedLoop(spec, config, [law], robot=stand_in)
    try:
        trial.wait(_TRIAL)
        trial.zero()
        trial.give(c.Activate(law=law.name))
        trial.wait(_TRIAL)
    except ArmStopped as error:
        raise ConfigError(f"the law was tried in simulation: {error}") from None


def _loop(robot: Robot, config: Config, laws: list[Law], fast: bool) -> Loop:
    if fast:
        refuse_real(robot, type(robot).__name__)
    clock = FastClock(robot.dt) if fast else robot.clock or RealTimeClock(robot.dt)
    # the ring is made last, so that a program that finds it finds a controller that is ready
    nobody = History(robot.n, 1)
    loop = Loop(robot, robot.description, clock, config, laws=laws, publisher=nobody)
    if warning := loop.supervisor.guard(config):
        _say(warning)
    return loop


def _run(
    options: ControlOptions,
    loop: Loop,
    laws: list[Law],
    name: str,
    start: Start,
    output: int,
    beside: _Beside,
) -> int:
    names = loop.supervisor.law_names
    if start.law is not None and start.law not in names:
        raise UnknownNameError("law", start.law, [*names, "FILE.py:CLASS"])
    for left in clean_up():
        _say(f"removed what the controller {left} left behind")
    if name in find_controllers():
        raise PliantError(f"a controller named {name} is already running; give another --name")
    with ExitStack() as undo:
        ring = _ring(name, options, loop, laws, beside.guardian)
        undo.callback(ring.close)
        published, recorder = _recorded(options, ring, beside.recorder)
        if recorder is not None:
            undo.callback(recorder.finish)
        intake = Intake(runtime_folder() / f"{name}{SOCKET_SUFFIX}", 0, output)
        undo.callback(intake.close)
        if options.fast:
            gc.enable()
        else:
            # a simulated arm stands still while its controller waits for a page
            for message in prepare(options.cpu, whole=not loop.robot.simulated):
                _say(message)
        companions = replace(beside, recorder=recorder).companions(ring, loop.robot.simulated)
        controller = Controller(loop, intake, published, start, companions)
        undo.pop_all()
    try:
        return controller.run().status
    finally:
        if recorder is not None:
            recorder.finish()


def _recorded(
    options: ControlOptions, ring: RingWriter, recorder: RecorderProcess | None
) -> tuple[Watcher, RecorderProcess | None]:
    """Where ticks go, and the recorder that follows them; None if none is wanted."""
    file = options.record
    if recorder is not None:
        recorder.attach(ring.path, file, None if options.no_flight else flight_folder())
        return ring, recorder
    recorder = start_flight_recorder(options, ring.path)
    if file is None:
        return ring, recorder
    # imported here, because in real time the recorder process does this
    from pliant.recording.in_process import record_ring

    # another process could not keep up with simulated time
    return FanOut(ring, record_ring(ring, file, _say)), recorder


def _start(
    options: ControlOptions,
    on_ready: Callable[[], None],
    on_early_end: Callable[[str], None],
) -> Start:
    if options.time < 0.0 or not isfinite(options.time):
        raise ConfigError(f"--time is a number of seconds, 0 for ever, not {options.time:g}")
    if options.rate is not None and not 0.0 < options.rate < 1e5:
        raise ConfigError(f"--rate is a number of ticks a second, not {options.rate:g}")
    law = load_law(options.law).name if is_file_class(options.law) else options.law
    commands = _commands(options)
    if options.preset in CONTROLLERS and not options.inactive:
        # the preset brings its own law
        law, commands = None, [c.UsePreset(name=options.preset), *commands]
    return Start(
        law=None if options.inactive else law,
        commands=tuple(commands),
        duration=options.time,
        stay=options.stay,
        loader=MotionLoader(options.robot, motion_folders(options.motions or (), options.record)),
        on_ready=on_ready,
        on_early_end=on_early_end,
    )


def _commands(options: ControlOptions) -> list[c.Command]:
    given = {c.SetWrench: options.wrench, c.MoveTo: options.pose}
    try:
        return [parse(f"{kind.word} {_words(six)}") for kind, six in given.items() if six]
    except Refused as error:
        raise ConfigError(f"--wrench or --pose: {error}") from None


def _words(values: Six) -> str:
    return " ".join(repr(value) for value in values)


def _ring(
    name: str,
    options: ControlOptions,
    loop: Loop,
    laws: list[Law],
    guardian: GuardianProcess | None,
) -> RingWriter:
    """The ring, to which the guardian is attached before it is sealed."""
    clock = "fast" if options.fast else "real"
    about = metadata(options.robot, loop, clock, law_files(laws))

    def guard(memory: Path) -> None:
        if guardian is None:
            return
        try:
            guardian.attach(memory, loop.robot, options.cpu)
        except PliantError as error:
            if not loop.robot.simulated:
                raise PliantError(f"no guardian, which a real arm needs: {error}") from None
            _say(f"no guardian: {error}; nobody stops the arm if this controller hangs")

    return new_ring(name, options.robot, loop, about, guard)


def _open_standard_descriptors() -> None:
    """Open standard input, output and error where they are closed, so that no file takes them."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _protocol_output() -> int:
    """Standard output for the protocol alone, without blocking.

    What a law or a library prints goes to standard error, and is lost where that would block.
    """
    output = os.dup(1)
    os.dup2(without_blocking(2, os.O_WRONLY), 2)
    os.dup2(2, 1)
    # without a buffer: a full buffer raises, where a plain descriptor only drops
    plain = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)
    sys.stdout = sys.stderr = plain
    return output


def _say(message: str) -> None:
    """Print a message for people; standard output is for the protocol."""
    print(f"pliant control: {message}", file=sys.stderr, flush=True)
