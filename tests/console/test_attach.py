"""A console that attaches to an arm of another program."""

import os
import time

import numpy as np
import pytest

import pliant
from pliant.reasons import State


@pytest.fixture
def arm(folder):
    """An arm of a program's own, in real time."""
    config = {"safety": {"lateness": 60.0}}
    with pliant.Arm("sim:ur5e/table", clock="real", config=config) as made:
        yield made


def test_a_program_shows_its_arm(arm, open_page, until):
    address = arm.show(browser=False)
    assert arm.show(browser=False) == address
    page = open_page(address)
    assert page.status["phase"] == "running"
    assert page.hello["arm"]["spec"] == "sim:ur5e/table"
    page.subscribe("X_WT", "k")
    arm.zero()
    arm.activate("hybrid_admittance")
    until(lambda: page.status["state"] == "ACTIVE")
    # the program is in control; a viewer may only stop the arm
    refused = page.line("HOLD")
    assert not refused["ok"]
    assert "is in control" in refused["text"]
    arm.move_by([0, 0, 0.02, 0, 0, 0], wait=False)
    goal = arm.tick.X_WT[2] + 0.02
    arm.wait_until(lambda tick: bool(tick.ref_done) and tick.X_WR[2] > goal - 1e-3)
    until(lambda: abs(page.last["X_WT"][2] - arm.tick.X_WT[2]) < 2e-3)
    arm.close()
    until(lambda: page.closed is not None)


def test_a_viewer_can_stop_the_arm_of_a_program(arm, open_page, until):
    page = open_page(arm.show(browser=False))
    page.send(type="stop")
    with pytest.raises(pliant.ArmStopped, match="stopped as asked"):
        arm.wait(30.0)
    until(lambda: page.status["phase"] == "ended")


def test_attaching_leaves_the_controller_running(arm, console, until):
    served = console("--attach")
    page = served.page()
    name = page.status["controller"]
    assert name in page.status["controllers"]
    assert not page.ask(type="start", robot="sim:ur5e")["ok"]
    assert page.line("LAW position")["ok"]
    until(lambda: arm.state is State.ACTIVE)
    before = np.array(arm.tick.q_sent)
    assert served.close() == 0
    until(lambda: arm.state is State.INACTIVE)
    np.testing.assert_allclose(arm.tick.q_sent, before, atol=1e-6)
    arm.wait(0.1)

    # from the page, by name
    other = console().page()
    assert other.status["phase"] == "idle"
    until(lambda: name in other.status["controllers"])
    assert not other.ask(type="attach", name="nobody-there")["ok"]
    assert other.ask(type="attach", name=name)["ok"]
    until(lambda: other.status["controller"] == name)


def test_a_failed_attach_is_reported(console, folder, capfd):
    with pytest.raises(AssertionError):
        console("--attach", "nobody")
    assert "unknown controller 'nobody'" in capfd.readouterr().err
    assert os.listdir(folder) == []


def test_simulated_time_is_shown_in_real_time(folder, open_page, until):
    with pliant.Arm("sim:ur5e/peg") as arm:
        page = open_page(arm.show(browser=False))
        assert page.hello["capabilities"]["watch_only"]
        assert page.hello["scene"]["name"] == "peg"
        page.subscribe("k", "X_WT")
        start, began = arm.time, time.monotonic()
        arm.zero()
        arm.activate("position")
        arm.set("reference.max_speed", [0.05, 0.5])
        arm.move_by([0, 0, 0.02, 0, 0, 0], wait=False)
        arm.wait(1.5)
        assert time.monotonic() - began >= arm.time - start - 0.1
        until(lambda: page.ks and page.ks[-1] >= arm.tick.k - 1)
        np.testing.assert_allclose(page.last["X_WT"], arm.tick.X_WT, atol=1e-3)
        assert page.ks == list(range(page.ks[0], page.ks[-1] + 1))
        refused = page.line("HOLD")
        assert refused["text"].endswith("the console can only watch it")
        page.send(type="stop")
        until(lambda: page.said("stop the program"))
        arm.wait(1.0)
        until(lambda: page.hello["config"]["reference"]["max_speed"] == [0.05, 0.5])


def test_showing_an_arm_changes_no_results(folder):
    def run(shown):
        with pliant.Arm("sim:ur5e/table", seed=3) as arm:
            if shown:
                arm.show(browser=False)
            arm.zero()
            arm.activate("hybrid_admittance")
            arm.set_axes("z")
            arm.wait(0.2)
            return arm.history["q"]

    np.testing.assert_array_equal(run(shown=True), run(shown=False))
