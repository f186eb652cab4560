"""ur_rtde's control program on the arm: its start, its set points, its loss and its end."""

import contextlib
import ctypes
from typing import Any

import pinocchio as pin

from pliant.errors import PliantError
from pliant.robots.package_clock import PackageClock
from pliant.robots.ur.no_delay import send_at_once
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.rtde_protocol import PORT as RTDE_PORT
from pliant.robots.ur.rtde_protocol import RATE
from pliant.robots.ur.ur_config import UrConfig
from pliant.robots.ur.ur_frames import Array, from_ur_pose
from pliant.robots.ur.ur_state import UrState
from pliant.robots.ur.urgent_threads import urgent_threads

_STOP_DECELERATION = 10.0
_STARTING = 5.0
"""Longest time from the upload of the program to its start, s of the arm."""


class UrProgram:
    """The program, and ur_rtde's control interface to it.

    Attributes:
        runs: Whether it runs on the arm; another program that runs there is not it.
    """

    def __init__(self, host: str, config: UrConfig, packages: PackageClock[UrState]) -> None:
        """Make it; nothing is uploaded yet.

        Args:
            host: The arm's address.
            config: How the arm is commanded.
            packages: What tells the arm's state.
        """
        self.runs = False
        self._host = host
        self._config = config
        self._packages = packages
        self._control: Any = None
        self._uploaded = self._watched = False

    @property
    def is_connected(self) -> bool:
        """Whether there is an interface to it."""
        return self._control is not None

    def connect(self, client: RtdeClient) -> None:
        """Upload the program, and wait until it runs.

        ur_rtde is told to upload none by itself: after a lost connection it would connect again and
        start a program that nobody asked for, and that no watchdog ends.

        Raises:
            PliantError: It does not start.
        """
        from rtde_control import RTDEControlInterface

        # the upper registers, so that other tools may use the lower ones
        flags = RTDEControlInterface.FLAG_NO_WAIT
        upper = RTDEControlInterface.FLAG_UPPER_RANGE_REGISTERS
        try:
            with urgent_threads():
                control = RTDEControlInterface(self._host, RATE, int(flags) | int(upper))
            send_at_once(RTDE_PORT)
            control.reuploadScript()
        except RuntimeError as error:
            raise PliantError(
                f"the control program cannot be started on {self._host}: {error}"
            ) from None
        for _ in range(round(_STARTING * RATE)):
            self._packages.open(client.newest_state)
            if self._packages.state.program_runs and control.isProgramRunning():
                self._control, self.runs = control, True
                return
        raise PliantError(
            f"the control program does not start on {self._host}: look at the pendant for why"
        )

    def tcp(self) -> pin.SE3:
        """The TCP in the flange, as the arm was told."""
        return from_ur_pose(self._control.getTCPOffset())

    def follow(self, state: UrState) -> None:
        """Note whether the program that runs, if one does, is this one."""
        if not state.program_runs:
            self.runs = False
        elif self._uploaded:
            self.runs, self._uploaded = True, False
        # each program needs a watchdog of its own
        self._watched &= self.runs

    def start_again(self) -> None:
        """Upload the program to an arm on which none runs."""
        # clears the command, which the new program would obey at once
        self._control.stopScript()
        self._uploaded = bool(self._control.reuploadScript())

    def servo(self, q: Array) -> None:
        """Send a set point by servoj; before the first one, the watchdog is set."""
        c = self._config
        if not self._watched and self._packages.nearly_settled:
            self._watched = bool(self._control.setWatchdog(c.watchdog))
        self._control.servoJ(q.tolist(), 0.0, 0.0, 1.0 / RATE, c.lookahead, c.gain)

    def stop(self) -> None:
        """Brake by servoStop within the arm's limits, and end the program."""
        self._control.servoStop(_STOP_DECELERATION)
        self._control.stopScript()

    def close(self) -> None:
        """End the program and hang up; to a lost arm, only forget it."""
        control, self._control = self._control, None
        self.runs = False
        if control is None:
            return
        if self._packages.lost:
            # its destructor would wait for the arm for ever
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(control))
            return
        with contextlib.suppress(Exception):
            control.stopScript()
            control.disconnect()
