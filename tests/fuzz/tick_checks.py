"""What must hold in every tick, whatever was commanded: checked over whole blocks of ticks."""

from typing import Any

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.reasons import Reason, State
from pliant.tick import Rows, columns, new_rows

from .kind import Finding
from .preventable import added_by_loads

_MAY_BE_NAN = (
    "true_f_fixture_W",
    "true_f_peak",
    "true_side_peak",
    "true_torque_peak",
    "tau_ext",
    "w_ext_T",
    "gripper_width",
    "gripper_max_width",
)
"""NaN means here that there is no such measurement."""

_SENSED = (
    *("w_S_raw", "w_T_raw", "w_T_filtered", "w_T", "zero_sum_S", "w_zero_S", "w_hand_T"),
    "temperature",
)
"""A broken sensor may say anything; the verdict or a trip says so."""

_FLOATS = [name for name, _, kind in columns() if kind not in (int,)]

_LAW = tuple(name for name, declared, _ in columns() if declared.stage == "law")
_AFTER_LAW = tuple(name for name, d, _ in columns() if d.stage in ("resolve", "joints"))
"""What is computed from the columns of a law, before the safety stage."""

_ROUNDING = 1e-9
# A torque arm is braked when it is too fast, within the torque that it has.
_MEASURED_SPEED = 1.05
# The guard of the tool counts on a model, and on a torque rate that a push may be faster than.
_MEASURED_TOOL_SPEED = 1.25
# Ticks before a block in which a load may have come or vanished.
_PAST = 300
# Joints whose set points are still faster than this in a fault, rad/s, are only braked.
_ONLY_BRAKED = 0.4
# The measured position lags behind the one that was sent; contact may push it a little further.
_MEASURED_POSITION = 0.01


class TickChecks:
    """Checks blocks of consecutive ticks of one arm; each block continues the last.

    Attributes:
        tool_speed: The largest tool speed that the configuration has allowed so far, m/s.
        moved: Whether any joint has moved.
    """

    def __init__(
        self,
        arm: ArmDescription,
        tool_speed: float,
        *,
        broken_sensor: bool = False,
        broken_law: bool = False,
        overpowered: bool = False,
    ) -> None:
        """Start with the next tick.

        Args:
            arm: The arm.
            tool_speed: The configured tool speed, m/s.
            broken_sensor: Whether the sensor may say anything.
            broken_law: Whether a law of a user's own may write anything: its columns are as it
                wrote them, and a tick in which what follows from them is not finite must trip,
                unless all joints are driven by torque.
            overpowered: Whether something pushes harder than the motors can: then measured
                positions and speeds are not the controller's, nor the set points that a torque arm
                continues from them.
        """
        self.tool_speed = tool_speed
        self.moved = False
        self._arm = arm
        self._measured = not overpowered
        self._stepped = not (overpowered and arm.takes_torque)
        self._last: Rows | None = None
        self._past = new_rows(arm.n, 0)
        spared = (*_MAY_BE_NAN, *(_SENSED if broken_sensor else ()))
        spared += _LAW if broken_law else ()
        self._names = [name for name in _FLOATS if name not in spared]
        self._tripping = _AFTER_LAW if broken_law else ()

    def check(self, rows: Rows) -> None:
        """Check the next ticks.

        Raises:
            Finding: A number is not finite, a limit is passed, or what was sent is something else.
        """
        if not len(rows):
            return
        block = rows if self._last is None else np.concatenate([self._last, rows])
        self._last = rows[-1:].copy()
        self._past = np.concatenate([self._past, rows])[-len(rows) - _PAST :]
        self._finite(rows)
        self._sent(rows)
        self._positions(rows)
        self._motion(block)
        self._torques(block)
        self._states(block)
        self.moved |= bool((np.abs(rows["qd_limited"]) > 1e-3).any())

    def _finite(self, rows: Rows) -> None:
        for name in self._names:
            judged = rows[_uses_positions(rows)] if name in self._tripping else rows
            values = judged[name]
            if values.dtype.kind == "f" and not np.isfinite(values).all():
                raise _found(f"{name} is not finite", judged, ~np.isfinite(values), values)

    def _sent(self, rows: Rows) -> None:
        for sent, limited in (("q_sent", "q_limited"), ("tau_sent", "tau_limited")):
            differs = rows[sent] != rows[limited]
            if differs.any() and (sent == "q_sent" or self._arm.takes_torque):
                raise _found(f"{sent} is not {limited}", rows, differs, rows[sent])

    def _positions(self, rows: Rows) -> None:
        arm, sent, measured = self._arm, rows["q_sent"], rows["q"]
        beyond = (sent < arm.q_min - _ROUNDING) | (sent > arm.q_max + _ROUNDING)
        beyond &= rows["by_torque"] == 0
        if beyond.any() and self._stepped:
            raise _found("q_sent is beyond a joint limit", rows, beyond, sent)
        slack = _MEASURED_POSITION
        beyond = (measured < arm.q_min - slack) | (measured > arm.q_max + slack)
        if beyond.any() and self._measured:
            raise _found("q is beyond a joint limit", rows, beyond, measured)

    def _motion(self, block: Rows) -> None:
        arm, dt, velocity = self._arm, block["dt"][-1], block["qd_limited"]
        stepped = (block["by_torque"] == 0) & self._stepped
        both = stepped[1:] & stepped[:-1]
        q, before = _before(block, arm)
        # a joint that a torque had made too fast is braked from there
        fast = (np.abs(velocity) > arm.qd_max * (1.0 + _ROUNDING))[1:] & both
        fast &= ~_below(np.abs(velocity[1:]), np.abs(before))
        if fast.any():
            raise _found("qd_limited is beyond a speed limit", block[1:], fast, velocity[1:])
        fast = np.abs(block["qd"]) > arm.qd_max * _MEASURED_SPEED
        if fast.any() and self._measured:
            fast &= np.abs(block["qd"]) > arm.qd_max * _MEASURED_SPEED + self._added(block)[1]
            fast &= ~_overpowered(block, arm)
        if fast.any() and self._measured:
            raise _found("qd is beyond a speed limit", block, fast, block["qd"])
        change = (velocity[1:] - before) / dt
        hard = (np.abs(change) > arm.qdd_max * (1.0 + 1e-6)) & both
        if hard.any():
            raise _found("qdd_limited is beyond a limit", block[1:], hard, change)
        step = np.abs(block["q_sent"][1:] - q) / dt
        jump = (step > arm.qd_max * (1.0 + 1e-6)) & both
        if jump.any():
            raise _found("q_sent jumps", block[1:], jump, step)
        self._tool_speed(block, before, both.all(axis=1))

    def _tool_speed(self, block: Rows, before: np.ndarray, stepped: np.ndarray) -> None:
        speed = _sent_tool_speed(block, block["qd_limited"])
        slower = _below(speed[1:], speed[:-1])
        # a stop that begins where the arm is slows down from there
        slower |= _begins_at_arm(block, self._arm) & _below(
            speed[1:], _sent_tool_speed(block[1:], before)
        )
        fast = (speed[1:] > self.tool_speed * (1.0 + 1e-3)) & stepped & ~slower
        if fast.any():
            what = f"the tool is faster than {self.tool_speed:g} m/s"
            raise _found(what, block[1:], fast, speed[1:])
        speed = np.linalg.norm(block["v_WT_W"][:, :3], axis=1)
        # in a fault each joint brakes by itself, within its own limits: a tool that slips off what
        # it was pressed against is fast until the torques are taken back
        fast = (speed > self.tool_speed * _MEASURED_TOOL_SPEED) & ~_in_fault(block)
        if fast.any() and self._measured:
            fast &= speed > self.tool_speed * _MEASURED_TOOL_SPEED + self._added(block)[0]
        if fast.any() and self._measured:
            what = f"the measured tool is faster than {self.tool_speed:g} m/s"
            raise _found(what, block, fast, speed)

    def _added(self, block: Rows) -> tuple[np.ndarray, np.ndarray]:
        """The speeds of tool and joints that loads have added, which no torque can prevent."""
        if not self._arm.takes_torque:
            return np.zeros(len(block)), np.zeros_like(block["qd"])
        tool, joints = added_by_loads(self._past, self._arm, self.tool_speed)
        return tool[-len(block) :], joints[-len(block) :]

    def _torques(self, block: Rows) -> None:
        arm, tau = self._arm, block["tau_sent"]
        strong = np.abs(tau) > arm.tau_max * (1.0 + _ROUNDING)
        if strong.any():
            raise _found("tau_sent is beyond a torque limit", block, strong, tau)
        rate = np.abs(np.diff(tau, axis=0)) / block["dt"][-1]
        steep = rate > arm.tau_rate_max * (1.0 + 1e-6)
        if steep.any():
            raise _found("tau_sent is beyond a torque rate limit", block[1:], steep, rate)
        if arm.takes_torque:
            self._braking(block)

    def _braking(self, block: Rows) -> None:
        """In a fault, what drives a joint on along its set point is taken back."""
        tau, qd, braking = block["tau_sent"], block["qd"], block["qd_limited"]
        step = self._arm.tau_rate_max * block["dt"][-1] * (1.0 - 1e-6)
        drives = (tau * qd > 0.0) & (braking * qd > 0.0) & (np.abs(braking) > _ONLY_BRAKED)
        drives &= _in_fault(block)[:, None] & (block["by_torque"] == 0)
        drives = drives[1:] & drives[:-1] & (np.abs(tau[1:]) > np.abs(tau[:-1]) - step)
        if drives.any():
            raise _found("tau_sent drives a joint on in a fault", block[1:], drives, tau[1:])

    def _states(self, block: Rows) -> None:
        lost = np.diff(block["k"]) != 1
        if lost.any():
            raise _found("ticks do not follow each other", block[1:], lost, block["k"][1:])
        unknown = ~np.isin(block["state"], [state.value for state in State])
        if unknown.any():
            raise _found("the state is unknown", block, unknown, block["state"])
        # the supervisor takes a trip over in the next tick, unless the limits have changed
        trip, law = block["trip"] != 0, block["law"]
        ignored = trip[:-2] & trip[1:-1] & trip[2:] & (law[:-2] >= 0) & (law[:-2] == law[2:])
        ignored &= block["law_seq"][2:] == block["law_seq"][:-2]
        if ignored.any():
            raise _found("a law goes on after a trip", block[2:], ignored, block["trip"][2:])


def check_rest(rows: Rows, arm: ArmDescription) -> None:
    """Check that an arm has come to rest in its last ticks.

    Raises:
        Finding: It still moves.
    """
    measured = float(np.abs(rows["qd"][-20:]).max())
    sent = float(np.abs(rows["qd_limited"][-1]).max()) if not arm.takes_torque else 0.0
    if not (sent < 1e-3 and measured < 0.05):
        raise Finding(f"the arm does not come to rest: {sent:.3g} sent, {measured:.3g} rad/s")


def _uses_positions(rows: Rows) -> np.ndarray:
    """Whether the positions that follow from a law's pose matter: a joint takes them, no trip."""
    return (rows["trip"] != Reason.NOT_FINITE) & (rows["by_torque"] == 0).any(axis=1)


def _overpowered(rows: Rows, arm: ArmDescription) -> np.ndarray:
    """Whether each joint moves against all the torque that its motor has."""
    against = rows["tau"] * rows["qd"] < 0.0
    return against & (np.abs(rows["tau"]) > arm.tau_max * (1.0 - 1e-6))


def _in_fault(rows: Rows) -> np.ndarray:
    return rows["state"] == State.FAULT.value


def _below(values: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Whether each value is below the one before it."""
    return values < before * (1.0 - 1e-6)


def _begins_at_arm(block: Rows, arm: ArmDescription) -> np.ndarray:
    """Whether a stop of a torque arm begins in each tick but the first, where the arm is."""
    stops = (block["trip"] != 0) | _in_fault(block)
    readable = block["trip"][1:] != Reason.NOT_FINITE
    return stops[1:] & ~stops[:-1] & readable & arm.takes_torque


def _before(block: Rows, arm: ArmDescription) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities from which the set points of each tick but the first go on."""
    # a joint that a fault has disabled keeps its own
    begins = _begins_at_arm(block, arm)[:, None] & (block["fault"][1:] == 0)
    q = np.clip(block["q"][1:], arm.q_min, arm.q_max)
    qd = np.clip(block["qd"][1:], -arm.qd_max, arm.qd_max)
    return np.where(begins, q, block["q_sent"][:-1]), np.where(begins, qd, block["qd_limited"][:-1])


def _sent_tool_speed(rows: Rows, qd: np.ndarray) -> np.ndarray:
    """The tool's speed at joint velocities of the set points, m/s."""
    tool = np.einsum("kij,kj->ki", rows["J_sent_W"][:, :3], qd)
    return np.linalg.norm(tool, axis=1)


def _found(what: str, rows: Rows, where: np.ndarray, values: np.ndarray) -> Finding:
    """The finding at the first place where something is wrong."""
    place = tuple(int(i) for i in np.argwhere(where)[0])
    row: Any = rows[place[0]]
    element = f"[{', '.join(map(str, place[1:]))}]" if len(place) > 1 else ""
    return Finding(
        f"{what}: {values[place]!r} at {element or 'its row'} of tick {row['k']}, "
        f"{row['time']:.3f} s, state {row['state']}, law {row['law']}, trip {row['trip']}"
    )
