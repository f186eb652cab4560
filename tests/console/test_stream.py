"""Ticks to the page and commands to the arm through a console."""

import time

import numpy as np


def test_start_watch_command_stop(console, ring, until):
    served = console()
    page = served.page()
    assert page.status["phase"] == "idle"
    assert page.line("HOLD")["text"] == "no controller is running: start one"
    assert page.ask(type="start", robot="sim:ur5e/peg")["ok"]
    until(lambda: page.status["holder"] == page.name)
    assert page.status["ready"]
    assert page.status["state"] == "ACTIVE"

    # every tick comes in order, with the values of the ring
    page.subscribe("k", "w_target", "X_WT", "reason_text", "no_such_column")
    assert page.schema["unknown"] == ["no_such_column"]
    until(lambda: len(page.ks) > 400)
    assert page.ks == list(range(page.ks[0], page.ks[0] + len(page.ks)))
    assert page.missed == 0

    # the reply and the tick have the clamped values
    reply = page.line("WRENCH 0 0 -50 0 0 0")
    assert reply["ok"]
    assert "Fz clamped to -20" in reply["text"]
    until(lambda: page.last["w_target"][2] == -20.0)
    assert ring().latest()["w_target"][0, 2] == -20.0
    reply = page.line("WRENCH 1 2")
    assert not reply["ok"]
    assert "expected SET_WRENCH Fx" in reply["text"]

    # only every tenth tick
    page.ks.clear()
    page.subscribe("k", every=10)
    page.ks.clear()
    until(lambda: len(page.ks) > 20)
    assert {k % 10 for k in page.ks} == {0}

    # changed parameters are sent to every page
    other = served.page()
    assert page.line("SET laws.hybrid_admittance.stiffness [50, 50, 50, 1, 1, 1]")["ok"]
    gains = lambda: other.hello["config"]["laws"]["hybrid_admittance"]["stiffness"]  # noqa: E731
    until(lambda: gains() == [50, 50, 50, 1, 1, 1])

    # every viewer may stop the arm, and it can be started again
    other.send(type="stop")
    until(lambda: page.status["phase"] == "ended")
    assert page.status["why"] == "stopped as asked"
    assert other.said(f"STOP by {other.name}")
    assert other.ask(type="start", robot="sim:ur5e")["ok"]
    until(lambda: other.status["holder"] == other.name)
    assert other.hello["arm"]["spec"] == "sim:ur5e"
    assert other.hello["scene"]["name"] == "free"
    until(lambda: len(page.ks) and page.ks[-1] > 100)


def test_pulling_the_tool_with_the_mouse(console, until):
    page = console().started("sim:ur5e")
    page.subscribe("X_WT", "w_T")
    assert page.line("AXIS 1 1 1 0 0 0")["ok"]
    until(lambda: "X_WT" in page.last)
    start = page.last["X_WT"].copy()

    def pulled():
        page.send(type="push", wrench_W=[0, 15, 0, 0, 0, 0], seconds=0.2)
        time.sleep(0.05)
        return page.last["X_WT"][1] - start[1] > 0.005

    # 15 N against the default damping, after the dead band
    until(pulled)
    moved = page.last["X_WT"] - start
    assert np.abs(moved[[0, 2]]).max() < 0.2 * moved[1]
    until(lambda: np.abs(page.last["w_T"]).max() == 0.0)


def test_a_failed_start_is_reported_with_the_reason(console, until):
    page = console().page()
    for robot, why in (
        ("sim:nothing", "unknown arm 'nothing'; valid: "),
        ("sim:ur5e/nowhere", "unknown scene 'nowhere'; valid: "),
        ("--help", "not started: unknown robot"),
    ):
        reply = page.ask(type="start", robot=robot)
        assert not reply["ok"]
        assert why in reply["text"]
        until(lambda said=reply["text"]: page.status["why"] == said)
        assert page.status["phase"] == "idle"
