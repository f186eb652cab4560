"""The panels and traces in which a recording is plotted, both on paper and in the browser."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pliant.errors import UnknownNameError
from pliant.reasons import State
from pliant.recording.recording import Recording

_CONTACT_FORCE = 0.5
"""Force above which there is contact, N."""

_WRENCH = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")


@dataclass(frozen=True, kw_only=True)
class Trace:
    """One line of a plot.

    Attributes:
        label: Its name.
        values: One value per tick.
        target: Whether it is a target, rather than a measurement.
    """

    label: str
    values: np.ndarray
    target: bool = False


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One plot.

    Attributes:
        title: Its title.
        unit: Unit of all its traces.
        traces: Its lines.
        min_height: Minimum height of the y axis, so that noise around zero looks small.
        note: The value to highlight in the title.
    """

    title: str
    unit: str
    traces: tuple[Trace, ...]
    min_height: float = 0.0
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A vertical line at a time, s, that marks a change of law or a fault."""

    time: float
    text: str
    fault: bool


def panels(recording: Recording, groups: Sequence[str]) -> list[Panel]:
    """The panels of some groups, in order.

    Panels without data are left out, and so are those that need columns which a file of another
    version lacks.

    Raises:
        UnknownNameError: There is no such group; the error lists the valid ones.
    """
    made: list[Panel] = []
    for group in groups:
        if group not in GROUPS:
            raise UnknownNameError("group of plots", group, list(GROUPS))
        with contextlib.suppress(UnknownNameError):
            made += GROUPS[group](recording)
    return [panel for panel in made if _is_worth_drawing(panel)]


def _is_worth_drawing(panel: Panel) -> bool:
    """Whether the panel has a measurement or a non-zero target."""
    return any(
        (trace.values != 0.0).any() if trace.target else np.isfinite(trace.values).any()
        for trace in panel.traces
    )


def contact(recording: Recording) -> np.ndarray:
    """Whether there is contact at each tick, by the physics engine or else by the sensor."""
    force = np.linalg.norm(recording["true_f_fixture_W"], axis=1)
    sensed = np.linalg.norm(recording["w_T"][:, :3], axis=1)
    return np.where(np.isnan(force), sensed, force) > _CONTACT_FORCE


def marks(recording: Recording) -> list[Mark]:
    """Activations of laws, and faults."""
    time, law, made = recording.time, recording["law"], []
    for i in np.flatnonzero(np.diff(recording["law_seq"])) + 1:
        name = recording.law_name(law[i].item())
        made.append(Mark(time=time[i].item(), text=name, fault=False))
    faults, texts = recording["state"] == State.FAULT, recording["reason_text"]
    for i in np.flatnonzero(faults[1:] & ~faults[:-1]) + 1:
        text = bytes(texts[i]).rstrip(b"\0").decode(errors="replace")
        made.append(Mark(time=time[i].item(), text=text, fault=True))
    return made


def _contact_panels(recording: Recording) -> list[Panel]:
    force = recording["true_f_peak"]
    title = "Force on the fixture"
    if np.isnan(force).all():
        force = np.linalg.norm(_zeroed(recording, "w_T_raw")[:, :3], axis=1)
        title = "Contact force, sensed"
    peak = np.nanmax(force, initial=0.0)
    offset = -1e3 * recording["e_T"][:, :3]
    offset[recording["law"] < 0] = np.nan
    return [
        Panel(
            title=title,
            unit="N",
            traces=(Trace(label="force", values=force),),
            min_height=2.0,
            note=f"peak {peak:.1f} N",
        ),
        Panel(
            title="Compliant offset", unit="mm", traces=_components(offset, "xyz"), min_height=1.0
        ),
    ]


def _wrench_panels(recording: Recording) -> list[Panel]:
    sensed, desired = _zeroed(recording, "w_T"), recording["w_desired_T"]
    made = []
    # force and torque of the same axis side by side
    for i in (0, 3, 1, 4, 2, 5):
        traces = (
            Trace(label="sensed", values=sensed[:, i]),
            Trace(label="desired", values=desired[:, i], target=True),
        )
        unit, min_height = ("N", 2.0) if i < 3 else ("N·m", 0.2)
        made.append(Panel(title=_WRENCH[i], unit=unit, traces=traces, min_height=min_height))
    return made


def _command_panels(recording: Recording) -> list[Panel]:
    commanded = 1e3 * recording["X_WT_cmd"][:, :3]
    speed = 1e3 * recording["v_cmd_T"][:, :3]
    return [
        Panel(
            title="Commanded tool motion",
            unit="mm",
            traces=_components(commanded - commanded[:1], "xyz"),
            min_height=1.0,
        ),
        Panel(
            title="Commanded velocity",
            unit="mm/s",
            traces=_components(speed, "xyz"),
            min_height=1.0,
        ),
    ]


def _joint_panels(recording: Recording) -> list[Panel]:
    q, names = np.degrees(recording["q"]), _joints(recording)
    # a joint driven by torque receives no position set point: its law follows the reference
    target = np.where(recording["by_torque"] == 1, recording["q_ref"], recording["q_sent"])
    error = np.degrees(target) - q
    return [
        Panel(
            title="Joint motion", unit="deg", traces=_components(q - q[:1], names), min_height=0.1
        ),
        Panel(
            title="Joint tracking error",
            unit="deg",
            traces=_components(error, names),
            min_height=0.1,
        ),
    ]


def _torque_panels(recording: Recording) -> list[Panel]:
    names, sent = _joints(recording), recording["tau_sent"]
    measured = _components(recording["tau"], names)
    made = [Panel(title="Joint torque", unit="N·m", traces=measured, min_height=1.0)]
    # a position-controlled arm is sent no torques
    if sent.any():
        # the arm adds gravity compensation itself, so it is not included
        title, traces = "Sent torque, without gravity", _components(sent, names)
        made.append(Panel(title=title, unit="N·m", traces=traces, min_height=1.0))
    return made


def _temperature_panels(recording: Recording) -> list[Panel]:
    traces = _components(recording["temperature"], _joints(recording))
    return [Panel(title="Joint temperature", unit="°C", traces=traces, min_height=2.0)]


def _lateness_panels(recording: Recording) -> list[Panel]:
    timing = {"Lateness of a tick": "lateness", "Computing time of a tick": "busy"}
    return [
        Panel(title=title, unit="µs", traces=(Trace(label=name, values=1e6 * recording[name]),))
        for title, name in timing.items()
        # simulated time is never late
        if recording[name].any()
    ]


GROUPS: dict[str, Callable[[Recording], list[Panel]]] = {
    "contact": _contact_panels,
    "wrench": _wrench_panels,
    "command": _command_panels,
    "joints": _joint_panels,
    "torque": _torque_panels,
    "temperature": _temperature_panels,
    "lateness": _lateness_panels,
}
"""Groups of panels, by name."""


def _zeroed(recording: Recording, column: str) -> np.ndarray:
    """A wrench, NaN until the sensor is zeroed: before that it is mostly bias."""
    return np.where(recording["zeroed"][:, None] == 1, recording[column], np.nan)


def _components(values: np.ndarray, labels: Sequence[str]) -> tuple[Trace, ...]:
    return tuple(Trace(label=label, values=values[:, i]) for i, label in enumerate(labels))


def _joints(recording: Recording) -> list[str]:
    return [f"j{j}" for j in range(recording.n)]
