"""Drive single joints: each mode accepts its own commands, and a joint can act as a spring."""

import contextlib
from math import degrees, radians

from pliant import Arm, Refused

ELBOW = 3

arm = Arm("sim:panda")
elbow = arm.joints[ELBOW]

# joints start idle, and an idle joint refuses motion commands
with contextlib.suppress(Refused):
    elbow.position_move(radians(-110))
elbow.mode = "position"
elbow.speed = radians(30)
elbow.position_move(radians(-110))
arm.joints.wait_done()
print(f"elbow at {degrees(elbow.position):.1f}°")

# position mode refuses a velocity, and the error says which mode accepts it
try:
    elbow.velocity_move(0.1)
except Refused as reason:
    print(reason)

# alternate between compliant and stiff while a hand pushes the tool down
elbow.impedance = (150.0, 15.0, 0.0)
arm.hand.schedule([0, 0, -10, 0, 0, 0], start=arm.time, duration=20.0)
for i in range(4):
    elbow.interaction = "compliant" if i % 2 == 0 else "stiff"
    target = radians(-100 if i % 2 == 0 else -120)
    elbow.position_move(target)
    arm.wait(2.0)
    error = degrees(elbow.position - target)
    print(f"{elbow.interaction.name.lower():9} {error:+.2f}° from its target")
