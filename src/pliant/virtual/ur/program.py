"""The control program of ur_rtde, played: its handshake, its threads, its watchdog.

The text that ur_rtde 1.6.5 uploads is the specification. Its main loop reads the command in input
integer 0 once per period. A real-time command is executed in every period and answered by 1 in
output integer 0; any other is executed once and answered by 2, and the client then writes 0. Its
threads are generators here, which go on by one step per period.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

import numpy as np

from pliant.virtual.ur.async_progress import AsyncProgress
from pliant.virtual.ur.motions.motion import Motion
from pliant.virtual.ur.motions.servo_joints import ServoJoints
from pliant.virtual.ur.motions.speed_motion import SpeedJoints, SpeedTool
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.program_text import injected_path, register_offset
from pliant.virtual.ur.registers import ProgramRegisters, Registers
from pliant.virtual.ur.ur_arm import UrArm

Steps = Generator[None, None, None]
"""A thread: it yields once per period."""

READY, DONE = 1, 2
STOP_SCRIPT, CONTACT = 255, 254


@dataclass(frozen=True, kw_only=True)
class CommandTable:
    """What the program does with each command.

    Attributes:
        functions: What is called, by the number of the command; a generator takes periods.
        real_time: Commands that are executed in every period, and need no acknowledgement.
    """

    functions: "Mapping[int, Callable[[ControlProgram], Steps | None]]"
    real_time: frozenset[int]


class ControlProgram:
    """A running control program.

    Attributes:
        arm: The arm that it moves.
        registers: The registers, from the program's offset on.
        progress: The register of asynchronous motions.
        path: The moves that were written into the text.
        threads: Threads that run, by their names.
        owner: Which thread moves the arm, empty if none.
        servo: The servo motion that runs.
        speeding: The speed motion that runs.
        stop_by_tool: Whether a synchronous stop is a stopl; only an asynchronous one sets it.
        jog_frame: Orientation of the frame in which the arm jogs.
        steps_back: What the contact thread found.
        internal: The command that a thread asks of the main loop.
        running: Whether it still runs.
    """

    def __init__(
        self, arm: UrArm, registers: Registers, text: str, commands: "CommandTable"
    ) -> None:
        """Load the program.

        Args:
            arm: The arm that it moves.
            registers: All registers.
            text: The text that was uploaded.
            commands: What to do with each command.

        Raises:
            ProgramError: A move in the text cannot be played.
        """
        self._commands = commands
        self.arm = arm
        self.registers = ProgramRegisters(registers, register_offset(text))
        self.progress = AsyncProgress(self.registers.put_int)
        self.path = injected_path(text)
        self.threads: dict[str, Steps] = {}
        self.owner = ""
        self.servo: ServoJoints | None = None
        self.speeding: SpeedJoints | SpeedTool | None = None
        self.stop_by_tool = False
        self.jog_frame = np.eye(3)
        self.steps_back = 0
        self.internal = 0
        self.running = True
        self._all = registers
        self._watchdog: tuple[float, int, float] | None = None
        self._main = self._loop()

    def step(self) -> None:
        """One period.

        Raises:
            ProgramError: A command cannot be played, and the program has ended.
        """
        try:
            self._check_watchdog()
            if self.running and next(self._main, StopIteration) is StopIteration:
                self.running = False
            for name, thread in list(self.threads.items()):
                if next(thread, StopIteration) is StopIteration:
                    self.threads.pop(name, None)
        except ProgramError:
            self.running = False
            raise

    def set_watchdog(self, frequency: float) -> None:
        """End the program when the command is written less often than this, Hz."""
        self._watchdog = (1.0 / max(frequency, 1e-3), self._writes, self.arm.time)

    def claim(self, owner: str) -> None:
        """Let a thread move the arm.

        Raises:
            ProgramError: Another one does.
        """
        if self.owner not in ("", owner):
            raise ProgramError(
                f"another thread is already controlling the robot: {self.owner}, not {owner}"
            )
        self.owner = owner

    def play(self, owner: str, motion: Motion) -> Steps:
        """Move the arm until a motion has ended."""
        self.claim(owner)
        self.arm.motion = motion
        while not motion.done:
            yield
        self.owner = ""

    def start(self, name: str, steps: Steps) -> None:
        """Start a thread."""
        self.threads[name] = steps

    def kill(self, name: str) -> bool:
        """End a thread; whether it ran."""
        if self.owner == name:
            self.owner = ""
        return self.threads.pop(name, None) is not None

    @property
    def _writes(self) -> int:
        return self._all.writes[self.registers.offset]

    def _check_watchdog(self) -> None:
        if self._watchdog is None:
            return
        longest, writes, since = self._watchdog
        if self._writes != writes:
            self._watchdog = (longest, self._writes, self.arm.time)
        elif self.arm.time - since > longest:
            raise ProgramError("RTDE watchdog: input_int_register_0 was not updated in time")

    def _command(self) -> int:
        command = self.registers.get_int(0)
        if command == 0:
            command, self.internal = self.internal, 0
        return command

    def _loop(self) -> Steps:
        self.arm.force_scaling, self.arm.force_damping = 0.5, 0.025
        self.progress.finished()
        self._signal(READY)
        executing = False
        while True:
            command = self._command()
            if command in self._commands.real_time:
                yield from self._process(command)
                self._signal(READY)
            elif command == 0:
                executing = False
                self._signal(READY)
            elif command == STOP_SCRIPT:
                return
            elif not executing:
                yield from self._process(command)
                self._signal(DONE)
                executing = True
            yield

    def _process(self, command: int) -> Steps:
        """Execute a command; a number that the program does not know does nothing."""
        function = self._commands.functions.get(command)
        steps = None if function is None else function(self)
        if steps is not None:
            yield from steps

    def _signal(self, value: int) -> None:
        self.registers.put_int(0, value)
