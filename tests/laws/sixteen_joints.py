"""A snake of many joints, and a program that runs every law on it: `python sixteen_joints.py N`."""

import sys
import tempfile
from pathlib import Path

import numpy as np

from pliant import commands as c
from pliant.arms.description import ArmDescription, frozen_array
from pliant.config import Config
from pliant.controller.arm_kernels import StillRobot
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.reasons import State

_LINK = """<link name="l{i}"><inertial><origin xyz="0 0 0.05"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
_JOINT = """<joint name="j{i}" type="revolute"><parent link="l{a}"/><child link="l{i}"/>
<origin xyz="0 0 0.1"/><axis xyz="{axis}"/>
<limit lower="-3" upper="3" effort="80" velocity="2"/></joint>"""
_AXES = ("0 0 1", "0 1 0", "1 0 0")


def snake(n: int, folder: Path, interface: str) -> ArmDescription:
    """An arm of n joints whose axes alternate, bent into a curve."""
    parts = [_LINK.format(i=0)]
    for i in range(1, n + 1):
        parts += [_LINK.format(i=i), _JOINT.format(i=i, a=i - 1, axis=_AXES[i % 3])]
    urdf = folder / "snake.urdf"
    urdf.write_text(f'<robot name="snake">{"".join(parts)}</robot>')

    def every(value: float) -> np.ndarray:
        return frozen_array(np.full(n, value))

    return ArmDescription(
        name="snake",
        joint_names=tuple(f"j{i}" for i in range(1, n + 1)),
        urdf=urdf,
        flange=f"l{n}",
        home=frozen_array(0.3 * np.cos(np.arange(n))),
        q_min=every(-3.0),
        q_max=every(3.0),
        qd_max=every(2.0),
        qdd_max=every(10.0),
        tau_max=every(80.0),
        tau_rate_max=every(1000.0),
        friction=every(0.0),
        armature=every(0.1),
        servo_stiffness=every(0.0 if interface == "torque" else 1e4),
        servo_bandwidth=every(30.0 if interface == "torque" else 0.0),
        interface=interface,
        rate=1000.0,
        dead_time=0.0,
        time_constant=0.0,
        temperature_max=80.0,
    )


def run_every_law(n: int, interface: str) -> list[str]:
    """Let every law hold the snake for a few ticks; the laws."""
    soft = {"stiffness": 50.0, "damping": 5.0}
    config = Config.from_dict({"laws": {"pd_gravity": soft, "inverse_dynamics_simplified": soft}})
    with tempfile.TemporaryDirectory() as folder:
        robot = StillRobot(snake(n, Path(folder), interface))
        history = History(n, 2)
        loop = Loop(robot, robot.description, FastClock(0.001), config, publisher=history)
    loop.take(c.Zero())
    while not loop.step()["zeroed"][0]:
        pass
    for law in loop.supervisor.law_names:
        loop.take(c.Activate(law=law))
        for _ in range(3):
            row = loop.step()
            assert row["state"].item() == State.ACTIVE, law
            for name in ("q_limited", "tau_limited", "X_WT_cmd", "tau_law"):
                assert np.isfinite(row[name]).all(), (law, name)
    return loop.supervisor.law_names


if __name__ == "__main__":
    print(*run_every_law(int(sys.argv[1]), sys.argv[2]))
