"""Every mode and status × every mode command × every motion command × both interactions.

What is accepted is what the tables say and what the independent model says; what is refused leaves
no trace in the tick.
"""

from typing import Any

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms import load_arm
from pliant.commands.handlers.joint_board import begin_board, board_limits
from pliant.commands.supervisor import Supervisor
from pliant.config import Config
from pliant.errors import Refused
from pliant.loop.pipeline import Pipeline
from pliant.stages.joints import Interaction, JointFault, JointMode, ReportedMode
from pliant.stages.joints.joint_modes import (
    COMMANDS_OF,
    FIRST_STATUS,
    FORCE_IDLE,
    FORCE_IDLE_FROM,
    NEEDS_TORQUE,
    SELECTABLE_FROM,
)
from pliant.tick import Rows, new_rows

from . import board_model as model

CONFIG = Config()
JOINT = 1
MODE_COMMANDS = [*(mode.name.lower() for mode in JointMode), FORCE_IDLE]
MOTIONS: dict[str, type[c.JointCommand]] = {
    "position_move": c.PositionMove,
    "set_position": c.SetPosition,
    "velocity_move": c.VelocityMove,
    "set_torque": c.SetTorque,
    "set_output": c.SetOutput,
}
MODEL_STATES: dict[str, model.Mode | model.Status] = {
    state.value: state for state in (*model.Mode, *model.Status)
}


class Bench:
    """A supervisor and a joint board, without an arm."""

    def __init__(self, arm: str) -> None:
        self.arm = load_arm(arm)
        self.dt = 1.0 / self.arm.rate
        self.pipeline = Pipeline(self.arm, CONFIG, self.dt, ())
        self.stages = self.pipeline.stages

    def supervisor(self, simulated: bool = True) -> Supervisor:
        """A supervisor to which no command was given yet."""
        self.pipeline.wishes.clear()
        return Supervisor(CONFIG, self.pipeline, self.dt, self.arm, simulated)

    def row(self, reported: ReportedMode, interaction: Interaction) -> Rows:
        """A tick at rest at home, joint 1 as given."""
        row = new_rows(self.arm.n)
        row["q"] = row["q_sent"] = self.arm.home
        row["dt"] = self.dt
        row["temperature"] = 25.0
        begin_board(row, CONFIG)
        row["mode"][0, JOINT] = reported
        row["interaction"][0, JOINT] = interaction
        if reported < FIRST_STATUS:
            row["mode_wanted"][0, JOINT] = reported
        if reported is ReportedMode.HARDWARE_FAULT:
            row["fault"][0, JOINT] = JointFault.OVER_TORQUE
        return row

    def run(self, row: Rows, given: list[c.JointCommand]) -> tuple[list[str], Rows]:
        """The reason why each command was refused, empty if accepted; and the next tick."""
        supervisor = self.supervisor()
        reasons = []
        for command in given:
            try:
                supervisor.take(command, row)
                reasons.append("")
            except Refused as error:
                reasons.append(str(error))
        tick = row.copy()
        tick["k"], tick["time"] = row["k"] + 1, row["time"] + row["dt"]
        for stage in ("supervisor", "joints", "servo"):
            if stage in self.stages:
                self.stages[stage](row, tick)
        return reasons, tick

    def model(self, reported: ReportedMode, interaction: Interaction) -> model.Board:
        """The independent model in the same state."""
        state = MODEL_STATES[reported.vocab]
        spec = model.Spec(q_min=-2.0, q_max=2.0, torque_interface=self.arm.takes_torque)
        start = state if isinstance(state, model.Status) else model.Mode.IDLE
        board = model.Board([spec] * self.arm.n, start=start)
        joint = board.joints[JOINT]
        if isinstance(state, model.Mode):
            joint.enter(state)
        joint.interaction = model.Interaction(interaction.vocab)
        return board


def can_be(reported: ReportedMode, bench: Bench) -> bool:
    return bench.arm.takes_torque or reported not in NEEDS_TORQUE


def mode_expected(bench: Bench, reported: ReportedMode, word: str) -> bool:
    if word == FORCE_IDLE:
        return reported in FORCE_IDLE_FROM
    mode = JointMode[word.upper()]
    return mode in SELECTABLE_FROM[reported] and can_be(ReportedMode(mode), bench)


def ask_model(board: model.Board, word: str, value: Any) -> bool:
    if word in MOTIONS:
        return board.do(word, JOINT, value) is model.OK
    if word == FORCE_IDLE:
        return board.do("force_idle", JOINT) is model.OK
    mode = MODEL_STATES[JointMode[word.upper()].vocab]
    return board.do("set_mode", JOINT, mode) is model.OK


UR5E, PANDA = Bench("ur5e"), Bench("panda")
STATES = [
    pytest.param(
        bench, reported, interaction, id=f"{bench.arm.name}-{reported.vocab}-{interaction}"
    )
    for bench in (UR5E, PANDA)
    for reported in ReportedMode
    for interaction in Interaction
    if can_be(reported, bench) and (bench is PANDA or interaction is Interaction.STIFF)
]


@pytest.mark.parametrize(("bench", "reported", "interaction"), STATES)
def test_what_is_accepted(bench: Bench, reported: ReportedMode, interaction: Interaction) -> None:
    row = bench.row(reported, interaction)
    for word in MODE_COMMANDS:
        select = c.SetMode(joints=(JOINT,), modes=(word,))
        accepted = mode_expected(bench, reported, word)
        lands = reported
        if accepted:
            lands = ReportedMode.IDLE if word == FORCE_IDLE else ReportedMode[word.upper()]
        for name, motion in MOTIONS.items():
            move = motion(joints=(JOINT,), values=(0.1,))
            board = bench.model(reported, interaction)
            (why_mode, why_motion), tick = bench.run(row, [select, move])
            assert (why_mode == "") == accepted == ask_model(board, word, None), (word, why_mode)
            taken = lands < FIRST_STATUS and name in COMMANDS_OF[JointMode(lands)]
            assert (why_motion == "") == taken == ask_model(board, name, 0.1), (word, name)
            assert tick["mode"][0, JOINT] in (
                (lands,) if reported is not ReportedMode.CALIBRATION_DONE else (0,)
            )
            assert MODEL_STATES[lands.vocab] == board.joints[JOINT].state
            for why, given in ((why_mode, [move]), (why_motion, [select])):
                if why:
                    _, without = bench.run(row, given)
                    assert tick.tobytes() == without.tobytes(), "a refusal left a trace"


@pytest.mark.parametrize("bench", [UR5E, PANDA])
@pytest.mark.parametrize("interaction", Interaction)
@pytest.mark.parametrize("reported", ReportedMode)
def test_interaction_is_stored_in_every_mode_and_status(
    bench: Bench, reported: ReportedMode, interaction: Interaction
) -> None:
    row = bench.row(reported, Interaction.STIFF)
    command = c.SetInteraction(joints=(JOINT,), interactions=(interaction.vocab,))
    impedance = c.SetImpedance(joints=(JOINT,), stiffness=(30.0,), damping=(3.0,), offset=(1.0,))
    (why, why_impedance), tick = bench.run(row, [command, impedance])
    if interaction is Interaction.COMPLIANT and not bench.arm.takes_torque:
        assert "not available" in why
        assert tick["interaction"][0, JOINT] == Interaction.STIFF
    else:
        assert why == ""
        assert tick["interaction"][0, JOINT] == interaction
    assert why_impedance == ""
    assert [tick[name][0, JOINT] for name in ("K_joint", "D_joint", "tau_offset")] == [30, 3, 1]


def test_a_refusal_says_what_to_do_instead() -> None:
    bench = PANDA
    row = bench.row(ReportedMode.POSITION, Interaction.STIFF)
    (why,), _ = bench.run(row, [c.VelocityMove(joints=(JOINT,), values=(0.1,))])
    assert why == (
        "joint 1 is in position mode, which takes no velocity_move: "
        "set it to velocity or mixed first"
    )
    row = bench.row(ReportedMode.HARDWARE_FAULT, Interaction.STIFF)
    (why,), _ = bench.run(row, [c.SetMode(joints=(JOINT,), modes=("pos",))])
    assert why == (
        "joint 1 is in hardware fault (too much torque): "
        "force it idle first, in Python arm.joints.force_idle() or arm.reset()"
    )


REFUSED: list[tuple[JointMode, c.JointCommand, str]] = [
    (JointMode.TORQUE, c.SetTorque(joints=(1,), values=(1e4,)), "is not within"),
    (JointMode.OPEN_LOOP, c.SetOutput(joints=(1,), values=(1.1,)), "is not within"),
    (JointMode.POSITION, c.SetJointSpeed(joints=(1,), values=(-0.1,)), "is not within"),
    (JointMode.POSITION, c.SetJointAcceleration(joints=(1,), values=(0.0,)), "is not within"),
    (
        JointMode.POSITION,
        c.SetImpedance(joints=(1,), stiffness=(1e6,), damping=(0.0,)),
        "is not within",
    ),
    (JointMode.POSITION, c.PositionMove(joints=(1, 2), values=(0.1, 0.2, 0.3)), "2 joints need"),
    (JointMode.POSITION, c.PositionMove(joints="all", values=(0.1, 0.2)), "joints need"),
    (JointMode.POSITION, c.PositionMove(joints=(1, 1), values=(0.1, 0.2)), "named twice"),
    (JointMode.POSITION, c.PositionMove(joints=(9,), values=(0.1,)), "no joint 9"),
    (JointMode.POSITION, c.PositionMove(joints=(1, 2), values=(0.1, 0.2)), "joint 2 is in idle"),
]


@pytest.mark.parametrize(("mode", "command", "why"), REFUSED)
def test_invalid_values_and_lists_are_refused(
    mode: JointMode, command: c.JointCommand, why: str
) -> None:
    bench = PANDA
    row = bench.row(ReportedMode(mode), Interaction.STIFF)
    (reason,), tick = bench.run(row, [command])
    assert why in reason
    assert tick.tobytes() == bench.run(row, [])[1].tobytes()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_no_command_accepts_nan(value: float) -> None:
    for motion in MOTIONS.values():
        with pytest.raises(ValueError, match="finite"):
            motion(joints=(1,), values=(value,))


def test_targets_clamp_to_the_limits_and_the_reply_says_so() -> None:
    bench = PANDA
    row = bench.row(ReportedMode.POSITION, Interaction.STIFF)
    reply = bench.supervisor().take(c.PositionMove(joints=(JOINT,), values=(99.0,)), row)
    limit = board_limits(CONFIG, bench.arm).q_max[JOINT]
    assert reply.text == f"position_move, joint 1; joint 1 clamped to {limit:.6g}"


def test_faults_cannot_be_injected_on_a_real_arm() -> None:
    bench = PANDA
    row = bench.row(ReportedMode.IDLE, Interaction.STIFF)
    supervisor = bench.supervisor(simulated=False)
    with pytest.raises(Refused, match="simulation only"):
        supervisor.take(c.InjectFault(joints=(0,), faults=("encoder",)), row)
