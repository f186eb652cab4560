"""Lines on standard input that provoke what happens to real arms."""

import json
from collections.abc import Callable
from math import isfinite

from pliant.errors import PliantError
from pliant.robots.ur.ur_frames import R_BW
from pliant.virtual.ur.rtde_server import RtdeServer
from pliant.virtual.ur.safety_state import SafetyMode
from pliant.virtual.ur.ur_controller import UrController

HELP = {
    "protective_stop": "stop as after a collision",
    "estop": "press the emergency stop",
    "safeguard on|off": "open or close the safeguard",
    "violation": "a violation of a safety limit",
    "fault": "a fault of the safety system",
    "recovery": "recovery mode, as after a start outside the limits",
    "release": "take away what stops the arm, but for a protective stop",
    "slider FRACTION": "move the speed slider, 0 to 1",
    "remote on|off": "switch remote control",
    "pendant_stop": "stop the program at the pendant",
    "power off": "switch the arm off",
    "lose N": "send no package for N periods",
    "jitter MS": "delay packages by up to so many ms; 0 ends it",
    "in_use on|off": "let another client have all registers",
    "drop": "close all connections",
    "cable off|on": "pull the network cable: nothing is sent or received; plug it in again",
    "push FX FY FZ SECONDS": "push the tool, N in axes of the base",
    "truth": "print what only the simulation knows, as JSON",
}
"""The lines, and what each does."""


class Provocations:
    """Obeys lines."""

    def __init__(
        self,
        controller: UrController,
        rtde: RtdeServer,
        drop: Callable[[], None],
        set_jitter: Callable[[float], None],
        set_cable: Callable[[bool], None],
    ) -> None:
        """Make it.

        Args:
            controller: The controller.
            rtde: The RTDE server.
            drop: Closes all connections.
            set_jitter: Sets the largest delay of a package, s.
            set_cable: Sets whether the network reaches the arm.
        """
        self._controller = controller
        self._rtde = rtde
        self._drop = drop
        self._set_jitter = set_jitter
        self._set_cable = set_cable

    def obey(self, line: str) -> str:
        """Obey a line; what to answer.

        Raises:
            PliantError: There is no such line, or it has the wrong words.
        """
        word, *rest = line.split() or [""]
        c, arm = self._controller, self._controller.arm
        if word == "truth":
            return json.dumps(arm.truth() | c.truth() | self._rtde.truth())
        if word == "protective_stop":
            c.stop_by_safety(SafetyMode.PROTECTIVE_STOP, "provoked")
        elif word == "estop":
            c.stop_by_safety(SafetyMode.ROBOT_EMERGENCY_STOP, "pressed")
        elif word in ("violation", "fault", "recovery"):
            c.stop_by_safety(SafetyMode[word.upper()], "provoked")
        elif word == "safeguard" and _is_on(rest):
            c.stop_by_safety(SafetyMode.SAFEGUARD_STOP, "open")
        elif word in ("safeguard", "release"):
            c.release()
        elif word == "remote":
            c.remote = _is_on(rest)
        elif word == "pendant_stop":
            c.end_program()
        elif word == "power":
            c.power_off()
        elif word == "in_use":
            self._rtde.foreign = _is_on(rest)
        elif word == "drop":
            self._drop()
        elif word == "cable":
            self._set_cable(_is_on(rest))
        else:
            self._obey_numbers(word, [_number(text) for text in rest])
        return "ok"

    def _obey_numbers(self, word: str, numbers: list[float]) -> None:
        if word == "slider" and len(numbers) == 1:
            self._controller.arm.slider = min(max(numbers[0], 0.0), 1.0)
        elif word == "lose" and len(numbers) == 1:
            self._rtde.lose = max(0, int(numbers[0]))
        elif word == "jitter" and len(numbers) == 1:
            self._set_jitter(max(0.0, numbers[0]) * 1e-3)
        elif word == "push" and len(numbers) == 4 and numbers[3] > 0.0:
            force_W = R_BW @ numbers[:3]
            hand = self._controller.arm.sim.hand
            hand.schedule([*force_W, 0.0, 0.0, 0.0], duration=numbers[3])
        else:
            raise PliantError(f"say one of: {'; '.join(HELP)}")


def _is_on(words: list[str]) -> bool:
    return words != ["off"]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise PliantError(f"{text[:40]!r} is not a number; say one of: {'; '.join(HELP)}") from None
    if not isfinite(value):
        raise PliantError(f"{text} is not a finite number")
    return value
