"""A program that uses franky on a virtual FR3; a process of its own, as franky's library wants.

It moves linearly, comes back, presses down until a reaction ends the motion, and says where it is.
"""

import json
import sys

from franky import (  # pyright: ignore[reportMissingImports]
    Affine,
    CartesianMotion,
    CartesianPoseReaction,
    CartesianStopMotion,
    JointMotion,
    Measure,
    RealtimeConfig,
    ReferenceType,
    Robot,
)


def main(host: str) -> None:
    """Run it on the arm at this address."""
    robot = Robot(host, realtime_config=RealtimeConfig.Ignore)
    robot.recover_from_errors()
    robot.set_collision_behavior([100.0] * 7, [100.0] * 6)
    robot.relative_dynamics_factor = 0.1
    start = list(robot.state.q)
    robot.move(JointMotion([q + 0.1 for q in start]))
    shifted = list(robot.state.q)
    robot.move(JointMotion(start))
    before = list(robot.current_pose.end_effector_pose.translation)
    aside = Affine([0.0, 0.05, 0.0])
    robot.move(CartesianMotion(aside, ReferenceType.Relative))
    moved = list(robot.current_pose.end_effector_pose.translation)
    robot.move(CartesianMotion(aside.inverse, ReferenceType.Relative))
    down = CartesianMotion(Affine([0.0, 0.0, 0.1]), ReferenceType.Relative)
    # what the robot does to the table below it
    down.add_reaction(CartesianPoseReaction(Measure.FORCE_Z < -5.0, CartesianStopMotion()))
    robot.move(down)
    after = list(robot.current_pose.end_effector_pose.translation)
    told = {"start": start, "shifted": shifted, "before": before, "moved": moved, "after": after}
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
