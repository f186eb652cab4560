"""The motions of an arm: moves that wait, timed paths, conditions and reactions."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.api.arm_joints import Joints
from pliant.api.armed_reaction import ArmedReaction
from pliant.api.durations import check_timeout
from pliant.api.joint_move import joint_targets
from pliant.api.law_ending import RIGID, wait_for_ending
from pliant.api.move_result import Moved, Settling
from pliant.api.session import Session
from pliant.api.timed_points import timed_points
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.errors import ArmStopped, MoveEnded, Refused, WaitTimeout
from pliant.numerics.profiles import PEAK_SPEED
from pliant.numerics.spatial import Array
from pliant.params import Frame
from pliant.reasons import State
from pliant.stages.joints import ReportedMode
from pliant.stages.reference import RefKind
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.armed_reactions import condition_of
from pliant.stages.supervisor.conditions import Condition, condition
from pliant.stages.supervisor.reaction import Reaction, reaction
from pliant.tick import Tick

Values = Sequence[float] | Array
When = Condition | str

_CHUNK = 20
"""Points of a path in one command."""

# Angle, rad, and speed, rad/s, at which joints have arrived; after so long, s, they need not.
_JOINT_NEAR, _JOINT_STILL, _JOINT_LONGEST = 2e-3, 1e-2, 2.0

_OF_THE_TOOL = (c.MoveTo, c.MoveBy, c.FollowPath)
"""Motions of the tool: without a law, position control follows them."""

ENDED = (RefKind.HOLD, RefKind.BRAKE, RefKind.RETRACT)
"""Kinds of the reference after a move that did not come to its end."""


class ArmMotion:
    """The part of `Arm` that moves it."""

    joints: Joints
    _session: Session
    _reactions: dict[int, ArmedReaction]
    _law_ends: bool
    """Whether the law was deactivated since the last motion."""

    @abstractmethod
    def ticks(self, seconds: float = inf) -> Iterator[Tick]:
        """Run the arm tick by tick."""

    @abstractmethod
    def _command(self, kind: type[c.Command], **fields: Any) -> Reply: ...

    # moves

    def move_to(
        self,
        pose: Values,
        *,
        speed: float | None = None,
        wait: bool = True,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Move the reference to a pose x y z qw qx qy qz in the world.

        The active law follows it; if there is none, `position` becomes active.

        Args:
            pose: The pose.
            speed: Speed limit of this move, m/s; rotation in proportion.
            wait: Whether to wait until the tool is there; without waiting it is streamed.
            until: A condition that ends the move: `pliant.force("z") > 5`.
            timeout: After this long, s, the arm holds and `WaitTimeout` is raised.

        Returns:
            How the move ended; None without waiting.

        Raises:
            Refused: The target is out of reach or outside the workspace; nothing moves.
            MoveEnded: The arm could not get to the target, or the law ended.
        """
        return self._move(c.MoveTo, {"pose": pose, "speed": speed}, wait, until, timeout)

    def move_by(
        self,
        delta: Values,
        frame: Frame = "world",
        *,
        speed: float | None = None,
        wait: bool = True,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Move the reference by dx dy dz, m, and a rotation vector, rad; otherwise as `move_to`."""
        fields = {"delta": delta, "frame": frame, "speed": speed}
        return self._move(c.MoveBy, fields, wait, until, timeout)

    def home(
        self,
        joints: Values | None = None,
        time: float | None = None,
        *,
        speed: float | None = None,
        wait: bool = True,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Move the joints to a configuration with minimum jerk; by default to the arm's home.

        Args:
            joints: The configuration, rad.
            time: How long it takes, s; by default 3 s, or what the speed gives.
            speed: Speed of the fastest joint, rad/s.
            wait: Whether to wait until the joints are there.
            until: A condition that ends the move.
            timeout: After this long, s, the arm holds and `WaitTimeout` is raised.

        Without a law the joints move by themselves, as with `joints.move`; `position` ends first.
        """
        check_timeout(timeout)
        self._let_law_end()
        if time is None and self._law in ("", RIGID):
            target = self._session.arm.home if joints is None else joints
            return self.joints.move(target, speed=speed, wait=wait, until=until, timeout=timeout)
        if time is None:
            time = 3.0 if speed is None else self._time_home(joints, speed)
        return self._move(c.Home, {"time": time, "joints": joints}, wait, until, timeout)

    def follow(
        self,
        path: Sequence[tuple[float, Values]],
        *,
        wait: bool = True,
        until: When | None = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Follow a timed path of the tool, its velocity and acceleration fed forward.

        A spline passes every pose at its time. If the path begins in motion, the tool runs up to
        it, so that it is on the path from its first point on; `arm.tick.ref_phase` is the time on
        the path. If the path ends in motion, it slows down so that the tool comes to rest at the
        last pose.

        Args:
            path: Times from 0, s, and poses x y z qw qx qy qz in the world; or rows of both.
            wait: Whether to wait until the tool is at the end.
            until: A condition that ends the motion.
            timeout: After this long, s, the arm holds and `WaitTimeout` is raised.

        Raises:
            Refused: It is too fast, out of reach or outside the workspace; nothing moves.
        """
        points = timed_points(path)
        for first in range(0, len(points), _CHUNK):
            action = "add" if first else "new"
            self._command(c.FollowPath, action=action, points=points[first : first + _CHUNK])
        return self._move(c.FollowPath, {"action": "run"}, wait, until, timeout)

    def jog(self, twist: Values, frame: Frame = "world", timeout: float = 0.2) -> None:
        """Move the reference with a velocity; it stops if no new jog comes within the timeout."""
        self._command(c.Jog, twist=twist, frame=frame, timeout=timeout)

    def sinus(self) -> None:
        """Swing the joints by the parameters of `reference.sinus`."""
        self._command(c.Sinus)

    def follow_hand(self) -> None:
        """Move the tool where a hand pushes it, by the parameters of `reference.follow_hand`."""
        self._command(c.FollowHand)

    def play(self) -> None:
        """Replay the motion of `reference.playback.file`."""
        self._command(c.Playback)

    def circle(self) -> None:
        """Move the tool along a circle, by the parameters of `reference.circle`."""
        self._command(c.Circle)

    def hold(self) -> None:
        """Stop the reference where it is."""
        self._command(c.Hold)

    # conditions

    def on(self, when: When, then: Reaction | str) -> ArmedReaction:
        """Arm a condition: as soon as it holds, the reaction acts, once, in the same tick.

        Args:
            when: The condition: `pliant.force("z") > 5`.
            then: The reaction: `pliant.Reaction.retract(0.01)`, or its text, "retract 0.01".

        Returns:
            A handle with `fired` and `cancel()`.

        Raises:
            Refused: Eight are armed already, or a column cannot be trusted now.
        """
        made, what, since = condition(when), reaction(then), self._now()
        reply = self._command(c.React, condition=str(made), reaction=str(what))
        return self._remember(ArmedReaction(self._session, int(reply.value), made, what, since))

    def _remember(self, armed: ArmedReaction) -> ArmedReaction:
        before = self._reactions.get(armed.number)
        if before is not None:
            # a free number is given again
            before.look_back()
        self._reactions[armed.number] = armed
        return armed

    # waiting

    def _move(
        self,
        kind: type[c.Command],
        fields: dict[str, Any],
        wait: bool,
        until: When | None,
        timeout: float,
    ) -> Moved | None:
        check_timeout(timeout)
        self._let_law_end()
        without_law = self._session.law < 0 and kind in _OF_THE_TOOL
        if without_law:
            self._command(c.Activate, law=RIGID)
        since, guard = self._now(), None
        try:
            if until is None:
                self._command(kind, **fields)
            else:
                guard = self.give_until(kind, fields, condition(until), since)
        except Refused:
            if without_law:
                self._command(c.Deactivate)
                # until then the law counts as active
                next(self.ticks())
            raise
        if not wait:
            return None
        try:
            return self._wait_done(since, guard, timeout)
        except (WaitTimeout, KeyboardInterrupt):
            self.hold()
            raise
        finally:
            self.release(guard)

    def give_until(
        self, kind: type[c.Command], fields: dict[str, Any], when: Condition, since: int
    ) -> ArmedReaction:
        """Give a command that starts a motion together with the condition that ends it."""
        line = write(self._checked(kind, **fields))
        reply = self._command(c.Until, condition=str(when), line=line)
        armed = ArmedReaction(self._session, int(reply.value), when, Reaction.hold(), since)
        return self._remember(armed)

    def release(self, guard: ArmedReaction | None) -> None:
        """Disarm the condition of a move that is over."""
        if guard is not None and self._session.row["reactions_armed"].item():
            guard.cancel()

    def _wait_done(self, since: int, guard: ArmedReaction | None, timeout: float) -> Moved:
        settling, motion = Settling(), None
        for tick in self.ticks(timeout):
            # every command given until now acts at the first of these ticks
            motion = int(tick.ref_seq) if motion is None else motion
            if guard is not None and guard.fired:
                return Moved(False, stopped_by=guard.condition, distance=self._to_go(tick))
            if tick.state != State.ACTIVE:
                raise MoveEnded(f"the law ended: {read_text(self._session.row)}")
            if tick.ref_seq != motion:
                return Moved(False, distance=self._to_go(tick))
            if tick.ref_kind in ENDED and tick.reaction_k.max() > since:
                other = condition_of(self._session.row, int(tick.reaction_k.argmax()) + 1)
                return Moved(False, stopped_by=other, distance=self._to_go(tick))
            if tick.ref_kind in ENDED:
                raise MoveEnded(
                    f"the move ended {self._to_go(tick):.3f} m from its target: the arm cannot "
                    "get closer, at its reach or at a limit"
                )
            if tick.ref_done and (result := settling.result(tick)):
                return result
        raise WaitTimeout(f"the move was not done within {timeout:g} s; the arm holds")

    @staticmethod
    def _to_go(tick: Tick) -> float:
        return float(np.linalg.norm(tick.X_WT[:3] - tick.X_WR_target[:3]))

    def _now(self) -> int:
        """Number of the last tick; what has reacted until then is known to its handle."""
        for armed in self._reactions.values():
            _ = armed.fired
        return int(self._session.row["k"].item())

    # joints

    def move_joints(
        self, target: Values, speed: float | None, wait: bool, until: When | None, timeout: float
    ) -> Moved | None:
        """Send all joints to positions; see `joints.move`."""
        check_timeout(timeout)
        joints = self.joints
        # refused before the law ends
        values = joint_targets(target, joints.names, joints.limits)
        self._leave_joints_to_themselves()
        since = self._now()
        others = [j for j, mode in enumerate(joints.modes()) if mode != ReportedMode.POSITION]
        if others:
            joints.set_modes(others, "position")
        usual = joints.speeds()
        if speed is not None:
            joints.set_speeds([speed / PEAK_SPEED] * len(joints))
        fields = {"joints": list(range(len(joints))), "values": values}
        guard = None
        if until is None:
            self._command(c.PositionMove, **fields)
        else:
            guard = self.give_until(c.PositionMove, fields, condition(until), since)
        if not wait:
            return None
        try:
            return self._wait_joints(np.array(values), guard, timeout)
        except (WaitTimeout, KeyboardInterrupt):
            joints.stop()
            raise
        finally:
            self.release(guard)
            if speed is not None:
                joints.set_speeds(usual)

    def _leave_joints_to_themselves(self) -> None:
        """End the law of moves of the tool; one that gives way goes on, and may refuse."""
        self._let_law_end()
        if self._law == RIGID:
            self._command(c.Deactivate)
            wait_for_ending(self.ticks)

    @property
    def _law(self) -> str:
        """The name of the active law; empty without one."""
        index = self._session.law
        return self._session.laws[index] if index >= 0 else ""

    def _let_law_end(self) -> None:
        if self._law_ends:
            self._law_ends = False
            wait_for_ending(self.ticks)

    def _wait_joints(self, target: Array, guard: ArmedReaction | None, timeout: float) -> Moved:
        done_since = None
        # the command acts at the next tick
        next(self.ticks())
        for tick in self.ticks(timeout):
            distance = float(np.abs(tick.q - target).max())
            if guard is not None and guard.fired:
                return Moved(False, stopped_by=guard.condition, distance=distance)
            if tick.fault.any():
                raise ArmStopped(self.joints.why())
            if tick.joint_done.all():
                done_since = tick.time if done_since is None else done_since
                if distance < _JOINT_NEAR and np.abs(tick.qd).max() < _JOINT_STILL:
                    return Moved(True, distance=distance)
                if tick.time - done_since > _JOINT_LONGEST:
                    return Moved(False, distance=distance)
        raise WaitTimeout(f"the joints still move after {timeout:g} s; they come to rest")

    def _time_home(self, joints: Values | None, speed: float) -> float:
        target = np.array(self._session.arm.home if joints is None else joints, float)
        here = self._session.row["q_sent"][0]
        if not speed > 0.0 or target.shape != here.shape:
            raise Refused(f"give a speed above 0 rad/s and {len(here)} joint positions")
        return max(0.1, PEAK_SPEED * float(np.abs(target - here).max()) / speed)

    @abstractmethod
    def _checked(self, kind: type[c.Command], call: str = "", /, **fields: Any) -> c.Command: ...
