"""How hard a tool that is stopped by a touch hits: by a reaction, by polling, and at the least."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from pliant import Arm, column, force
from pliant.sim.drive import TorqueDrive
from pliant.tick import Rows

SPEED = 0.02
DOWN = [0, 0, -0.2, 0, 0, 0]
STIFF = {"sim": {"scene": {"kind": "table", "stiffness": 1e5}}, "safety": {"contact_force": 500.0}}
LEAST_SHARE = {"cartesian_impedance": 0.8, "task_space_inverse_dynamics": 0.75}
"""Of the peak by polling, what no reaction can come below, by torque law."""


def approaching(spec: str, law: str) -> Arm:
    """An arm whose tool is a little above a hard table, at rest, its sensor zeroed."""
    arm = Arm(spec, config=STIFF, seed=1, flight=False)
    arm.zero()
    arm.activate(law)
    arm.move_by([0, 0, -0.045, 0, 0, 0], speed=0.1)
    return arm


def peak(arm: Arm) -> float:
    """The largest true contact force, N."""
    return float(np.nanmax(arm.history["true_f_peak"]))


def by_reaction(spec: str, law: str, *, filtered: bool = True) -> float:
    arm = approaching(spec, law)
    touched = force("z") > 5 if filtered else column("w_T_raw", 2) < -5
    arm.move_by(DOWN, speed=SPEED, until=touched)
    arm.wait(0.3)
    return peak(arm)


def by_polling(spec: str, law: str, *, hard: bool = False) -> float:
    """Polling in simulated time sees every tick and acts at the next: no program is quicker."""
    arm = approaching(spec, law)
    arm.move_by(DOWN, speed=SPEED, wait=False)
    arm.wait(0.15)
    if hard:
        arm.set("reference.max_acceleration", arm.config.reference.brake_acceleration)
    arm.wait_until(lambda tick: abs(tick.w_T[2]) > 5)
    arm.hold()
    arm.wait(0.3)
    return peak(arm)


@contextmanager
def brake_with_all_torque(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """From the tick of a reaction on, push the tool up as hard as the arm's torque rate allows.

    The torques keep the direction that accelerates the tool along z alone: with every joint at its
    own limit the wrist would be quicker than the arm, and turn the tool into the table.
    """
    write, last = TorqueDrive.write, np.zeros(7)
    reacted = False

    def pushing(drive: TorqueDrive, tick: Rows) -> None:
        nonlocal reacted
        t = tick[0]
        reacted |= bool(t["reaction_slot"] != 0)
        if reacted:
            rising = t["v_WT_W"][2] > 0.0
            mobility = t["J_W"] @ np.linalg.solve(t["M"], t["J_W"].T)
            up = np.linalg.solve(mobility, [0, 0, 0.0 if rising else 50.0, 0, 0, 0])
            step = t["J_W"].T @ up + t["c"] - last
            tick["tau_limited"][0] = last + step * min(1.0, 1000.0 * t["dt"] / np.abs(step).max())
        last[:] = tick["tau_limited"][0]
        write(drive, tick)

    with monkeypatch.context() as patch:
        patch.setattr(TorqueDrive, "write", pushing)
        yield


def at_the_least(law: str, monkeypatch: pytest.MonkeyPatch) -> float:
    """The peak if the arm does all that it can from the tick of the condition on."""
    arm = approaching("sim:panda/table", law)
    with brake_with_all_torque(monkeypatch):
        arm.move_by(DOWN, speed=SPEED, until=force("z") > 5)
        arm.wait(0.03)
    return peak(arm)


@pytest.mark.parametrize("spec", ["sim:ur5e/table", "sim:panda/table"])
def test_a_touch_is_softer_by_a_reaction_than_by_polling(spec: str) -> None:
    reacting = by_reaction(spec, "position")
    assert reacting < 0.8 * by_polling(spec, "position")
    assert reacting < by_polling(spec, "position", hard=True)


@pytest.mark.parametrize("law", LEAST_SHARE)
def test_under_a_torque_law_the_impact_leaves_a_reaction_little(
    law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The impact peaks 9 ms after the condition; the arm's torque rate bounds what can be done."""
    spec = "sim:panda/table"
    reacting, least = by_reaction(spec, law), at_the_least(law, monkeypatch)
    polling = by_polling(spec, law)
    assert least > LEAST_SHARE[law] * polling
    assert least < reacting < 1.16 * least
    assert reacting < 0.93 * polling
    assert reacting < by_polling(spec, law, hard=True)


@pytest.mark.parametrize("law", LEAST_SHARE)
def test_a_condition_on_the_unfiltered_force_stops_sooner(law: str) -> None:
    spec = "sim:panda/table"
    sooner = by_reaction(spec, law, filtered=False)
    assert sooner < by_reaction(spec, law) - 1.0
    assert sooner < 12.7
