"""The loop: one tick, read from top to bottom like the data flows."""

from collections.abc import Callable, Sequence
from typing import Protocol

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import build_pinocchio
from pliant.config import Config
from pliant.errors import LawError
from pliant.joints import JointsStage
from pliant.laws import HybridAdmittance, Law, Position
from pliant.laws.base import rest
from pliant.model import ModelStage
from pliant.references import ReferenceStage
from pliant.resolve import ResolveStage
from pliant.robots.base import Robot
from pliant.runtime.clock import Clock
from pliant.safety import SafetyStage
from pliant.stability import ContactGuard
from pliant.supervisor import Supervisor
from pliant.tick import STAGES, Rows, columns, new_rows
from pliant.wrench import WrenchStage

_AFTER_CLOCK = [name for name, declared, _ in columns() if declared.stage != "clock"]
_COMPUTED = [
    name
    for name, declared, _ in columns()
    if STAGES.index(declared.stage) > STAGES.index("robot") and declared.stage != "write"
]


class Publisher(Protocol):
    """Takes finished ticks."""

    def publish(self, tick: Rows) -> None:
        """Take a tick; it is overwritten two ticks later."""
        ...


class Loop:
    """The stages of one arm and the two rows they work on.

    Whatever raises in a stage becomes a controlled stop in the same tick, with the reason in it.
    Where even that is impossible, because the arm cannot be read or written or because safety
    itself raises, the backend stops the arm by its own means and the exception goes on.
    """

    def __init__(
        self,
        robot: Robot,
        arm: ArmDescription,
        clock: Clock,
        config: Config,
        *,
        laws: Sequence[Law] = (),
        publisher: Publisher,
    ) -> None:
        """Configure every stage and every law; nothing slow happens after this.

        Args:
            robot: The backend, not yet connected.
            arm: The arm's figures.
            clock: What paces the ticks.
            config: The configuration of all stages.
            laws: Laws beside Pliant's own.
            publisher: Where finished ticks go.
        """
        self.robot = robot
        self.publisher = publisher
        self._clock = clock
        self._model = ModelStage(build_pinocchio(arm, config.tool))
        self._wrench = WrenchStage(config.wrench, config.tool)
        self._reference = ReferenceStage(config.reference)
        self._laws: list[Law] = [
            HybridAdmittance(config.laws.hybrid_admittance, dt=robot.dt),
            Position(config.laws.position),
            *laws,
        ]
        self._own_laws = len(self._laws) - len(laws)
        self._resolve = ResolveStage(config.resolve)
        self._joints = JointsStage()
        self._safety = SafetyStage(config.safety, arm)
        self.supervisor = Supervisor(config, self._laws, robot.dt, self._apply)
        self._prev, self._tick = new_rows(robot.n), new_rows(robot.n)
        self.supervisor.guard = ContactGuard(arm, config.tool, robot.dt)
        self.supervisor.guard(config)
        self._begin()

    @property
    def row(self) -> Rows:
        """The last finished tick."""
        return self._prev

    @property
    def stages(self) -> dict[str, Callable[[Rows, Rows], None]]:
        """The stages between reading and writing, by name, to be run apart on rows of one's own."""
        return {
            "model": self._model.update,
            "wrench": self._wrench.update,
            "supervisor": self.supervisor.update,
            "reference": self._reference.update,
            "law": self._run_law,
            "resolve": self._resolve.update,
            "joints": self._joints.update,
            "safety": self._safety.update,
        }

    def step(self, intake: Callable[[], None] | None = None) -> Rows:
        """Run one tick and return it.

        Args:
            intake: Called when the tick begins, to let the supervisor take a command.
        """
        prev, tick = self._prev, self._tick
        self._clock.wait(prev, tick)
        if intake is not None:
            intake()
        try:
            self.robot.read(tick)
            self._compute(prev, tick)
            self.robot.write(tick)
        except Exception as error:
            self._abandon(prev, tick, error)
            raise
        self._publish(prev, tick)
        return tick

    def _compute(self, prev: Rows, tick: Rows) -> None:
        """Everything between reading the arm and telling it what to do."""
        try:
            self._model.update(prev, tick)
            self._wrench.update(prev, tick)
            self.supervisor.update(prev, tick)
            self._reference.update(prev, tick)
            self._run_law(prev, tick)
            self._resolve.update(prev, tick)
            self._joints.update(prev, tick)
            self._safety.update(prev, tick)
        except Exception as error:
            self._stop_controlled(prev, tick, error)

    def _begin(self) -> None:
        """Row 0, before the first tick: the arm stands where it is, and was sent there."""
        first = self._prev
        self.robot.connect()
        self.robot.read(first)
        first["dt"] = self.robot.dt
        for name in ("q_sent", "q_limited", "q_requested", "q_set"):
            first[name] = first["q"]
        self._model.update(first, first)
        # so that a law cannot be activated before the first verdict on the sensor
        self._wrench.update(first, first)
        for name in ("X_WR", "X_WT_cmd", "X_WR_target", "X_WR_seed"):
            first[name] = first["X_WT_sent"]
        first["ref_done"] = 1

    def _run_law(self, prev: Rows, tick: Rows) -> None:
        index = tick["law"].item()
        if index < 0 or index >= self._own_laws:
            # a user's law need not write every column, and nothing older may shine through
            rest(tick)
        if index >= 0:
            try:
                self._laws[index].update(prev, tick)
            except Exception as error:
                name = self._laws[index].name
                raise LawError(f"law {name}: {type(error).__name__}: {error}") from error

    def _stop_controlled(self, prev: Rows, tick: Rows, error: Exception) -> None:
        """Brake within limits from the last set points, with the reason in the tick."""
        for name in _COMPUTED:
            tick[name] = prev[name]
        self.supervisor.fail(prev, tick, _in_words(error))
        tick["q_set"] = prev["q_sent"]
        self._joints.update(prev, tick)
        self._safety.update(prev, tick)

    def _abandon(self, prev: Rows, tick: Rows, error: Exception) -> None:
        """Stop the arm by the backend's own means; the last tick says why."""
        try:
            self.robot.stop()
        finally:
            for name in _AFTER_CLOCK:
                tick[name] = prev[name]
            self.supervisor.fail(prev, tick, _in_words(error))
            self._publish(prev, tick)

    def _publish(self, prev: Rows, tick: Rows) -> None:
        """Everyone may look; what was the tick is the previous one now."""
        self.publisher.publish(tick)
        self._prev, self._tick = tick, prev

    def _apply(self, config: Config, section: str) -> None:
        """Hand a changed section of the configuration to its stage."""
        if section == "laws":
            for law in self._laws:
                changed = getattr(config.laws, law.name, None)
                if changed is not None and changed != law.config:
                    law.configure(changed)
        elif section == "wrench":
            self._wrench.configure(config.wrench)
        elif section == "reference":
            self._reference.configure(config.reference)
        elif section == "resolve":
            self._resolve.configure(config.resolve)
        elif section == "safety":
            self._safety.configure(config.safety)


def _in_words(error: Exception) -> str:
    return str(error) if isinstance(error, LawError) else f"{type(error).__name__}: {error}"
