"""The force verbs of an arm: press, slide, guide by hand, retract, follow a profile of wrenches."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Literal

import numpy as np

from pliant import commands as c
from pliant.api.arm_motion import ENDED, ArmMotion, Values, When
from pliant.api.armed_reaction import ArmedReaction
from pliant.api.move_result import Moved, Settling
from pliant.errors import MoveEnded, PliantWarning, Refused, WaitTimeout
from pliant.numerics.force_frame import TOOL
from pliant.numerics.spatial import Array
from pliant.params import ForceFrame, Frame
from pliant.reasons import State
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.conditions import Condition
from pliant.stages.supervisor.reaction import Reaction

Axis = Literal["x", "y", "z"]
Profile = Sequence[tuple[float, Values]]

_HYBRID, _POSITION, _GRAVITY = "hybrid_admittance", "position", "gravity"
_FORCE_LAWS = (_HYBRID, "hybrid_force")
_NO_WRENCH = (0.0,) * 6
# Share of the force, and force, N, by which a force that has been reached may differ, for how long.
_NEAR, _NEAR_FORCE = 0.1, 0.5
_STEADY = 0.2
# Time between two targets of a profile, s.
_PROFILE_STEP = 0.01


@dataclass(frozen=True)
class Pressed:
    """How pressing began.

    Attributes:
        reached: Whether the force was reached, and held for 0.2 s.
        force: The force along the axis at the end, N.
        stopped_by: The condition that ended it; None if none did.
    """

    reached: bool
    force: float
    stopped_by: Condition | None = None


class ArmForce(ArmMotion):
    """The part of `Arm` that controls force. The verbs activate the laws that they need."""

    def set_wrench(self, wrench: Values | Profile, frame: ForceFrame = "tool") -> Array:
        """Set the wrench to be sensed along force-controlled axes.

        Args:
            wrench: Fx Fy Fz Tx Ty Tz of the environment on the tool, N and N·m. With the tool's z
                axis pointing into a surface, Fz = -5 presses on it with 5 N. Or a profile,
                `[(0, first), (2.5, second), …]`: wrenches at times from 0, s, with straight lines
                between them; it is followed to its end.
            frame: Axes of the wrench; one in the world, or in the task frame, keeps its direction
                while the tool turns.

        Returns:
            The target after clamping to the limits, of a profile the last one.
        """
        if not len(wrench) or np.isscalar(wrench[0]):
            return np.array(self._command(c.SetWrench, wrench=wrench, frame=frame).value)
        times, wrenches = _profile(wrench)
        start = float(self._session.row["time"].item())
        self.set_wrench(wrenches[0], frame)
        every = max(1, round(_PROFILE_STEP / self._session.dt))
        for i, tick in enumerate(self.ticks(times[-1])):
            if i % every == 0:
                now = [np.interp(tick.time - start, times, values) for values in wrenches.T]
                self.set_wrench(now, frame)
        return self.set_wrench(wrenches[-1], frame)

    def press(
        self,
        force: float,
        axis: Axis = "z",
        *,
        wait: bool = True,
        until: When | None = None,
        timeout: float = 60.0,
    ) -> Pressed | None:
        """Press with a force along an axis of the tool, and go on pressing.

        The arm moves along the axis until it touches something; in free space its speed is the
        force divided by the damping of the law. The other axes are rigid, or springs under
        `hybrid_force`, which presses if it is the active law.

        Args:
            force: The force, N, up to `supervisor.wrench_limit`; negative: against the axis.
            axis: The axis of the tool.
            wait: Whether to wait until the force is reached.
            until: A condition that ends it: the force target becomes zero.
            timeout: After this long, s, the force target becomes zero and `WaitTimeout` is raised.

        Returns:
            How it ended; None without waiting.
        """
        along = _along(axis)
        most = float(along @ np.array(self._session.config.supervisor.wrench_limit))
        if not isinstance(force, Real):
            raise Refused(f"give the force as a number, N, not {force!r}")
        if not abs(force) <= most:
            raise Refused(
                f"press with at most {most:g} N, supervisor.wrench_limit, not {force:g} N"
            )
        if self._law_name() not in _FORCE_LAWS:
            self._command(c.Activate, law=_HYBRID)
        if not np.array_equal(self._mask(), along):
            self._command(c.SetAxes, mask=along.astype(bool).tolist())
        target = float(along @ self.set_wrench(-force * along))
        if not wait:
            return None
        with self._watched(until, Reaction.wrench(_NO_WRENCH)) as armed:
            try:
                return self._wait_pressed(along, target, armed, timeout)
            except (WaitTimeout, KeyboardInterrupt):
                self.set_wrench(_NO_WRENCH)
                raise

    def slide(
        self,
        delta: Values,
        force: float,
        axis: Axis = "z",
        *,
        frame: Frame = "world",
        speed: float | None = None,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Press along an axis of the tool, then move along the surface; otherwise as `move_by`.

        Args:
            delta: dx dy dz, m, and a rotation vector, rad; along the axis the force decides.
            force: The force, N; see `press`.
            axis: The axis of the tool.
            frame: The frame of delta.
            speed: Speed limit, m/s.
            until: A condition that ends the motion; the arm goes on pressing.
            timeout: After this long, s, the arm holds and `WaitTimeout` is raised.
        """
        # refused before anything moves
        self._checked(c.MoveBy, delta=delta, frame=frame, speed=speed)
        self.press(force, axis)
        return self.move_by(delta, frame, speed=speed, until=until, timeout=timeout)

    def guide(self, seconds: float = inf, *, until: When | None = None) -> None:
        """Let a hand guide the tool; afterwards the arm holds where it is, under `position`.

        A torque arm floats. A position arm yields along all axes with the gains of the preset
        `hand_guiding`, which are for free space: on a hard surface they would ring.

        Args:
            seconds: For how long.
            until: A condition that ends it.
        """
        if self._session.metadata["clock"] == "fast" and seconds == inf and until is None:
            raise Refused("in simulated time say for how long to guide, or until when")
        gains = self._session.config.laws.hybrid_admittance
        try:
            self._float()
            with self._watched(until, Reaction.law(_POSITION)) as armed:
                for _ in self.ticks(seconds):
                    if armed is not None and armed.fired:
                        break
        finally:
            if self._law_name() not in (None, _POSITION):
                self._command(c.Activate, law=_POSITION)
            if self._session.config.laws.hybrid_admittance != gains:
                path, own = f"laws.{_HYBRID}", set(type(gains).model_fields)
                self._command(c.SetParameter, path=path, value=gains.model_dump(include=own))

    def retract(
        self, distance: float = 0.02, axis: Axis = "z", *, speed: float | None = None
    ) -> Moved | None:
        """End all forces and move back against an axis of the tool, all axes rigid.

        Args:
            distance: How far, m.
            axis: The axis of the tool.
            speed: Speed limit, m/s.
        """
        if not distance > 0.0:
            raise Refused(f"retract by more than 0 m, not {distance:g} m")
        if self._law_name() in _FORCE_LAWS:
            self.set_wrench(_NO_WRENCH)
            self._command(c.SetAxes, mask=[False] * 6)
            # after these the reference is the current pose
            for _ in self.ticks(3.0 * self._session.dt):
                pass
        return self.move_by(-distance * _along(axis), "tool", speed=speed)

    def wait_done(self, timeout: float = inf) -> Moved:
        """Wait until the motion under way is done: one begun with `wait=False`, or a reaction's.

        Raises:
            WaitTimeout: It was not done within the timeout; the arm holds.
            MoveEnded: The arm could not get to the target, or the law ended.
        """
        since = self._now()
        # a command acts at the next tick
        row = next(self.ticks())
        try:
            if row.ref_kind in ENDED:
                return self._wait_rest(timeout)
            return self._wait_done(int(row.ref_seq) - 1, since, None, timeout)
        except (WaitTimeout, KeyboardInterrupt):
            self.hold()
            raise

    # parts

    def _wait_rest(self, timeout: float) -> Moved:
        """Wait until an arm that holds, brakes or retracts is at rest."""
        settling = Settling()
        for tick in self.ticks(timeout):
            if tick.ref_done and (result := settling.result(tick)):
                return result
        raise WaitTimeout(f"the arm was not at rest within {timeout:g} s")

    def _law_name(self) -> str | None:
        law = self._session.law
        return self._session.laws[law] if law >= 0 else None

    def _mask(self) -> Array:
        """One for each axis of the tool that is force-controlled; NaN for axes of other frames."""
        row = self._session.row
        if row["axes_frame"].item() != TOOL:
            return np.full(6, np.nan)
        return np.abs(row["Tr"][0, : row["n_af"].item()]).sum(axis=0)

    def _float(self) -> None:
        """Let the arm yield to a hand."""
        if self._session.arm.takes_torque:
            self._command(c.Activate, law=_GRAVITY)
            return
        with warnings.catch_warnings():
            # of gains that would ring on a surface; the documentation says so
            warnings.simplefilter("ignore", PliantWarning)
            self._command(c.UsePreset, name="hand_guiding")
            if self._law_name() != _HYBRID:
                self._command(c.Activate, law=_HYBRID)
            self._command(c.SetAxes, mask=[True] * 6)
            self.set_wrench(_NO_WRENCH)

    @contextmanager
    def _watched(self, until: When | None, then: Reaction) -> Iterator[ArmedReaction | None]:
        """A condition that is armed meanwhile."""
        armed = None if until is None else self.on(until, then)
        try:
            yield armed
        finally:
            self.release(armed)

    def _wait_pressed(
        self, along: Array, target: float, armed: ArmedReaction | None, timeout: float
    ) -> Pressed:
        steady_since = None
        near = max(_NEAR * abs(target), _NEAR_FORCE)
        for tick in self.ticks(timeout):
            sensed = float(along @ tick.w_T)
            if armed is not None and armed.fired:
                return Pressed(False, -sensed, armed.condition)
            if tick.state != State.ACTIVE:
                raise MoveEnded(f"the law ended: {read_text(self._session.row)}")
            if abs(sensed - target) > near:
                steady_since = None
            elif steady_since is None:
                steady_since = tick.time
            elif tick.time - steady_since > _STEADY:
                return Pressed(True, -sensed)
        pulls = "; a positive force presses along the axis" if target > 0.0 else ""
        raise WaitTimeout(
            f"{-target:g} N were not reached within {timeout:g} s; the force target is zero{pulls}"
        )


def _along(axis: Axis) -> Array:
    """The six numbers of a unit force along an axis of the tool.

    Raises:
        Refused: There is no such axis.
    """
    if axis not in ("x", "y", "z"):
        raise Refused(f"an axis of force is x, y or z, not {axis!r}")
    return np.eye(6)["xyz".index(axis)]


def _profile(profile: Values | Profile) -> tuple[Array, Array]:
    """Times and wrenches of a profile.

    Raises:
        Refused: It is none.
    """
    try:
        times = np.array([time for time, _ in profile], float)  # pyright: ignore
        wrenches = np.array([wrench for _, wrench in profile], float)  # pyright: ignore
        good = len(times) > 1 and times[0] == 0.0 and bool((np.diff(times) > 0.0).all())
        good = good and wrenches.shape == (len(times), 6)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise Refused(
            "give six numbers Fx Fy Fz Tx Ty Tz, or a profile [(0, wrench), (time, wrench), …] "
            "with ascending times"
        )
    return times, wrenches
