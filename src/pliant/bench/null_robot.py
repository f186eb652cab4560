"""A null arm that takes almost no time, and a loop that runs it: a tick without physics."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from pliant import commands as c
from pliant.arms.description import ArmDescription, load_arm
from pliant.config import Config
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.numerics.kernels import Row, direct, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, spread
from pliant.robots.base import Robot
from pliant.tick import Rows, Tick, new_rows

_READINGS = 512
_NOISE = spread(0.3, 0.01)
_TOUCH = spread(3.0, 0.1)


@dataclass(frozen=True, kw_only=True, eq=False)
class NullArm(KernelParams):
    """Joint positions, sensor readings, and the number of reads so far."""

    q: Array
    readings: Array
    count: Array


class NullRobot(Robot):
    """An arm that never moves, with sensor readings of a slowly varying, noisy hand force."""

    def __init__(self, description: ArmDescription) -> None:
        self.description = description
        own = NullArm(
            q=np.array(description.home), readings=_hand_readings(), count=np.zeros(1)
        ).row()
        tick = new_rows(self.n)
        # compiled calls, because time spent in this arm would be attributed to the controller
        read = partial(direct(read_kernel, own, tick), own)
        vars(self).update(read=read, write=direct(write_kernel, tick))

    def read(self, tick: Rows) -> None:
        """Fill in the next prepared reading."""

    def write(self, tick: Rows) -> None:
        """Fill in the sent columns."""


def _hand_readings() -> Array:
    phase = np.linspace(0.0, 2.0 * np.pi, _READINGS, endpoint=False)
    noise = np.random.default_rng(0).standard_normal((_READINGS, 6))
    return np.outer(np.sin(phase), _TOUCH) + noise * _NOISE


@kernel
def read_kernel(arm: Row[NullArm], tick: Row[Tick]) -> None:
    """Fill in the robot columns of a tick."""
    t, own = tick[0], arm[0]
    now = int(own.count[0])
    for j in range(own.q.shape[0]):
        t.q[j] = own.q[j]
        t.qd[j] = 0.0
        t.tau[j] = 0.0
        t.temperature[j] = 25.0
        t.tau_ext[j] = 0.0
    for i in range(6):
        t.w_S_raw[i] = own.readings[now % _READINGS, i]
        t.w_ext_T[i] = 0.0
    t.sensor_seq = now
    t.robot_status = 0
    t.true_f_fixture_W[:] = np.nan
    t.true_f_peak = np.nan
    t.true_side_peak = np.nan
    t.true_torque_peak = np.nan
    own.count[0] = now + 1


@kernel
def write_kernel(tick: Row[Tick]) -> None:
    """Fill in the write columns of a tick."""
    t = tick[0]
    for j in range(t.q_limited.shape[0]):
        t.q_sent[j] = t.q_limited[j]
        t.tau_sent[j] = t.tau_limited[j]


def compliant_loop(history: float = 10.0) -> Loop:
    """A loop without physics, with the hybrid law compliant on all axes.

    Args:
        history: Duration of its history, s.
    """
    arm = load_arm("ur5e")
    robot = NullRobot(arm)
    ring = History(robot.n, round(history / robot.dt))
    loop = Loop(robot, arm, FastClock(robot.dt), Config(), publisher=ring)
    loop.step()
    loop.supervisor.take(c.Zero(), loop.row)
    for _ in range(_READINGS):
        loop.step()
    springs = {"path": "laws.hybrid_admittance.stiffness", "value": spread(500.0, 20.0)}
    for command in (
        c.SetParameter(**springs),
        c.SetAxes(mask=(True, True, True, True, True, True)),
        c.Activate(law="hybrid_admittance"),
    ):
        loop.supervisor.take(command, loop.row)
    loop.step()
    return loop
