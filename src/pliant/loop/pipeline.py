"""The pipeline: what is computed in a tick, and with which parameters."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from pliant.arms.arm_model import ArmModel
from pliant.arms.chain import chain_row
from pliant.arms.description import ArmDescription
from pliant.arms.links import links_row
from pliant.arms.pinocchio import build_pinocchio
from pliant.commands.handlers.joint_board import begin_board, board_limits
from pliant.config import Config
from pliant.errors import ConfigError, LawError
from pliant.laws import LAWS, Law, TorqueLaw
from pliant.laws.law_base import rest
from pliant.loop.copy_columns import copy_all, copy_computed
from pliant.loop.own_law import OwnLaw
from pliant.loop.tick_kernels import Parameters, after_law, before_law
from pliant.numerics.kernels import direct
from pliant.params import params_row
from pliant.stages.contact.contact_params import contact_params
from pliant.stages.contact.stage import contact_kernel
from pliant.stages.dynamics import dynamics_kernel
from pliant.stages.joints.stage import joints_kernel, joints_params
from pliant.stages.model import model_kernel
from pliant.stages.reference import ReferenceParameters, RefKind
from pliant.stages.reference.stage import reference_kernel, reference_params
from pliant.stages.resolve import resolve_kernel
from pliant.stages.safety.stage import safety_kernel, safety_params, torque_safety_kernel
from pliant.stages.servo.stage import servo_kernel
from pliant.stages.servo.stiff_servo import servo_params
from pliant.stages.supervisor.explain import StopLimits, write_reason
from pliant.stages.supervisor.reason_text import write_text
from pliant.stages.supervisor.stage import (
    MOST_LAWS,
    REASON_CHANGED,
    fail_kernel,
    supervisor_kernel,
    supervisor_params,
)
from pliant.stages.supervisor.wishes import Wishes
from pliant.stages.wrench.stage import wrench_kernel, wrench_params
from pliant.tick import STAGES, Rows, columns, new_rows

Update = Callable[[Rows, Rows], None]
"""Writes the columns of a stage, from the previous tick and those to its left."""

_MEASURED = [
    name
    for name, declared, _ in columns()
    if STAGES.index("robot") < STAGES.index(declared.stage) < STAGES.index("supervisor")
]
"""The columns that are computed from what was read alone."""


class Pipeline:
    """The stages of one arm and its laws, from what was read to what will be written.

    Attributes:
        laws: The laws, in the order of their index in the tick.
        reference: The references of the arm as configured.
        wishes: What the commands decided since the last tick ask of the next one.
    """

    def __init__(self, arm: ArmDescription, config: Config, dt: float, laws: Sequence[Law]) -> None:
        """Configure every stage and every law; `load` comes before the first tick.

        Args:
            arm: The arm's parameters.
            config: The configuration of all stages.
            dt: The control period, s.
            laws: Laws beside Pliant's own.

        Raises:
            ConfigError: Parameters cannot work, or a law does not fit the arm.
        """
        self._arm = arm
        model = build_pinocchio(arm, config.tool, config.model.mass_scale)
        self._links = links_row(model) if arm.takes_torque else None
        self._chain = chain_row(model)
        self.laws = _laws(config, ArmModel(description=arm, model=model), dt, laws)
        self.reference = ReferenceParameters(config.reference, arm, model)
        self._joints = self.reference.joints if arm.takes_torque else None
        self._servo = servo_params(arm) if arm.takes_torque else None
        self.wishes = Wishes(arm.n)
        self._p = self._parameters(config)
        self._limits = self._stop_limits(config)
        self._own_laws = len(laws)

    def load(self) -> None:
        """Compile or load all kernels, so that no tick has to wait for one."""
        for load in self.loaders.values():
            load()
        self._law_updates = self._updates()

    @property
    def loaders(self) -> dict[str, Callable[[], None]]:
        """What `load` does, in parts: the halves of a tick, and the laws by name."""
        prev, tick = new_rows(self._arm.n), new_rows(self._arm.n)
        return {
            "before law": partial(self._load_before_law, prev, tick),
            "after law": partial(self._load_after_law, prev, tick),
            **{f"law {law.name}": partial(law.load, prev, tick) for law in self.laws},
        }

    def _load_before_law(self, prev: Rows, tick: Rows) -> None:
        self._before = direct(before_law, prev, tick, *self._inputs)

    def _load_after_law(self, prev: Rows, tick: Rows) -> None:
        self._after = direct(after_law, prev, tick, self._p, self._servo)
        self._enter_fault = direct(fail_kernel, prev, tick, self._row("supervisor"))
        self._rest = direct(rest, tick)

    @property
    def _inputs(self) -> tuple[Any, ...]:
        """What the stages before the law take beside the rows."""
        reference = self.reference
        return self._p, self.wishes.table, self._links, self._joints, reference.path

    def configure(self, config: Config) -> None:
        """Take a new, checked configuration; it acts from the next tick.

        Raises:
            ConfigError: A parameter does not fit the arm; the caller configures the old one again.
        """
        if config.reference != self.reference.config:
            self.reference.configure(config.reference)
            self._joints = self.reference.joints if self._arm.takes_torque else None
        for law in self.laws:
            own = getattr(config.laws, law.name, law.config)
            if own != law.config:
                law.configure(own)
        self._p[:] = self._parameters(config)
        self._limits = self._stop_limits(config)

    def begin(self, first: Rows, config: Config) -> None:
        """Fill row 0 from the first reading of the arm: it holds where it is."""
        for name in ("q_sent", "q_limited", "q_requested", "q_set"):
            first[name] = first["q"]
        begin_board(first, config)
        computed = first.copy()
        self._before(first, computed, *self._inputs)
        # the wrench too: no law can be activated before the first verdict on the sensor
        for name in _MEASURED:
            first[name] = computed[name]
        for name in ("X_WR", "X_WT_cmd", "X_WR_target", "X_WR_seed"):
            first[name] = first["X_WT_sent"]
        first["ref_done"] = 1

    def compute(self, prev: Rows, tick: Rows) -> int:
        """Compute a tick from what was read; bits that the stages tell."""
        # `_inputs`, spelled out in the order of the kernel: a tuple costs a tenth of a stage more
        reference, wishes = self.reference, self.wishes
        told, law = self._before(
            prev, tick, self._p, wishes.table, self._links, self._joints, reference.path
        )
        if told & REASON_CHANGED:
            write_reason(prev, tick, self._limits)
        wishes.clear()
        self._run_law(law, prev, tick)
        self._after(prev, tick, self._p, self._servo)
        return told

    def stop(self, prev: Rows, tick: Rows, why: str) -> None:
        """Compute a tick in which a stage raised: brake within limits from the last set points."""
        copy_computed(prev, tick)
        self._fail(prev, tick, why)
        self._after(prev, tick, self._p, self._servo)

    def abandon(self, prev: Rows, tick: Rows, why: str) -> None:
        """Fill a tick in which the arm could not be read or written."""
        copy_all(prev, tick)
        self._fail(prev, tick, why)

    @property
    def stages(self) -> dict[str, Update]:
        """The stages of this arm one by one, by name, to run them on other rows."""
        stages: dict[str, Update] = {
            "model": partial(_run, model_kernel, self._row("model")),
            "wrench": partial(_run, wrench_kernel, self._row("wrench")),
            "supervisor": self._supervise,
            "contact": partial(_run, contact_kernel, self._row("contact")),
            "reference": partial(
                _run, reference_kernel, self._row("reference"), self._joints, self.reference.path
            ),
            "law": lambda prev, tick: self._run_law(tick["law"].item(), prev, tick),
            "resolve": partial(_run, resolve_kernel, self._row("resolve")),
            "joints": partial(_run, joints_kernel, self._row("joints")),
        }
        if self._links is None or self._servo is None:
            return stages | {"safety": partial(_run, safety_kernel, self._row("safety"))}
        dynamics = {"dynamics": partial(_run, dynamics_kernel, self._links)}
        servo = {"servo": partial(_run, servo_kernel, self._servo)}
        return dynamics | stages | servo | {"safety": self._limit_with_torque}

    def _row(self, stage: str) -> np.ndarray:
        return self._p[stage][0]

    def _supervise(self, prev: Rows, tick: Rows) -> None:
        told = supervisor_kernel(prev, tick, self._row("supervisor"), self.wishes.table)
        if told & REASON_CHANGED:
            write_reason(prev, tick, self._limits)
        self.wishes.clear()

    def _limit_with_torque(self, prev: Rows, tick: Rows) -> None:
        safety_kernel(prev, tick, self._row("safety"))
        torque_safety_kernel(prev, tick, self._row("safety"))

    def _run_law(self, law: int, prev: Rows, tick: Rows) -> None:
        try:
            self._law_updates[law](prev, tick)
        except (Exception, SystemExit) as error:
            # a law that calls sys.exit() must not leave the arm moving either
            name = self.laws[law].name
            raise LawError(f"law {name}: {type(error).__name__}: {error}") from error

    def _fail(self, prev: Rows, tick: Rows, why: str) -> None:
        self.wishes.clear()
        self._enter_fault(prev, tick, self._row("supervisor"))
        write_text(tick, why)

    def _updates(self) -> list[Update]:
        """The updates of all laws by their index; the last one is for -1, no law."""
        built_in = len(self.laws) - self._own_laws
        return [
            *(law.update for law in self.laws[:built_in]),
            *(OwnLaw(law, self._arm.n) for law in self.laws[built_in:]),
            partial(_rest, self._rest),
        ]

    def _stop_limits(self, config: Config) -> StopLimits:
        return StopLimits(safety=config.safety, wrench=config.wrench, arm=self._arm)

    def _parameters(self, config: Config) -> np.ndarray:
        arm, laws = self._arm, self.laws
        return Parameters(
            model=self._chain,
            wrench=wrench_params(config.wrench, config.tool),
            supervisor=supervisor_params(
                config.supervisor,
                [law.needs_force for law in laws],
                [isinstance(law, TorqueLaw) for law in laws],
                arm.n,
            ),
            contact=contact_params(
                config.contact,
                arm,
                config.wrench.cutoff,
                [law.needs_force for law in laws],
                MOST_LAWS,
                RefKind.FOLLOW_HAND,
            ),
            reference=reference_params(config.reference, [law.takes for law in laws], MOST_LAWS),
            resolve=params_row(config.resolve),
            joints=joints_params(config.joints, board_limits(config, arm)),
            safety=safety_params(config.safety, arm),
        ).row()


def _rest(kernel: Callable[[Rows], None], _prev: Rows, tick: Rows) -> None:
    """Write the columns of no law."""
    kernel(tick)


def _run(kernel: Callable[..., Any], p: np.ndarray, *arguments: Any) -> None:
    """Call the kernel of a stage; what it takes beside rows and parameters comes first."""
    *more, prev, tick = arguments
    kernel(prev, tick, p, *more)


def _laws(config: Config, arm: ArmModel, dt: float, own: Sequence[Law]) -> list[Law]:
    """Pliant's laws that the arm can run, then the others.

    Raises:
        ConfigError: Another law does not fit the arm, or there are too many.
    """
    description = arm.description
    for law in own:
        if isinstance(law, TorqueLaw) and not description.takes_torque:
            raise ConfigError(
                f"law {law.name} commands joint torques, but {description.name} accepts only "
                "positions"
            )
        if law.takes == "joints" and not description.takes_torque:
            raise ConfigError(
                f"law {law.name} follows a joint reference, which only arms that take torques have"
            )
    built_in = [
        law.build(getattr(config.laws, law.name), arm, dt)
        for law in LAWS
        if description.takes_torque or not issubclass(law, TorqueLaw)
    ]
    for law in own:
        law.configure(getattr(config.laws, law.name, law.config))
    if len(built_in) + len(own) > MOST_LAWS:
        raise ConfigError(f"an arm may have at most {MOST_LAWS} laws")
    return [*built_in, *own]
