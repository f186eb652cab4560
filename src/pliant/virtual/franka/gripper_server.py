"""The server of the gripper, version 3 of its protocol: commands over TCP, its state over UDP."""

import socket
from struct import Struct

from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.franka.hand_gripper import GripperStatus, HandGripper

GRIPPER_PORT = 1338
GRIPPER_VERSION = 3
_HEADER = Struct("<HII")
_CONNECT, _CONNECTED, _STATUS = Struct("<HH"), Struct("<HH"), Struct("<H")
_GRASP, _MOVE = Struct("<5d"), Struct("<2d")
_STATE = Struct("<Idd?H")
_EVERY = 10
"""Periods between two states."""

_TEMPERATURE = 30
_LONGEST = 1024
_CONNECT_COMMAND, _HOMING_COMMAND, _GRASP_COMMAND, _MOVE_COMMAND, _STOP_COMMAND = range(5)


class GripperServer:
    """All clients of the gripper."""

    def __init__(self, gripper: HandGripper, host: str) -> None:
        self._gripper = gripper
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, 0))
        self._socket.setblocking(False)
        self._clients: dict[ByteChannel, tuple[str, int]] = {}
        self._cycles = 0

    def cycle(self, reachable: bool) -> None:
        """One period: the fingers move, and at times their state is sent."""
        gripper = self._gripper
        gripper.cycle()
        self._cycles += 1
        if self._cycles % _EVERY or not reachable:
            return
        state = _STATE.pack(
            self._cycles & 0xFFFFFFFF,
            gripper.width,
            gripper.max_width,
            gripper.is_grasped,
            _TEMPERATURE,
        )
        for address in self._clients.values():
            try:
                self._socket.sendto(state, address)
            except OSError:
                # its socket is full or closed; the end of its connection will tell
                continue

    @property
    def clients(self) -> list[ByteChannel]:
        """The connections of all clients."""
        return list(self._clients)

    def gone(self, channel: ByteChannel) -> None:
        """A client has hung up."""
        self._clients.pop(channel, None)

    def close(self) -> None:
        """Send no more."""
        self._socket.close()

    def received(self, channel: ByteChannel) -> bool:
        """Obey what has come; False if it is not the gripper's protocol."""
        while len(channel.received) >= _HEADER.size:
            command, number, size = _HEADER.unpack_from(channel.received)
            if not _HEADER.size <= size <= _LONGEST:
                return False
            if len(channel.received) < size:
                return True
            body = bytes(channel.received[_HEADER.size : size])
            del channel.received[:size]
            if not self._obey(channel, command, number, body):
                return False
        return True

    def _obey(self, channel: ByteChannel, command: int, number: int, body: bytes) -> bool:
        gripper = self._gripper

        def answer(status: GripperStatus) -> None:
            _send(channel, command, number, _STATUS.pack(status))

        if command == _CONNECT_COMMAND and len(body) == _CONNECT.size:
            self._connect(channel, number, body)
        elif channel not in self._clients:
            return False
        elif command == _HOMING_COMMAND:
            gripper.home(answer)
        elif command == _STOP_COMMAND:
            gripper.stop(answer)
        elif command == _MOVE_COMMAND and len(body) == _MOVE.size:
            width, speed = _MOVE.unpack(body)
            gripper.move(width, speed, answer)
        elif command == _GRASP_COMMAND and len(body) == _GRASP.size:
            width, inner, outer, speed, force = _GRASP.unpack(body)
            gripper.grasp(width, inner, outer, speed, force, answer)
        else:
            return False
        return True

    def _connect(self, channel: ByteChannel, number: int, body: bytes) -> None:
        version, port = _CONNECT.unpack(body)
        right = version == GRIPPER_VERSION
        if right:
            self._clients[channel] = (channel.socket.getpeername()[0], port)
        status = 0 if right else 1
        _send(channel, _CONNECT_COMMAND, number, _CONNECTED.pack(status, GRIPPER_VERSION))


def _send(channel: ByteChannel, command: int, number: int, body: bytes) -> None:
    channel.send(_HEADER.pack(command, number, _HEADER.size + len(body)) + body)
