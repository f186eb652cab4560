"""Checks of a UR before it is controlled: network, state, payload and push test.

The arm is only read, by RTDE and the dashboard; it does not move.
"""

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from pliant.arms.robot_status import UrStatus
from pliant.arms.tool import Tool
from pliant.doctor.finding import Check, Finding
from pliant.errors import PliantError
from pliant.robots.ur.push_test import push_refusal
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.rtde_protocol import RATE
from pliant.robots.ur.tool_differences import COG_TOLERANCE, MASS_TOLERANCE
from pliant.robots.ur.ur_identity import UrIdentity, identify_arm
from pliant.robots.ur.ur_recovery import HELP, make_ready
from pliant.robots.ur.ur_state import VARIABLES, UrState

_ASKED = 100
"""How many questions the round trip is measured by."""

_SLOW = 1.0 / RATE
"""Round trip above which a command misses its period, s."""

_CABLE = "connect the control box by a cable of its own, without a switch or wireless between"


@dataclass(frozen=True, kw_only=True)
class UrSurvey:
    """What was found out about an arm.

    Attributes:
        checks: Network, arm and push test.
        mass: The payload that the arm was told, kg.
        cog: Its centre of gravity in the flange, m.
    """

    checks: tuple[Check, ...]
    mass: float
    cog: tuple[float, float, float]

    @property
    def can_be_controlled(self) -> bool:
        """Whether a controller could be started on it."""
        return all(check.is_fit for check in self.checks if check.name == "arm")


def survey(host: str, seconds: float = 4.0) -> UrSurvey:
    """Look at an arm without moving it.

    Args:
        host: Its address.
        seconds: How long to count packages, s.

    Raises:
        PliantError: It cannot be read, or Pliant does not control arms of its kind.
    """
    client = RtdeClient(host)
    try:
        identity = identify_arm(client)
        trips = [_round_trip(client) for _ in range(_ASKED)]
        client.start(VARIABLES)
        times, state = _packages(client, seconds)
    finally:
        client.close()
    x, y, z = state.six("payload_cog").tolist()
    return UrSurvey(
        checks=(_network(np.array(trips), times), _arm(identity, state), _push(identity)),
        mass=float(state["payload"]),
        cog=(x, y, z),
    )


def make_arm_ready(host: str) -> Check:
    """Switch an arm on, release its brakes, or unlock its protective stop, as far as needed.

    Raises:
        PliantError: It cannot be read, or Pliant does not control arms of its kind.
    """
    client = RtdeClient(host)
    try:
        identity = identify_arm(client)
        client.start(VARIABLES)

        def state() -> UrState:
            return client.newest_state(1.0)[0]

        if identity.remote:
            # what is left is a finding
            with contextlib.suppress(PliantError):
                make_ready(host, lambda: state().obstacle())
        return _arm(identity, state())
    finally:
        client.close()


def check_payload(found: UrSurvey, tool: Tool, weighed: Check | None) -> Check:
    """Compare the payload that the arm was told with the tool.

    Args:
        found: What the arm says.
        tool: The configured tool.
        weighed: The check that weighed the tool; None if it was not weighed.
    """
    figures = weighed.figures if weighed else {}
    mass, com = figures.get("mass", tool.mass), figures.get("com_F", tool.com_F)
    whose = "the tool weighs" if "mass" in figures else "tool.mass is"
    aside = float(np.abs(np.subtract(com, found.cog)).max())
    findings = []
    if abs(mass - found.mass) > MASS_TOLERANCE or aside > COG_TOLERANCE:
        theirs, ours = (
            ", ".join(f"{1e3 * value:.0f}" for value in place) for place in (found.cog, com)
        )
        findings.append(
            Finding(
                problem=f"the arm was told a payload of {found.mass:.2f} kg at ({theirs}) mm, and "
                f"{whose} {mass:.2f} kg, at ({ours}) mm",
                remedy="set mass and centre of gravity at the pendant (Installation, Payload)",
            )
        )
    return Check(
        name="payload",
        summary=f"the arm was told {found.mass:.2f} kg",
        findings=tuple(findings),
        figures={"mass": found.mass, "cog": list(found.cog)},
    )


def _round_trip(client: RtdeClient) -> float:
    begin = time.monotonic()
    client.software_version()
    return time.monotonic() - begin


def _packages(client: RtdeClient, seconds: float) -> tuple[list[tuple[float, float, int]], UrState]:
    """Receive packages: their time stamps, when they came and with how many older ones."""
    times: list[tuple[float, float, int]] = []
    while True:
        values, older = client.newest(1.0)
        state = UrState(client.recipe, values)
        times.append((float(state["timestamp"]), time.monotonic(), older))
        if times[-1][0] - times[0][0] >= seconds:
            return times, state


def _network(trips: np.ndarray, times: list[tuple[float, float, int]]) -> Check:
    stamps, came, older = (np.array(column) for column in zip(*times, strict=True))
    span = stamps[-1] - stamps[0]
    sent, received = round(span * RATE), int(older[1:].sum()) + len(times) - 1
    p50, p99 = np.percentile(trips, (50.0, 99.0))
    figures = {
        "round_trip_p50": float(p50),
        "round_trip_p99": float(p99),
        "lost": sent - received,
        "sent": sent,
        "longest_gap": float(np.diff(came).max()),
        "rate": received / float(came[-1] - came[0]),
    }
    findings = []
    if p50 > _SLOW:
        findings.append(
            Finding(problem=f"a round trip takes {1e3 * p50:.1f} ms, longer than a period of "
                    f"{1e3 / RATE:.0f} ms", remedy=_CABLE)
        )  # fmt: skip
    if sent > received:
        findings.append(
            Finding(problem=f"{sent - received} of {sent} packages did not come", remedy=_CABLE)
        )
    return Check(
        name="network",
        summary=f"round trip {1e3 * p50:.2f} ms (median), {1e3 * p99:.2f} ms (99th percentile); "
        f"{sent - received} of {sent} packages lost, {figures['rate']:.0f} a second, longest gap "
        f"{1e3 * figures['longest_gap']:.0f} ms",
        findings=tuple(findings),
        figures=figures,
    )


def _arm(identity: UrIdentity, state: UrState) -> Check:
    findings = []
    if not identity.remote:
        text = UrStatus.LOCAL_CONTROL.text
        findings.append(Finding(problem=text.partition(";")[0], remedy=text.partition("; ")[2]))
    status = state.obstacle()
    if status is UrStatus.FOLLOWS and not state.full_speed:
        status = UrStatus.SLOWED
    if status is not UrStatus.FOLLOWS:
        problem, _, remedy = status.text.partition("; ")
        if status in HELP:
            remedy = "find out why, then run pliant doctor --make-ready on it"
        findings.append(Finding(problem=problem, remedy=remedy))
    version = ".".join(str(part) for part in identity.version)
    return Check(
        name="arm",
        summary=f"{identity.model}, PolyScope {version}, serial number {identity.serial}, "
        f"remote control {'on' if identity.remote else 'off'}",
        findings=tuple(findings),
        figures={"version": list(identity.version), "serial": identity.serial},
    )


def _push(identity: UrIdentity) -> Check:
    refusal = push_refusal(identity)
    findings = ()
    if refusal:
        problem, _, remedy = refusal.partition(": ")
        findings = (Finding(problem=problem, remedy=remedy),)
    passed = "not needed by a virtual arm" if identity.is_virtual else "passed"
    return Check(name="push test", summary="never passed" if refusal else passed, findings=findings)
