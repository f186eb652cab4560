"""Base classes of laws, and the kernels that pose laws and torque laws share."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from pliant.arms.arm_model import ArmModel
from pliant.errors import PliantError
from pliant.numerics.kernels import Direct, Row, direct, kernel
from pliant.numerics.profiles import approach3, cap3, fade_beside
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3, pose_error, pose_step, rotate_pair, unrotate_pair
from pliant.params import Params, Vector, params_row
from pliant.tick import LAW_STATE_SIZE, Rows, Tick, table_dtype

ACCELERATION_LIMITED = 1
SPEED_LIMITED = 2
ROW_SPEED_LIMITED = 16

LAW_NAME = re.compile(r"(?!model_)[A-Za-z]\w{0,63}")
"""The names that laws may have: they name their parameters too."""

REFERENCES = ("tool", "joints", "nothing")
"""What a law may follow."""

# Largest lead of the commanded pose over the set points that were sent, m and rad. One Newton step
# of the inverse kinematics leaves an error of a few µm at full speed.
_MAX_LEAD = 2e-4
_MAX_LEAD_ANGLE = 1e-3


class Law:
    """A control law: a pure function of two ticks and its parameters.

    A law derives from `PoseLaw` or `TorqueLaw`. It has a `kernel`, or overrides `update` in plain
    Python.

    Attributes:
        name: The name by which users select it.
        needs_force: Whether it runs only while the wrench verdict is `READY`.
        takes: The kind of reference that it follows.
        Config: The class of its parameters.
        State: A table class (see `pliant.tick`) of its state, or None.
        kernel: A `@kernel` function of the previous tick, this tick, and `row`; a staticmethod.
        config: Its parameters.
        row: Its parameters as the kernel takes them.
    """

    name: ClassVar[str]
    needs_force: ClassVar[bool] = False
    takes: ClassVar[Literal["tool", "joints", "nothing"]] = "tool"
    Config: ClassVar[type[Params]] = Params
    State: ClassVar[type | None] = None
    kernel: ClassVar[Callable[..., None] | None] = None
    config: Params = Params()
    row: np.ndarray

    _state_dtype: ClassVar[np.dtype | None] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _check_class(cls)
        cls._state_dtype = table_dtype(cls.State, 0) if cls.State else None
        if cls._state_dtype and cls._state_dtype.itemsize > 8 * LAW_STATE_SIZE:
            raise PliantError(f"the state of {cls.__name__} exceeds {8 * LAW_STATE_SIZE} bytes")

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the parameters cannot work at this period."""

    def configure(self, config: Any) -> None:
        """Take new, checked parameters; the output must not jump."""
        self.row = self.parameters(config)
        self.config = config

    def parameters(self, config: Any) -> np.ndarray:
        """The row of the kernel for these parameters."""
        return params_row(config)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the law's columns of this tick."""
        self._call(prev, tick, self.row)

    def load(self, prev: Rows, tick: Rows) -> None:
        """Compile or load the kernel for ticks of this type, so that none has to wait for it."""
        if self.kernel is not None:
            self._call = direct(self.kernel, prev, tick, self.row)

    @cached_property
    def _call(self) -> Callable[..., None]:
        if self.kernel is None:
            raise PliantError(f"{self.name} has neither a kernel nor an update")
        return Direct(self.kernel).call

    def state_of(self, row: Rows) -> np.ndarray:
        """The state block of a row, viewed as the law's `State`."""
        if self._state_dtype is None:
            raise PliantError(f"{self.name} declares no State")
        block = row["law_state"].view(np.uint8)[:, : self._state_dtype.itemsize]
        return block.view(self._state_dtype)[:, 0]


def _check_class(law: type[Law]) -> None:
    """Refuse what would fail later, far from where it was written.

    Raises:
        PliantError: The name, the kind of reference, or the class of the parameters cannot work.
    """
    name = vars(law).get("name", "law")
    if not (isinstance(name, str) and LAW_NAME.fullmatch(name)):
        raise PliantError(
            f"the name of {law.__name__} has to be letters, digits and underscores, begin with a "
            f"letter, and have at most 64 of them, not {name!r}"
        )
    if law.takes not in REFERENCES:
        raise PliantError(
            f"{law.__name__}.takes is one of {', '.join(map(repr, REFERENCES))}, not {law.takes!r}"
        )
    if not (isinstance(law.Config, type) and issubclass(law.Config, Params)):
        raise PliantError(f"{law.__name__}.Config has to derive from pliant.Params")


class PoseLaw(Law):
    """A law that commands a tool pose: it writes at least `X_WT_cmd` and `v_cmd_T`."""

    def __init__(self, config: Any = None) -> None:
        """Make the law with its parameters, by default those of its `Config`."""
        self.configure(config or self.Config())

    @classmethod
    def build(cls, config: Any, _arm: ArmModel, _dt: float) -> Self:
        """Make the law for an arm and a control period."""
        return cls(config)


class TorqueLaw(Law):
    """A law that commands joint torques, for arms with a torque interface.

    It writes at least `tau_law`. The arm itself compensates gravity and friction, so `tau_law`
    contains neither. A kernel of a torque law ends with `bumpless` and `follow_measured`, which
    write all columns of the law but `law_state`.
    """

    def __init__(self, config: Any = None, arm: ArmModel | None = None) -> None:
        """Make the law with its parameters; the built-in laws get the arm too.

        Raises:
            ConfigError: The parameters do not fit the arm.
        """
        if arm is not None:
            self._arm = arm
        self.configure(config or self.Config())

    @classmethod
    def build(cls, config: Any, arm: ArmModel, _dt: float) -> Self:
        """Make the law for an arm and a control period."""
        return cls(config, arm)


@kernel
def integration_start(prev: Row[Tick], tick: Row[Tick], X_WC: Array, v_C: Array) -> bool:
    """Write the pose and velocity from which to integrate; True if they were pulled back.

    This is the last commanded pose, with a bounded lead over the set points that were sent: the law
    does not run away from an arm that a limit holds back.
    """
    a, t = prev[0], tick[0]
    if a.law < 0:
        X_WC[:] = t.X_WT_sent[:]
        unrotate_pair(X_WC[3:], t.v_WT_sent_W, v_C)
        return False
    lead = v_C
    pose_error(t.X_WT_sent, a.X_WT_cmd, lead)
    linear, angular = norm3(lead[:3]), norm3(lead[3:])
    if linear <= _MAX_LEAD and angular <= _MAX_LEAD_ANGLE:
        X_WC[:] = a.X_WT_cmd[:]
        v_C[:] = a.v_cmd_T[:]
        return False
    cap3(lead[:3], _MAX_LEAD)
    cap3(lead[3:], _MAX_LEAD_ANGLE)
    pose_step(t.X_WT_sent, lead, X_WC)
    unrotate_pair(X_WC[3:], t.v_WT_sent_W, v_C)
    return True


@kernel
def limit_twist(
    before: Array, wanted: Array, acceleration: Vector, speed: Vector, dt: float, out: Array
) -> int:
    """Write the wanted twist within acceleration and speed limits; returns the bits that acted.

    Shortens `wanted` in place to the speed limits. The acceleration limit comes last and always
    holds: an arm that is too fast brakes without a jump.
    """
    bits = 0
    if cap3(wanted[:3], speed[0]):
        bits |= SPEED_LIMITED
    if cap3(wanted[3:], speed[1]):
        bits |= SPEED_LIMITED
    if approach3(before[:3], wanted[:3], acceleration[0] * dt, out[:3]):
        bits |= ACCELERATION_LIMITED
    if approach3(before[3:], wanted[3:], acceleration[1] * dt, out[3:]):
        bits |= ACCELERATION_LIMITED
    return bits


@kernel
def advance(X_WC: Array, v: Array, dt: float, X_WT_cmd: Array) -> None:
    """Move the commanded pose by one period, and express v, in place, in the new axes.

    A tool that turns while it moves thus keeps its velocity in the world, as a mass would, and the
    acceleration limit holds in the world.
    """
    step = scratch(6)
    for i in range(6):
        step[i] = v[i] * dt
    pose_step(X_WC, step, X_WT_cmd)
    rotate_pair(X_WC[3:], v, step)
    unrotate_pair(X_WT_cmd[3:], step, v)


@kernel
def is_fresh(prev: Row[Tick], tick: Row[Tick]) -> bool:
    """Whether the law was activated in this tick."""
    return prev[0].law != tick[0].law or prev[0].law_seq != tick[0].law_seq


@kernel
def restart_offset(prev: Row[Tick], tick: Row[Tick], tau_raw: Array) -> None:
    """Choose the fading offset again, so that the torque continues from that of the last tick.

    A law calls it after `bumpless` in a tick in which its torque would jump.
    """
    a, t = prev[0], tick[0]
    for j in range(t.tau_law.shape[0]):
        t.tau_blend[j] = a.tau_law[j] - tau_raw[j]
        t.tau_law[j] = a.tau_law[j]


@kernel
def bumpless(prev: Row[Tick], tick: Row[Tick], tau_raw: Array, tau_rate_max: Array) -> None:
    """Write `tau_law`: what a torque law computes plus an offset that fades.

    The offset is chosen when the law is activated, so that the torque continues from the one last
    sent.

    Args:
        prev: The previous tick.
        tick: This tick.
        tau_raw: Torques that the law computes, N·m.
        tau_rate_max: The arm's torque rate limits, N·m/s; the offset fades within them.
    """
    a, t = prev[0], tick[0]
    fresh = is_fresh(prev, tick)
    for j in range(t.tau_law.shape[0]):
        if fresh:
            t.tau_blend[j] = a.tau_sent[j] - tau_raw[j]
        else:
            change = tau_raw[j] - (a.tau_law[j] - a.tau_blend[j])
            t.tau_blend[j] = fade_beside(a.tau_blend[j], change, tau_rate_max[j], t.dt)
        t.tau_law[j] = tau_raw[j] + t.tau_blend[j]


@kernel
def follow_measured(tick: Row[Tick]) -> None:
    """Write the columns of a pose law under a torque law: the measured pose and velocity.

    A pose law that takes over continues from there.
    """
    t = tick[0]
    t.w_desired_T[:] = 0.0
    t.e_T[:] = 0.0
    unrotate_pair(t.X_WT[3:], t.v_WT_W, t.v_cmd_T)
    t.X_WT_cmd[:] = t.X_WT[:]
    t.law_limited = 0
    t.reseed = 0
    t.X_WR_seed[:] = t.X_WR[:]
    no_rows(tick)


@kernel
def no_torque(tick: Row[Tick]) -> None:
    """Write zero torque and no force-controlled rows: columns that a pose law need not have."""
    t = tick[0]
    t.tau_law[:] = 0.0
    t.tau_blend[:] = 0.0
    no_rows(tick)


@kernel
def no_rows(tick: Row[Tick]) -> None:
    """Write the columns of the force-controlled rows under a law that has none."""
    t = tick[0]
    t.D_row[:] = 0.0
    t.v_row[:] = 0.0


@kernel
def rest(tick: Row[Tick]) -> None:
    """Write the law's columns while no law is active: the pose last sent, no wrench, no torque."""
    t = tick[0]
    t.w_desired_T[:] = 0.0
    t.e_T[:] = 0.0
    t.v_cmd_T[:] = 0.0
    t.X_WT_cmd[:] = t.X_WT_sent[:]
    t.law_limited = 0
    t.reseed = 0
    t.X_WR_seed[:] = t.X_WT_sent[:]
    no_torque(tick)
    t.law_state[:] = 0.0
