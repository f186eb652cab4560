"""The server of the control interface: commands over TCP, states and their answers over UDP."""

import random
import socket
from collections.abc import Callable

import numpy as np

from pliant.virtual.answer_times import AnswerTimes
from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.franka import fr3_settings
from pliant.virtual.franka.client_command import SIZE, ClientCommand
from pliant.virtual.franka.desired_motion import PERIOD
from pliant.virtual.franka.fci_protocol import (
    CONNECT,
    CONNECTED,
    HEADER,
    MOVE,
    VERSION,
    Command,
    Controller,
    Generator,
    MoveStatus,
    RobotMode,
    Status,
    reply,
)
from pliant.virtual.franka.fr3_controller import Fr3Controller
from pliant.virtual.franka.played_motion import MoveRequest

_INCOMPATIBLE = 1
_LONGEST = 4096
_MOST_SPEED = 10.0
_MOST_AT_ONCE = 64

_SETTERS: dict[int, tuple[int, Callable[[np.ndarray, np.ndarray], bool]]] = {
    Command.SET_COLLISION_BEHAVIOR: (52, fr3_settings.set_collision_behavior),
    Command.SET_JOINT_IMPEDANCE: (7, fr3_settings.set_joint_stiffness),
    Command.SET_CARTESIAN_IMPEDANCE: (6, fr3_settings.set_cartesian_stiffness),
    Command.SET_EE_TO_K: (16, lambda row, x: fr3_settings.set_frame(row, "EE_T_K", x)),
    Command.SET_NE_TO_EE: (16, lambda row, x: fr3_settings.set_frame(row, "NE_T_EE", x)),
    Command.SET_LOAD: (13, fr3_settings.set_load),
}
"""How many numbers each setting has, and what takes them."""


class FciServer:
    """One client at a time, as on the real arm.

    Attributes:
        socket: Where states leave from, and commands come to.
        command: The last command.
        lose: How many more states are not sent.
        deaf: How many more commands are lost.
        late: Share of the commands that come too late.
    """

    def __init__(self, controller: Fr3Controller, host: str, urdf: str, seed: int) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((host, 0))
        self.socket.setblocking(False)
        self.command = ClientCommand()
        self.lose = self.deaf = 0
        self.late = 0.0
        self._controller = controller
        self._urdf = urdf.encode()
        self._channel: ByteChannel | None = None
        self._client: tuple[str, int] | None = None
        self._random = random.Random(seed)
        self._sent = 0
        self._fresh = self._answerable = False
        self._answers: list[bytes] = []
        self._counts = {"states": 0, "commands": 0, "stale": 0}
        self._answer_times = AnswerTimes()
        self._command_at = 0.0

    @property
    def expects_command(self) -> bool:
        """Whether the last state has not been answered, though a motion waits for that."""
        return self._answerable and not self._fresh and self._controller.takes_commands

    def accept(self, channel: ByteChannel) -> bool:
        """Take a new client; False if there is one already."""
        if self._channel is not None:
            return False
        self._channel = channel
        return True

    def gone(self) -> None:
        """The client has hung up."""
        self._channel = self._client = None
        self._answers.clear()
        self._controller.abandon()

    def received(self) -> bool:
        """Obey what has come over TCP; False if it is not the control interface."""
        channel = self._channel
        while channel is not None and len(channel.received) >= HEADER.size:
            command, number, size = HEADER.unpack_from(channel.received)
            if not HEADER.size <= size <= _LONGEST:
                return False
            if len(channel.received) < size:
                return True
            body = bytes(channel.received[HEADER.size : size])
            del channel.received[:size]
            if not self._obey(command, number, body):
                return False
        return True

    def receive_command(self) -> None:
        """Take the commands that have come over UDP; the newest counts."""
        for _ in range(_MOST_AT_ONCE):
            try:
                data, sender = self.socket.recvfrom(2 * SIZE)
            except OSError:
                return
            if self._client is None or sender[0] != self._client[0]:
                continue
            if self.deaf > 0:
                self.deaf -= 1
            elif self.command.take(data):
                self._note()

    def take(self) -> ClientCommand | None:
        """The command for the period that begins, if it came in time."""
        fresh, self._fresh = self._fresh, False
        return self.command if fresh else None

    def publish(self, reachable: bool) -> None:
        """Send the state of this period, then the answers that it agrees with."""
        self._sent, self._answerable = self._controller.arm.cycles, False
        if self.lose > 0:
            self.lose -= 1
        elif self._client is not None and reachable:
            try:
                self.socket.sendto(self._controller.arm.state.data, self._client)
                self._answer_times.sent()
                self._counts["states"] += 1
                self._answerable = True
            except OSError:
                # its socket is full or closed; the end of its connection will tell
                self._answerable = False
        if reachable and self._answers:
            answers, self._answers = self._answers, []
            if self._channel is not None:
                self._channel.send(b"".join(answers))

    def truth(self) -> dict[str, float]:
        """For tests: states sent, commands taken or too late, the last one, how soon they came."""
        return self._counts | {"command_at": self._command_at} | self._answer_times.take()

    def _note(self) -> None:
        motion = self._controller.motion
        at_any_rate = motion is not None and motion.request.speeds is not None
        late = self.late > 0.0 and self._random.random() < self.late
        if not at_any_rate and (self.command.message_id < self._sent or late):
            self._counts["stale"] += 1
            return
        self._answer_times.answered()
        self._counts["commands"] += 1
        self._command_at = self._controller.arm.cycles * PERIOD
        self._fresh = True

    def _obey(self, command: int, number: int, body: bytes) -> bool:
        if command == Command.CONNECT:
            return self._connect(number, body)
        if self._client is None:
            return False
        if command == Command.MOVE:
            self._move(number, body)
        elif command == Command.GET_ROBOT_MODEL:
            self._answer(command, number, bytes([Status.SUCCESS]) + self._urdf)
        elif command == Command.STOP_MOVE:
            self._try(command, number, self._controller.stop)
        elif command == Command.AUTOMATIC_ERROR_RECOVERY:
            self._try(command, number, self._controller.recover)
        elif command == Command.SET_GUIDING_MODE:
            # which directions a person may guide in: the hand of the simulation has all of them
            self._answer(command, number, bytes([Status.SUCCESS]))
        elif command in _SETTERS:
            self._answer_later(command, number, bytes([self._set(command, body)]))
        else:
            return False
        return True

    def _connect(self, number: int, body: bytes) -> bool:
        if len(body) != CONNECT.size or self._channel is None:
            return False
        version, port = CONNECT.unpack(body)
        right = version == VERSION
        status = Status.SUCCESS if right else _INCOMPATIBLE
        self._answer(Command.CONNECT, number, CONNECTED.pack(status, VERSION))
        if right:
            self._client = (self._channel.socket.getpeername()[0], port)
            self.command = ClientCommand()
            self._fresh = False
        return True

    def _move(self, number: int, body: bytes) -> None:
        request = _request(body)
        if request is None:
            status = MoveStatus.INVALID_ARGUMENT
        elif self._controller.start(request, lambda status: self._end_move(number, status)):
            status = MoveStatus.STARTED
        else:
            status = MoveStatus.NOT_POSSIBLE
        self._answer(Command.MOVE, number, bytes([status]))

    def _end_move(self, number: int, status: MoveStatus) -> None:
        self._answer_later(Command.MOVE, number, bytes([status]))

    def _try(self, command: int, number: int, begin: Callable[[Callable[[], None]], bool]) -> None:
        if not begin(lambda: self._answer_later(command, number, bytes([Status.SUCCESS]))):
            self._answer(command, number, bytes([Status.NOT_POSSIBLE]))

    def _set(self, command: int, body: bytes) -> Status:
        count, setter = _SETTERS[command]
        if self._controller.mode not in (RobotMode.IDLE, RobotMode.GUIDING, RobotMode.REFLEX):
            return Status.NOT_POSSIBLE
        if len(body) != 8 * count:
            return Status.INVALID_ARGUMENT
        taken = setter(self._controller.arm.settings, np.frombuffer(body, "<f8"))
        if taken and command == Command.SET_JOINT_IMPEDANCE:
            # an arm that something pushes would jump
            self._controller.arm.rest_here()
        return Status.SUCCESS if taken else Status.INVALID_ARGUMENT

    def _answer(self, command: int, number: int, body: bytes) -> None:
        """Answer at once."""
        if self._channel is not None:
            self._channel.send(reply(command, number, body))

    def _answer_later(self, command: int, number: int, body: bytes) -> None:
        """Answer after the next state, which already says what has changed."""
        self._answers.append(reply(command, number, body))


def _request(body: bytes) -> MoveRequest | None:
    """What a client asks for with a motion; None if it cannot be."""
    if len(body) != MOVE.size:
        return None
    controller, generator, *numbers = MOVE.unpack(body)
    speeds = np.array(numbers[7:])
    at_any_rate = bool(numbers[6])
    if controller > Controller.EXTERNAL or generator >= Generator.NONE:
        return None
    generator = Generator(generator + 1)
    if generator == Generator.NONE and controller != Controller.EXTERNAL:
        return None
    if at_any_rate and not ((speeds > 0.0) & (speeds < _MOST_SPEED)).all():
        return None
    if not (numbers[0] >= 0.0 and numbers[1] >= 0.0):
        return None
    return MoveRequest(
        controller=Controller(controller),
        generator=generator,
        translation=numbers[0],
        rotation=numbers[1],
        speeds=speeds if at_any_rate else None,
    )
