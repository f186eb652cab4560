"""The virtual FR3: its servers in one thread, with a deadline every millisecond.

With the clock `real` a period takes 1 ms of real time, and never less: one that the machine delays
also delays those after it. With `lockstep` no period begins before the client has answered the last
state, while it commands a motion, so that a slow machine changes no result.
"""

import random
import time
from dataclasses import dataclass
from typing import Literal

from pliant.config import Config
from pliant.robots.registry import settle
from pliant.sim.spec import PREFIX, parse_place
from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.franka.desired_motion import PERIOD
from pliant.virtual.franka.fci_protocol import PORT
from pliant.virtual.franka.fci_server import FciServer
from pliant.virtual.franka.fr3_arm import Fr3Arm
from pliant.virtual.franka.fr3_controller import Fr3Controller
from pliant.virtual.franka.fr3_provocations import Fr3Provocations
from pliant.virtual.franka.fr3_urdf import client_urdf
from pliant.virtual.franka.gripper_server import GRIPPER_PORT, GripperServer
from pliant.virtual.franka.hand_gripper import HandGripper
from pliant.virtual.franka.played_motion import prepare_motions
from pliant.virtual.servers import Servers, keep_deadlines

_LATEST = 0.1 * PERIOD
"""Most lag of a period, s, that the next one makes up for."""

_LOOKS, _FIRST_LOOKS, _LOOK = 100, 20, 0.001
"""How often, and how long each time, s, a period looks for the client's command in lockstep.

It looks less often before the first command, because libfranka does not answer the first states of
a motion. Looks are counted, because time also passes while the whole machine stands still.
"""


@dataclass(frozen=True, kw_only=True)
class VirtualFr3Options:
    """How a virtual FR3 runs.

    Attributes:
        place: Arm and scene: fr3, fr3/peg, ….
        host: Where to listen; a loopback address.
        clock: `real` or `lockstep`.
        config: The configuration, of which the scene, the tool and the estimate are taken.
        seed: Seed of everything random; None is as configured.
    """

    place: str
    host: str = "127.0.0.1"
    clock: Literal["real", "lockstep"] = "real"
    config: Config | None = None
    seed: int | None = None


class VirtualFr3:
    """Serves until told to stop.

    Attributes:
        controller: The controller.
        fci: The server of the control interface.
    """

    def __init__(self, options: VirtualFr3Options) -> None:
        """Build the arm and listen.

        Raises:
            ConfigError: The arm or the address cannot be used.
        """
        self._servers = Servers("virtual FR3", options.host)
        name, _ = parse_place(options.place)
        config = settle(PREFIX + options.place, options.config or Config(), options.seed)
        arm = Fr3Arm(name, config.sim)
        prepare_motions(arm)
        self.controller = Fr3Controller(arm)
        urdf, seed = client_urdf(arm.sim.description), options.seed or 0
        self.fci = FciServer(self.controller, options.host, urdf, seed)
        self._gripper = HandGripper()
        self._gripper_server = GripperServer(self._gripper, options.host)
        self._lockstep = options.clock == "lockstep"
        self._running = True
        self._jitter = 0.0
        self._random = random.Random(seed)
        self._provocations = Fr3Provocations(
            self.controller,
            self.fci,
            self._gripper,
            self._servers.drop_all,
            self._set_jitter,
            self._set_cable,
            self._mount_hand,
        )
        self._servers.listen(PORT, self._accept)
        self._mount_hand(True)
        self._servers.watch(self.fci.socket, self.fci.receive_command)

    def run(self, lines: bool = True) -> None:
        """Serve until `stop`, or the end of standard input.

        Args:
            lines: Whether to obey lines on standard input.
        """
        if lines:
            self._servers.obey_lines(self._provocations.obey, self.stop)
        keep_deadlines()
        deadline = time.monotonic()
        while self._running:
            deadline = self._wait(deadline + PERIOD)
            self.controller.cycle(self.fci.take())
            if self._jitter:
                time.sleep(self._random.uniform(0.0, self._jitter))
            self._gripper_server.cycle(self._servers.cable)
            self.fci.publish(self._servers.cable)
        self._gripper_server.close()
        self._servers.close()

    def stop(self) -> None:
        """End after this period."""
        self._running = False

    def _wait(self, deadline: float) -> float:
        """Serve clients until the next period begins; when it should have begun."""
        motion = self.controller.motion
        looks = _LOOKS if motion is not None and motion.heard else _FIRST_LOOKS
        if not (self._lockstep and self._servers.cable):
            looks = 0
        self._servers.serve(0.0)
        while self._running:
            left = deadline - time.monotonic()
            if left > 0.0:
                self._servers.serve(left)
            elif looks == 0 or not self.fci.expects_command:
                break
            else:
                looks -= 1
                self._servers.serve(_LOOK)
        now = time.monotonic()
        return now if now - deadline > _LATEST else deadline

    def _accept(self, channel: ByteChannel) -> None:
        if self.fci.accept(channel):
            self._servers.register(channel, self.fci.received, self.fci.gone)
        else:
            channel.close()

    def _accept_gripper(self, channel: ByteChannel) -> None:
        server = self._gripper_server
        self._servers.register(
            channel, lambda: server.received(channel), lambda: server.gone(channel)
        )

    def _set_jitter(self, longest: float) -> None:
        self._jitter = longest

    def _mount_hand(self, mounted: bool) -> None:
        self._servers.refuse(GRIPPER_PORT)
        for channel in self._gripper_server.clients:
            self._servers.drop(channel)
        if mounted:
            self._servers.listen(GRIPPER_PORT, self._accept_gripper)

    def _set_cable(self, plugged: bool) -> None:
        self._servers.cable = plugged
