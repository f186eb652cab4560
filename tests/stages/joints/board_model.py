"""An independent model of the joint board, as a reference for its tests.

It follows the reference page on control modes and interaction modes and shares no code with the
package. It has no servo, integrators, gravity or soft-limit spring: only states, references and
what is accepted. Units are SI; outputs are a fraction of full duty.

One period is `observe(measured)`, any commands, then `advance(dt)`; `tick` does both at once.
`do(command, joints, values)` is for one joint (an index and a value), a subset (two lists) or all
joints (`None` and a list); it is accepted for all the joints it names or for none. Checks come in
this order: joints and length, what the arm can do, the status, the mode, the value.

Where the page is silent or leaves a choice, the model does what an operator would expect.

Start and calibration:
- A joint starts idle, or in the state that the caller gives.
- Only `calibrate` leads out of *not configured* and *configured*: one tick in each status before
  calibrating, one tick of *calibration done* after it, then idle, without going on to position.
- Calibration begins in those two statuses or in idle, nowhere else. Force idle during it is
  refused, as idle is; `stop` breaks it off and leaves the joint configured.

Faults:
- Any state can fault. Force idle is refused while a cause persists, and lands in idle whatever
  came before. The fault reported is the first; a later cause must also go.
- A new fault makes every other joint hold: what moves brakes, torque and open loop become
  position at the measured position (they cannot hold by themselves), calibration is broken off,
  idle stays idle. After that the other joints take commands again.
- A stale torque or output has no lasting cause: force idle clears it at once.

Switches:
- A change of interaction in a mode that uses it is a switch as well: the trajectory ends and the
  reference is the measured position, so that a joint pushed aside does not snap back.
- Torque and output time out counting from a command; before the first one the reference of the
  switch (measured torque, zero output) stays. Position direct does not time out.

Values:
- Positions, velocities, speeds and accelerations clamp to their limits. Torques, outputs and
  impedances out of range are refused, as are NaN, infinity, a negative speed, an acceleration
  that is not positive, and a joint named twice. A torque offset is bounded by the torque limit.
- A speed of zero can be set; `position_move` is refused until it is positive.
- Speeds, accelerations, interaction and impedance can be set in every mode and status; a speed
  counts from the next `position_move` on. Impedance can be stored on any arm.

Motion:
- A trajectory takes |Δ| / speed, or longer if it would exceed the velocity or acceleration limit.
  Its detour after a reversal ends at the joint limits.
- `stop` is accepted in every state. Motion brakes with the reference acceleration and direct
  holds its reference, and the target becomes where that ends; torque and open loop become position
  as after a fault of another joint, because a torque that stays brings nothing to rest.
- A direct reference approaches its target at the velocity limit at most.
- Mixed: a new target starts from the trajectory's velocity while a velocity command is in force,
  else from the whole reference velocity, so that the target is reached. The sum of both keeps
  to the velocity limit too, at the cost of the distance.
- At a joint limit the reference stops, with zero velocity. A switch beyond the limit refers to
  the measured position all the same; from there the reference only moves inwards.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .board_vocabulary import (
    MODES_BY_MOTION,
    MOVING,
    OK,
    PUSHING,
    REFUSAL_BY_STATUS,
    Fault,
    Impedance,
    Interaction,
    Measured,
    Mode,
    Outcome,
    Spec,
    Status,
)
from .minimum_jerk_model import MinimumJerk, plan

EPSILON = 1e-9  # s; forgives the rounding of summed periods


@dataclass(kw_only=True)
class Joint:
    """One joint: its state, settings and references. A command's method assumes acceptance."""

    spec: Spec
    state: Mode | Status = Mode.IDLE
    measured: Measured = field(default_factory=Measured)
    interaction: Interaction = Interaction.STIFF
    impedance: Impedance = field(default_factory=Impedance)
    speed: float = math.radians(10.0)  # rad/s
    acceleration: float = math.radians(100.0)  # rad/s²
    fault: Fault | None = None
    causes: set[Fault] = field(default_factory=set)
    target: float = 0.0  # of position_move or set_position
    position: float = 0.0  # the reference, and below
    velocity: float = 0.0
    torque: float = 0.0
    output: float = 0.0
    velocity_command: float = 0.0
    ramp: float = 0.0  # the part of the velocity that follows the velocity command
    trajectory: MinimumJerk | None = None
    elapsed: float = 0.0  # on the trajectory
    age: float | None = None  # of the present streamed command
    calibration_left: float | None = None  # of a commanded calibration

    @property
    def motion_done(self) -> bool:
        """Whether no trajectory runs and no braking is left."""
        return self.trajectory is None and self.velocity == 0.0

    @property
    def compliant_torque(self) -> float | None:
        """The torque of the compliant law where it acts, else None."""
        if self.interaction is Interaction.STIFF or self.state not in MOVING:
            return None
        law, q, qd = self.impedance, self.measured.position, self.measured.velocity
        return law.offset + law.stiffness * (self.position - q) - law.damping * qd

    def enter(self, state: Mode | Status) -> None:
        """Enter a state with the references of a switch."""
        self.state = state
        self.target = self.position = self.measured.position
        self.velocity = self.velocity_command = self.ramp = self.output = 0.0
        self.torque = self.measured.torque if state is Mode.TORQUE else 0.0
        self.trajectory = self.age = self.calibration_left = None

    def set_mode(self, mode: Mode) -> None:
        if mode is not self.state:
            self.enter(mode)

    def force_idle(self, _: None) -> None:
        self.fault = None
        self.set_mode(Mode.IDLE)

    def set_interaction(self, interaction: Interaction) -> None:
        changed, self.interaction = interaction is not self.interaction, interaction
        if changed and self.state in MOVING:
            self.enter(self.state)

    def set_impedance(self, impedance: Impedance) -> None:
        self.impedance = impedance

    def set_speed(self, speed: float) -> None:
        self.speed = min(speed, self.spec.qd_max)

    def set_acceleration(self, acceleration: float) -> None:
        self.acceleration = min(acceleration, self.spec.qdd_max)

    def position_move(self, target: float) -> None:
        self.set_position(target)
        start_velocity = self.velocity - self.ramp
        if self.velocity_command == 0.0:
            start_velocity, self.ramp = self.velocity, 0.0
        self.trajectory = plan(
            self.position,
            start_velocity,
            self.target,
            self.speed,
            self.spec.qd_max,
            self.spec.qdd_max,
        )
        self.elapsed = 0.0

    def set_position(self, target: float) -> None:
        self.target = min(max(target, self.spec.q_min), self.spec.q_max)

    def velocity_move(self, velocity: float) -> None:
        self.velocity_command, self.age = _bound(velocity, self.spec.qd_max), 0.0

    def set_torque(self, torque: float) -> None:
        self.torque, self.age = torque, 0.0

    def set_output(self, output: float) -> None:
        self.output, self.age = output, 0.0

    def stop(self, _: None) -> None:
        if self.state in PUSHING:
            self.enter(Mode.POSITION)
        if self.state in MOVING:
            self.ramp = 0.0 if self.state is Mode.POSITION_DIRECT else self.velocity
            self.velocity_command, self.trajectory, self.age = 0.0, None, None
            self.target = self.position
        elif self.state is Status.CALIBRATING:
            self.enter(Status.CONFIGURED)
        self.calibration_left = None

    def calibrate(self, _: None) -> None:
        self.calibration_left = self.spec.calibration_time
        if self.state is Mode.IDLE:
            self.state = Status.CALIBRATING

    def clear_cause(self, cause: Fault) -> None:
        self.causes.discard(cause)

    def inject_fault(self, cause: Fault) -> None:
        self.causes.add(cause)
        self.take_out(cause)

    def take_out(self, fault: Fault) -> None:
        """Enter the fault state, unless it is there already."""
        if self.state is not Status.FAULT:
            self.fault = fault
            self.enter(Status.FAULT)

    def watch(self, dt: float) -> None:
        """End a streamed command that has timed out."""
        self.age = None if self.age is None else self.age + dt
        pushing = self.state in PUSHING
        timeout = self.spec.torque_timeout if pushing else self.spec.velocity_timeout
        if self.age is None or self.age <= timeout + EPSILON:
            return
        self.velocity_command, self.age = 0.0, None
        if pushing:
            self.take_out(Fault.STALE_COMMAND)

    def advance(self, dt: float) -> None:
        """Advance the references, or the calibration, by one period."""
        if self.state is Mode.POSITION_DIRECT:
            step = _bound(self.target - self.position, self.spec.qd_max * dt)
            self.position, self.velocity = self.position + step, step / dt
        elif self.state in MOVING:
            self._advance_motion(dt)
        elif self.state is Status.CALIBRATION_DONE:
            self.enter(Mode.IDLE)
        elif self.calibration_left is not None:
            self._advance_calibration(self.calibration_left, dt)

    def _advance_motion(self, dt: float) -> None:
        qd_max = self.spec.qd_max
        braking = self.ramp != 0.0 and self.velocity_command == 0.0
        self.ramp += _bound(self.velocity_command - self.ramp, self.acceleration * dt)
        position, velocity = self.position + self.ramp * dt, self.ramp
        if curve := self.trajectory:
            before, self.elapsed = self.elapsed, self.elapsed + dt
            ended = self.elapsed >= curve.duration - EPSILON
            x, v, _ = curve.at(curve.duration if ended else self.elapsed)
            if self.state is Mode.MIXED:
                step = _bound(position + x - curve.at(before)[0] - self.position, qd_max * dt)
                position, velocity = self.position + step, _bound(velocity + v, qd_max)
            else:  # the closed form, so that rounding errors do not accumulate
                position, velocity = x, v
            self.trajectory = None if ended else curve
        lower, upper = min(self.spec.q_min, self.position), max(self.spec.q_max, self.position)
        self.position, self.velocity = min(max(position, lower), upper), velocity
        if self.position != position:
            self.velocity = self.ramp = 0.0
        if braking and self.trajectory is None:
            self.target = self.position

    def _advance_calibration(self, left: float, dt: float) -> None:
        if self.state is Status.NOT_CONFIGURED:
            self.state = Status.CONFIGURED
        elif self.state is Status.CONFIGURED:
            self.state = Status.CALIBRATING
        else:
            self.calibration_left = left - dt
            if self.calibration_left <= EPSILON:
                self.state = Status.CALIBRATION_DONE


def check(command: str, joint: Joint, value: Any) -> Outcome:
    """Whether one joint accepts a command, or why not."""
    spec, state = joint.spec, joint.state
    if not spec.torque_interface and (
        value in (Mode.TORQUE, Mode.OUTPUT, Interaction.COMPLIANT)
        or MODES_BY_MOTION.get(command, MOVING) <= PUSHING
    ):
        return Outcome.NOT_AVAILABLE
    match command:
        case "set_mode":
            return REFUSAL_BY_STATUS.get(state, OK)
        case "force_idle" if state is Status.FAULT:
            return Outcome.CAUSE_PRESENT if joint.causes else OK
        case "force_idle":
            return REFUSAL_BY_STATUS.get(state, OK)
        case "calibrate" if joint.calibration_left is not None:
            return Outcome.CALIBRATING
        case "calibrate" if state not in (Mode.IDLE, Status.NOT_CONFIGURED, Status.CONFIGURED):
            return REFUSAL_BY_STATUS.get(state, Outcome.WRONG_MODE)
    if state not in MODES_BY_MOTION.get(command, {state}):
        return REFUSAL_BY_STATUS.get(state, Outcome.WRONG_MODE)
    return _check_value(command, joint, value)


def _check_value(command: str, joint: Joint, value: Any) -> Outcome:
    spec, inf = joint.spec, math.inf
    match command:
        case "position_move" if math.isfinite(value) and joint.speed <= 0.0:
            return Outcome.NO_SPEED
        case "position_move" | "set_position" | "velocity_move":
            bounded = [(value, (-inf, inf))]
        case "set_torque":
            bounded = [(value, (-spec.tau_max, spec.tau_max))]
        case "set_output":
            bounded = [(value, (-spec.output_max, spec.output_max))]
        case "set_speed":
            bounded = [(value, (0.0, inf))]
        case "set_acceleration":
            bounded = [(value, (math.ulp(0.0), inf))]
        case "set_impedance":
            bounded = [(value.stiffness, spec.stiffness), (value.damping, spec.damping)]
            bounded.append((value.offset, (-spec.tau_max, spec.tau_max)))
        case _:
            bounded = []
    if not all(math.isfinite(x) for x, _ in bounded):
        return Outcome.NOT_FINITE
    return OK if all(low <= x <= high for x, (low, high) in bounded) else Outcome.OUT_OF_RANGE


COMMANDS: dict[str, Callable[[Joint, Any], None]] = {
    method.__name__: method
    for method in (
        *(Joint.set_mode, Joint.force_idle, Joint.stop, Joint.calibrate),
        *(Joint.position_move, Joint.set_position, Joint.velocity_move),
        *(Joint.set_torque, Joint.set_output, Joint.set_speed, Joint.set_acceleration),
        *(Joint.set_interaction, Joint.set_impedance, Joint.inject_fault, Joint.clear_cause),
    )
}
WITHOUT_VALUES = {"force_idle", "stop", "calibrate"}


class Board:
    """The joints of one arm."""

    def __init__(self, specs: Sequence[Spec], start: Mode | Status = Mode.IDLE) -> None:
        self.joints = [Joint(spec=spec, state=start) for spec in specs]

    def do(self, command: str, joints: int | Sequence[int] | None, values: Any = None) -> Outcome:
        """Execute a command of `COMMANDS`, or refuse it and change nothing."""
        indices, one = joints, False
        if isinstance(indices, int):
            indices, one = [indices], True
        if indices is None:
            indices = range(len(self.joints))
        if any(index not in range(len(self.joints)) for index in indices):
            return Outcome.NO_SUCH_JOINT
        if len(set(indices)) != len(indices):
            return Outcome.REPEATED_JOINT
        if command in WITHOUT_VALUES:
            one, values = False, [None] * len(indices)
        if one == isinstance(values, Sequence) or (not one and len(values) != len(indices)):
            return Outcome.WRONG_LENGTH
        values = [values] if one else values
        pairs = [(self.joints[i], value) for i, value in zip(indices, values, strict=True)]
        for joint, value in pairs:
            if (outcome := check(command, joint, value)) is not OK:
                return outcome
        self._do_to_each(pairs, COMMANDS[command])
        return OK

    def tick(self, dt: float, measured: Sequence[Measured]) -> None:
        """One period without commands."""
        self.observe(measured)
        self.advance(dt)

    def observe(self, measured: Sequence[Measured]) -> None:
        """Store the measurements for the next switches."""
        for joint, values in zip(self.joints, measured, strict=True):
            joint.measured = values

    def advance(self, dt: float) -> None:
        """End timed-out commands, then advance every reference."""
        self._do_to_each([(joint, dt) for joint in self.joints], Joint.watch)
        for joint in self.joints:
            joint.advance(dt)

    def _do_to_each(
        self, pairs: Sequence[tuple[Joint, Any]], action: Callable[[Joint, Any], None]
    ) -> None:
        """Apply an action to the named joints; if any of them faults, the others hold."""
        faulty = sum(joint.state is Status.FAULT for joint in self.joints)
        for joint, value in pairs:
            action(joint, value)
        if sum(joint.state is Status.FAULT for joint in self.joints) > faulty:
            for joint in self.joints:
                joint.stop(None)


def _bound(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
