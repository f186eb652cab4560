"""An arm of Franka Robotics over the wire: `franka:<host>`.

States and torques go through the vendor's pylibfranka, whose state begins the tick. The arm itself
compensates gravity and friction. Nothing filters or limits the torques after Pliant's own safety
stage.
"""

import contextlib
import sys
from dataclasses import replace
from typing import Any

from pliant.arms.description import ArmDescription, frozen_array, load_arm
from pliant.arms.franka_status import FrankaStatus
from pliant.arms.tool import Tool
from pliant.errors import PliantError
from pliant.extras import require
from pliant.robots.franka.fci_connection import FciConnection
from pliant.robots.franka.franka_config import FrankaConfig
from pliant.robots.franka.franka_door import FrankaDoor
from pliant.robots.franka.franka_hand import FrankaHand
from pliant.robots.franka.franka_recovery import FrankaRecovery
from pliant.robots.franka.franka_settings import differences, tell
from pliant.robots.franka.franka_state import is_idle, obstacle
from pliant.robots.wire_robot import WireRobot
from pliant.tick import Rows

_SERVED = (FrankaStatus.FOLLOWS, FrankaStatus.LOSSY)
_AT_THE_ARM = (FrankaStatus.NOT_READY, FrankaStatus.USER_STOP, FrankaStatus.GUIDING)
"""What only a person at the arm can change."""

_SUCCESS_AFTER = 200
"""Ticks of torque control after which the share of commands that arrived says something."""


_LIMITER_MARGIN = 1e-3
"""How far libfranka's own limiter stays below the torque rate at which the arm stops, N·m/s."""


def _below_the_limiter(arm: ArmDescription) -> ArmDescription:
    return replace(arm, tau_rate_max=frozen_array(arm.tau_rate_max - _LIMITER_MARGIN))


class FrankaRobot(WireRobot[Any]):
    """A Franka Research 3, or a virtual one."""

    description = _below_the_limiter(load_arm("fr3"))
    kind, section, example = "a Franka arm", "franka", "172.16.0.2"

    def __init__(self, host: str, config: FrankaConfig, tool: Tool) -> None:
        """Make the robot; it is not yet connected.

        Args:
            host: The arm's address.
            config: How it is commanded and read.
            tool: The configured tool.
        """
        super().__init__(host, config, tool)
        self._config = config
        self._recovery = FrankaRecovery()
        self._connection: FciConnection | None = None
        self._hand: FrankaHand | None = None
        self._door: FrankaDoor
        self._wanted = True
        self._asked = False
        self._sent = 0

    def connect(self) -> None:
        """Connect, tell the arm its thresholds, frames and load, and wait for its state, once.

        Raises:
            PliantError: The arm cannot be controlled; the message says why, and what to do.
        """
        if self._connection is not None:
            return
        require("franka")
        self._connection = FciConnection(self._host, self._config.realtime)
        try:
            if self._config.hand:
                self.gripper = self._hand = FrankaHand(self._host)
                self._hand.connect()
            self._prepare(self._connection)
        except Exception:
            self.close()
            self._connection = None
            raise

    def _prepare(self, connection: FciConnection) -> None:
        """Tell the arm what it must know, and take its first states.

        An arm in reflex is taken as it is: a reset recovers it.
        """
        self._packages.open(connection.newest)
        status = obstacle(self._packages.state)
        if status in _AT_THE_ARM:
            raise PliantError(f"the arm at {self._host} cannot move: {status.text}")
        tell(connection, self._config)
        self._packages.open(connection.newest)
        state = self._packages.state
        self._door = FrankaDoor(self._tool, state)
        for message in differences(state, self._tool, self._door.estimates):
            print(f"pliant: {message}", file=sys.stderr, flush=True)

    def read(self, tick: Rows) -> None:
        """Write what the newest state says.

        Raises:
            PliantError: The connection is lost.
        """
        state = self._packages.state
        self._door.write(state, self._status(state).value, tick)
        if self._hand is not None:
            self._hand.write(tick)

    def write(self, tick: Rows) -> None:
        """Send `tau_limited`; to an arm that does not follow, and in the first ticks, nothing."""
        self._send(tick)
        if self._hand is not None:
            self._hand.look()

    def recover(self) -> str:
        """Begin to make a stopped arm follow again; what that means, in words."""
        if self._connection is None or self._recovery.busy:
            return FrankaStatus.RECOVERING.text
        failed, self._recovery.error = self._recovery.error, ""
        if failed:
            return f"its recovery failed: {failed}"
        status = obstacle(self._packages.state)
        self._asked = status not in _AT_THE_ARM
        if not self._asked:
            return status.text
        if status is FrankaStatus.FOLLOWS:
            return "its torque control starts again: reset again then"
        self._recovery.begin(self._connection.robot)
        return "the arm recovers, which takes some seconds: reset again then"

    def force_refusal(self) -> str:
        """Why laws that need force may not run; empty if they may."""
        if self._connection is None or self._door.estimates:
            return ""
        return f"what answers at {self._host} estimates no external torque"

    def stop(self) -> None:
        """Let the arm brake by libfranka's stop; a lost one brakes when no commands come."""
        if self._connection is not None and self._connection.controls:
            self._wanted = False
            with contextlib.suppress(Exception):
                self._connection.stop()

    def close(self) -> None:
        """Hang up."""
        self._recovery.close()
        if self._hand is not None:
            self._hand.close()
        if self._connection is not None:
            with contextlib.suppress(Exception):
                self._connection.close()

    def _send(self, tick: Rows) -> None:
        tick["q_sent"], tick["tau_sent"] = tick["q_limited"], 0.0
        connection = self._connection
        if connection is None or tick["robot_status"].item() not in _SERVED:
            return
        if not connection.controls:
            if not (self._wanted and self._packages.settled and is_idle(self._packages.state)):
                return
            connection.start()
            self._sent = 0
        connection.send(tick["tau_limited"][0].tolist())
        tick["tau_sent"] = tick["tau_limited"]
        self._sent += 1

    def _status(self, state: Any) -> FrankaStatus:
        """Whether the arm follows torques, or why not.

        A torque control that ended starts again only when asked.
        """
        if self._connection is None or self._recovery.busy:
            return FrankaStatus.RECOVERING
        status = obstacle(state)
        if self._asked and status is FrankaStatus.FOLLOWS:
            self._asked, self._wanted, self._connection.ended = False, True, ""
        if self._connection.ended or status is not FrankaStatus.FOLLOWS:
            self._wanted = False
        if status is not FrankaStatus.FOLLOWS or self._wanted:
            return FrankaStatus.LOSSY if self._loses(state) else status
        return FrankaStatus.CONTROL_ENDED

    def _loses(self, state: Any) -> bool:
        """Whether too few commands reach an arm that is controlled."""
        if self._connection is None or not self._connection.controls:
            return False
        known = self._sent > _SUCCESS_AFTER
        return known and state.control_command_success_rate < self._config.least_success
