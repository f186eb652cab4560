"""The virtual UR: all its servers in one thread, with a deadline every 2 ms.

With the clock `real` a period takes 2 ms of real time; one that the machine delays also delays
those after it, because a real arm never sends two packages at once. With `lockstep` the arm also
waits for a client that streams set points: no period begins before its command has come, so that a
slow machine changes no result.
"""

import random
import sys
import time
from dataclasses import dataclass
from typing import Literal

from pliant.config import Config
from pliant.robots.registry import settle
from pliant.robots.ur.rtde_protocol import PORT as RTDE_PORT
from pliant.robots.ur.ur_identity import VIRTUAL_SERIAL
from pliant.sim.spec import PREFIX, parse_place
from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.servers import Servers, keep_deadlines
from pliant.virtual.ur import dashboard_server, script_server
from pliant.virtual.ur.dashboard_server import DashboardServer
from pliant.virtual.ur.program import ControlProgram
from pliant.virtual.ur.provocations import Provocations
from pliant.virtual.ur.rtde_server import RtdeServer
from pliant.virtual.ur.script_server import ScriptServer
from pliant.virtual.ur.ur_arm import PERIOD, UrArm
from pliant.virtual.ur.ur_controller import UrController

SOFTWARE = (5, 12, 4, 1101319)
_LATEST = PERIOD / 2
"""Most lag of a period, s, that the next one makes up for."""

_LOOKS, _LOOK = 50, 0.001
"""How often, and how long each time, s, a period looks for the set point of a client in lockstep.

Looks are counted, because time also passes while the whole machine stands still.
"""

_STREAMED = (6, 9, 10, 11, 24)


@dataclass(frozen=True, kw_only=True)
class VirtualUrOptions:
    """How a virtual UR runs.

    Attributes:
        place: Arm and scene: ur5e, ur5e/peg, ….
        host: Where to listen; a loopback address.
        clock: `real` or `lockstep`.
        config: The configuration, of which the scene, the tool and the sensor are taken.
        seed: Seed of everything random; None is as configured.
        most_force: Force at the TCP that triggers a protective stop, N.
        serial: Serial number.
    """

    place: str
    host: str = "127.0.0.1"
    clock: Literal["real", "lockstep"] = "real"
    config: Config | None = None
    seed: int | None = None
    most_force: float = 150.0
    serial: str = VIRTUAL_SERIAL


class VirtualUr:
    """Serves until told to stop.

    Attributes:
        controller: The controller.
        rtde: The RTDE server.
    """

    def __init__(self, options: VirtualUrOptions) -> None:
        """Build the arm and listen.

        Raises:
            ConfigError: The arm or the address cannot be used.
        """
        self._servers = Servers("virtual UR", options.host)
        name, _ = parse_place(options.place)
        config = settle(PREFIX + options.place, options.config or Config(), options.seed)
        self.controller = UrController(UrArm(name, config.sim, options.most_force))
        self.rtde = RtdeServer(self.controller, SOFTWARE)
        self.controller.tell = self._tell
        version = ".".join(str(part) for part in SOFTWARE)
        self._dashboard = DashboardServer(
            self.controller, version, name.rstrip("e").upper(), options.serial
        )
        self._script = ScriptServer(self.controller, self._tell)
        self._provocations = Provocations(
            self.controller, self.rtde, self._servers.drop_all, self._set_jitter, self._set_cable
        )
        self._lockstep = options.clock == "lockstep"
        self._running = True
        self._jitter = 0.0
        self._random = random.Random(options.seed or 0)
        self._listen()

    def run(self, lines: bool = True) -> None:
        """Serve until `stop`, or the end of standard input.

        Args:
            lines: Whether to obey lines on standard input.
        """
        if lines:
            self._servers.obey_lines(self._provocations.obey, self.stop)
        keep_deadlines()
        deadline, inputs = time.monotonic(), 0
        while self._running:
            deadline = self._wait(deadline + PERIOD, inputs)
            self.controller.cycle()
            if self._jitter:
                time.sleep(self._random.uniform(0.0, self._jitter))
            # what comes from here on answers the packages of this period
            self._servers.serve(0.0)
            inputs = self.rtde.inputs
            if self._servers.cable:
                self.rtde.publish()
        self._servers.close()

    def stop(self) -> None:
        """End after this period."""
        self._running = False

    def _wait(self, deadline: float, inputs: int) -> float:
        """Serve clients until the next period begins; when it should have begun.

        Args:
            deadline: When it should begin, s.
            inputs: How many inputs had come when the last packages were sent.
        """
        looks = _LOOKS if self._lockstep and self._is_streamed() else 0
        while self._running:
            left = deadline - time.monotonic()
            if left > 0.0:
                self._servers.serve(left)
            elif self.rtde.inputs != inputs or looks == 0:
                break
            else:
                looks -= 1
                self._servers.serve(_LOOK)
        late = time.monotonic() - deadline
        return time.monotonic() if late > _LATEST else deadline

    def _is_streamed(self) -> bool:
        """Whether a client sends set points all the time."""
        program = self.controller.program
        if not isinstance(program, ControlProgram) or not self.controller.arm.can_move:
            return False
        return bool(self.rtde.taken) and program.registers.get_int(0) in _STREAMED

    def _listen(self) -> None:
        listen = self._servers.listen
        listen(RTDE_PORT, self._accept_rtde)
        listen(dashboard_server.PORT, self._accept_dashboard)
        for port in script_server.PORTS:
            listen(port, self._accept_script)

    def _accept_rtde(self, channel: ByteChannel) -> None:
        session = self.rtde.accept(channel)
        self._servers.register(channel, session.received, lambda: self.rtde.drop(session))

    def _accept_dashboard(self, channel: ByteChannel) -> None:
        channel.send(f"{dashboard_server.GREETING}\n".encode())
        self._servers.register(channel, lambda: self._dashboard.received(channel), lambda: None)

    def _accept_script(self, channel: ByteChannel) -> None:
        self._servers.register(channel, lambda: self._script.received(channel), lambda: None)

    def _set_jitter(self, longest: float) -> None:
        self._jitter = longest

    def _set_cable(self, plugged: bool) -> None:
        self._servers.cable = plugged

    def _tell(self, text: str, level: int) -> None:
        self.rtde.tell(text, level)
        print(f"{self.controller.arm.time:.3f} s: {text}", file=sys.stderr, flush=True)
