"""A hand that holds the tool: a mass on a spring and a damper, with a grip of its own."""

import numpy as np

from pliant import Arm

_GRIP, _GRIP_DAMPING = 1e4, 100.0
_STEPS = 10


def hold_by_hand(
    arm: Arm, mass: float, stiffness: float, damping: float, seconds: float, pull: float = 8.0
) -> np.ndarray:
    """Hold the tool, after a short pull upwards; the force of the hand in every tick, N.

    Args:
        arm: The arm, compliant.
        mass: Of the hand, kg.
        stiffness: With which it stays where it is, N/m.
        damping: N·s/m.
        seconds: For how long.
        pull: Force of the pull, which lasts 0.15 s, N.
    """
    start, home = arm.time, arm.tick.X_WT[:3].copy()
    x, v, forces = home.copy(), np.zeros(3), []
    h = arm.dt / _STEPS
    for tick in arm.ticks(seconds):
        tool, speed = tick.X_WT[:3].copy(), tick.v_WT_W[:3].copy()
        own = np.array([0.0, 0.0, pull if tick.time - start < 0.15 else 0.0])
        mean = np.zeros(3)
        for i in range(_STEPS):
            grip = _GRIP * (x - tool - speed * h * i) + _GRIP_DAMPING * (v - speed)
            v += h * (own - stiffness * (x - home) - damping * v - grip) / mass
            x += h * v
            mean += grip / _STEPS
        arm.hand.release()
        arm.hand.schedule([*mean, 0.0, 0.0, 0.0])
        forces.append(float(np.linalg.norm(mean)))
    return np.array(forces)
