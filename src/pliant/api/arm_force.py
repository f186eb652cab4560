"""The force verbs of an arm: press, slide, guide by hand, retract, follow a profile of wrenches."""

from collections.abc import Sequence
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, cast

import numpy as np

from pliant import commands as c
from pliant.api.arm_motion import ENDED, ArmMotion, Values, When
from pliant.api.durations import check_timeout
from pliant.api.move_result import Moved, Settling
from pliant.errors import Refused, WaitTimeout
from pliant.laws.hybrid_admittance.axes import mask_from_names
from pliant.numerics.spatial import Array
from pliant.params import ForceFrame, Frame
from pliant.pose import Pose
from pliant.tasks.guiding import guide
from pliant.tasks.pressing import PROFILE_STEP, Axis, Force, Pressed, press
from pliant.tasks.retracting import retract
from pliant.tasks.sliding import legs_of, slide

if TYPE_CHECKING:
    from pliant.api.arm import Arm

Profile = Sequence[tuple[float, Values]]


class ArmForce(ArmMotion):
    """The part of `Arm` that controls force. The verbs activate the laws that they need."""

    def set_axes(
        self,
        axes: str | Sequence[str] | Sequence[bool] | Sequence[int] | Array,
        n_af: int | None = None,
        frame: ForceFrame = "tool",
        *,
        turn: bool = False,
    ) -> None:
        """Choose the force-controlled axes; the gains of the law are in the same axes.

        Args:
            axes: Names such as "z", "x y rz" or ["x", "y", "rz"] ("" for none), a mask of six, or,
                with n_af, an orthonormal 6×6 matrix whose first n_af rows are force-controlled.
            n_af: How many rows of a matrix are force-controlled.
            frame: Whose axes they are. Those of the world, or of the task frame, keep their
                direction while the tool turns.
            turn: Whether they are the axes of before in another frame, so that force control goes
                on with what it learned of the surface; otherwise it begins anew.
        """
        _refuse_no_axes(axes, n_af)
        if n_af is not None:
            self._command(c.SetSubspace, Tr=axes, n_af=n_af, frame=frame)
            return
        names = [axes] if isinstance(axes, str) else axes
        named = all(isinstance(name, str) for name in names)
        mask = mask_from_names(" ".join(cast("Sequence[str]", names))) if named else axes
        self._command(c.SetAxes, mask=mask, frame=frame, turn=turn)

    def set_task_frame(self, pose: Values | Pose, *, turn: bool = False) -> None:
        """Set the task frame, whose axes force control may have: `frame="task"`.

        Args:
            pose: Its pose in the world; its orientation acts. Forces are always at the TCP.
            turn: Whether the axes turn on while force control goes on, by small angles; otherwise
                it begins anew in the new axes.
        """
        self._command(c.SetTaskFrame, pose=pose, turn=turn)

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
        if isinstance(wrench, Real) or not len(wrench) or np.isscalar(wrench[0]):
            return np.array(self._command(c.SetWrench, wrench=wrench, frame=frame).value)
        times, wrenches = _profile(wrench)
        start = float(self._session.row["time"].item())
        self.set_wrench(wrenches[0], frame)
        every = max(1, round(PROFILE_STEP / self._session.dt))
        for i, tick in enumerate(self.ticks(times[-1])):
            if i % every == 0:
                now = [np.interp(tick.time - start, times, values) for values in wrenches.T]
                self.set_wrench(now, frame)
        return self.set_wrench(wrenches[-1], frame)

    def press(
        self,
        force: Force,
        axis: Axis = "z",
        *,
        frame: ForceFrame = "tool",
        wait: bool = True,
        until: When | None = None,
        timeout: float = 60.0,
    ) -> Pressed | None:
        """Press with a force along an axis, and go on pressing.

        The arm moves along the axis until it touches something; in free space its speed is the
        force divided by the damping of the law. `hybrid_admittance` keeps the other axes rigid;
        `hybrid_force`, on a torque arm, holds them by springs. They have the gains that you gave
        them: `damping="adaptive"` fits any surface.

        Args:
            force: The force, N, up to `supervisor.wrench_limit`; negative against the axis, but
                not along the tool's z axis, where that would pull into free air. Or
                forces over time, `[(0, 2), (2.5, 8), …]`, s and N, with straight lines between
                them: time counts from when the first is reached; the last one stays.
            axis: The axis.
            frame: Whose axis it is: one of the world or of the task frame keeps its direction.
            wait: Whether to wait until the force is reached, and the profile at its end.
            until: A condition that ends it: the force target becomes zero.
            timeout: After this long, s, the force target becomes zero and `WaitTimeout` is raised;
                if nothing was touched, the force-controlled axes are again those of before.

        Returns:
            How it ended; None without waiting.
        """
        check_timeout(timeout)
        self._let_law_end()
        return press(self._whole, force, axis, frame=frame, wait=wait, until=until, timeout=timeout)

    def slide(
        self,
        delta: Values | Sequence[Values],
        force: float,
        axis: Axis = "z",
        *,
        frame: Frame = "world",
        speed: float | None = None,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Press along an axis of the tool, then slide along a surface of unknown shape.

        The force is kept at right angles to the surface, whose slope is found on the way; the
        orientation of the tool is not changed by it. It begins slowly, because the slope is not
        known at first. Use adaptive damping unless you know the surface.

        Args:
            delta: dx dy dz, m, and a rotation vector, rad, as in `move_by`; along the axis the
                surface decides. Or several, one after another.
            force: The force, N; see `press`.
            axis: The axis of the tool.
            frame: The frame of delta.
            speed: Speed limit, m/s.
            until: A condition that ends the motion; the arm goes on pressing.
            timeout: After this long, s, the arm holds and `WaitTimeout` is raised.
        """
        check_timeout(timeout)
        for leg in legs_of(delta):
            # refused before anything moves
            self._checked(c.MoveBy, "slide", delta=leg, frame=frame, speed=speed)
        self._let_law_end()
        return slide(
            self._whole, delta, force, axis, frame=frame, speed=speed, until=until, timeout=timeout
        )

    def guide(
        self, seconds: float = inf, *, preset: str = "hand_guiding", until: When | None = None
    ) -> None:
        """Let a hand guide the tool; afterwards the arm holds where it is, under `position`.

        A torque arm floats. A position arm yields along all axes with the gains of a preset; those
        of `hand_guiding` are for free space: on a hard surface they would ring.

        Args:
            seconds: For how long.
            preset: The gains of a position arm.
            until: A condition that ends it.
        """
        check_timeout(seconds, "how long to guide")
        guide(self._whole, seconds, preset=preset, until=until)

    def retract(
        self, distance: float = 0.02, axis: Axis = "z", *, speed: float | None = None
    ) -> Moved | None:
        """End all forces and move back against an axis of the tool, all axes rigid.

        Args:
            distance: How far, m.
            axis: The axis of the tool.
            speed: Speed limit, m/s.
        """
        self._let_law_end()
        return retract(self._whole, distance, axis, speed=speed)

    def wait_done(self, timeout: float = inf) -> Moved:
        """Wait until the motion under way is done: one begun with `wait=False`, or a reaction's.

        Raises:
            WaitTimeout: It was not done within the timeout; the arm holds.
            MoveEnded: The arm could not get to the target, or the law ended.
        """
        check_timeout(timeout)
        since = self._now()
        # a command acts at the next tick
        row = next(self.ticks())
        try:
            if row.ref_kind in ENDED:
                return self._wait_rest(timeout)
            return self._wait_done(since, None, timeout)
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

    @property
    def _whole(self) -> "Arm":
        """This arm with all its verbs."""
        return cast("Arm", self)


def _refuse_no_axes(axes: object, n_af: object) -> None:
    """Refuse what can be neither names, a mask nor a matrix with its number of rows."""
    if isinstance(n_af, str):
        raise Refused(
            f"give a frame by its name, set_axes(axes, frame={n_af!r}): tool, world or task; n_af "
            "is the number of force-controlled rows of a matrix"
        )
    if not isinstance(axes, str | Sequence | np.ndarray):
        raise Refused(f'axes are names, as in "z" or "x y rz", or a mask of six, not {axes!r}')
    if n_af is not None and (isinstance(axes, str) or len(axes) != 6):
        raise Refused("n_af goes with a 6×6 matrix; leave it out for names or a mask of six")


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
