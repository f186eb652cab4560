"""Random command sequences: the board, followed by the safety stage, compared with its model.

`PLIANT_SEQUENCES=10000` runs as many sequences as the board was accepted with.
"""

import os
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pliant import commands as c
from pliant.arms import load_arm
from pliant.commands.handlers.joint_board import begin_board, board_limits
from pliant.commands.supervisor import Supervisor
from pliant.config import Config
from pliant.errors import Refused
from pliant.loop.pipeline import Pipeline
from pliant.stages.joints import JointFault, JointMode, ReportedMode
from pliant.tick import new_rows

from . import board_model as model

SEQUENCES = int(os.environ.get("PLIANT_SEQUENCES", "60"))
TIMES = {"calibration_time": 0.02, "velocity_timeout": 0.05, "torque_timeout": 0.05}
CONFIG = Config.from_dict({"joints": {"speed": 1.0, **TIMES}})
ARM = load_arm("panda")
DT = 1.0 / ARM.rate
LIMITS = board_limits(CONFIG, ARM)
PIPELINE = Pipeline(ARM, CONFIG, DT, ())
UPDATES = [PIPELINE.stages[stage] for stage in ("supervisor", "joints", "servo", "safety")]
MODEL_STATES: dict[str, Any] = {s.value: s for s in (*model.Mode, *model.Status)}
FAULTS = {
    "over_torque": model.Fault.OVER_TORQUE,
    "over_temperature": model.Fault.OVER_TEMPERATURE,
    "tracking": model.Fault.TRACKING_LOSS,
    "encoder": model.Fault.ENCODER_FAILURE,
    "hard_limit": model.Fault.HARD_LIMIT,
}
SLACK = 2
"""Largest delay of the board relative to the model, ticks: one to detect a fault, one to act."""

JOINTS = st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True) | st.sampled_from(
    [[7], [0, 0], [1, 9]]
)
POSITIONS = st.floats(-3.5, 3.5)
SMALL = st.floats(-1.2, 1.2)


def spec(j: int) -> model.Spec:
    """One joint for the model."""
    return model.Spec(
        q_min=LIMITS.q_min[j],
        q_max=LIMITS.q_max[j],
        qd_max=LIMITS.qd_max[j],
        qdd_max=LIMITS.qdd_max[j],
        tau_max=LIMITS.tau_max[j],
        stiffness=(0.0, LIMITS.K_max[j]),
        damping=(0.0, LIMITS.D_max[j]),
        velocity_timeout=CONFIG.joints.velocity_timeout,
        torque_timeout=CONFIG.joints.torque_timeout,
        calibration_time=CONFIG.joints.calibration_time,
    )


class BoardMachine(RuleBasedStateMachine):
    """Gives every command to the board and to the model, and advances both.

    A joint driven by position is where it was sent; one driven by torque stays where it is. Where
    the board brakes and the model stops dead, the two part (`apart`) until both rest.
    """

    def __init__(self) -> None:
        super().__init__()
        PIPELINE.wishes.clear()
        self.supervisor = Supervisor(CONFIG, PIPELINE, DT, ARM, True)
        self.row = new_rows(ARM.n)
        self.row["q"] = self.row["q_sent"] = self.row["q_requested"] = ARM.home
        self.row["dt"], self.row["temperature"] = DT, 25.0
        begin_board(self.row, CONFIG)
        self.board = model.Board([spec(j) for j in range(ARM.n)])
        for joint in self.board.joints:
            joint.speed, joint.acceleration = CONFIG.joints.speed, CONFIG.joints.acceleration
        self.apart = [False] * ARM.n
        self.injected: dict[int, str] = {}
        self.goal: dict[int, float] = {}
        self.observe()
        for j, joint in enumerate(self.board.joints):
            joint.position = joint.target = float(ARM.home[j])

    # both at once

    def observe(self) -> None:
        row = self.row
        self.board.observe(
            [
                model.Measured(float(row["q_sent"][0, j]), 0.0, float(row["tau_sent"][0, j]))
                for j in range(ARM.n)
            ]
        )

    def give(self, name: str, command: c.JointCommand, joints: list[int], values: Any) -> bool:
        """Give the same command to both; they must agree, and a refusal changes nothing."""
        before = PIPELINE.wishes.copy()
        try:
            self.supervisor.take(command, self.row)
            accepted = True
        except Refused as error:
            assert str(error)
            accepted = False
            assert PIPELINE.wishes.copy().tobytes() == before.tobytes()
        outcome = self.board.do(name, joints, values)
        assert accepted == (outcome is model.OK), (name, joints, values, outcome)
        return accepted

    def motion(self, kind: type[c.Motion], joints: list[int], values: list[float]) -> bool:
        command = kind(joints=tuple(joints), values=tuple(values))
        return self.give(command.name, command, joints, values)

    def part(self, joints: list[int]) -> None:
        """Let the motions of board and model differ until both are at rest."""
        for j in joints:
            self.goal.pop(j, None)
            if j < ARM.n:
                self.apart[j] = True

    def step(self) -> None:
        prev, tick = self.row, self.row.copy()
        tick["k"], tick["time"] = prev["k"] + 1, prev["time"] + DT
        by_position = prev["by_torque"][0] == 0
        tick["q"][0] = np.where(by_position, prev["q_sent"][0], prev["q"][0])
        tick["qd"] = 0.0
        for update in UPDATES:
            update(prev, tick)
        tick["q_sent"], tick["tau_sent"] = tick["q_limited"], tick["tau_limited"]
        self.board.advance(DT)
        self.row = tick
        self.check_step(prev)
        self.observe()

    def settle(self) -> None:
        """Assert equal reports; a fault of one joint reaches the others within `SLACK`."""
        for _ in range(SLACK + 1):
            self.step()
            agree = self.states() == [joint.state for joint in self.board.joints]
            if agree and not self.row["new_fault"][0]:
                return
        raise AssertionError((self.states(), [joint.state for joint in self.board.joints]))

    def states(self) -> list[Any]:
        return [MODEL_STATES[ReportedMode(int(m)).vocab] for m in self.row["mode"][0]]

    # invariants of every tick

    def check_step(self, prev: np.ndarray) -> None:
        tick = self.row
        q, qd = tick["q_board"][0], tick["qd_board"][0]
        assert (q <= LIMITS.q_max + 1e-9).all()
        assert (q >= LIMITS.q_min - 1e-9).all()
        assert (np.abs(qd) <= LIMITS.qd_max * (1 + 1e-9)).all()
        step = np.minimum(abs(q - prev["q_board"][0]), abs(q - prev["q_sent"][0]))
        assert (step <= LIMITS.qd_max * DT * (1 + 1e-6)).all(), "a reference jumped"
        continues = (tick["mode"] == prev["mode"]) & (tick["interaction"] == prev["interaction"])
        moves = continues[0] & np.isin(tick["mode"][0], [1, 3, 4, 5])
        change = np.where(moves, abs(qd - prev["qd_board"][0]), 0.0)
        assert (change <= LIMITS.qdd_max * DT * (1 + 1e-6)).all(), "a velocity jumped"
        out = tick["mode"][0] == ReportedMode.HARDWARE_FAULT
        np.testing.assert_array_equal(tick["q_requested"][0][out], prev["q_sent"][0][out])
        assert not tick["by_torque"][0][out].any()
        assert not tick["tau_board"][0][out].any()

    @invariant()
    def settings_agree(self) -> None:
        tick = self.row
        if PIPELINE.wishes.table["any"][0]:
            return
        for j, joint in enumerate(self.board.joints):
            assert tick["interaction"][0, j] == (joint.interaction is model.Interaction.COMPLIANT)
            stored = (tick["K_joint"][0, j], tick["D_joint"][0, j], tick["tau_offset"][0, j])
            law = joint.impedance
            assert stored == (law.stiffness, law.damping, law.offset)
            assert tick["speed_joint"][0, j] == joint.speed
            assert tick["acceleration_joint"][0, j] == joint.acceleration
            assert (tick["fault"][0, j] != 0) == (joint.fault is not None)

    @invariant()
    def references_agree(self) -> None:
        for j, joint in enumerate(self.board.joints):
            if not isinstance(joint.state, model.Mode) or joint.state in model.PUSHING:
                continue
            mine = float(self.row["q_board"][0, j])
            if self.row["joint_done"][0, j]:
                assert abs(mine - self.goal.pop(j, mine)) < 1e-6, "not where it was sent"
                # an idle joint rests once safety has braked it
                stands = self.row["qd_limited"][0, j] == 0.0
                if stands and joint.motion_done and self.apart[j]:
                    joint.position = joint.target = mine
                    self.apart[j] = False
            if not self.apart[j]:
                assert abs(mine - joint.position) < 1e-6, (j, joint, mine)

    # commands

    @rule(joints=JOINTS, mode=st.sampled_from(JointMode), others=st.sampled_from(JointMode))
    def set_mode(self, joints: list[int], mode: JointMode, others: JointMode) -> None:
        modes = [mode, *[others] * (len(joints) - 1)]
        words = tuple(m.vocab for m in modes)
        self.part(joints)
        values = [MODEL_STATES[word] for word in words]
        self.give("set_mode", c.SetMode(joints=tuple(joints), modes=words), joints, values)
        self.settle()

    @rule(joints=JOINTS)
    def force_idle(self, joints: list[int]) -> None:
        self.part(joints)
        command = c.SetMode(joints=tuple(joints), modes=("fidl",))
        self.give("force_idle", command, joints, None)
        self.settle()

    @rule(joints=JOINTS, compliant=st.booleans())
    def set_interaction(self, joints: list[int], compliant: bool) -> None:
        word = "comp" if compliant else "stif"
        self.part(joints)
        command = c.SetInteraction(joints=tuple(joints), interactions=(word,))
        values = [model.Interaction(word)] * len(joints)
        self.give("set_interaction", command, joints, values)
        self.settle()

    @rule(joints=JOINTS, K=st.floats(-1, 1000), D=st.floats(-1, 100), offset=st.floats(-90, 90))
    def set_impedance(self, joints: list[int], K: float, D: float, offset: float) -> None:
        n = len(joints)
        command = c.SetImpedance(
            joints=tuple(joints), stiffness=(K,) * n, damping=(D,) * n, offset=(offset,) * n
        )
        self.give("set_impedance", command, joints, [model.Impedance(K, D, offset)] * n)
        self.settle()

    @rule(joints=JOINTS, q=POSITIONS, direct=st.booleans(), extra=st.sampled_from([0, 0, 0, 1]))
    def go(self, joints: list[int], q: float, direct: bool, extra: int) -> None:
        values = [q / (1 + i) for i in range(len(joints) + extra)]
        kind = c.SetPosition if direct else c.PositionMove
        # during a motion the board may plan a trajectory that the model does not
        under_way = [j for j in joints if j < ARM.n and not self.row["joint_done"][0, j]]
        self.part(joints if direct else under_way)
        if self.motion(kind, joints, values):
            for j, value in zip(joints, values, strict=True):
                if direct or self.row["mode"][0, j] == JointMode.POSITION:
                    self.goal[j] = min(max(value, LIMITS.q_min[j]), LIMITS.q_max[j])
        self.settle()

    @rule(joints=JOINTS, qd=SMALL)
    def velocity_move(self, joints: list[int], qd: float) -> None:
        under_way = [j for j in joints if j < ARM.n and not self.row["joint_done"][0, j]]
        self.part(under_way)
        self.motion(c.VelocityMove, joints, [qd] * len(joints))
        self.settle()

    @rule(joints=JOINTS, tau=st.floats(-100, 100), open_loop=st.booleans())
    def push(self, joints: list[int], tau: float, open_loop: bool) -> None:
        kind, value = (c.SetOutput, tau / 80.0) if open_loop else (c.SetTorque, tau)
        self.motion(kind, joints, [value] * len(joints))
        self.settle()

    @rule(joints=JOINTS, speed=st.floats(-0.5, 4.0), acceleration=st.floats(-1.0, 20.0))
    def set_speed(self, joints: list[int], speed: float, acceleration: float) -> None:
        n = len(joints)
        command = c.SetJointSpeed(joints=tuple(joints), values=(speed,))
        self.give("set_speed", command, joints, [speed] * n)
        ramp = c.SetJointAcceleration(joints=tuple(joints), values=(acceleration,))
        self.give("set_acceleration", ramp, joints, [acceleration] * n)
        self.settle()

    @rule(joints=JOINTS)
    def stop(self, joints: list[int]) -> None:
        self.part(joints)
        self.give("stop", c.StopJoints(joints=tuple(joints)), joints, None)
        self.settle()

    @rule(joints=JOINTS)
    def calibrate(self, joints: list[int]) -> None:
        self.part(joints)
        self.give("calibrate", c.Calibrate(joints=tuple(joints)), joints, None)
        self.settle()

    @rule(j=st.integers(0, 2), fault=st.sampled_from(sorted(FAULTS)))
    def inject(self, j: int, fault: str) -> None:
        if j in self.injected:
            return
        while self.calibration_ends():
            self.step()
        self.injected[j] = fault
        self.part(list(range(ARM.n)))
        command = c.InjectFault(joints=(j,), faults=(fault,))
        self.give("inject_fault", command, [j], [FAULTS[fault]])
        self.settle()
        if self.board.joints[j].fault is FAULTS[fault]:
            assert self.row["fault"][0, j] == JointFault[fault.upper()]

    def calibration_ends(self) -> bool:
        """Whether a calibration would finish before a fault of another joint aborts it."""
        left = self.row["calibration_left"][0]
        done = self.row["mode"][0] == ReportedMode.CALIBRATION_DONE
        return bool((((left > 0.0) & (left < (SLACK + 2) * DT)) | done).any())

    @rule(j=st.integers(0, 2))
    def mend(self, j: int) -> None:
        if j not in self.injected:
            return
        cause = FAULTS[self.injected.pop(j)]
        self.give("clear_cause", c.InjectFault(joints=(j,), faults=("none",)), [j], [cause])
        self.settle()

    @rule(ticks=st.integers(1, 60))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.step()
            if self.row["new_fault"][0]:
                # a stream timed out: the others come to rest
                self.part(list(range(ARM.n)))
        self.near_limits_part()
        self.settle()

    def near_limits_part(self) -> None:
        """At a joint limit the board brakes in time; the model stops there."""
        q = self.row["q_board"][0]
        room = np.minimum(LIMITS.q_max - q, q - LIMITS.q_min)
        self.part([j for j in range(ARM.n) if room[j] < 0.3 or self.mixes(j)])

    def mixes(self, j: int) -> bool:
        """A trajectory and a velocity together may reach the speed limit."""
        joint = self.board.joints[j]
        return joint.trajectory is not None and joint.ramp != 0.0


BoardMachine.TestCase.settings = settings(
    max_examples=SEQUENCES,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestBoard = BoardMachine.TestCase
