"""Measure servo lag and surface, compute suitable gains, and press."""

import pliant
from pliant.identify import identify_lag, identify_surface
from pliant.stability import ContactTarget, suggest, tip_impedances

with pliant.Arm("sim:ur5e/table") as arm:
    arm.zero()
    lag = identify_lag(arm)
    surface = identify_surface(arm, speed=5e-3)
    k = surface.stiffness.value
    print(f"lag {1e3 * lag.lag.value:.1f} ms, stiffness of the table {1e-3 * k:.1f} N/mm")

    tip = tip_impedances(arm.description, arm.config.tool, arm.tick.q)[2]
    target = ContactTarget(softest=0.5 * k, stiffest=2.0 * k, force=5.0, peak=6.0)
    suggestion = suggest(target, lag.servo, tip, dt=arm.dt)
    gains = suggestion.gains
    print(f"damping {gains.damping:.0f} N·s/m, inertia {gains.inertia:.1f} kg")
    print(f"predicted peak {suggestion.peak:.1f} N")

    damping, inertia = (gains.damping, 20), (gains.inertia, 0.25)
    arm.activate("hybrid_admittance", damping=damping, inertia=inertia)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.w_T[2] < -1)
    arm.wait(1.0)
    print(f"pressing with {-arm.tick.w_T[2]:.1f} N, peak {-arm.history['w_T'][-500:, 2].min():.1f}")
