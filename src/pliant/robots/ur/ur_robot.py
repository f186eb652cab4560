"""An arm of Universal Robots over the wire: `ur:<host>`.

State comes by an RTDE client of Pliant's own, whose packages begin the ticks. Commands go through
ur_rtde's control interface, whose program has run on real arms for years. ur_rtde has a thread that
receives state for its handshake: it touches nothing of Pliant's. A second thread asks the dashboard
whether the arm is in remote control, and a third one exists while the arm is recovered from a stop;
both talk to the dashboard only.
"""

import contextlib
import ctypes
import sys
from typing import Any, Self

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription, load_arm
from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.robot_status import UrStatus
from pliant.arms.tool import Tool
from pliant.errors import ConfigError, PliantError
from pliant.extras import require
from pliant.robots.base import Robot, Stopper
from pliant.robots.ur.no_delay import send_at_once
from pliant.robots.ur.package_clock import PackageClock
from pliant.robots.ur.push_test import push_refusal
from pliant.robots.ur.remote_watch import RemoteWatch
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.rtde_protocol import PORT as RTDE_PORT
from pliant.robots.ur.ur_config import UrConfig
from pliant.robots.ur.ur_frames import Array, from_ur_pose
from pliant.robots.ur.ur_identity import UrIdentity, identify_arm
from pliant.robots.ur.ur_recovery import HELP, UrRecovery
from pliant.robots.ur.ur_state import RAW_WRENCH, VARIABLES, UrState
from pliant.robots.ur.ur_stopper import UrStopper
from pliant.robots.ur.ur_wrench import WrenchDoor
from pliant.robots.ur.urgent_threads import urgent_threads
from pliant.tick import Rows

_UNKNOWN = ("true_f_fixture_W", "true_f_peak", "true_side_peak", "true_torque_peak")
"""Columns that only a simulation knows."""

_SERVOED = (UrStatus.FOLLOWS, UrStatus.SLOWED, UrStatus.LOCAL_CONTROL)
_STOP_DECELERATION = 10.0
_RAW_SINCE = (5, 9)
_UPLOADING = 5.0
"""Longest time from the upload of the control program to its start, s of the arm."""

_MASS_TOLERANCE, _PLACE_TOLERANCE, _TURN_TOLERANCE = 0.05, 0.002, 0.01
_COG_TOLERANCE = 0.01
"""Differences of tool and payload, kg, m and rad, that are told."""


class UrRobot(Robot):
    """A UR5e with PolyScope 5, or a virtual one.

    Attributes:
        identity: Who the arm is, once connected.
    """

    description = load_arm("ur5e")
    identity: UrIdentity

    def __init__(self, host: str, config: UrConfig, tool: Tool) -> None:
        """Make the robot; it is not yet connected.

        Args:
            host: The arm's address.
            config: How it is commanded and read.
            tool: The configured tool.
        """
        if not host:
            raise ConfigError("ur:… needs the address of the arm, as in ur:192.168.0.10")
        self._host = host
        self._config = config
        self._tool = tool
        self.scene_nominal = config.drawing.nominal() if config.drawing else None
        self._packages = PackageClock(self.dt, config.silence)
        self.clock = self._packages
        self._recovery = UrRecovery(host, lambda: self._packages.state.obstacle())
        self._client: RtdeClient | None = None
        self._control: Any = None
        self._watch: RemoteWatch | None = None
        self._own = self._uploaded = self._watched = False
        self._asked = False

    @classmethod
    def describe(cls, place: str) -> ArmDescription:
        """A UR5e, the only model that Pliant knows."""
        return cls.description

    @classmethod
    def open(cls, place: str, config: Any, rate: float | None) -> Self:
        """Make the robot of an address.

        Raises:
            ConfigError: The rate is not the arm's own.
        """
        if rate is not None and rate != cls.description.rate:
            raise ConfigError(f"a UR sets the pace itself, at {cls.description.rate:g} Hz")
        return cls(place, config.ur, config.tool)

    @classmethod
    def open_stopper(cls, place: str, config: Any) -> Stopper | None:
        """Connect the guardian to dashboard and script port."""
        return UrStopper(place)

    def connect(self) -> None:
        """Ask who the arm is, start its packages, and upload the control program, once.

        Raises:
            PliantError: The arm cannot be controlled; the message says why, and what to do.
        """
        if self._control is not None:
            return
        require("ur")
        self._client = RtdeClient(self._host)
        self.identity = identify_arm(self._client)
        self._refuse_local_control()
        raw = self._config.force == "raw"
        if raw and self.identity.version[:2] < _RAW_SINCE:
            raise ConfigError("ur.force: raw needs PolyScope 5.9 or later")
        self._client.start([*VARIABLES, *([RAW_WRENCH] if raw else [])])
        self._packages.open(self._client)
        self._refuse_obstacle()
        self._stopper = UrStopper(self._host)
        self._watch = RemoteWatch(self._host)
        self._control = self._upload(self._client)
        self._own = True
        X_FT = from_ur_pose(self._control.getTCPOffset())
        self._compare(X_FT)
        self._door = WrenchDoor(self.description, self._tool, X_FT, raw)

    def read(self, tick: Rows) -> None:
        """Write what the newest package says.

        Raises:
            PliantError: The connection is lost.
        """
        state = self._packages.state
        self._follow_program(state)
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
        if tick["robot_status"].item() not in _SERVOED or self._control is None:
            tick["q_sent"] = tick["q"]
            return
        if not self._watched and self._packages.nearly_settled:
            self._watched = bool(self._control.setWatchdog(self._config.watchdog))
        c = self._config
        q = tick["q_limited"][0]
        self._control.servoJ(q.tolist(), 0.0, 0.0, self.dt, c.lookahead, c.gain)
        tick["q_sent"] = q

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
        """Brake by servoStop within the arm's limits, and end the program.

        An arm whose packages no longer come is stopped by dashboard and script port, on new
        connections if these are lost too, else by its watchdog; ur_rtde would wait for it for ever.
        """
        if self._control is None:
            return
        with contextlib.suppress(Exception):
            if self._packages.lost or not self._own:
                self._stopper.stop()
                return
            self._control.servoStop(_STOP_DECELERATION)
            self._control.stopScript()

    def close(self) -> None:
        """End the program and hang up."""
        if self._watch is not None:
            self._watch.close()
        control, self._control = self._control, None
        if control is not None and self._packages.lost:
            _never_delete(control)
            # again: the first one is lost if the arm was just hanging up
            with contextlib.suppress(Exception):
                self._stopper.stop()
        elif control is not None:
            with contextlib.suppress(Exception):
                control.stopScript()
                control.disconnect()
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

    def _upload(self, client: RtdeClient) -> Any:
        """ur_rtde's control interface, with its program running.

        It is told to upload none: after a lost connection it would connect again by itself and
        start a program that nobody asked for, and that no watchdog ends.
        """
        from rtde_control import RTDEControlInterface

        # the upper registers, so that other tools may use the lower ones
        flags = RTDEControlInterface.FLAG_NO_WAIT
        upper = RTDEControlInterface.FLAG_UPPER_RANGE_REGISTERS
        try:
            with urgent_threads():
                control = RTDEControlInterface(
                    self._host, self.description.rate, int(flags) | int(upper)
                )
            send_at_once(RTDE_PORT)
            control.reuploadScript()
        except RuntimeError as error:
            raise PliantError(
                f"the control program cannot be started on {self._host}: {error}"
            ) from None
        for _ in range(round(_UPLOADING / self.dt)):
            self._packages.open(client)
            if self._packages.state.program_runs and control.isProgramRunning():
                return control
        raise PliantError(
            f"the control program does not start on {self._host}: look at the pendant for why"
        )

    def _status(self, state: UrState) -> UrStatus:
        status = state.status()
        if status in (UrStatus.FOLLOWS, UrStatus.SLOWED) and not self._own:
            return UrStatus.OTHER_PROGRAM
        remote = self._watch is None or self._watch.remote
        return UrStatus.LOCAL_CONTROL if status is UrStatus.FOLLOWS and not remote else status

    def _follow_program(self, state: UrState) -> None:
        """Note whether the program that runs is Pliant's own, and watched."""
        if not state.program_runs:
            self._own = False
        elif self._uploaded:
            self._own, self._uploaded = True, False
        # each program needs a watchdog of its own
        self._watched &= self._own

    def _start_again(self, state: UrState) -> None:
        """Upload the control program again, once a recovery that was asked for has ended."""
        if not self._asked or self._recovery.busy or self._control is None:
            return
        self._asked = False
        if state.status() is UrStatus.PROGRAM_STOPPED:
            # clears the command, which the new program would obey at once
            self._control.stopScript()
            self._uploaded = bool(self._control.reuploadScript())

    def _compare(self, X_FT: pin.SE3) -> None:
        """Tell what the arm was told of its tool otherwise than the configuration says."""
        state, tool = self._packages.state, self._tool
        mass, cog = float(state["payload"]), state.six("payload_cog")
        if abs(mass - tool.mass) > _MASS_TOLERANCE:
            _say(f"the arm's payload is {mass:.2f} kg, and tool.mass is {tool.mass:.2f} kg")
        if np.abs(cog - tool.com_F).max() > _COG_TOLERANCE:
            _say(f"the arm's payload is centred at {_mm(cog)} mm, and tool.com_F is elsewhere")
        off = pose_to_se3(tool.X_FT).actInv(X_FT)
        if np.abs(off.translation).max() > _PLACE_TOLERANCE:
            _say(f"the arm's TCP is at {_mm(X_FT.translation)} mm, and tool.X_FT is elsewhere")
        turn = float(np.linalg.norm(pin.log3(off.rotation)))
        if turn > _TURN_TOLERANCE:
            _say(f"the arm's TCP is turned by {np.degrees(turn):.1f} degrees against tool.X_FT")


def _never_delete(control: Any) -> None:
    """Keep an object of ur_rtde, whose destructor waits for a lost arm for ever."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(control))


def _mm(place: Array) -> list[float]:
    return (1e3 * place).round(1).tolist()


def _say(message: str) -> None:
    print(f"pliant: {message}", file=sys.stderr, flush=True)
