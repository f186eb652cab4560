"""Every torque law on franky-sim, against the same arm in Pliant's own simulation.

Neither has friction, as a real arm compensates its own.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.controller.arm_config import configure
from pliant.errors import Refused
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.reasons import State
from pliant.robots.registry import open_robot

from .franka_loops import HAND, PATIENT, FrankySim, activate, connected, franky, run

pytestmark = pytest.mark.alone

START = (0.0, 0.0, 0.0, -1.57, 0.0, 1.57, 0.785)
"""Where franky-sim's arm starts, rad."""

MOTION = {
    "reference": {
        "circle": {"diameter": 0.1, "period": 4.0, "ramp": 0.5},
        "sinus": {"amplitude": 0.1, "frequency": 0.25, "ramp": 1.0},
    }
}
REFERENCES: dict[str, c.Command | None] = {
    "gravity": None,
    "inverse_dynamics": c.Sinus(),
    "inverse_dynamics_simplified": c.Sinus(),
    "pd_gravity": c.Sinus(),
    "cartesian_impedance": c.Circle(),
    "task_space_inverse_dynamics": c.Circle(),
}
"""The torque laws that need no force, and what each follows."""

SECONDS = 4.0
WORSE = 1.2
"""How much larger the error may be than in simulation."""

LEAST = 5e-5
"""An error below which nothing is compared, rad or m."""


@pytest.fixture(scope="module")
def server() -> Iterator[FrankySim]:
    with franky() as server:
        yield server


def simulated() -> tuple[Loop, History]:
    sim = {"friction": "off", "q_start": START}
    settings = {"tool": HAND, "sim": sim, "safety": PATIENT["safety"]} | MOTION
    config = configure("sim:fr3", settings, 0)
    robot = open_robot("sim:fr3", config)
    history = History(robot.n, round(10.0 / robot.dt))
    clock = FastClock(robot.dt)
    return Loop(robot, robot.description, clock, config, publisher=history), history


def error(loop: Loop, history: History, law: str) -> float:
    """The RMS error of a law that follows its reference: of joints, rad, or of the tool, m."""
    run(loop, 0.2)
    activate(loop, "inverse_dynamics")
    loop.take(c.Home(joints=START, time=1.0))
    run(loop, 1.5)
    activate(loop, law)
    start = loop.row["time"].item()
    if (reference := REFERENCES[law]) is not None:
        loop.take(reference)
    run(loop, SECONDS)
    assert loop.row["state"].item() == State.ACTIVE
    rows = history.since(start)
    assert np.abs(np.diff(rows["tau_sent"], axis=0)).max() <= 1.0 + 1e-9
    assert not rows["trip"].any()
    if reference is None:
        return float(np.abs(rows["q"] - rows["q"][0]).max())
    wanted, found = ("q_ref", "q") if isinstance(reference, c.Sinus) else ("X_WR", "X_WT")
    off = (rows[found] - rows[wanted])[:, : 7 if found == "q" else 3]
    return float(np.sqrt((off**2).sum(axis=1).mean()))


@pytest.mark.parametrize("law", REFERENCES)
def test_a_law_does_as_well_as_in_simulation(server: FrankySim, law: str) -> None:
    ideal = error(*simulated(), law)
    with connected(server, PATIENT | MOTION | {"tool": HAND}) as (loop, history):
        found = error(loop, history, law)
    print(f"{law}: {found:.2e}, in simulation {ideal:.2e}")
    assert found < max(WORSE * ideal, LEAST)


def test_laws_that_need_force_do_not_start_without_an_estimate(server: FrankySim) -> None:
    with connected(server) as (loop, history):
        run(loop, 0.1)
        assert np.isnan(history["tau_ext"][1:]).all() and np.isnan(history["w_ext_T"][1:]).all()
        loop.take(c.Zero())
        run(loop, 0.4)
        for law in ("hybrid_force", "hybrid_admittance"):
            with pytest.raises(Refused, match="estimates no external torque"):
                loop.take(c.Activate(law=law))
