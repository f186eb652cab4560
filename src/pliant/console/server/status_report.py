"""The status message, sent to every page ten times a second."""

from typing import TYPE_CHECKING

import numpy as np

from pliant.console.server.backend import Backend
from pliant.console.server.describe import arm_of
from pliant.console.server.messages import SequenceProgress, Status, ViewerInfo
from pliant.reasons import State, Verdict
from pliant.stages.joints import JointFault, ReportedMode
from pliant.stages.supervisor import read_text
from pliant.tick import Rows

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub

_SILENCE = 0.5
"""The controller is faulty after this long without a tick, s."""


def status(hub: "Hub") -> Status:
    """The status now."""
    backend, health = hub.backend, hub.health
    p50, p99, top = health.lateness()
    state, law, verdict = _state(backend, health.row) if health.seen else ("", "", "")
    fault = _fault(hub, state)
    why = fault or hub.why or _not_ready(state, verdict)
    return Status(
        phase=hub.phase,
        why=why,
        fault=fault,
        controller=backend.name if backend else "",
        kind=backend.kind if backend else "none",
        state=state if backend else "",
        law=law if backend else "",
        verdict=verdict,
        ready=backend is not None and not why,
        time=health.row["time"].item(),
        k=health.row["k"].item(),
        rate=round(health.rate, 1) if backend else 0.0,
        lateness_p50=p50,
        lateness_p99=p99,
        lateness_max=top,
        dropped=backend.missed if backend else 0,
        holder=hub.holder_name,
        holder_idle=round(hub.lease.idle, 1),
        holder_id=hub.holding.id if hub.holding else "",
        viewers=[ViewerInfo(id=viewer.id, name=viewer.name) for viewer in hub.viewers.values()],
        controllers=hub.controllers,
        recording=hub.recorder.progress(),
        sequence=_sequence(hub),
    )


def _sequence(hub: "Hub") -> SequenceProgress | None:
    running = [viewer.sequence.progress for viewer in hub.viewers.values()]
    return next(filter(None, running), None)


def _state(backend: Backend | None, row: Rows) -> tuple[str, str, str]:
    """State, law and verdict in words; another program reports none of them."""
    if backend is not None and backend.kind == "binary":
        return "RUNNING", "", Verdict.READY.text
    index = row["law"].item()
    law = backend.laws[index] if backend and index >= 0 else ""
    return State(row["state"].item()).name, law, Verdict(row["verdict"].item()).text


def _fault(hub: "Hub", state: str) -> str:
    if hub.phase == "lost":
        return hub.why
    if hub.backend is None:
        return ""
    if hub.health.silence > _SILENCE:
        return f"no tick came for {hub.health.silence:.1f} s"
    if state == State.FAULT.name:
        return read_text(hub.health.row) or "fault"
    return _joint_faults(hub) if hub.backend.kind == "pliant" else ""


def _joint_faults(hub: "Hub") -> str:
    """The names of the joints in fault, and the reasons."""
    row, names = hub.health.row, arm_of(hub.spec).joint_names
    faulted = np.flatnonzero(row["mode"][0] == ReportedMode.HARDWARE_FAULT)
    return ", ".join(f"{names[j]}: {JointFault(int(row['fault'][0][j])).text}" for j in faulted)


def _not_ready(state: str, verdict: str) -> str:
    if not state:
        return "no tick has come yet"
    return "" if verdict == Verdict.READY.text else verdict
