"""Lines on standard input that provoke what happens to a real Franka arm."""

import json
from collections.abc import Callable
from math import isfinite

import numpy as np

from pliant.errors import PliantError
from pliant.numerics.spatial import Array
from pliant.virtual.franka.desired_motion import PERIOD
from pliant.virtual.franka.fci_errors import NAMES
from pliant.virtual.franka.fci_server import FciServer
from pliant.virtual.franka.fr3_controller import Fr3Controller
from pliant.virtual.franka.hand_gripper import HandGripper

FR3_HELP = {
    "reflex [ERROR]": "stop with an error, joint_reflex if none is named",
    "user_stop on|off": "press or release the user stop",
    "guiding on|off": "press or release the button of hand guiding",
    "brakes closed|open": "close or open the brakes",
    "lose N": "send no state for N periods",
    "deaf N": "lose the next N commands",
    "late SHARE": "let so many of all commands come too late, 0 to 1",
    "jitter MS": "delay states by up to so many ms; 0 ends it",
    "drop": "close all connections",
    "cable off|on": "pull the network cable; plug it in again",
    "hand off|on": "take the hand off; mount it again",
    "push FX FY FZ SECONDS": "push the tool, N in axes of the base",
    "lead DX DY DZ SECONDS": "hold the tool like a person, and lead it so far, m; then hold on",
    "let go": "let go of the tool, and push it no more",
    "object WIDTH|none": "put an object of so many m between the fingers, or take it away",
    "truth": "print what only the simulation knows, as JSON",
}
"""The lines, and what each does."""


class Fr3Provocations:
    """Obeys lines."""

    def __init__(
        self,
        controller: Fr3Controller,
        server: FciServer,
        gripper: HandGripper,
        drop: Callable[[], None],
        set_jitter: Callable[[float], None],
        set_cable: Callable[[bool], None],
        mount_hand: Callable[[bool], None],
    ) -> None:
        """Make it.

        Args:
            controller: The controller.
            server: The server of the control interface.
            gripper: The gripper.
            drop: Closes all connections.
            set_jitter: Sets the largest delay of a state, s.
            set_cable: Sets whether the network reaches the arm.
            mount_hand: Sets whether there is a hand.
        """
        self._controller = controller
        self._server = server
        self._gripper = gripper
        self._drop = drop
        self._set_jitter = set_jitter
        self._set_cable = set_cable
        self._mount_hand = mount_hand

    def obey(self, line: str) -> str:
        """Obey a line; what to answer.

        Raises:
            PliantError: There is no such line, or it has the wrong words.
        """
        word, *rest = line.split() or [""]
        c = self._controller
        if word == "truth":
            truths = (c.arm.truth(), c.truth(), self._server.truth(), self._gripper.truth())
            return json.dumps({key: value for truth in truths for key, value in truth.items()})
        if word == "reflex" and (not rest or rest[0] in NAMES):
            c.reflex(NAMES.index(rest[0] if rest else "joint_reflex"))
        elif word == "user_stop":
            c.press_user_stop(rest != ["off"])
        elif word == "guiding":
            c.guide(rest != ["off"])
        elif word == "brakes":
            c.close_brakes(rest != ["open"])
        elif word == "drop":
            self._drop()
        elif word == "cable":
            self._set_cable(rest != ["off"])
        elif word == "hand":
            self._mount_hand(rest != ["off"])
        elif (word, rest) == ("let", ["go"]):
            c.arm.sim.hand.release()
        elif (word, rest) == ("object", ["none"]):
            self._gripper.object_width = 0.0
        else:
            self._obey_numbers(word, [_finite(text) for text in rest])
        return "ok"

    def _obey_numbers(self, word: str, numbers: list[float]) -> None:
        hand = self._controller.arm.sim.hand
        if word == "push" and len(numbers) == 4 and numbers[3] > 0.0:
            hand.schedule([*numbers[:3], 0.0, 0.0, 0.0], duration=numbers[3])
        elif word == "lead" and len(numbers) == 4 and numbers[3] > 0.0:
            self._lead(np.array(numbers[:3]), numbers[3])
        elif len(numbers) != 1:
            raise PliantError(f"say one of: {'; '.join(FR3_HELP)}")
        elif word == "lose":
            self._server.lose = max(0, int(numbers[0]))
        elif word == "deaf":
            self._server.deaf = max(0, int(numbers[0]))
        elif word == "late":
            self._server.late = min(max(numbers[0], 0.0), 1.0)
        elif word == "jitter":
            self._set_jitter(max(0.0, numbers[0]) * 1e-3)
        elif word == "object":
            self._gripper.object_width = max(0.0, numbers[0])
        else:
            raise PliantError(f"say one of: {'; '.join(FR3_HELP)}")

    def _lead(self, way: Array, seconds: float) -> None:
        """Hold the tool, and lead it along a straight line with little jerk."""
        begin = self._controller.arm.cycles * PERIOD

        def path(time: float) -> Array:
            s = min(max((time - begin) / seconds, 0.0), 1.0)
            return way * s**3 * (10.0 - 15.0 * s + 6.0 * s**2)

        self._controller.arm.sim.hand.hold(path)


def _finite(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise PliantError(f"{text[:40]!r} is not a number; say one of: {'; '.join(FR3_HELP)}")
    return value
