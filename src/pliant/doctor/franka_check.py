"""Checks of a Franka arm before it is controlled: kernel, network, state, and lost commands.

Without torques the arm is only read. Lost commands are counted while it gets zero torques: it
floats, and may drift if its load is set wrongly.
"""

import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arms.franka_status import FrankaStatus
from pliant.arms.tool import Tool
from pliant.doctor.finding import Check, Finding
from pliant.robots.franka.fci_connection import JOINTS, FciConnection, is_loopback
from pliant.robots.franka.franka_config import FrankaConfig
from pliant.robots.franka.franka_door import has_estimate
from pliant.robots.franka.franka_settings import differences
from pliant.robots.franka.franka_state import obstacle

_PERIOD = 1e-3
_ECHOES = 100
_SILENCE = 1.0
_LEAST_SUCCESS = 0.95
"""Share of commands below which the network or the machine is objected to."""

_SLOW = 0.3e-3
"""Round trip above which too little of a period is left, s."""

_REALTIME = Path("/sys/kernel/realtime")
_CABLE = (
    "connect this computer to the LAN port of Control, not of the arm, by a cable without a switch"
)


@dataclass(frozen=True, kw_only=True)
class FrankaSurvey:
    """What was found out about an arm.

    Attributes:
        checks: Kernel, network, arm, and commands if torques were sent.
    """

    checks: tuple[Check, ...]

    @property
    def can_be_controlled(self) -> bool:
        """Whether a controller could be started on it."""
        return all(check.is_fit for check in self.checks if check.name == "arm")


def survey_franka(
    host: str, config: FrankaConfig, tool: Tool, *, torques: bool, seconds: float = 4.0
) -> FrankaSurvey:
    """Look at an arm.

    Args:
        host: Its address.
        config: How it is connected.
        tool: The configured tool, to compare with what the arm was told.
        torques: Whether to send it zero torques, so that lost commands can be counted.
        seconds: How long to count states, s.

    Raises:
        PliantError: It cannot be read, or Pliant does not control arms of its kind.
    """
    echoes = _echo_times(host)
    connection = FciConnection(host, config.realtime)
    try:
        times, state = _states(connection, seconds)
        checks = [_kernel(host), _network(echoes, times), _arm(host, state, tool)]
        if torques and checks[-1].is_fit:
            checks.append(_commands(connection, seconds))
    finally:
        connection.close()
    return FrankaSurvey(checks=tuple(checks))


def _echo_times(host: str) -> list[float]:
    """Round trips of ICMP echoes, s; empty where the system does not permit them."""
    times = []
    with (
        suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as echo,
    ):
        echo.settimeout(1.0)
        for number in range(_ECHOES):
            packet = struct.pack("!BBHHH", 8, 0, 0, 0, number) + bytes(48)
            begin = time.monotonic()
            echo.sendto(packet, (host, 0))
            echo.recv(1024)
            times.append(time.monotonic() - begin)
    return times


def _states(connection: FciConnection, seconds: float) -> tuple[list[tuple[float, float]], Any]:
    """Receive states: their time stamps, and when they came."""
    times: list[tuple[float, float]] = []
    while True:
        state = connection.next(_SILENCE)
        times.append((state.time.to_sec(), time.monotonic()))
        if times[-1][0] - times[0][0] >= seconds:
            return times, state


def _kernel(host: str) -> Check:
    with suppress(OSError):
        if _REALTIME.read_text().strip() == "1":
            return Check(name="kernel", summary="PREEMPT_RT")
    if is_loopback(host):
        return Check(name="kernel", summary="without PREEMPT_RT, which a virtual arm does not need")
    finding = Finding(
        problem="this kernel has no PREEMPT_RT: a real arm would miss commands, and stop",
        remedy="install a kernel with PREEMPT_RT (Debian: linux-image-rt-amd64; Ubuntu Pro)",
    )
    return Check(name="kernel", summary="without PREEMPT_RT", findings=(finding,))


def _network(echoes: list[float], times: list[tuple[float, float]]) -> Check:
    stamps, came = np.array(times).T
    sent = round((stamps[-1] - stamps[0]) / _PERIOD)
    lost = sent - (len(times) - 1)
    gap = float(np.diff(came).max())
    figures: dict[str, Any] = {"lost": lost, "sent": sent, "longest_gap": gap}
    trip, findings = "no round trip measured (sysctl net.ipv4.ping_group_range)", []
    if echoes:
        p50, p99 = np.percentile(echoes, (50.0, 99.0))
        figures |= {"round_trip_p50": float(p50), "round_trip_p99": float(p99)}
        trip = f"round trip {1e3 * p50:.2f} ms (median), {1e3 * p99:.2f} ms (99th percentile)"
        if p99 > _SLOW:
            findings.append(
                Finding(
                    problem=f"1 % of the round trips take more than {1e3 * p99:.2f} ms; with the "
                    f"tick they must stay below {1e3 * _PERIOD:.0f} ms",
                    remedy=_CABLE,
                )
            )
    if lost:
        findings.append(Finding(problem=f"{lost} of {sent} states did not come", remedy=_CABLE))
    return Check(
        name="network",
        summary=f"{trip}; {lost} of {sent} states lost, longest gap {1e3 * gap:.1f} ms",
        findings=tuple(findings),
        figures=figures,
    )


def _arm(host: str, state: Any, tool: Tool) -> Check:
    status, findings = obstacle(state), []
    if status is not FrankaStatus.FOLLOWS:
        problem, _, remedy = status.text.partition("; ")
        findings.append(Finding(problem=problem, remedy=remedy))
    told = differences(state, tool, has_estimate(state))
    return Check(
        name="arm",
        summary="; ".join([f"Franka Research 3 at {host}", *told]),
        findings=tuple(findings),
        figures={"mass": state.m_total, "com": list(state.F_x_Ctotal)},
    )


def _commands(connection: FciConnection, seconds: float) -> Check:
    """Send zero torques, and see how many arrive in time."""
    rates = []
    connection.start()
    for _ in range(round(seconds / _PERIOD)):
        state = connection.next(_SILENCE)
        if not connection.controls:
            break
        connection.send([0.0] * JOINTS)
        rates.append(state.control_command_success_rate)
    ended = connection.ended
    connection.stop()
    # the first hundred are those before
    least = float(min(rates[100:], default=0.0))
    findings = []
    if ended or least < _LEAST_SUCCESS:
        findings.append(
            Finding(
                problem=ended or f"only {100.0 * least:.0f} % of 100 commands arrived in time",
                remedy=f"{_CABLE}; disable power saving of CPU and network card",
            )
        )
    return Check(
        name="commands",
        summary=f"at worst {100.0 * least:.0f} % of 100 arrived in time, with zero torques",
        findings=tuple(findings),
        figures={"least_success": least},
    )
