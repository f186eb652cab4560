"""franky-sim, a server of the Franka Control Interface that others wrote, in lock step.

It waits for the client's torques before it computes the next millisecond, so that a busy machine
costs time and nothing else. Its arm gets what a real one has, compensation of friction and of the
whole hand's weight, and the rotor inertias of Pliant's model, so that both can be compared. It ends
with its standard input.
"""

import contextlib
import os
import select
import sys

import franky_sim
import mujoco
import numpy as np
from franky_sim.mujoco_simulator import MujocoSimulator

from pliant.arms.description import load_arm

ARM = load_arm("fr3")
PATIENCE = 10.0


def make_hand_whole(model: mujoco.MjModel) -> None:
    """Give the hand with its fingers the weight that the server compensates and reports.

    It forgets the fingers, and that the hand is mounted with a turn.
    """
    hand = next(b for b in range(model.nbody) if model.body(b).name.endswith("hand"))
    fingers = [b for b in range(model.nbody) if model.body_parentid[b] == hand]
    turned, com = np.empty(4), np.empty(3)
    mujoco.mju_negQuat(turned, model.body_quat[hand])
    mujoco.mju_rotVecQuat(com, np.array(franky_sim.RobotParameters().ee_com), turned)
    whole = model.body_mass[hand] * com
    for finger in fingers:
        model.body_mass[hand] -= model.body_mass[finger]
        # they are opposite each other, so that only their height counts
        whole[2] -= model.body_mass[finger] * model.body_pos[finger][2]
    model.body_ipos[hand] = whole / model.body_mass[hand]


class LockStep:
    def __init__(self, host: str, paced: bool) -> None:
        self.sim = MujocoSimulator(enable_visualization=False)
        self.sim.init()
        self.robot = self.sim.add_robot()
        self.server = franky_sim.SimulationServer(self.sim, hostname_candidates=[host])
        self.server.init()
        assert self.sim.model is not None
        make_hand_whole(self.sim.model)
        self.paced = paced

    def run(self) -> None:
        (arm,) = self.server.robot_servers
        model = self.sim.model
        assert model is not None
        arrays = (model.dof_frictionloss, model.dof_damping, model.dof_armature)
        own = [array[: ARM.n].copy() for array in arrays]
        plain = [np.zeros(ARM.n), np.zeros(ARM.n), ARM.armature]
        while not select.select([sys.stdin], [], [], 0.0)[0]:
            if arm.current_motion_id and not self.paced:
                # the client's answer to the last state; it may also hang up
                udp, tcp = arm._FrankaServer__udp_socket, arm._FrankaServer__tcp_socket
                select.select([udp, tcp], [], [], PATIENCE)
            arm.process_commands()
            # its own controller, which holds the arm in between, would swing without friction
            for array, values in zip(arrays, plain if arm.current_motion_id else own, strict=True):
                array[: ARM.n] = values
            self.sim.step()
            arm.send_state()
            if self.paced or not arm.current_motion_id:
                select.select([sys.stdin], [], [], 0.001)


if __name__ == "__main__":
    lock_step = LockStep(sys.argv[1], "--paced" in sys.argv)
    with contextlib.suppress(OSError):
        # a client gives up after a second; mostly it only waits
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    print("ready", flush=True)
    lock_step.run()
