"""Two arms in one script: a hand guides the leader in torque mode, and the follower tracks it."""

import numpy as np

from pliant import Arm

GUIDED = 5

leader, follower = Arm("sim:panda", seed=1), Arm("sim:panda", seed=2)
joints = list(range(GUIDED))
leader.joints.set_modes(joints, "torque")
follower.joints.set_modes(joints, "position_direct")
follower.joints.set_impedances(joints, [200, 200, 200, 200, 50], [20, 20, 20, 20, 5])
follower.joints.set_interactions(joints, "compliant")

leader.hand.schedule([0, 8, 0, 0, 0, 0], start=leader.time, duration=1.0)
start = leader.joints.positions(joints)
for _ in range(400):
    # torque commands time out, so they are renewed in every step
    leader.joints.set_torques(joints, -2.0 * leader.tick.qd[:GUIDED])
    follower.joints.set_positions(joints, leader.joints.positions(joints))
    leader.wait(0.005)
    follower.wait(0.005)
leader.joints.force_idle()
follower.wait(1.0)

moved = np.abs(leader.joints.positions(joints) - start).max()
error = np.abs(leader.joints.positions(joints) - follower.joints.positions(joints)).max()
print(f"the hand moved a joint by {moved:.3f} rad; the follower's error is {1e3 * error:.1f} mrad")
