"""The rules that hold for every stage, on ticks of a run with contact, jogging, stops and a fault.

A stage reads the previous row, this row's columns to its left and its parameters; it writes all of
its own columns and nothing else.
"""

from collections.abc import Callable

import numpy as np
import pytest

from pliant import Arm, commands
from pliant.config import Config
from pliant.errors import Refused
from pliant.laws import PoseLaw
from pliant.laws.hybrid_admittance.kernel import State as HybridState
from pliant.loop.clock import FastClock
from pliant.params import params_row
from pliant.reasons import State
from pliant.tick import STAGES, Rows, columns, table_dtype, tick_dtype

from .stage_runs import (
    CONFIG,
    change_laws_stop_and_fail,
    drive_the_joints,
    float_and_be_pushed,
    press_switch_and_jog,
    react_and_follow,
)

PURE = [stage for stage in STAGES if stage not in ("robot", "write")]
OF_TORQUE_ARMS = ("dynamics", "servo")
HAS = {"ur5e": [stage for stage in PURE if stage not in OF_TORQUE_ARMS], "panda": PURE}
PAIRS = [(name, stage) for name, stages in HAS.items() for stage in stages]
every_stage = pytest.mark.parametrize(
    ("arm_name", "stage"), PAIRS, indirect=["arm_name"], scope="module"
)
OWN = {stage: [name for name, c, _ in columns() if c.stage == stage] for stage in STAGES}
Update = Callable[[Rows, Rows], None]


@pytest.fixture(scope="module", params=HAS)
def arm_name(request: pytest.FixtureRequest) -> str:
    """An arm of each interface."""
    return request.param


@pytest.fixture(scope="module")
def run(arm_name: str) -> Arm:
    """An arm after the whole run."""
    arm = Arm(f"sim:{arm_name}/table", config=CONFIG, seed=3)
    press_switch_and_jog(arm)
    float_and_be_pushed(arm)
    change_laws_stop_and_fail(arm)
    if arm.simulation.description.takes_torque:
        arm.activate("gravity")
        arm.wait(0.01)
        arm.deactivate()
        arm.wait(0.1)
    react_and_follow(arm)
    drive_the_joints(arm)
    return arm


@pytest.fixture(scope="module")
def recording(run: Arm) -> Rows:
    """The ticks of the whole run."""
    return run.history.since(0.0)


def pairs(recording: Rows, every: int) -> list[tuple[Rows, Rows]]:
    """Pairs of neighbouring ticks: each where something switches, and some of the others."""
    switches = ("state", "law_seq", "axes_seq", "ref_kind", "zero_seq", "zeroed", "verdict", "trip")
    chosen = []
    for k in range(1, len(recording)):
        prev, tick = recording[k - 1 : k], recording[k : k + 1]
        switched = (prev["mode"] != tick["mode"]).any()
        if k % every == 0 or switched or any(prev[n][0] != tick[n][0] for n in switches):
            chosen.append((prev, tick))
    return chosen


@pytest.fixture(scope="module")
def updates(run: Arm) -> dict[str, Update]:
    """Every pure stage as a function of two rows, with the parameters of the recording."""
    loop = run._session._loop
    return {"clock": FastClock(loop.robot.dt).wait, **loop.pipeline.stages}


def poison(row: Rows, first_stage: str, fill: float, fill_int: int) -> None:
    """Garbage in the columns of a stage and of all later ones."""
    for stage in STAGES[STAGES.index(first_stage) :]:
        for name in OWN[stage]:
            kind = row[name].dtype.kind
            row[name] = fill if kind == "f" else fill_int % 256 if kind == "u" else fill_int


def broken_rules(stage: str, update: Update, prev: Rows, tick: Rows) -> list[str]:
    """Violations of the rules by a stage on a pair of ticks."""
    broken, results = [], []
    for fill, fill_int in ((np.nan, 123456789), (1e30, -987654321)):
        row, before = tick.copy(), prev.copy()
        poison(row, stage, fill, fill_int)
        poisoned = row.copy()
        update(before, row)
        if before.tobytes() != prev.tobytes():
            broken.append("changes the previous row")
        for name in row.dtype.names or ():
            if name not in OWN[stage] and row[name].tobytes() != poisoned[name].tobytes():
                broken.append(f"writes {name}")
        results.append(row)
    clean = tick.copy()
    update(prev.copy(), clean)
    for name in OWN[stage]:
        written = {row[name].tobytes() for row in (*results, clean)}
        if len(written) > 1:
            broken.append(f"{name} is not written in full, or from what lies to its right")
    return broken


def test_the_recording_has_every_situation(recording: Rows, arm_name: str) -> None:
    seen = set(zip(recording["state"].tolist(), recording["law"].tolist(), strict=True))
    if arm_name == "panda":
        assert {(State.ACTIVE, 2), (State.STOPPING, 2)} <= seen
        assert recording["by_torque"].any()
    assert {(State.INACTIVE, -1), (State.ACTIVE, 0), (State.ACTIVE, 1)} <= seen
    assert {(State.STOPPING, 0), (State.FAULT, -1)} <= seen
    assert set(recording["ref_kind"]) == {0, 1, 2, 8, 9, 10}
    assert set(recording["reaction_slot"]) == {0, 1, 2}
    assert np.abs(recording["true_f_fixture_W"]).max() > 2.0
    assert not np.isfinite(recording["w_S_raw"]).all()
    assert recording["clipped"].any()
    modes = {0, 1, 3, 4, 5, 10, 11} | ({2, 6} if arm_name == "panda" else set())
    assert set(recording["mode"].ravel()) == modes
    assert set(recording["interaction"].ravel()) == ({0, 1} if arm_name == "panda" else {0})


@every_stage
def test_a_stage_keeps_the_rules(stage: str, recording: Rows, updates: dict[str, Update]) -> None:
    for prev, tick in pairs(recording, every=7):
        assert broken_rules(stage, updates[stage], prev, tick) == []


@every_stage
def test_a_recording_can_be_recomputed(
    stage: str, recording: Rows, updates: dict[str, Update]
) -> None:
    for k in range(1, len(recording)):
        prev, tick = recording[k - 1 : k].copy(), recording[k : k + 1].copy()
        commanded = [n for n in OWN["supervisor"] if (prev[n] != tick[n]).any()]
        if stage == "supervisor" and commanded:
            continue
        poison(tick, stage, np.nan, 7)
        updates[stage](prev, tick)
        for name in OWN[stage]:
            assert tick[name].tobytes() == recording[name][k].tobytes(), (name, k)


def test_an_arm_has_every_stage_that_its_interface_needs(
    recording: Rows, updates: dict[str, Update], arm_name: str
) -> None:
    assert list(updates) == HAS[arm_name]
    for stage in set(PURE) - set(updates):
        for name in OWN[stage]:
            assert not recording[name].any()


COMMANDS = [
    commands.SetWrench(wrench=(1, 2, -30, 0, 0, 0), frame="world"),
    commands.SetAxes(mask=(True, False, True, False, False, True)),
    commands.MoveTo(pose=(0.4, 0.1, 0.2, 0.0, 1.0, 0.0, 0.0)),
    commands.MoveBy(delta=(0.01, 0, 0, 0, 0, 0.1), frame="tool"),
    commands.Jog(twist=(0.01, 0, 0, 0, 0, 0.1)),
    commands.Hold(),
    commands.React(condition="speed<9", reaction="retract 0.01"),
    commands.React(condition="force<99", reaction="stop"),
    commands.React(condition="ref_done>=0&norm(q)>0", reaction="law position"),
    commands.Until(condition="k>0@2", line="JOG 0.01 0 0 0 0 0"),
    commands.Disarm(),
    commands.FollowPath(action="new", points=[[0, 0.4, 0, 0.3, 0, 3.0, 0]]),
    commands.Zero(),
    commands.Activate(law="position"),
    commands.Activate(law="hybrid_admittance"),
    commands.Activate(law="gravity"),
    commands.Deactivate(),
    commands.Reset(),
    commands.SetMode(joints="all", modes=("mix",)),
    commands.SetMode(joints=(0, 5), modes=("fidl",)),
    commands.PositionMove(joints=(0,), values=(0.1,)),
    commands.VelocityMove(joints=(1,), values=(0.1,)),
    commands.SetImpedance(joints=(1, 2), stiffness=(10.0,), damping=(1.0,)),
    commands.StopJoints(joints="all"),
    commands.Calibrate(joints=(2,)),
    commands.InjectFault(joints=(3,), faults=("tracking",)),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: type(c).__name__)
def test_the_supervisor_keeps_the_rules_with_a_command(
    command: commands.Command, recording: Rows, arm_name: str
) -> None:
    loop = Arm(f"sim:{arm_name}/table", config=CONFIG)._session._loop
    supervise = loop.pipeline.stages["supervisor"]
    taken = 0

    def update(prev: Rows, tick: Rows) -> None:
        nonlocal taken
        try:
            loop.supervisor.take(command, prev)
            taken += 1
        except Refused:
            pass
        supervise(prev, tick)

    for prev, tick in pairs(recording, every=50):
        assert broken_rules("supervisor", update, prev, tick) == []
    assert taken > 0 or (arm_name == "ur5e" and command == commands.Activate(law="gravity"))


class Terse(PoseLaw):
    """A user's law that writes only the required columns."""

    name = "terse"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Follow the reference."""
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0


def test_columns_that_a_users_law_does_not_write_are_not_stale() -> None:
    arm = Arm("sim:ur5e", laws=[Terse()])
    arm.activate("terse")
    arm.move_by([0, 0, 0.01, 0, 0, 0], wait=False)
    arm.wait(0.1)
    rows = arm.history.since(0.0)
    update = arm._session._loop.pipeline.stages["law"]
    assert broken_rules("law", update, rows[-2:-1], rows[-1:]) == []


def _forgetful(update: Update, prev: Rows, tick: Rows) -> None:
    kept = tick["q_limited"].copy()
    update(prev, tick)
    tick["q_limited"] = kept


def _curious(update: Update, prev: Rows, tick: Rows) -> None:
    update(prev, tick)
    tick["q_limited"] += 0.0 * np.nan_to_num(tick["q_sent"]) + 1e-30 * tick["q_sent"]


def _meddling(update: Update, prev: Rows, tick: Rows) -> None:
    update(prev, tick)
    tick["mode"] = 0


def _reaching_back(update: Update, prev: Rows, tick: Rows) -> None:
    update(prev, tick)
    prev["trip"] = 1


@pytest.mark.parametrize(
    ("crime", "found"),
    [
        (_forgetful, "q_limited is not written"),
        (_curious, "q_limited is not written"),
        (_meddling, "writes mode"),
        (_reaching_back, "changes the previous row"),
    ],
)
def test_a_stage_that_breaks_a_rule_is_detected(
    crime: Callable[[Update, Rows, Rows], None],
    found: str,
    recording: Rows,
    updates: dict[str, Update],
) -> None:
    k = int(np.argmax(recording["state"] == State.ACTIVE)) + 5
    broken = broken_rules(
        "safety",
        lambda prev, tick: crime(updates["safety"], prev, tick),
        recording[k - 1 : k],
        recording[k : k + 1],
    )
    assert any(text.startswith(found) for text in broken)


def test_no_column_hides_behind_an_attribute_of_a_record() -> None:
    config = Config()
    tables = [tick_dtype(6), table_dtype(HybridState, 0)]
    models = (config.wrench, config.reference, config.resolve, config.safety)
    for model in (*models, config.laws.hybrid_admittance, config.laws.position):
        tables.append(params_row(model).dtype)
    for table in tables:
        assert set(table.names or ()) & set(dir(np.record)) == set()
