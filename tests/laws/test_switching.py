"""From every law to every other while the arm moves: no jump, no clipping by safety."""

import numpy as np
import pytest

from pliant.laws import LAWS as BUILT_IN

CONFIG = {
    "reference": {
        "circle": {"diameter": 0.1, "period": 4.0, "ramp": 0.3},
        "sinus": {"amplitude": 0.08, "ramp": 1.0},
    }
}
TAKES = {law.name: law.takes for law in BUILT_IN}

LAWS = [
    "hybrid_admittance",
    "position",
    "gravity",
    "inverse_dynamics",
    "inverse_dynamics_simplified",
    "pd_gravity",
    "cartesian_impedance",
    "task_space_inverse_dynamics",
    "hybrid_force",
]
RATE = 1.0  # N·m a tick: the arm's torque rate at 1 kHz


def move_under(arm, law: str, pushed: bool) -> None:
    """Activate a law, with a suitable reference."""
    arm.activate(law)
    if law == "inverse_dynamics":
        arm.follow_hand()
    elif law in ("inverse_dynamics_simplified", "pd_gravity"):
        arm.sinus()
    elif law in ("cartesian_impedance", "task_space_inverse_dynamics", "hybrid_force"):
        arm.circle()
    elif TAKES.get(law) == "tool":
        arm.jog([0.06, 0.05, 0.04, 0, 0, 0.2], timeout=1.0)
    if pushed and law in ("gravity", "inverse_dynamics"):
        arm.hand.schedule([0, 5, 4, 0, 0, 0], start=arm.time, duration=0.2)


@pytest.mark.parametrize("first", LAWS)
def test_from_a_law_to_every_other_while_moving(make_panda, first):
    arm = make_panda(friction="typical", history=5.0, **CONFIG)
    assert arm.laws == LAWS
    arm.zero()
    for second in LAWS:
        if second == first:
            continue
        move_under(arm, first, pushed=True)
        arm.wait(0.25)
        arm.hand.release()
        assert np.linalg.norm(arm.tick.v_WT_W[:3]) > 0.01
        start = arm.time
        move_under(arm, second, pushed=True)
        arm.wait(0.25)
        arm.hand.release()
        rows = arm.history.since(start)
        torque = rows["by_torque"].all(axis=1)
        steps = np.abs(np.diff(rows["tau_law"], axis=0))[torque[1:]]
        assert steps.max(initial=0.0) <= RATE + 1e-9, second
        assert np.abs(np.diff(rows["tau_sent"], axis=0)).max() <= RATE + 1e-9, second
        assert not rows["clipped"].any(), second
        assert not rows["trip"].any(), second
        arm.activate("inverse_dynamics")
        arm.wait(0.3)
        arm.home(time=0.8, wait=False)
        arm.wait(0.8)
