"""The loop: whatever raises, the arm is stopped in the same tick and the tick says why."""

from typing import Any

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.description import load_arm
from pliant.bench.null_robot import compliant_loop
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.errors import Refused
from pliant.loop.loop import Loop
from pliant.loop.pipeline import Pipeline
from pliant.loop.simulated_loop import SimulatedLoop
from pliant.reasons import Reason, State
from pliant.stages.supervisor import read_text
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


def test_a_stage_that_raises_becomes_a_controlled_stop_in_the_same_tick(
    loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    k, before = loop.row["k"][0], loop.row["qd_limited"][0].copy()
    monkeypatch.setattr(loop.pipeline, "_before", broken)
    assert_stopped(loop, k)
    # and it goes on to raise
    assert_brakes_within_limits(before, loop)
    assert not stops


def assert_stopped(loop: Loop, k: int) -> None:
    tick = loop.step()
    assert tick["k"][0] == k + 1
    assert tick["state"][0] == State.FAULT
    assert tick["reason"][0] == Reason.EXCEPTION
    assert tick["law"][0] == -1
    assert MESSAGE in read_text(tick)


def test_a_stage_of_a_torque_arm_that_raises_becomes_a_controlled_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arm = SimulatedLoop("sim:panda", configure("sim:panda", None, None))
    arm.give(c.Activate(law="gravity"))
    arm.robot.hand.schedule([8, 8, 0, 0, 0, 0], duration=0.3)
    arm.wait(0.3)
    assert np.abs(arm.row["qd"]).max() > 0.2
    with monkeypatch.context() as patch:
        patch.setattr(arm.loop.pipeline, "_before", broken)
        assert_stopped(arm.loop, arm.row["k"][0])
    for _ in range(1000):
        arm.loop.step()
    assert np.abs(arm.row["qd"]).max() < 1e-2


def test_a_law_that_raises_is_named(
    loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    k, before = loop.row["k"][0], loop.row["qd_limited"][0].copy()
    monkeypatch.setattr(loop.pipeline.laws[0], "_call", broken)
    assert_stopped(loop, k)
    assert read_text(loop.row) == f"law hybrid_admittance: ValueError: {MESSAGE}"
    assert_brakes_within_limits(before, loop)
    assert not stops


def test_without_joints_or_safety_the_backend_stops_the_arm(
    loop: Loop, stops: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop.pipeline, "_after", broken)
    assert_abandoned(loop, stops)


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


def test_the_arm_can_go_on_after_a_reset(loop: Loop) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop.pipeline, "_before", broken)
        loop.step()
    for _ in range(200):
        loop.step()
    loop.supervisor.take(c.Reset(), loop.row)
    loop.step()
    loop.supervisor.take(c.Activate(law="position"), loop.row)
    loop.step()
    assert loop.row["state"][0] == State.ACTIVE
    assert read_text(loop.row) == ""


def test_a_tick_that_failed_leaves_nothing_for_the_next_to_remember(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop.take(c.SetParameter(path="safety.contact_force", value=30.0))
    loop.take(c.SetWrench(wrench=(1.0, 0, 0, 0, 0, 0)))
    with monkeypatch.context() as patch:
        patch.setattr(loop.pipeline, "_before", broken)
        loop.step()
    # safety has looked at the new limits in the tick that failed
    loop.row["state"], loop.row["trip"] = State.INACTIVE, Reason.CONTACT_FORCE
    loop.step()
    assert loop.row["reason"][0] == Reason.CONTACT_FORCE
    assert not loop.row["w_target"].any()


def test_a_tick_waits_then_takes_input_and_then_reads_the_arm(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    def noted(name: str, do: Any) -> Any:
        return lambda *arguments: (order.append(name), do(*arguments))[1]

    for name, owner, method in [
        *(("wait", loop.clock, "wait"), ("read", loop.robot, "read")),
        *(("compute", loop.pipeline, "compute"), ("write", loop.robot, "write")),
        ("publish", loop.publisher, "publish"),
    ]:
        monkeypatch.setattr(owner, method, noted(name, getattr(owner, method)))
    reference, k = loop.row["X_WR_target"].copy(), loop.row["k"].item()
    move = c.MoveBy(delta=(0.0, 0.0, 0.01, 0.0, 0.0, 0.0))
    loop.step(noted("input", lambda: loop.take(move)))
    assert order == ["wait", "input", "read", "compute", "write", "publish"]
    assert loop.row["k"].item() == k + 1
    assert not np.array_equal(loop.row["X_WR_target"], reference), "it acts in the same tick"


def test_the_row_before_the_first_tick_stands_where_the_arm_is() -> None:
    loop = compliant_loop(history=2.0)
    home = load_arm("ur5e").home
    np.testing.assert_array_equal(loop.publisher["q"][0], home)
    np.testing.assert_array_equal(loop.publisher["q_sent"][0], home)


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_stages_are_those_of_the_tick_in_its_order(name: str) -> None:
    arm = load_arm(name)
    pipeline = Pipeline(arm, Config(), 1.0 / arm.rate, ())
    own = STAGES[2:-1]
    if not arm.takes_torque:
        own = tuple(stage for stage in own if stage not in ("dynamics", "servo"))
    assert tuple(pipeline.stages) == own


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


def test_a_new_stop_time_ends_a_stop_of_a_moving_arm(loop: Loop) -> None:
    loop.take(c.SetParameter(path="supervisor.stop_time", value=0.02))
    loop.take(c.Deactivate())
    loop.step()
    assert loop.row["state"].item() == State.STOPPING
    ticks = 1
    while loop.row["law"].item() >= 0 and ticks < 100:
        loop.step()
        ticks += 1
    assert ticks == round(0.02 / loop.robot.dt) + 1
