"""The loop: whatever raises, the arm is stopped in the same tick and the tick says why."""

from typing import Any

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.description import load_arm
from pliant.bench.null_robot import NullRobot, compliant_loop
from pliant.config import Config
from pliant.errors import Refused
from pliant.loop.loop import Loop
from pliant.reasons import Reason
from pliant.stages.supervisor import State, read_text
from pliant.tick import STAGES, Rows

MESSAGE = "it broke"


def broken(*_: Any) -> None:
    raise ValueError(MESSAGE)


@pytest.fixture
def loop() -> Loop:
    """A loop in motion under the hybrid law."""
    loop = compliant_loop(history=2.0)
    loop.supervisor.take(c.MoveBy(delta=(0.1, 0.0, 0.0, 0.0, 0.0, 0.0)), loop.row)
    for _ in range(200):
        loop.step()
    assert np.abs(loop.row["qd_limited"]).max() > 0.01
    return loop


@pytest.fixture
def stepwise(loop: Loop) -> Loop:
    """The same, every stage called by itself."""
    call_each_stage(loop)
    return loop


def call_each_stage(loop: Loop) -> None:
    loop._can_fuse = loop._fusible = False


@pytest.fixture
def stops(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by one whenever the backend is told to stop."""
    calls: list[str] = []
    monkeypatch.setattr(loop.robot, "stop", lambda: calls.append("stop"))
    return calls


def assert_brakes_within_limits(before: np.ndarray, loop: Loop) -> None:
    """Safety's acceleration limit holds and the arm comes to rest."""
    arm = load_arm("ur5e")
    for _ in range(200):
        v = loop.row["qd_limited"][0]
        assert np.all(np.abs(v - before) <= arm.qdd_max * loop.robot.dt * (1.0 + 1e-6))
        before = v.copy()
        loop.step()
    assert np.all(loop.row["qd_limited"] == 0.0)


@pytest.mark.parametrize("stage", ["model", "wrench", "reference", "resolve"])
def test_a_stage_that_raises_becomes_a_controlled_stop_in_the_same_tick(
    stage: str, stepwise: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    k, before = stepwise.row["k"][0], stepwise.row["qd_limited"][0].copy()
    monkeypatch.setattr(getattr(stepwise, f"_{stage}"), "update", broken)
    tick = stepwise.step()
    assert tick["k"][0] == k + 1
    assert tick["state"][0] == State.FAULT
    assert tick["reason"][0] == Reason.EXCEPTION
    assert tick["law"][0] == -1
    assert MESSAGE in read_text(tick)
    assert_brakes_within_limits(before, stepwise)
    assert not stops


def test_a_supervisor_that_raises_becomes_a_controlled_stop(
    stepwise: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stepwise.supervisor.stage, "update", broken)
    assert stepwise.step()["state"][0] == State.FAULT
    assert MESSAGE in read_text(stepwise.row)


def test_a_law_that_raises_is_named(stepwise: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stepwise.row["qd_limited"][0].copy()
    monkeypatch.setattr(stepwise._laws[0], "update", broken)
    assert stepwise.step()["state"][0] == State.FAULT
    assert read_text(stepwise.row) == f"law hybrid_admittance: ValueError: {MESSAGE}"
    assert_brakes_within_limits(before, stepwise)


@pytest.mark.parametrize("stage", ["joints", "safety"])
def test_without_joints_or_safety_the_backend_stops_the_arm(
    stage: str, stepwise: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getattr(stepwise, f"_{stage}"), "update", broken)
    assert_abandoned(stepwise, stops)


@pytest.mark.parametrize("method", ["read", "write"])
def test_an_arm_out_of_reach_is_stopped_by_its_backend(
    method: str, loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop.robot, method, broken)
    assert_abandoned(loop, stops)


def assert_abandoned(loop: Loop, stops: list[str]) -> None:
    k, sent = loop.row["k"][0], loop.row["q_sent"].copy()
    with pytest.raises(ValueError, match=MESSAGE):
        loop.step()
    assert stops == ["stop"]
    assert loop.row["k"][0] == loop.publisher["k"][-1] == k + 1
    assert loop.row["state"][0] == State.FAULT
    assert MESSAGE in read_text(loop.row)
    np.testing.assert_array_equal(loop.row["q_sent"], sent)


def test_the_arm_can_go_on_after_a_reset(stepwise: Loop) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stepwise._resolve, "update", broken)
        stepwise.step()
    for _ in range(200):
        stepwise.step()
    stepwise.supervisor.take(c.Reset(), stepwise.row)
    stepwise.step()
    stepwise.supervisor.take(c.Activate(law="position"), stepwise.row)
    stepwise.step()
    assert stepwise.row["state"][0] == State.ACTIVE
    assert read_text(stepwise.row) == ""


def test_a_fused_tick_that_raises_becomes_a_controlled_stop(
    loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = loop.row["qd_limited"][0].copy()
    monkeypatch.setattr(loop, "_fused_tick", broken)
    assert loop.step()["state"][0] == State.FAULT
    assert MESSAGE in read_text(loop.row)
    monkeypatch.undo()
    assert_brakes_within_limits(before, loop)
    assert not stops


def test_the_row_before_the_first_tick_stands_where_the_arm_is() -> None:
    loop = compliant_loop(history=2.0)
    robot = NullRobot(load_arm("ur5e"))
    np.testing.assert_array_equal(loop.publisher["q"][0], robot.native.q)
    np.testing.assert_array_equal(loop.publisher["q_sent"][0], robot.native.q)


def test_stages_are_those_of_the_tick_in_its_order(loop: Loop) -> None:
    assert tuple(loop.stages) == STAGES[2:-1]


class Lines:
    """A publisher that keeps the lines."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, str]] = []

    def publish(self, tick: Rows) -> None:
        pass

    def write_line(self, kind: str, tick: int, text: str) -> None:
        self.lines.append((kind, tick, text))


def test_what_the_supervisor_is_told_is_published_with_the_tick_at_which_it_acts(
    loop: Loop,
) -> None:
    loop.publisher = lines = Lines()
    k = loop.row["k"][0] + 1
    loop.take(c.Jog(twist=(0.1, 0.0, 0.0, 0.0, 0.0, 0.0)))
    loop.take(c.Hold(), "HOLD")
    with pytest.raises(Refused):
        loop.take(c.Activate(law="none such"))
    loop.step()
    loop.stop(Reason.WATCHDOG)
    assert lines.lines == [
        ("input", k, "JOG 0.1 0.0 0.0 0.0 0.0 0.0"),
        ("input", k, "HOLD"),
        ("input", k + 1, "stop WATCHDOG"),
    ]


def test_a_loop_goes_on_after_a_tick_that_was_computed_elsewhere(loop: Loop) -> None:
    other = compliant_loop(history=2.0)
    other.resume(loop.row)
    assert other.step()["k"][0] == loop.row["k"][0] + 1
    np.testing.assert_array_equal(other.row["X_WT_sent"], loop.step()["X_WT_sent"])


def test_a_new_publisher_is_told_what_the_next_tick_builds_on(loop: Loop) -> None:
    k, lines = loop.row["k"].item(), Lines()
    before = loop.supervisor.config
    loop.take(c.SetParameter(path="safety.contact_force", value=33.0))
    loop.introduce(lines)
    (first, at, config), second = lines.lines
    assert (first, at) == ("config", k)
    assert Config.model_validate_json(config) == before
    assert second == ("input", k + 1, "SET safety.contact_force 33.0")
    assert loop.config_then is before
    loop.step()
    assert loop.config_then.safety.contact_force == 33.0


def test_the_configuration_is_published_once_a_second(loop: Loop) -> None:
    loop.publisher = lines = Lines()
    every = round(1.0 / loop.robot.dt)
    for _ in range(2 * every):
        loop.step()
    ticks = [tick for kind, tick, _ in lines.lines if kind == "config"]
    assert len(ticks) == 2
    assert [tick % every for tick in ticks] == [0, 0]


def test_an_arm_that_cannot_be_read_is_published_as_an_input(
    loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop.publisher = lines = Lines()
    k = loop.row["k"].item() + 1
    monkeypatch.setattr(loop.robot, "read", broken)
    with pytest.raises(ValueError, match=MESSAGE):
        loop.step()
    assert lines.lines[0] == ("input", k, f"abandon ValueError: {MESSAGE}")
    assert stops == ["stop"]


@pytest.mark.parametrize("fused", [True, False])
def test_a_new_stop_time_ends_a_stop_of_a_moving_arm(loop: Loop, fused: bool) -> None:
    if not fused:
        call_each_stage(loop)
    loop.take(c.SetParameter(path="supervisor.stop_time", value=0.02))
    loop.take(c.Deactivate())
    loop.step()
    assert loop.row["state"].item() == State.STOPPING
    ticks = 1
    while loop.row["law"].item() >= 0 and ticks < 100:
        loop.step()
        ticks += 1
    assert ticks == round(0.02 / loop.robot.dt) + 1
