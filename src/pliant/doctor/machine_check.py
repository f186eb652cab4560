"""Whether the machine lets a control loop keep its deadlines."""

from pliant.doctor.finding import Check, Finding
from pliant.doctor.lateness import RealTime

_LATE_SHARE = 0.5
"""One tick in a hundred may be this late, as a share of the period."""


def check_machine(found: RealTime, dt: float, limit: float) -> Check:
    """Judge what the machine grants.

    Args:
        found: What was measured.
        dt: Control period, s.
        limit: Lateness at which the arm stops, s.
    """
    findings = []
    denied = [message.split(";")[0] for message in found.refused]
    if denied:
        findings.append(
            Finding(
                problem=f"the system grants no real-time permission ({', '.join(denied)})",
                remedy="allow it in /etc/security/limits.conf, rtprio 99 and memlock unlimited for "
                "this user, or start with the capabilities CAP_SYS_NICE and CAP_IPC_LOCK",
            )
        )
    if found.late_max > limit:
        findings.append(
            Finding(
                problem=f"a tick began {1e3 * found.late_max:.1f} ms late: at "
                f"{1e3 * limit:.0f} ms the arm stops",
                remedy="close what else is busy, or give the controller a CPU of its own (--cpu)",
            )
        )
    elif found.late_p99 > _LATE_SHARE * dt:
        findings.append(
            Finding(
                problem=f"one tick in a hundred begins more than {1e6 * found.late_p99:.0f} µs "
                f"late, in a period of {1e6 * dt:.0f} µs",
                remedy="close what else is busy, or give the controller a CPU of its own (--cpu)",
            )
        )
    return Check(
        name="machine",
        summary=f"ticks begin {1e6 * found.late_p50:.0f} µs late, one in a hundred "
        f"{1e6 * found.late_p99:.0f} µs",
        findings=tuple(findings),
        figures=dict(found.__dict__),
    )
