"""The floating arm: it holds, it yields, it comes to rest."""

from typing import Any

import numpy as np
import pytest

from pliant import Arm

PUSHES = [[10, 0, 0], [0, 10, 0], [0, 0, 10], [-10, 0, 0], [0, -10, 0], [0, 0, -10]]


def floating(name: str = "panda", friction: str = "typical", **gravity: Any) -> Arm:
    arm = Arm(f"sim:{name}", config={"sim": {"friction": friction}, "laws": {"gravity": gravity}})
    arm.activate("gravity")
    arm.wait(0.01)
    return arm


@pytest.mark.parametrize("friction", ["off", "typical"])
def test_it_holds_without_a_push(friction: str) -> None:
    arm = floating(friction=friction)
    start = arm.tick.q
    arm.wait(10.0)
    assert np.abs(arm.history["q"] - start).max() < 2e-3


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("push", PUSHES, ids=str)
def test_it_yields_to_a_push_and_comes_to_rest(name: str, push: list[float]) -> None:
    arm = floating(name)
    start = arm.tick.X_WT[:3]
    arm.hand.schedule([*push, 0, 0, 0], start=arm.time, duration=0.5)
    arm.wait(4.0)
    way = arm.tick.X_WT[:3] - start
    assert way @ push / 10.0 > 0.05
    assert np.abs(arm.history["qd"]).max() < 1.0
    assert np.abs(arm.tick.qd).max() < 1e-4


def test_without_damping_and_friction_nothing_stops_it() -> None:
    arm = floating(friction="off", damping=0.0)
    arm.hand.schedule([0, 2, 0, 0, 0, 0], start=arm.time, duration=0.1)
    arm.wait(0.2)
    fast = np.abs(arm.tick.qd).max()
    arm.wait(0.3)
    assert np.abs(arm.tick.qd).max() > 0.8 * fast > 0.01


def test_the_measured_damping_is_the_configured_one() -> None:
    arm = floating(friction="off", damping=4.0)
    arm.hand.schedule([3, 3, 3, 0, 0, 0], start=arm.time, duration=0.2)
    arm.wait(0.15)
    tick = arm.tick
    scale = 1.0 + 4.0 * arm.dt / np.diag(tick.M)
    np.testing.assert_allclose(tick.tau_sent * scale, -4.0 * tick.qd, atol=1e-6)
    assert np.abs(tick.qd).max() > 0.02


def test_it_starts_with_the_torque_last_sent() -> None:
    arm = Arm("sim:panda")
    # the servo compensates a push when the law takes over
    arm.hand.schedule([0, 0, -15, 0, 0, 0], start=0.0, duration=2.0)
    arm.wait(0.5)
    held = arm.tick.tau_sent
    assert np.abs(held).max() > 3.0
    arm.activate("gravity")
    arm.wait(0.2)
    tau = arm.history["tau_sent"][-201:]
    np.testing.assert_allclose(tau[0], held, atol=0.2)
    assert np.abs(np.diff(tau, axis=0)).max() < 1.0
    assert np.abs(arm.tick.tau_blend).max() < 0.01
