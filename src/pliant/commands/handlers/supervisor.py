"""The supervisor: decides on commands, and writes what they ask for into the tick."""

from collections.abc import Callable, Sequence
from functools import singledispatchmethod

import numpy as np

from pliant import commands as c
from pliant.arms.description import ArmDescription
from pliant.commands.handlers import refusals
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.handlers.joint_handlers import JointCommands
from pliant.commands.handlers.live_parameters import refuse_fixed
from pliant.commands.handlers.motion_handlers import begin, check_sinus, start_of
from pliant.commands.handlers.moved_poses import after_switch, moved
from pliant.commands.handlers.wishes import Pending
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import ConfigError, PliantError, Refused
from pliant.laws import Law, TorqueLaw
from pliant.laws.hybrid_admittance import preset
from pliant.laws.hybrid_admittance.axes import axes_from_mask
from pliant.numerics.kernels import Direct
from pliant.numerics.spatial import Array
from pliant.reasons import Reason, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.reference import ReferenceStage, RefKind
from pliant.stages.supervisor.explain import write_reason
from pliant.stages.supervisor.reason_text import (
    clamped,
    joint_faults,
    numbers,
    read_text,
    write_text,
)
from pliant.stages.supervisor.states import State, carry, decide, enter, supervise, without_law
from pliant.tick import Rows

_FRAMES = {"tool": 0, "world": 1}


class Supervisor:
    """Takes commands in between ticks and turns them into columns at the next one.

    A decision looks at the last tick and at the commands already taken, never at the wall clock, so
    it is the same live and recomputed. A command that is refused raises and changes nothing.

    Attributes:
        idle: Nothing was asked for since the last tick.
        needs_force: Whether each law may only run while the wrench verdict is `READY`.
        guard: Says what to beware of in a configuration, or raises `ConfigError` if it is not to
            be put in force.
    """

    guard: Callable[[Config], str] = staticmethod(lambda _: "")

    def __init__(
        self,
        config: Config,
        laws: Sequence[Law],
        dt: float,
        apply: Callable[[Config, str], None],
        arm: ArmDescription,
        simulated: bool = False,
        reference: ReferenceStage | None = None,
    ) -> None:
        """Make a supervisor.

        Args:
            config: The configuration in force.
            laws: The laws that the arm can run, configured.
            dt: The control period, s.
            apply: Called with a new configuration and the section that changed.
            arm: The arm's figures.
            simulated: Whether faults may be pretended.
            reference: Who moves the reference; without it there are no motions of the arm's own.

        Raises:
            ConfigError: Two laws have one name, or one has gains that cannot work.
        """
        names = [law.name for law in laws]
        if len(set(names)) < len(names):
            raise ConfigError(f"every law needs a name of its own, not {', '.join(names)}")
        self.config = config
        self._laws = list(laws)
        self._dt, self._apply = dt, apply
        self.joints = JointCommands(config, arm, dt, simulated)
        self._reference = reference
        self.needs_force = np.array([law.needs_force for law in laws])
        self._stop_time = config.supervisor.stop_time
        self._supervise, self._carry = Direct(supervise), Direct(carry)
        self._decide_states = Direct(decide)
        self._pending = Pending()
        self._new_limits, self.idle = False, True
        # looked up once, because every look-up makes a new function
        self._decide_on = self._decide
        for law in laws:
            law.check(law.config, dt)

    @property
    def law_names(self) -> list[str]:
        """The laws in the order of their index in the tick."""
        return [law.name for law in self._laws]

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the supervisor's columns of this tick."""
        if self.idle:
            changed = self._supervise.call(prev, tick, self.needs_force, self._stop_time)
        else:
            self._carry.call(prev, tick)
            self._pending.write(tick)
            changed = self._decide_states.call(
                prev, tick, self.needs_force, self._stop_time, self._new_limits
            )
            self._pending, self._new_limits, self.idle = Pending(), False, True
        if changed:
            self.explain(prev, tick)

    def explain(self, prev: Rows, tick: Rows) -> None:
        """Write the new reason of this tick in words."""
        write_reason(prev, tick, self.config.safety)

    def stop(self, row: Rows, reason: Reason) -> None:
        """End the active law, or what the joints do by themselves; a fault keeps its own reason."""
        state = self._pending.state(row)
        if state == State.FAULT:
            return
        self.idle = False
        self._pending["reason"] = reason
        if self._pending.law(row) < 0:
            self._pending["mode_wanted"] = JointMode.IDLE
        if state == State.ACTIVE:
            self._pending |= {
                "state": State.STOPPING,
                "state_since": row["time"][0] + self._dt,
                "w_target": 0.0,
                "ref_kind": RefKind.HOLD,
            }
            if self._gives_torque(self._pending.law(row)):
                # the joints' servo brakes and holds the arm, which the law need not do
                self._pending["mode_wanted"] = JointMode.IDLE

    def fail(self, prev: Rows, tick: Rows, text: str) -> None:
        """Enter the fault state because something in the loop raised."""
        carry(prev, tick)
        self._pending, self._new_limits, self.idle = Pending(), False, True
        if prev["reason"].item() != Reason.EXCEPTION:
            enter(tick, State.FAULT.value, Reason.EXCEPTION.value)
        write_text(tick, text)

    def take(self, command: c.Command, row: Rows) -> Reply:
        """Decide on a command, given the last tick.

        Raises:
            Refused: It cannot be done now; the message says why and what can be done instead.
            ConfigError: A value in it can never work.
            UnknownNameError: There is no such law, preset or parameter.
        """
        self.idle = False
        return self._decide_on(command, row)

    @singledispatchmethod
    def _decide(self, command: c.Command, row: Rows) -> Reply:
        raise Refused(f"{type(command).__name__} is not a command that the supervisor knows")

    @_decide.register
    def _(self, command: c.SetWrench, row: Rows) -> Reply:
        state = self._pending.state(row)
        if state == State.STOPPING:
            raise Refused("the law is coming to rest: activate one first")
        refusals.refuse_in_fault(state, row)
        asked, limit = command.wrench, self.config.supervisor.wrench_limit
        applied = [max(-most, min(most, one)) for one, most in zip(asked, limit, strict=True)]
        self._pending["w_target"] = np.array(applied)
        self._pending["w_target_frame"] = _FRAMES[command.frame]
        text = f"wrench target {numbers(applied)} in {command.frame} axes"
        return Reply(text=text + clamped(asked, applied), applied=self._pending["w_target"])

    @_decide.register
    def _(self, command: c.SetAxes, row: Rows) -> Reply:
        return self._select(*axes_from_mask(command.mask), row)

    @_decide.register
    def _(self, command: c.SetSubspace, row: Rows) -> Reply:
        return self._select(np.array(command.Tr), command.n_af, row)

    def _select(self, Tr: Array, n_af: int, row: Rows) -> Reply:
        refusals.refuse_limp_axes(self.config, Tr, n_af)
        count = self._pending.now(row, "axes_seq") + 1
        self._pending |= {"Tr": Tr, "n_af": n_af, "axes_seq": count}
        if row["ref_done"][0] and "ref_kind" not in self._pending:
            # a reference at rest stays where the switch leaves it
            self._pending["ref_kind"] = RefKind.HOLD
        return Reply(text=f"{n_af} of 6 axes force-controlled", applied=(Tr, n_af))

    @_decide.register
    def _(self, command: c.MoveTo, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        pose = np.array(command.pose)
        refusals.refuse_outside(pose, self.config.safety)
        self._pending |= {"ref_kind": RefKind.POSE, "X_WR_target": pose}
        return Reply(text=f"moving to {numbers(pose)}", applied=pose)

    @_decide.register
    def _(self, command: c.MoveBy, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        moving = self._pending.ref_kind(row) == RefKind.POSE
        start = self._pending.now(row, "X_WR_target") if moving else self._resting(row)
        pose = moved(start, np.array(command.delta), command.frame)
        refusals.refuse_outside(pose, self.config.safety)
        self._pending |= {"ref_kind": RefKind.POSE, "X_WR_target": pose}
        return Reply(text=f"moving to {numbers(pose)}", applied=pose)

    def _resting(self, row: Rows) -> Array:
        """Where a reference at rest will be, an axis that ceases to yield left where it is."""
        if "axes_seq" not in self._pending:
            return row["X_WR"][0]
        return after_switch(row, self._pending["Tr"], self._pending["n_af"])

    @_decide.register
    def _(self, command: c.Jog, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        self._pending |= {
            "ref_kind": RefKind.JOG,
            "v_jog": command.twist,
            "v_jog_frame": _FRAMES[command.frame],
            "jog_until": row["time"][0] + self._dt + command.timeout,
        }
        return Reply(text=f"jogging {numbers(command.twist)} for {command.timeout:g} s")

    @_decide.register
    def _(self, command: c.StartReference, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool" if isinstance(command, c.Circle) else "joints")
        if self._reference is None:
            raise Refused("there is nobody here to move the reference")
        law = self._laws[self._pending.law(row)]
        start = start_of(row, law, fresh="law" in self._pending)
        wanted = begin(command, start, self._reference, self.config)
        self._pending |= {"ref_since": row["time"][0], "ref_time": 0.0} | wanted
        return Reply(text=f"{type(command).word.lower()} begun")

    @_decide.register
    def _(self, command: c.Hold, row: Rows) -> Reply:
        self._pending["ref_kind"] = RefKind.HOLD
        return Reply(text="holding")

    @_decide.register
    def _(self, command: c.Zero, row: Rows) -> Reply:
        asked = np.any(self._pending.now(row, "w_target")) or np.any(row["w_desired_T"][0])
        refusals.refuse_zeroing(
            row, self._pending.law(row) >= 0 and bool(asked), self.config.wrench.plausible
        )
        self._pending["zero_seq"] = self._pending.now(row, "zero_seq") + 1
        return Reply(text=f"zeroing for {self.config.wrench.zero_time:g} s")

    @_decide.register
    def _(self, command: c.Activate, row: Rows) -> Reply:
        refusals.refuse_unknown_law(command.law, self.law_names)
        index = self.law_names.index(command.law)
        state = self._pending.state(row)
        refusals.refuse_in_fault(state, row)
        self.joints.refuse_unless_ready(row, self._pending.after(row))
        verdict = Verdict(int(row["verdict"][0]))
        if self.needs_force[index] and verdict is not Verdict.READY:
            raise Refused(f"{command.law} needs the force sensor: {verdict.text}")
        if self._pending.law(row) == index and state == State.ACTIVE:
            return Reply(text=f"{command.law} is active already", applied=command.law)
        self._pending |= {
            "state": State.ACTIVE,
            "state_since": row["time"][0] + self._dt,
            "reason": Reason.NONE,
            "law": index,
            "law_seq": self._pending.now(row, "law_seq") + 1,
            "ref_kind": RefKind.HOLD,
            "mode_wanted": (
                JointMode.TORQUE if self._gives_torque(index) else JointMode.POSITION_DIRECT
            ),
        }
        return Reply(text=f"{command.law} active", applied=command.law)

    def _gives_torque(self, law: int) -> bool:
        return isinstance(self._laws[law], TorqueLaw)

    @_decide.register
    def _(self, command: c.Deactivate, row: Rows) -> Reply:
        if self._pending.state(row) != State.ACTIVE:
            return Reply(text="no law is active")
        self.stop(row, Reason.STOP_ASKED)
        return Reply(text="stopping")

    @_decide.register
    def _(self, command: c.Reset, row: Rows) -> Reply:
        if self._pending.state(row) != State.FAULT:
            return Reply(text="no fault to reset")
        refusals.refuse_unless_cause_gone(row, self._new_limits)
        self._pending |= self.joints.clear(row, self._pending.after(row))
        self._pending |= {
            "state": State.INACTIVE,
            "state_since": row["time"][0] + self._dt,
            "reason": Reason.NONE,
        }
        return Reply(text="reset; inactive")

    @_decide.register
    def _(self, command: c.JointCommand, row: Rows) -> Reply:
        law = self._pending.law(row)
        if command.acts and not command.idles:
            refusals.refuse_in_fault(self._pending.state(row), row)
            if law >= 0:
                raise Refused(f"{self.law_names[law]} drives the joints: deactivate it first")
            if row["new_fault"][0]:
                raise Refused(f"{joint_faults(row)}: the other joints come to rest; ask again")
        columns, text = self.joints.take(command, row, self._pending.after(row))
        if law >= 0 and command.acts:
            columns |= without_law(row["time"][0] + self._dt)
        self._pending |= columns
        return Reply(text=text)

    @_decide.register
    def _(self, command: c.SetParameter, row: Rows) -> Reply:
        section, _, _ = command.path.partition(".")
        self.config.get(command.path)
        refuse_fixed(command.path, self.joints.arm)
        asked, seen = self._pending.now(row, "zero_seq"), row["zero_seen"][0]
        if section in ("wrench", "tool") and (row["zero_left"][0] > 0 or asked != seen):
            raise Refused("the sensor is being zeroed with the parameters it began with: wait")
        beware = self._adopt(self.config.replace(command.path, command.value), section, row)
        return Reply(text=f"{command.path} set{beware}", applied=self.config.get(command.path))

    @_decide.register
    def _(self, command: c.SetStiffness, row: Rows) -> Reply:
        return self._set_gain("stiffness", command.stiffness, row)

    @_decide.register
    def _(self, command: c.SetDamping, row: Rows) -> Reply:
        return self._set_gain("damping", command.damping, row)

    @_decide.register
    def _(self, command: c.SetInertia, row: Rows) -> Reply:
        return self._set_gain("inertia", command.inertia, row)

    def _set_gain(self, name: str, value: tuple[float, ...], row: Rows) -> Reply:
        path = f"laws.hybrid_admittance.{name}"
        beware = self._adopt(self.config.replace(path, value), "laws", row)
        return Reply(text=f"{name} {numbers(value)}{beware}", applied=value)

    @_decide.register
    def _(self, command: c.UsePreset, row: Rows) -> Reply:
        if command.name in CONTROLLERS:
            return self._start_controller(command.name, row)
        path = "laws.hybrid_admittance"
        gains = preset(command.name, others=CONTROLLERS)
        beware = self._adopt(self.config.replace(path, gains), "laws", row)
        return Reply(text=f"preset {command.name}{beware}", applied=self.config.get(path))

    def _start_controller(self, name: str, row: Rows) -> Reply:
        """Gains, law and motion at once, or nothing of it."""
        controller = CONTROLLERS[name]
        pending, config = Pending(self._pending), self.config
        try:
            self.take(c.Activate(law=controller.law), row)
            path = f"laws.{controller.law}"
            self._adopt(self.config.replace(path, controller.gains), "laws", row)
            if controller.reference is not None:
                self.take(controller.reference, row)
        except PliantError:
            self._pending = pending
            if self.config is not config:
                self._adopt(config, "laws", row)
            raise
        return Reply(text=f"preset {name}: {controller.law} active", applied=controller.gains)

    def _adopt(self, config: Config, section: str, row: Rows) -> str:
        """Check a configuration against everything, put it in force, say what to beware of."""
        for law in self._laws:
            changed = getattr(config.laws, law.name, None)
            if changed is not None:
                law.check(changed, self._dt)
        warning = self.guard(config)
        Tr, n_af = self._pending.now(row, "Tr"), self._pending.now(row, "n_af")
        refusals.refuse_limp_axes(config, Tr, int(n_af))
        if self._pending.law(row) >= 0:
            refusals.refuse_loading(self.config, config)
        self._apply(config, section)
        if self._reference is not None and self._pending.ref_kind(row) == RefKind.SINUS:
            try:
                check_sinus(self._pending.now(row, "q_target"), self._reference)
            except Refused:
                self._apply(self.config, section)
                raise
        self.config = config
        self.joints.configure(config)
        self._stop_time = config.supervisor.stop_time
        self._new_limits = self._new_limits or section == "safety"
        return f"; beware: {warning}" if warning else ""

    def _refuse_without_law(self, row: Rows, reference: str) -> None:
        if self._pending.state(row) != State.ACTIVE:
            raise Refused(
                f"no law is active; activate one of: {', '.join(self.law_names)}"
                if self._pending.state(row) != State.FAULT
                else f"in fault ({read_text(row)}): reset, then activate a law"
            )
        refusals.refuse_mismatch(self._laws[self._pending.law(row)], self._laws, reference)
