"""What the handlers share: the configuration in force, the laws, the wishes for the next tick."""

from collections.abc import Callable, Sequence

from pliant.arms.description import ArmDescription
from pliant.commands.handlers import refusals
from pliant.commands.handlers.joint_handlers import JointHandlers
from pliant.commands.handlers.reference_motions import check_sinus
from pliant.config import Config
from pliant.errors import ConfigError, Refused
from pliant.laws import Law, TorqueLaw
from pliant.reasons import Reason
from pliant.stages.joints import JointMode
from pliant.stages.reference import ReferenceStage, RefKind
from pliant.stages.supervisor.reason_text import read_text
from pliant.stages.supervisor.stage import SupervisorStage
from pliant.stages.supervisor.states import State
from pliant.stages.supervisor.wishes import Wishes
from pliant.tick import Rows


class HandlerContext:
    """The state on which handlers decide, and the steps that several of them share.

    Attributes:
        config: The configuration in force.
        laws: The laws that the arm can run, in the order of their index in the tick.
        dt: The control period, s.
        reference: The reference stage; None if no reference motion can be started.
        stage: The stage that applies the wishes at the next tick.
        joints: Handlers of the commands to the joints.
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
        """Make the context of one arm.

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
        self.laws = list(laws)
        self.dt, self._apply = dt, apply
        self.joints = JointHandlers(config, arm, dt, simulated)
        self.reference = reference
        needs_force = [law.needs_force for law in laws]
        self.stage = SupervisorStage(config.supervisor, config.safety, needs_force, arm.n)
        for law in laws:
            law.check(law.config, dt)

    @property
    def law_names(self) -> list[str]:
        """The names of the laws."""
        return [law.name for law in self.laws]

    @property
    def idle(self) -> bool:
        """Whether no command was accepted since the last tick."""
        return self.wishes.empty

    @property
    def wishes(self) -> Wishes:
        """What the commands accepted since the last tick ask of the next one."""
        return self.stage.wishes

    @wishes.setter
    def wishes(self, wishes: Wishes) -> None:
        self.stage.wishes = wishes

    def stop(self, row: Rows, reason: Reason) -> None:
        """End the active law, or the motion of the joints without one; a fault keeps its reason."""
        state = self.wishes.state(row)
        if state == State.FAULT:
            return
        self.wishes["reason"] = reason
        if self.wishes.law(row) < 0:
            self.wishes["mode_wanted"] = JointMode.IDLE
        if state == State.ACTIVE:
            self.wishes |= {
                "state": State.STOPPING,
                "state_since": row["time"][0] + self.dt,
                "w_target": 0.0,
                "ref_kind": RefKind.HOLD,
            }
            if self.gives_torque(self.wishes.law(row)):
                # the joint servo brakes and holds the arm
                self.wishes["mode_wanted"] = JointMode.IDLE

    def adopt(self, config: Config, section: str, row: Rows) -> str:
        """Check a configuration, put it in force, and return a warning to add to the reply."""
        for law in self.laws:
            changed = getattr(config.laws, law.name, None)
            if changed is not None:
                law.check(changed, self.dt)
        warning = self.guard(config)
        Tr, n_af = self.wishes.now(row, "Tr"), self.wishes.now(row, "n_af")
        refusals.refuse_limp_axes(config, Tr, int(n_af))
        if self.wishes.law(row) >= 0:
            refusals.refuse_loading(self.config, config)
        self._apply(config, section)
        if self.reference is not None and self.wishes.ref_kind(row) == RefKind.SINUS:
            try:
                check_sinus(self.wishes.now(row, "q_target"), self.reference)
            except Refused:
                self._apply(self.config, section)
                raise
        self.config = config
        self.joints.configure(config)
        self.wishes.new_limits |= section == "safety"
        return f"; warning: {warning}" if warning else ""

    def refuse_without_law(self, row: Rows, reference: str) -> None:
        """Refuse unless a law is active that follows this kind of reference."""
        if self.wishes.state(row) != State.ACTIVE:
            raise Refused(
                f"no law is active; activate one of: {', '.join(self.law_names)}"
                if self.wishes.state(row) != State.FAULT
                else f"in fault ({read_text(row)}): reset, then activate a law"
            )
        refusals.refuse_mismatch(self.laws[self.wishes.law(row)], self.laws, reference)

    def gives_torque(self, law: int) -> bool:
        """Whether a law, by its index, commands joint torques."""
        return isinstance(self.laws[law], TorqueLaw)
