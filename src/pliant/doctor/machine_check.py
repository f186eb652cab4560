"""Checks whether the machine lets a control loop meet its deadlines."""

from pliant.doctor.finding import Check, Finding
from pliant.doctor.lateness import RealTime

_MAX_LATENESS = 0.5
"""Largest acceptable 99th percentile of the lateness, as a fraction of the period."""


def check_machine(found: RealTime, dt: float, limit: float) -> Check:
    """Check the real-time behaviour of the machine.

    Args:
        found: The measurement.
        dt: Control period, s.
        limit: Lateness at which the arm stops, s.
    """
    findings = []
    denied = [message.split(";")[0] for message in found.refused]
    if denied:
        findings.append(
            Finding(
                problem=f"no real-time permission ({', '.join(denied)})",
                remedy="in /etc/security/limits.conf, set rtprio 99 and memlock unlimited for this "
                "user",
            )
        )
    if found.late_max > limit:
        findings.append(
            Finding(
                problem=f"a tick started {1e3 * found.late_max:.1f} ms late; at "
                f"{1e3 * limit:.0f} ms the arm stops",
                remedy="close other busy programs, or reserve a CPU for the controller (--cpu)",
            )
        )
    elif found.late_p99 > _MAX_LATENESS * dt:
        findings.append(
            Finding(
                problem=f"1 % of the ticks start more than {1e6 * found.late_p99:.0f} µs "
                f"late, in a period of {1e6 * dt:.0f} µs",
                remedy="close other busy programs, or reserve a CPU for the controller (--cpu)",
            )
        )
    return Check(
        name="machine",
        summary=f"ticks start {1e6 * found.late_p50:.0f} µs late (median), "
        f"{1e6 * found.late_p99:.0f} µs (99th percentile)",
        findings=tuple(findings),
        figures=dict(found.__dict__),
    )
