"""The tool on a spring of 500 N/m, without a force sensor: 10 N displace it by 20 mm."""

import pliant

# without friction, because uncompensated joint friction would distort the measured stiffness
with pliant.Arm("sim:panda", config={"sim": {"friction": "off"}}) as arm:
    arm.wait(0.1)
    arm.activate("cartesian_impedance", stiffness=(500, 40))
    arm.wait(0.2)
    start = arm.tick.X_WT
    arm.hand.schedule([0, 10, 0, 0, 0, 0], start=arm.time, duration=1.5)
    arm.wait(1.5)
    print(f"pushed with 10 N, it yields by {1e3 * (arm.tick.X_WT - start)[1]:.1f} mm")
    arm.wait(1.5)
    print(
        f"after release, it returns to within {1e3 * abs(arm.tick.X_WT - start)[:3].max():.2f} mm"
    )
