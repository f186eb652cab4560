"""An arm of Universal Robots over the wire: `ur:<host>`.

State comes by an RTDE client of Pliant's own, whose packages begin the ticks. Commands go through
ur_rtde's control interface, whose program has run on real arms for years. ur_rtde has a thread that
receives state for its handshake: it touches nothing of Pliant's. A second thread asks the dashboard
whether the arm is in remote control, and a third one exists while the arm is recovered from a stop;
both talk to the dashboard only.
"""

import contextlib
import sys
from typing import Any

import numpy as np

from pliant.arms.description import load_arm
from pliant.arms.robot_status import UrStatus
from pliant.arms.tool import Tool
from pliant.errors import ConfigError, PliantError
from pliant.extras import require
from pliant.robots.base import Stopper
from pliant.robots.ur.push_test import push_refusal
from pliant.robots.ur.remote_watch import RemoteWatch
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.tool_differences import tool_differences
from pliant.robots.ur.ur_config import UrConfig
from pliant.robots.ur.ur_identity import UrIdentity, identify_arm
from pliant.robots.ur.ur_program import UrProgram
from pliant.robots.ur.ur_recovery import HELP, UrRecovery
from pliant.robots.ur.ur_state import RAW_WRENCH, VARIABLES, UrState
from pliant.robots.ur.ur_stopper import UrStopper
from pliant.robots.ur.ur_wrench import WrenchDoor
from pliant.robots.wire_robot import WireRobot
from pliant.tick import Rows

_UNKNOWN = ("true_f_fixture_W", "true_f_peak", "true_side_peak", "true_torque_peak")
"""Columns that only a simulation knows."""

_SERVOED = (UrStatus.FOLLOWS, UrStatus.SLOWED, UrStatus.LOCAL_CONTROL)
_RAW_SINCE = (5, 9)


class UrRobot(WireRobot[UrState]):
    """A UR5e with PolyScope 5, or a virtual one.

    Attributes:
        identity: Who the arm is, once connected.
    """

    description = load_arm("ur5e")
    kind, section, example = "a UR", "ur", "192.168.0.10"
    identity: UrIdentity

    def __init__(self, host: str, config: UrConfig, tool: Tool) -> None:
        """Make the robot; it is not yet connected.

        Args:
            host: The arm's address.
            config: How it is commanded and read.
            tool: The configured tool.
        """
        super().__init__(host, config, tool)
        self._config = config
        self._recovery = UrRecovery(host, lambda: self._packages.state.obstacle())
        self._program = UrProgram(host, config, self._packages)
        self._client: RtdeClient | None = None
        self._watch: RemoteWatch | None = None
        self._asked = False

    @classmethod
    def open_stopper(cls, place: str, config: Any) -> Stopper | None:
        """Connect the guardian to dashboard and script port."""
        return UrStopper(place)

    def connect(self) -> None:
        """Ask who the arm is, start its packages, and upload the control program, once.

        Raises:
            PliantError: The arm cannot be controlled; the message says why, and what to do.
        """
        if self._program.is_connected:
            return
        require("ur")
        self._client = RtdeClient(self._host)
        self.identity = identify_arm(self._client)
        self._refuse_local_control()
        raw = self._config.force == "raw"
        if raw and self.identity.version[:2] < _RAW_SINCE:
            raise ConfigError("ur.force: raw needs PolyScope 5.9 or later")
        self._client.start([*VARIABLES, *([RAW_WRENCH] if raw else [])])
        self._packages.open(self._client.newest_state)
        self._refuse_obstacle()
        self._stopper = UrStopper(self._host)
        self._watch = RemoteWatch(self._host)
        self._program.connect(self._client)
        X_FT = self._program.tcp()
        for difference in tool_differences(self._packages.state, X_FT, self._tool):
            print(f"pliant: {difference}", file=sys.stderr, flush=True)
        self._door = WrenchDoor(self.description, self._tool, X_FT, raw)

    def read(self, tick: Rows) -> None:
        """Write what the newest package says.

        Raises:
            PliantError: The connection is lost.
        """
        state = self._packages.state
        self._program.follow(state)
        self._start_again(state)
        tick["q"], tick["qd"] = state.six("actual_q"), state.six("actual_qd")
        tick["tau"], tick["temperature"] = (
            state.six("target_moment"),
            state.six("joint_temperatures"),
        )
        tick["w_S_raw"] = self._door.reading(state)
        tick["sensor_seq"] = self._packages.packages
        tick["robot_status"] = self._status(state)
        tick["tau_ext"] = tick["w_ext_T"] = np.nan
        for name in _UNKNOWN:
            tick[name] = np.nan

    def write(self, tick: Rows) -> None:
        """Send `q_limited` by servoj; to an arm that does not follow, nothing.

        A slowed arm, or one in local control, brakes and holds by it, so that its program goes on.
        """
        tick["tau_sent"] = 0.0
        if tick["robot_status"].item() not in _SERVOED or not self._program.is_connected:
            tick["q_sent"] = tick["q"]
            return
        self._program.servo(tick["q_limited"][0])
        tick["q_sent"] = tick["q_limited"]

    def recover(self) -> str:
        """Begin to make a stopped arm follow again; what that means, in words."""
        if self._recovery.busy:
            return "the arm is being made ready: reset again then"
        failed, self._recovery.error = self._recovery.error, ""
        if failed:
            return f"it could not be made ready: {failed}"
        status = self._status(self._packages.state)
        self._asked = status in HELP or status is UrStatus.PROGRAM_STOPPED
        if not self._asked:
            return status.text
        self._recovery.begin()
        return "the arm is made ready, which takes up to 30 s: reset again then"

    def force_refusal(self) -> str:
        """Why laws that need force may not run; empty if they may."""
        return push_refusal(self.identity)

    def stop(self) -> None:
        """Brake within the arm's limits, and end the program.

        An arm on which another program runs, or whose packages no longer come, is stopped by
        dashboard and script port, on new connections if these are lost too, else by its watchdog;
        ur_rtde would wait for it for ever.
        """
        if not self._program.is_connected:
            return
        with contextlib.suppress(Exception):
            if self._program.runs and not self._packages.lost:
                self._program.stop()
            else:
                self._stopper.stop()

    def close(self) -> None:
        """End the program and hang up."""
        if self._watch is not None:
            self._watch.close()
        if self._program.is_connected and self._packages.lost:
            # again: the first one is lost if the arm was just hanging up
            with contextlib.suppress(Exception):
                self._stopper.stop()
        self._program.close()
        if self._client is not None:
            self._client.close()

    def _refuse_obstacle(self) -> None:
        obstacle = self._packages.state.obstacle()
        if obstacle is UrStatus.FOLLOWS:
            return
        problem, _, remedy = obstacle.text.partition("; ")
        if obstacle in HELP:
            remedy = f"find out why, then pliant doctor --robot ur:{self._host} --make-ready"
        raise PliantError(f"the arm at {self._host} cannot move: {problem}; {remedy}")

    def _refuse_local_control(self) -> None:
        if not self.identity.remote:
            raise PliantError(
                f"the arm at {self._host} is not in remote control: switch it on at the pendant "
                "(Settings, System, Remote Control; then the button at the top right)"
            )

    def _status(self, state: UrState) -> UrStatus:
        status = state.status()
        if status in (UrStatus.FOLLOWS, UrStatus.SLOWED) and not self._program.runs:
            return UrStatus.OTHER_PROGRAM
        remote = self._watch is None or self._watch.remote
        return UrStatus.LOCAL_CONTROL if status is UrStatus.FOLLOWS and not remote else status

    def _start_again(self, state: UrState) -> None:
        """Upload the control program again, once a recovery that was asked for has ended."""
        if self._asked and not self._recovery.busy:
            self._asked = False
            if state.status() is UrStatus.PROGRAM_STOPPED:
                self._program.start_again()
