"""Drive the joints one by one: modes that take their own commands, a spring in the elbow."""

import contextlib
from math import degrees, radians

from pliant import Arm, Refused

ELBOW = 3

arm = Arm("sim:panda")
elbow = arm.joints[ELBOW]

# a joint does nothing until it is told in which mode to do it
with contextlib.suppress(Refused):
    elbow.position_move(radians(-110))
elbow.mode = "position"
elbow.speed = radians(30)
elbow.position_move(radians(-110))
arm.joints.wait_done()
print(f"elbow at {degrees(elbow.position):.1f}°")

# in position mode a velocity is refused, and the refusal says what to do instead
try:
    elbow.velocity_move(0.1)
except Refused as reason:
    print(reason)

# compliant and stiff in turn, each time with a new target, while a hand pushes the tool down
elbow.impedance = (150.0, 15.0, 0.0)
arm.hand.schedule([0, 0, -10, 0, 0, 0], start=arm.time, duration=20.0)
for times in range(4):
    elbow.interaction = "compliant" if times % 2 == 0 else "stiff"
    target = radians(-100 if times % 2 == 0 else -120)
    elbow.position_move(target)
    arm.wait(2.0)
    off = degrees(elbow.position - target)
    print(f"{elbow.interaction.name.lower():9} {off:+.2f}° from its target")
