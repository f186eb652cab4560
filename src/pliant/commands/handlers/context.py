"""What the handlers share: the configuration in force, the laws, the wishes for the next tick."""

from collections.abc import Callable
from typing import Protocol

from pliant.arms.description import ArmDescription
from pliant.commands.handlers import refusals
from pliant.commands.handlers.damping_advice import idle_damping_ratio
from pliant.commands.handlers.joint_handlers import JointHandlers
from pliant.commands.handlers.reference_motions import check_sinus
from pliant.commands.reply import warned
from pliant.config import Config
from pliant.errors import ConfigError, Refused
from pliant.laws import Law, TorqueLaw
from pliant.reasons import Reason, State
from pliant.stages.joints import JointMode
from pliant.stages.reference import ReferenceParameters, RefKind
from pliant.stages.reference.config import PathPoint
from pliant.stages.supervisor.reason_text import read_text
from pliant.stages.supervisor.stage import in_motion, without_law
from pliant.stages.supervisor.wishes import Wishes
from pliant.tick import Rows

NO_LAW = "no law is active"
"""How the refusal of a motion that needs a law begins."""


class Commanded(Protocol):
    """What the handlers decide for: the pipeline of an arm."""

    laws: list[Law]
    wishes: Wishes
    reference: ReferenceParameters

    def configure(self, config: Config) -> None:
        """Take a new, checked configuration."""
        ...


class HandlerContext:
    """The state on which handlers decide, and the steps that several of them share.

    Attributes:
        config: The configuration in force.
        laws: The laws that the arm can run, in the order of their index in the tick.
        wishes: What the commands accepted since the last tick ask of the next one.
        dt: The control period, s.
        joints: Handlers of the commands to the joints.
        guard: Returns a warning about a configuration, or raises `ConfigError` to refuse it.
    """

    def __init__(
        self,
        config: Config,
        pipeline: Commanded,
        dt: float,
        arm: ArmDescription,
        simulated: bool = False,
        guard: Callable[[Config], str] = lambda _: "",
    ) -> None:
        """Make the context of one arm.

        Args:
            config: The configuration in force.
            pipeline: What the handlers decide for.
            dt: The control period, s.
            arm: The arm's parameters.
            simulated: Whether faults may be injected.
            guard: Returns a warning about a configuration, or raises `ConfigError` to refuse it.

        Raises:
            ConfigError: Two laws have the same name, or a law has gains that cannot work.
        """
        self.laws, self.wishes = pipeline.laws, pipeline.wishes
        names = self.law_names
        if len(set(names)) < len(names):
            raise ConfigError(f"law names must be unique, got {', '.join(names)}")
        self.config = config
        self.dt, self._pipeline = dt, pipeline
        self.joints = JointHandlers(config, arm, dt, simulated)
        for law in self.laws:
            law.check(law.config, dt)
        self.guard = guard
        guard(config)

    @property
    def law_names(self) -> list[str]:
        """The names of the laws."""
        return [law.name for law in self.laws]

    @property
    def reference(self) -> ReferenceParameters:
        """The references as configured."""
        return self._pipeline.reference

    def stop(self, row: Rows, reason: Reason) -> None:
        """Stop the arm; a fault keeps its reason.

        In motion the law ends at once, and the joints brake with what the arm can do. At rest the
        law first brings its force targets to zero.
        """
        law = self.wishes.law(row)
        if self.wishes.state(row) != State.ACTIVE or self.gives_torque(law) or not in_motion(row):
            self.deactivate(row, reason)
        else:
            self.wishes.update(without_law(row["time"][0] + self.dt) | {"reason": reason})

    def deactivate(self, row: Rows, reason: Reason) -> None:
        """End the active law, or the motion of the joints without one; a fault keeps its reason."""
        state = self.wishes.state(row)
        if state == State.FAULT:
            return
        self.wishes["reason"] = reason
        self.wishes["reactions_armed"] = 0
        if self.wishes.law(row) < 0:
            self.wishes["mode_wanted"] = JointMode.IDLE
        if state == State.ACTIVE:
            self.wishes.update(
                {
                    "state": State.STOPPING,
                    "state_since": row["time"][0] + self.dt,
                    "w_target": 0.0,
                    "ref_kind": RefKind.HOLD,
                }
            )
            if self.gives_torque(self.wishes.law(row)):
                # the joint servo brakes and holds the arm
                self.wishes["mode_wanted"] = JointMode.IDLE

    def adopt(self, config: Config, section: str, row: Rows) -> str:
        """Check a configuration, put it in force, and return a warning to add to the reply."""
        for law in self.laws:
            changed = getattr(config.laws, law.name, None)
            if changed is not None:
                law.check(changed, self.dt)
        warning = self.guard(config) if _concerns_contact(self.config, config) else ""
        warning = warning or idle_damping_ratio(self.config, config)
        Tr, n_af = self.wishes.now(row, "Tr"), self.wishes.now(row, "n_af")
        refusals.refuse_limp_axes(config, Tr, int(n_af))
        if self.wishes.law(row) >= 0:
            refusals.refuse_loading(self.config, config)
        self.put_in_force(config)
        if self.wishes.ref_kind(row) == RefKind.SINUS:
            check_sinus(self.wishes.now(row, "q_target"), self.reference)
        if section == "safety":
            self.wishes.judge_again()
        return warned(warning)

    def put_in_force(self, config: Config) -> None:
        """Give a checked configuration to everything that is configured."""
        self.config = config
        self._pipeline.configure(config)
        self.joints.configure(config)

    def refuse_without_law(self, row: Rows, reference: str) -> None:
        """Refuse unless a law is active that follows this kind of reference."""
        if self.wishes.state(row) != State.ACTIVE:
            raise Refused(
                f"{NO_LAW}; activate one of: {', '.join(self.law_names)}"
                if self.wishes.state(row) != State.FAULT
                else f"in fault ({read_text(row)}): reset, then activate a law"
            )
        refusals.refuse_mismatch(self.laws[self.wishes.law(row)], self.laws, reference)

    def count_motion(self, row: Rows) -> None:
        """Count a motion that a command starts, so that those who wait know theirs."""
        self.wishes["ref_seq"] = self.wishes.now(row, "ref_seq") + 1

    def store_path(self, points: tuple[PathPoint, ...]) -> None:
        """Keep a checked path in the configuration; it is followed once `take_path` is called."""
        path = self.config.reference.path.model_copy(update={"points": points})
        reference = self.config.reference.model_copy(update={"path": path})
        self.config = self.config.model_copy(update={"reference": reference})

    def has_reactions(self, row: Rows) -> bool:
        """Whether any condition will be armed at the next tick."""
        return bool(self.wishes.now(row, "reactions_armed"))

    def gives_torque(self, law: int) -> bool:
        """Whether a law, by its index, commands joint torques."""
        return isinstance(self.laws[law], TorqueLaw)


def _concerns_contact(before: Config, after: Config) -> bool:
    """Whether a change of the configuration has a part in the stability of a contact."""
    return (
        before.laws.hybrid_admittance != after.laws.hybrid_admittance
        or before.contact != after.contact
        or before.wrench.cutoff != after.wrench.cutoff
    )
