"""The supervisor: decides on each command and writes what it asks of the next tick."""

from collections.abc import Callable, Sequence
from functools import singledispatchmethod

import numpy as np

from pliant import commands as c
from pliant.arms.description import ArmDescription
from pliant.commands.handlers import refusals
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.handlers.joint_handlers import JointHandlers
from pliant.commands.handlers.live_parameters import refuse_fixed
from pliant.commands.handlers.motion_handlers import begin, check_sinus, start_of
from pliant.commands.handlers.moved_poses import after_switch, moved
from pliant.commands.reply import Reply, clamped, numbers
from pliant.config import Config
from pliant.errors import ConfigError, PliantError, Refused
from pliant.laws import Law, TorqueLaw
from pliant.laws.hybrid_admittance import preset
from pliant.laws.hybrid_admittance.axes import axes_from_mask
from pliant.numerics.spatial import Array
from pliant.reasons import Reason, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.reference import ReferenceStage, RefKind
from pliant.stages.supervisor.reason_text import joint_faults, read_text
from pliant.stages.supervisor.stage import SupervisorStage
from pliant.stages.supervisor.states import State, without_law
from pliant.stages.supervisor.wishes import Wishes
from pliant.tick import Rows

_FRAMES = {"tool": 0, "world": 1}


class Supervisor:
    """Decides on commands between ticks and writes what they ask for as wishes of its stage.

    A decision depends on the last tick and on the commands accepted since, never on the wall
    clock, so it is the same live and recomputed. A refused command raises and changes nothing.

    Attributes:
        config: The configuration in force.
        stage: The stage that takes the wishes over at the next tick.
        joints: Decides on commands to the joint board.
        guard: Returns a warning about a configuration, or raises `ConfigError` to refuse it.
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
            arm: The arm's parameters.
            simulated: Whether faults may be injected.
            reference: The reference stage; without it, no reference motion can be started.

        Raises:
            ConfigError: Two laws have the same name, or a law has gains that cannot work.
        """
        names = [law.name for law in laws]
        if len(set(names)) < len(names):
            raise ConfigError(f"law names must be unique, got {', '.join(names)}")
        self.config = config
        self._laws = list(laws)
        self._dt, self._apply = dt, apply
        self.joints = JointHandlers(config, arm, dt, simulated)
        self._reference = reference
        needs_force = [law.needs_force for law in laws]
        self.stage = SupervisorStage(config.supervisor, config.safety, needs_force, arm.n)
        # looked up once: each look-up of a singledispatchmethod makes a new function
        self._decide_on = self._decide
        for law in laws:
            law.check(law.config, dt)

    @property
    def law_names(self) -> list[str]:
        """The laws in the order of their index in the tick."""
        return [law.name for law in self._laws]

    @property
    def idle(self) -> bool:
        """Whether nothing was asked for since the last tick."""
        return self.stage.wishes.empty

    @property
    def _wishes(self) -> Wishes:
        return self.stage.wishes

    @_wishes.setter
    def _wishes(self, wishes: Wishes) -> None:
        self.stage.wishes = wishes

    def stop(self, row: Rows, reason: Reason) -> None:
        """End the active law, or the motion of the joints without one; a fault keeps its reason."""
        state = self._wishes.state(row)
        if state == State.FAULT:
            return
        self._wishes["reason"] = reason
        if self._wishes.law(row) < 0:
            self._wishes["mode_wanted"] = JointMode.IDLE
        if state == State.ACTIVE:
            self._wishes |= {
                "state": State.STOPPING,
                "state_since": row["time"][0] + self._dt,
                "w_target": 0.0,
                "ref_kind": RefKind.HOLD,
            }
            if self._gives_torque(self._wishes.law(row)):
                # the joint servo brakes and holds the arm
                self._wishes["mode_wanted"] = JointMode.IDLE

    def take(self, command: c.Command, row: Rows) -> Reply:
        """Decide on a command, given the last tick.

        Raises:
            Refused: It cannot be done now; the message says why and what can be done instead.
            ConfigError: A value in it can never work.
            UnknownNameError: There is no such law, preset or parameter.
        """
        return self._decide_on(command, row)

    @singledispatchmethod
    def _decide(self, command: c.Command, row: Rows) -> Reply:
        raise Refused(f"{type(command).__name__} is not for the supervisor")

    @_decide.register
    def _(self, command: c.SetWrench, row: Rows) -> Reply:
        state = self._wishes.state(row)
        if state == State.STOPPING:
            raise Refused("the law is coming to rest: activate one first")
        refusals.refuse_in_fault(state, row)
        asked, limit = command.wrench, self.config.supervisor.wrench_limit
        applied = [max(-most, min(most, one)) for one, most in zip(asked, limit, strict=True)]
        self._wishes["w_target"] = np.array(applied)
        self._wishes["w_target_frame"] = _FRAMES[command.frame]
        text = f"wrench target {numbers(applied)} in {command.frame} axes"
        return Reply(text=text + clamped(asked, applied), value=self._wishes["w_target"])

    @_decide.register
    def _(self, command: c.SetAxes, row: Rows) -> Reply:
        return self._select(*axes_from_mask(command.mask), row)

    @_decide.register
    def _(self, command: c.SetSubspace, row: Rows) -> Reply:
        return self._select(np.array(command.Tr), command.n_af, row)

    def _select(self, Tr: Array, n_af: int, row: Rows) -> Reply:
        refusals.refuse_limp_axes(self.config, Tr, n_af)
        count = self._wishes.now(row, "axes_seq") + 1
        self._wishes |= {"Tr": Tr, "n_af": n_af, "axes_seq": count}
        if row["ref_done"][0] and "ref_kind" not in self._wishes:
            # a reference at rest stays where the switch leaves it
            self._wishes["ref_kind"] = RefKind.HOLD
        return Reply(text=f"{n_af} of 6 axes force-controlled", value=(Tr, n_af))

    @_decide.register
    def _(self, command: c.MoveTo, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        pose = np.array(command.pose)
        refusals.refuse_outside(pose, self.config.safety)
        self._wishes |= {"ref_kind": RefKind.POSE, "X_WR_target": pose}
        return Reply(text=f"moving to {numbers(pose)}", value=pose)

    @_decide.register
    def _(self, command: c.MoveBy, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        moving = self._wishes.ref_kind(row) == RefKind.POSE
        start = self._wishes.now(row, "X_WR_target") if moving else self._resting(row)
        pose = moved(start, np.array(command.delta), command.frame)
        refusals.refuse_outside(pose, self.config.safety)
        self._wishes |= {"ref_kind": RefKind.POSE, "X_WR_target": pose}
        return Reply(text=f"moving to {numbers(pose)}", value=pose)

    def _resting(self, row: Rows) -> Array:
        """Where a reference at rest will be; axes that stop being compliant stay where they are."""
        if "axes_seq" not in self._wishes:
            return row["X_WR"][0]
        return after_switch(row, self._wishes["Tr"], self._wishes["n_af"])

    @_decide.register
    def _(self, command: c.Jog, row: Rows) -> Reply:
        self._refuse_without_law(row, "tool")
        self._wishes |= {
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
            raise Refused("this supervisor has no reference stage")
        law = self._laws[self._wishes.law(row)]
        start = start_of(row, law, fresh="law" in self._wishes)
        wanted = begin(command, start, self._reference, self.config)
        self._wishes |= {"ref_since": row["time"][0], "ref_time": 0.0} | wanted
        return Reply(text=f"{type(command).word.lower()} begun")

    @_decide.register
    def _(self, command: c.Hold, row: Rows) -> Reply:
        self._wishes["ref_kind"] = RefKind.HOLD
        return Reply(text="holding")

    @_decide.register
    def _(self, command: c.Zero, row: Rows) -> Reply:
        asked = np.any(self._wishes.now(row, "w_target")) or np.any(row["w_desired_T"][0])
        refusals.refuse_zeroing(
            row, self._wishes.law(row) >= 0 and bool(asked), self.config.wrench.plausible
        )
        self._wishes["zero_seq"] = self._wishes.now(row, "zero_seq") + 1
        return Reply(text=f"zeroing for {self.config.wrench.zero_time:g} s")

    @_decide.register
    def _(self, command: c.Activate, row: Rows) -> Reply:
        refusals.refuse_unknown_law(command.law, self.law_names)
        index = self.law_names.index(command.law)
        state = self._wishes.state(row)
        refusals.refuse_in_fault(state, row)
        self.joints.refuse_unless_ready(row, self._wishes.after(row))
        verdict = Verdict(int(row["verdict"][0]))
        if self._laws[index].needs_force and verdict is not Verdict.READY:
            raise Refused(f"{command.law} needs the force sensor: {verdict.text}")
        if self._wishes.law(row) == index and state == State.ACTIVE:
            return Reply(text=f"{command.law} is active already", value=command.law)
        self._wishes |= {
            "state": State.ACTIVE,
            "state_since": row["time"][0] + self._dt,
            "reason": Reason.NONE,
            "law": index,
            "law_seq": self._wishes.now(row, "law_seq") + 1,
            "ref_kind": RefKind.HOLD,
            "mode_wanted": (
                JointMode.TORQUE if self._gives_torque(index) else JointMode.POSITION_DIRECT
            ),
        }
        return Reply(text=f"{command.law} active", value=command.law)

    def _gives_torque(self, law: int) -> bool:
        return isinstance(self._laws[law], TorqueLaw)

    @_decide.register
    def _(self, command: c.Deactivate, row: Rows) -> Reply:
        if self._wishes.state(row) != State.ACTIVE:
            return Reply(text="no law is active")
        self.stop(row, Reason.STOP_ASKED)
        return Reply(text="stopping")

    @_decide.register
    def _(self, command: c.Reset, row: Rows) -> Reply:
        if self._wishes.state(row) != State.FAULT:
            return Reply(text="no fault to reset")
        refusals.refuse_unless_cause_gone(row, self._wishes.new_limits)
        self._wishes |= self.joints.clear(row, self._wishes.after(row))
        self._wishes |= {
            "state": State.INACTIVE,
            "state_since": row["time"][0] + self._dt,
            "reason": Reason.NONE,
        }
        return Reply(text="reset; inactive")

    @_decide.register
    def _(self, command: c.JointCommand, row: Rows) -> Reply:
        law = self._wishes.law(row)
        if command.acts and not command.idles:
            refusals.refuse_in_fault(self._wishes.state(row), row)
            if law >= 0:
                raise Refused(f"{self.law_names[law]} drives the joints: deactivate it first")
            if row["new_fault"][0]:
                raise Refused(f"{joint_faults(row)}: the other joints come to rest; ask again")
        columns, text = self.joints.take(command, row, self._wishes.after(row))
        if law >= 0 and command.acts:
            columns |= without_law(row["time"][0] + self._dt)
        self._wishes |= columns
        return Reply(text=text)

    @_decide.register
    def _(self, command: c.SetParameter, row: Rows) -> Reply:
        section, _, _ = command.path.partition(".")
        self.config.get(command.path)
        refuse_fixed(command.path, self.joints.arm)
        asked, seen = self._wishes.now(row, "zero_seq"), row["zero_seen"][0]
        if section in ("wrench", "tool") and (row["zero_left"][0] > 0 or asked != seen):
            raise Refused("the sensor is being zeroed with the parameters it began with: wait")
        warning = self._adopt(self.config.replace(command.path, command.value), section, row)
        return Reply(text=f"{command.path} set{warning}", value=self.config.get(command.path))

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
        warning = self._adopt(self.config.replace(path, value), "laws", row)
        return Reply(text=f"{name} {numbers(value)}{warning}", value=value)

    @_decide.register
    def _(self, command: c.UsePreset, row: Rows) -> Reply:
        if command.name in CONTROLLERS:
            return self._start_controller(command.name, row)
        path = "laws.hybrid_admittance"
        gains = preset(command.name, others=CONTROLLERS)
        warning = self._adopt(self.config.replace(path, gains), "laws", row)
        return Reply(text=f"preset {command.name}{warning}", value=self.config.get(path))

    def _start_controller(self, name: str, row: Rows) -> Reply:
        """Set gains, law and motion together; if one is refused, none takes effect."""
        controller = CONTROLLERS[name]
        wishes, config = Wishes(self._wishes), self.config
        try:
            self.take(c.Activate(law=controller.law), row)
            path = f"laws.{controller.law}"
            self._adopt(self.config.replace(path, controller.gains), "laws", row)
            if controller.reference is not None:
                self.take(controller.reference, row)
        except PliantError:
            self._wishes = wishes
            if self.config is not config:
                self._adopt(config, "laws", row)
            raise
        return Reply(text=f"preset {name}: {controller.law} active", value=controller.gains)

    def _adopt(self, config: Config, section: str, row: Rows) -> str:
        """Check a configuration, put it in force, and return a warning to add to the reply."""
        for law in self._laws:
            changed = getattr(config.laws, law.name, None)
            if changed is not None:
                law.check(changed, self._dt)
        warning = self.guard(config)
        Tr, n_af = self._wishes.now(row, "Tr"), self._wishes.now(row, "n_af")
        refusals.refuse_limp_axes(config, Tr, int(n_af))
        if self._wishes.law(row) >= 0:
            refusals.refuse_loading(self.config, config)
        self._apply(config, section)
        if self._reference is not None and self._wishes.ref_kind(row) == RefKind.SINUS:
            try:
                check_sinus(self._wishes.now(row, "q_target"), self._reference)
            except Refused:
                self._apply(self.config, section)
                raise
        self.config = config
        self.joints.configure(config)
        self.stage.configure(config.supervisor, config.safety)
        self._wishes.new_limits |= section == "safety"
        return f"; warning: {warning}" if warning else ""

    def _refuse_without_law(self, row: Rows, reference: str) -> None:
        if self._wishes.state(row) != State.ACTIVE:
            raise Refused(
                f"no law is active; activate one of: {', '.join(self.law_names)}"
                if self._wishes.state(row) != State.FAULT
                else f"in fault ({read_text(row)}): reset, then activate a law"
            )
        refusals.refuse_mismatch(self._laws[self._wishes.law(row)], self._laws, reference)
