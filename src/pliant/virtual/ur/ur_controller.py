"""The virtual controller: an arm, the program that moves it, and what safety says to both."""

from collections.abc import Callable
from typing import Any

from pliant.virtual.ur.line_program import LineProgram
from pliant.virtual.ur.program import ControlProgram
from pliant.virtual.ur.program_commands import COMMANDS
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.program_text import program_name
from pliant.virtual.ur.registers import Registers
from pliant.virtual.ur.safety_state import STOPPED, RobotMode, RuntimeState, SafetyMode
from pliant.virtual.ur.ur_arm import PERIOD, UrArm

UNLOCK_AFTER = 5.0
"""Time after which a protective stop can be unlocked, s."""

_CONTROL = "rtde_control"

_LOADING = 10
"""Periods from the end of a program to the start of another one that was uploaded meanwhile."""


class UrController:
    """Loads programs, runs them once per period, and obeys the dashboard.

    Attributes:
        arm: The arm.
        registers: The registers of all clients.
        program: The program that runs, else None.
        program_name: Its name.
        remote: Whether remote control is on.
        tell: Called with messages: text, and level 0 (exception) to 3 (information).
        digital_outputs: Bits of the digital outputs.
        analog_outputs: The two analogue outputs, 0 to 1.
        masks: Which outputs a client writes: by the first bit of their bank, -1 for the speed
            slider, -2 for the analogue ones.
    """

    def __init__(self, arm: UrArm) -> None:
        self.arm = arm
        self.registers = Registers()
        self.program: ControlProgram | LineProgram | None = None
        self.program_name = ""
        self.remote = True
        self.tell: Callable[[str, int], None] = lambda text, level: None
        self.digital_outputs = 0
        self.analog_outputs = [0.0, 0.0]
        self.masks: dict[int, int] = {}
        self._loaded: ControlProgram | LineProgram | None = None
        self._starts = 0
        self._stopped_at = 0.0
        self._ended: dict[str, float] = {}

    @property
    def runtime_state(self) -> RuntimeState:
        """What the program does."""
        if self.program is None:
            return RuntimeState.STOPPED
        paused = self.arm.safety_mode == SafetyMode.SAFEGUARD_STOP
        return RuntimeState.PAUSED if paused else RuntimeState.PLAYING

    def cycle(self) -> None:
        """One control period."""
        arm = self.arm
        if self._loaded is not None and arm.cycles >= self._starts:
            self.program, self._loaded = self._loaded, None
        if self.program is not None and arm.can_move:
            try:
                self.program.step()
            except ProgramError as error:
                self.tell(str(error), 0)
            if not self.program.running:
                self.end_program()
        arm.cycle()
        if arm.motion_error is not None:
            self.tell(str(arm.motion_error), 0)
            arm.motion_error = None
            self._end()
        if arm.stop_wanted or (arm.can_move and arm.over_force()):
            why = "as asked" if arm.stop_wanted else f"more than {arm.most_force:g} N at the tool"
            arm.stop_wanted = False
            self.stop_by_safety(SafetyMode.PROTECTIVE_STOP, why)

    def load(self, text: str) -> None:
        """End the program that runs, and load another one, which runs a little later.

        Raises:
            ProgramError: It cannot be played, or the arm takes none now.
        """
        if not self.remote:
            raise ProgramError("the arm is not in remote control: the program is ignored")
        if not self.arm.can_move:
            raise ProgramError("the arm is not running: the program is ignored")
        name = program_name(text)
        self.end_program()
        if name == _CONTROL:
            self._loaded = ControlProgram(self.arm, self.registers, text, COMMANDS)
        else:
            self._loaded = LineProgram(self.arm, text)
        self._starts = self.arm.cycles + _LOADING
        self.program_name = name

    def end_program(self) -> None:
        """End the program; the arm brakes."""
        self._end()
        self.arm.halt()

    def stop_by_safety(self, mode: SafetyMode, why: str) -> None:
        """Brake, and end the program, except in a safeguard stop, which only pauses it."""
        self.arm.safety_mode = mode
        self._stopped_at = self.arm.time
        if mode == SafetyMode.SAFEGUARD_STOP:
            self.tell(f"safeguard stop: {why}", 2)
            return
        self._end()
        self.arm.brake()
        if mode in (SafetyMode.ROBOT_EMERGENCY_STOP, SafetyMode.SYSTEM_EMERGENCY_STOP):
            self.arm.robot_mode = RobotMode.POWER_OFF
        self.tell(f"{mode.name.lower().replace('_', ' ')}: {why}", 0)

    def unlock(self) -> bool:
        """Unlock a protective stop; False if it is too early for that."""
        early = self.arm.time - self._stopped_at < UNLOCK_AFTER - PERIOD / 2
        if self.arm.safety_mode != SafetyMode.PROTECTIVE_STOP or early:
            return False
        self.arm.safety_mode = SafetyMode.NORMAL
        return True

    def release(self) -> None:
        """Take away what stops the arm by hand: an emergency stop, a safeguard."""
        if self.arm.safety_mode in STOPPED and self.arm.safety_mode != SafetyMode.PROTECTIVE_STOP:
            self.arm.safety_mode = SafetyMode.NORMAL

    def power_off(self) -> None:
        """Switch the arm off."""
        self._end()
        self.arm.brake()
        self.arm.robot_mode = RobotMode.POWER_OFF

    def power_on(self) -> None:
        """Switch the arm on, with its brakes still closed."""
        if self.arm.robot_mode == RobotMode.POWER_OFF and self.arm.safety_mode not in STOPPED:
            self.arm.robot_mode = RobotMode.IDLE

    def release_brakes(self) -> None:
        """Release the brakes; an arm that is off is switched on first."""
        self.power_on()
        if self.arm.robot_mode == RobotMode.IDLE:
            self.arm.robot_mode = RobotMode.RUNNING

    def truth(self) -> dict[str, Any]:
        """For tests: the program that runs, and when each last ended, by its name."""
        name = self.program_name if self.program is not None else ""
        return {"program": name, "ended": self._ended}

    def _end(self) -> None:
        if self.program is not None:
            self._ended[self.program_name] = self.arm.time
        self.program = self._loaded = None
