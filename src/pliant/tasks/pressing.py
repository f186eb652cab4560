"""Press with a force along an axis of the tool, or with forces over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from pliant.commands.handlers.tool_handlers import FRAMES
from pliant.errors import MoveEnded, Refused, WaitTimeout, warn_user
from pliant.numerics.force_frame import to_frame
from pliant.numerics.spatial import Array
from pliant.params import ForceFrame
from pliant.reasons import State
from pliant.stability import contact_warning
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.conditions import Condition
from pliant.stages.supervisor.reaction import Reaction
from pliant.tick import Tick

if TYPE_CHECKING:
    from pliant.api.arm import Arm
    from pliant.api.armed_reaction import ArmedReaction

Axis = Literal["x", "y", "z"]
Force = float | Sequence[tuple[float, float]]
"""A force, N, or forces over time: (time from 0, s, force, N), with straight lines between them."""

FORCE_LAWS = ("hybrid_admittance", "hybrid_force")
NO_WRENCH = (0.0,) * 6

PROFILE_STEP = 0.01
"""Time between two targets of a profile, s."""

# Share of the force, and force, N, by which a force that has been reached may differ, for how long.
_NEAR, _NEAR_FORCE = 0.1, 0.5
_STEADY = 0.2
_TOUCHED = 1.0
"""Force above which something is touched, N: twice the dead band of the sensor."""


@dataclass(frozen=True)
class Pressed:
    """How pressing went.

    Attributes:
        reached: Whether the force was reached, and held for 0.2 s; of a profile, its first one.
        force: The force along the axis at the end, N.
        stopped_by: The condition that ended it; None if none did.
    """

    reached: bool
    force: float
    stopped_by: Condition | None = None


def press(
    arm: "Arm",
    force: Force,
    axis: Axis = "z",
    *,
    frame: ForceFrame = "tool",
    wait: bool = True,
    until: Condition | str | None = None,
    timeout: float = 60.0,
) -> Pressed | None:
    """Press; see `Arm.press`."""
    along = axis_vector(axis)
    times, forces = _profile(arm, force, along)
    if axis == "z" and frame == "tool":
        refuse_pull(forces)
    if arm.law not in FORCE_LAWS:
        arm.activate(force_law(arm))
    _warn_of_unstable_contact(arm)
    before = None
    if not is_force_axis(arm.tick, along, frame):
        before = _Axes.of(arm.tick)
        arm.set_axes(along.astype(bool).tolist(), frame=frame)
    arm.set_wrench(-forces[0] * along, frame)
    if not wait:
        return None
    armed = None if until is None else arm.on(until, Reaction.wrench(NO_WRENCH))
    try:
        pressed = _wait_pressed(arm, along, forces[0], armed, timeout)
        if len(times) > 1 and pressed.stopped_by is None:
            pressed = _follow(arm, along, frame, times, forces, armed)
        return pressed
    except WaitTimeout as error:
        arm.set_wrench(NO_WRENCH)
        after = _give_back(arm, along, axis, before)
        raise WaitTimeout(f"{error}; the force target is zero{after}") from None
    except KeyboardInterrupt:
        arm.set_wrench(NO_WRENCH)
        raise
    finally:
        arm.release(armed)


def refuse_pull(forces: Array) -> None:
    """Refuse forces that pull back along the tool's z axis, into free air.

    Raises:
        Refused: One of them does.
    """
    if forces.min() < 0.0:
        raise Refused(
            f"{forces.min():g} N pull back along the tool's z axis, into free air: a positive "
            "force presses; to pull at something, set_axes and set_wrench"
        )


def _warn_of_unstable_contact(arm: "Arm") -> None:
    """Warn of gains that may be left from something else, now that they matter."""
    if arm.law == FORCE_LAWS[0]:
        warning = contact_warning(arm.config, arm.description, arm.dt)
        if warning:
            warn_user(warning)


@dataclass(frozen=True)
class _Axes:
    """The force-controlled axes of a moment."""

    Tr: Array
    n_af: int
    frame: ForceFrame

    @classmethod
    def of(cls, tick: Tick) -> "_Axes":
        """Those of a tick."""
        frame = next(name for name, code in FRAMES.items() if code == tick.axes_frame)
        return cls(tick.Tr.copy(), int(tick.n_af), cast("ForceFrame", frame))


def _give_back(arm: "Arm", along: Array, axis: Axis, before: _Axes | None) -> str:
    """Where nothing was touched, make the axis again what it was; what holds now, in words."""
    if abs(_pressing(arm.tick, along)) > _TOUCHED:
        return f"; {axis} stays force-controlled: retract(), or set_axes('') to make it rigid"
    if before is not None:
        arm.set_axes(before.Tr, before.n_af, before.frame)
    return f"; nothing was touched: approach with move_by(..., until=pliant.force({axis!r}) > 2)"


def force_law(arm: "Arm") -> str:
    """The law that regulates force on an arm, by its torques if it takes them."""
    return FORCE_LAWS[arm.description.takes_torque]


def axis_vector(axis: Axis) -> Array:
    """The six numbers of a unit force along an axis of the tool.

    Raises:
        Refused: There is no such axis.
    """
    if axis not in ("x", "y", "z"):
        raise Refused(f"an axis of force is x, y or z, not {axis!r}")
    return np.eye(6)["xyz".index(axis)]


def _profile(arm: "Arm", force: Force, along: Array) -> tuple[Array, Array]:
    """Times and forces.

    Raises:
        Refused: They are none, or a force is too large.
    """
    if isinstance(force, Real):
        times, forces = np.zeros(1), np.array([float(force)])
    else:
        try:
            times, forces = np.array([(float(t), float(f)) for t, f in force]).T  # pyright: ignore
        except (TypeError, ValueError):
            raise Refused(
                f"give the force as a number, N, or a profile [(0, force), (time, force), …], "
                f"not {force!r}"
            ) from None
        if times[0] != 0.0 or not (np.diff(times) > 0.0).all():
            raise Refused("the times of a profile begin with 0 and ascend")
    most = float(along @ np.array(arm.config.supervisor.wrench_limit))
    if not np.abs(forces).max() <= most:
        raise Refused(
            f"press with at most {most:g} N, supervisor.wrench_limit, "
            f"not {np.abs(forces).max():g} N"
        )
    return times, forces


def is_force_axis(tick: Tick, along: Array, frame: ForceFrame) -> bool:
    """Whether this axis is force-controlled already, and no other."""
    mask = np.abs(tick.Tr[: tick.n_af]).sum(axis=0)
    return FRAMES[frame] == tick.axes_frame and np.array_equal(mask, along)


def _pressing(tick: Tick, along: Array) -> float:
    """The force with which the tool presses along its force-controlled axis, N."""
    w = np.empty(6)
    to_frame(int(tick.axes_frame), tick.X_WF, tick.X_WT, tick.w_T, w)
    return -float(along @ w)


def _wait_pressed(
    arm: "Arm", along: Array, force: float, armed: "ArmedReaction | None", timeout: float
) -> Pressed:
    steady_since = None
    near = max(_NEAR * abs(force), _NEAR_FORCE)
    for tick in arm.ticks(timeout):
        pressing = _pressing(tick, along)
        if armed is not None and armed.fired:
            return Pressed(False, pressing, armed.condition)
        if tick.state != State.ACTIVE:
            raise MoveEnded(f"the law ended: {read_text(arm.session.row)}")
        if abs(pressing - force) > near:
            steady_since = None
        elif steady_since is None:
            steady_since = tick.time
        elif tick.time - steady_since > _STEADY:
            return Pressed(True, pressing)
    raise WaitTimeout(f"{force:g} N were not reached within {timeout:g} s")


def _follow(
    arm: "Arm",
    along: Array,
    frame: ForceFrame,
    times: Array,
    forces: Array,
    armed: "ArmedReaction | None",
) -> Pressed:
    """Follow forces over time to their end."""
    start, every = arm.time, max(1, round(PROFILE_STEP / arm.dt))
    for i, tick in enumerate(arm.ticks(times[-1])):
        if armed is not None and armed.fired:
            return Pressed(True, _pressing(tick, along), armed.condition)
        if tick.state != State.ACTIVE:
            raise MoveEnded(f"the law ended: {read_text(arm.session.row)}")
        if i % every == 0:
            arm.set_wrench(-np.interp(tick.time - start, times, forces) * along, frame)
    arm.set_wrench(-forces[-1] * along, frame)
    return Pressed(True, _pressing(arm.tick, along))
