"""`arm.joints`: the joints of an arm, in a user's program.

Every command exists for one joint (`arm.joints[3]`), for some and for all. Joints are given by
their numbers or names:

    arm.joints["elbow"].mode = "position"
    arm.joints.position_move(joints=[0, 2], positions=[0.3, -0.1])
    arm.joints.position_move(positions=q)

A command that cannot be obeyed by all the joints it names raises `Refused` and changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pliant import commands as c
from pliant.api.durations import check_timeout
from pliant.api.joint_move import JointMove, Runner
from pliant.api.session import Session
from pliant.commands.handlers.joint_board import board_limits
from pliant.errors import ArmStopped, Refused, UnknownNameError, WaitTimeout
from pliant.numerics.spatial import Array
from pliant.stages.joints import Interaction, JointFault, JointLimits, JointMode, ReportedMode
from pliant.stages.joints.joint_modes import (
    FORCE_IDLE,
    interaction_name,
    is_available,
    joint_faults,
    mode_name,
)
from pliant.tick import Tick

Which = int | str | Sequence[int | str] | None
Values = float | Sequence[float] | Array
ModeWord = str | JointMode | ReportedMode
InteractionWord = str | Interaction


class Impedance(NamedTuple):
    """Impedance of a compliant joint: τ = offset + stiffness·(q_ref − q) − damping·q̇."""

    stiffness: float  # N·m/rad
    damping: float  # N·m·s/rad
    offset: float  # N·m


class Joints(JointMove):
    """All joints of an arm. Positions are in rad, torques in N·m.

    A command takes joints, by number or name, and values: one value per joint, or one for all of
    them. With values alone it is for all joints; without their keyword they must then be a list
    with one per joint, as a single number could be meant as a joint's. A query takes joints, or
    nothing for all.
    """

    def __init__(self, session: Session, runner: Runner) -> None:
        self._session = session
        self._runner = runner

    def __len__(self) -> int:
        return self._session.arm.n

    def __repr__(self) -> str:
        return f"<Joints: {', '.join(self.names)}>"

    def __getitem__(self, joint: int | str) -> "Joint":
        return Joint(self, self._number(joint))

    def __iter__(self) -> Iterator["Joint"]:
        return (self[number] for number in range(len(self)))

    @property
    def names(self) -> tuple[str, ...]:
        """The joints' names, from the base outwards."""
        return self._session.arm.joint_names

    @property
    def limits(self) -> JointLimits:
        """The limits on commands to each joint."""
        return board_limits(self._session.config, self._session.arm)

    @property
    def available(self) -> list[JointMode]:
        """The control modes that this arm offers."""
        return [mode for mode in JointMode if is_available(mode, self._session.arm.interface)]

    # modes

    def set_modes(self, joints: Any = None, modes: Any = None) -> None:
        """Select control modes; the references start at the current positions."""
        self._give(c.SetMode, joints, modes, "modes", mode_name)

    def force_idle(self, joints: Which = None) -> None:
        """Make joints idle at once; this also clears a fault whose cause is gone."""
        self._give(c.SetMode, self._numbers(joints), FORCE_IDLE, "modes", mode_name)

    def set_interactions(self, joints: Any = None, interactions: Any = None) -> None:
        """Make joints stiff or compliant; modes without interaction store it for later."""
        self._give(c.SetInteraction, joints, interactions, "interactions", interaction_name)

    def set_impedances(
        self, joints: Which, stiffness: Values, damping: Values, offset: Values = 0.0
    ) -> None:
        """Set the impedance of compliant joints; None is all joints."""
        numbers = self._numbers(joints)
        self._runner._command(
            c.SetImpedance,
            joints=numbers,
            stiffness=_listed(stiffness, len(numbers)),
            damping=_listed(damping, len(numbers)),
            offset=_listed(offset, len(numbers)),
        )

    # motion

    def position_move(self, joints: Any = None, positions: Any = None) -> None:
        """Send joints to positions along minimum-jerk trajectories."""
        self._give(c.PositionMove, joints, positions)

    def set_positions(self, joints: Any = None, positions: Any = None) -> None:
        """Stream positions, in position direct mode."""
        self._give(c.SetPosition, joints, positions)

    def velocity_move(self, joints: Any = None, velocities: Any = None) -> None:
        """Stream velocities; without renewal they go to zero."""
        self._give(c.VelocityMove, joints, velocities)

    def set_torques(self, joints: Any = None, torques: Any = None) -> None:
        """Stream torques; without renewal the joint faults."""
        self._give(c.SetTorque, joints, torques)

    def set_outputs(self, joints: Any = None, outputs: Any = None) -> None:
        """Stream motor outputs from -1 to 1; without renewal the joint faults."""
        self._give(c.SetOutput, joints, outputs)

    def set_speeds(self, joints: Any = None, speeds: Any = None) -> None:
        """Set the mean speed of new trajectories, rad/s."""
        self._give(c.SetJointSpeed, joints, speeds)

    def set_accelerations(self, joints: Any = None, accelerations: Any = None) -> None:
        """Set the acceleration of velocity ramps, rad/s²."""
        self._give(c.SetJointAcceleration, joints, accelerations)

    def stop(self, joints: Which = None) -> None:
        """Bring joints to rest; their modes stay."""
        self._runner._command(c.StopJoints, joints=self._numbers(joints))

    def calibrate(self, joints: Which = None) -> None:
        """Calibrate joints that are idle or not configured."""
        self._runner._command(c.Calibrate, joints=self._numbers(joints))

    def inject_fault(self, joints: Which, fault: str | JointFault) -> None:
        """Inject a fault into simulated joints; `none` removes its cause."""
        self._runner._command(c.InjectFault, joints=self._numbers(joints), faults=fault)

    def wait_done(self, joints: Which = None, timeout: float = 60.0) -> None:
        """Let the arm run until the references of joints are at rest.

        Raises:
            ArmStopped: One of them has a fault.
            WaitTimeout: It took longer than the timeout.
        """
        check_timeout(timeout)
        numbers = self._numbers(joints)

        def over(tick: Tick) -> bool:
            return bool(np.all(tick.joint_done[numbers]) or np.any(tick.fault[numbers]))

        # the last command acts at the next tick
        self._runner.wait_until(lambda _: True)
        try:
            if not over(self._tick):
                self._runner.wait_until(over, timeout)
        except WaitTimeout:
            raise WaitTimeout(f"joints {numbers} still move after {timeout:g} s") from None
        if np.any(self._tick.fault[numbers]):
            raise ArmStopped(self.why())

    # queries

    def modes(self, joints: Which = None) -> list[ReportedMode]:
        """The control mode or status that joints report."""
        return [ReportedMode(int(code)) for code in self._tick.mode[self._numbers(joints)]]

    def interactions(self, joints: Which = None) -> list[Interaction]:
        """Whether joints are stiff or compliant."""
        return [Interaction(int(code)) for code in self._tick.interaction[self._numbers(joints)]]

    def impedances(self, joints: Which = None) -> list[Impedance]:
        """The impedance of joints when compliant."""
        tick = self._tick
        return [
            Impedance(float(tick.K_joint[j]), float(tick.D_joint[j]), float(tick.tau_offset[j]))
            for j in self._numbers(joints)
        ]

    def faults(self, joints: Which = None) -> list[JointFault]:
        """The faults of joints."""
        return [JointFault(int(code)) for code in self._tick.fault[self._numbers(joints)]]

    def why(self) -> str:
        """The joints with a fault, and which, in words; empty if there is none."""
        return joint_faults(self._session.row)

    def positions(self, joints: Which = None) -> Array:
        """The measured positions."""
        return self._tick.q[self._numbers(joints)]

    def targets(self, joints: Which = None) -> Array:
        """The targets; for a joint at rest, its reference."""
        tick = self._tick
        return np.where(tick.motion % 2 == 1, tick.q_goal, tick.q_board)[self._numbers(joints)]

    def speeds(self, joints: Which = None) -> Array:
        """Mean speeds of new trajectories."""
        return self._tick.speed_joint[self._numbers(joints)]

    def accelerations(self, joints: Which = None) -> Array:
        """Accelerations of velocity ramps."""
        return self._tick.acceleration_joint[self._numbers(joints)]

    def done(self, joints: Which = None) -> bool:
        """Whether the references of all these joints are at rest."""
        return bool(np.all(self._tick.joint_done[self._numbers(joints)]))

    @property
    def _tick(self) -> Tick:
        return self._session.row[0].copy()

    def _numbers(self, joints: Which) -> list[int]:
        if joints is None:
            return list(range(len(self)))
        one = isinstance(joints, int | str | np.integer)
        return [self._number(joint) for joint in ([joints] if one else joints)]

    def _number(self, joint: int | str) -> int:
        """The number of a joint; its name may omit `_joint`."""
        if isinstance(joint, str):
            for number, name in enumerate(self.names):
                if joint in (name, name.removesuffix("_joint")):
                    return number
            raise UnknownNameError("joint", joint, list(self.names))
        if joint not in range(len(self)):
            raise Refused(f"there is no joint {joint}; valid: 0 to {len(self) - 1}")
        return int(joint)

    def _give(
        self,
        kind: type[c.JointCommand],
        joints: Any,
        values: Any,
        field: str = "values",
        word: Callable[[Any], Any] = float,
    ) -> None:
        """Give a command to some joints, or with values alone to all.

        Raises:
            Refused: A single number stands alone: it could be a joint's number or a value.
        """
        if values is None and joints is None:
            raise Refused(f"{kind.name} needs {field}: one for each joint, or one for all of them")
        if values is None:
            if word is float and not hasattr(joints, "__len__"):
                raise Refused(
                    f"{kind.name}({joints}) does not say whether {joints} is a joint or a value: "
                    f"give both, as in {kind.name}(0, {joints}), or a list with a value per joint"
                )
            joints, values = None, joints
        numbers = self._numbers(joints)
        listed = [word(value) for value in _listed(values, len(numbers))]
        self._runner._command(kind, joints=numbers, **{field: listed})


class Joint:
    """One joint."""

    def __init__(self, joints: Joints, number: int) -> None:
        self._joints = joints
        self.number = number

    def __repr__(self) -> str:
        q = self._joints.positions(self.number)[0]
        return f"<Joint {self.number} {self.name} {q:.4f} rad {self.mode.name}>"

    @property
    def name(self) -> str:
        """Its name in the arm's description."""
        return self._joints.names[self.number]

    @property
    def mode(self) -> ReportedMode:
        """Its control mode, or a status; a control mode can be set."""
        return self._joints.modes(self.number)[0]

    @mode.setter
    def mode(self, mode: ModeWord) -> None:
        self._joints.set_modes(self.number, mode)

    @property
    def interaction(self) -> Interaction:
        """Stiff or compliant; can be set."""
        return self._joints.interactions(self.number)[0]

    @interaction.setter
    def interaction(self, interaction: InteractionWord) -> None:
        self._joints.set_interactions(self.number, interaction)

    @property
    def impedance(self) -> Impedance:
        """Its impedance when compliant; can be set to (stiffness, damping, offset)."""
        return self._joints.impedances(self.number)[0]

    @impedance.setter
    def impedance(self, impedance: Impedance | tuple[float, float, float]) -> None:
        stiffness, damping, offset = impedance
        self._joints.set_impedances(
            self.number, stiffness=stiffness, damping=damping, offset=offset
        )

    @property
    def speed(self) -> float:
        """Mean speed of its next trajectories, rad/s; can be set."""
        return float(self._joints.speeds(self.number)[0])

    @speed.setter
    def speed(self, speed: float) -> None:
        self._joints.set_speeds(self.number, speed)

    @property
    def acceleration(self) -> float:
        """Acceleration of its velocity ramps, rad/s²; can be set."""
        return float(self._joints.accelerations(self.number)[0])

    @acceleration.setter
    def acceleration(self, acceleration: float) -> None:
        self._joints.set_accelerations(self.number, acceleration)

    @property
    def position(self) -> float:
        """Its measured position, rad."""
        return float(self._joints.positions(self.number)[0])

    @property
    def target(self) -> float:
        """Its target, rad."""
        return float(self._joints.targets(self.number)[0])

    @property
    def fault(self) -> JointFault:
        """Its fault."""
        return self._joints.faults(self.number)[0]

    @property
    def done(self) -> bool:
        """Whether its reference is at rest."""
        return self._joints.done(self.number)

    def position_move(self, position: float) -> None:
        """Send it to a position along a minimum-jerk trajectory."""
        self._joints.position_move(self.number, position)

    def set_position(self, position: float) -> None:
        """Stream a position, in position direct mode."""
        self._joints.set_positions(self.number, position)

    def velocity_move(self, velocity: float) -> None:
        """Stream a velocity; without renewal it goes to zero."""
        self._joints.velocity_move(self.number, velocity)

    def set_torque(self, torque: float) -> None:
        """Stream a torque; without renewal the joint faults."""
        self._joints.set_torques(self.number, torque)

    def set_output(self, output: float) -> None:
        """Stream a motor output from -1 to 1; without renewal the joint faults."""
        self._joints.set_outputs(self.number, output)

    def stop(self) -> None:
        """Bring it to rest; its mode stays."""
        self._joints.stop(self.number)

    def force_idle(self) -> None:
        """Make it idle at once; this also clears a fault whose cause is gone."""
        self._joints.force_idle(self.number)

    def calibrate(self) -> None:
        """Calibrate it."""
        self._joints.calibrate(self.number)


def _listed(values: Any, count: int) -> list[Any]:
    """One value per joint: a list of that length, or a single value repeated."""
    if isinstance(values, str) or not hasattr(values, "__len__"):
        return [values] * count
    if len(values) != count:
        raise Refused(f"{count} joints need as many values, not {len(values)}")
    return list(values)
