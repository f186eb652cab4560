"""The control interface of the virtual FR3, byte by byte, without the vendor's client."""

import socket
import struct
from xml.etree import ElementTree

import numpy as np
import pytest

from pliant.virtual.franka.client_command import SIZE, ClientCommand
from pliant.virtual.franka.fci_errors import NAMES
from pliant.virtual.franka.fci_protocol import ERRORS, HEADER, MOVE, STATE, Command
from tests.virtual_arms import virtual_arm


@pytest.fixture(scope="module")
def arm():
    with virtual_arm("fr3") as arm:
        yield arm


class Client:
    """A client made of two sockets."""

    def __init__(self, host: str) -> None:
        self.tcp = socket.create_connection((host, 1337), timeout=5.0)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("", 0))
        self.udp.settimeout(5.0)

    def ask(self, command: int, body: bytes = b"") -> bytes:
        """Send a command; the body of the answer."""
        self.tcp.sendall(HEADER.pack(command, 7, HEADER.size + len(body)) + body)
        return self.answer(command)

    def answer(self, command: int) -> bytes:
        """The body of the next answer, which is to this command."""
        kind, number, size = HEADER.unpack(self._take(HEADER.size))
        assert (kind, number) == (command, 7)
        return self._take(size - HEADER.size)

    def connect(self, version: int = 10) -> bytes:
        """Connect; the body of the answer."""
        return self.ask(Command.CONNECT, struct.pack("<HH", version, self.udp.getsockname()[1]))

    def state(self) -> tuple[np.void, tuple[str, int]]:
        """The next state, and where it came from."""
        data, sender = self.udp.recvfrom(4096)
        return np.frombuffer(data, STATE)[0], sender

    def close(self) -> None:
        self.tcp.close()
        self.udp.close()

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.tcp.recv(count - len(data))
            assert more, "it hung up"
            data += more
        return data


@pytest.fixture
def client(arm):
    client = Client(arm.host)
    yield client
    client.close()


def test_the_layout_is_that_of_version_10() -> None:
    assert STATE.itemsize == 1377 and SIZE == 371 and MOVE.size == 113
    offsets = {name: field[1] for name, field in (STATE.fields or {}).items()}
    assert (offsets["q"], offsets["dq"]) == (596, 652)
    assert offsets["success_rate"] == 1373
    assert len(NAMES) == ERRORS


def test_a_command_is_taken_apart() -> None:
    command, numbers = ClientCommand(), np.arange(45.0)
    flags = (bytes([1, 0]), bytes([1]))
    data = struct.pack("<Q38d", 5, *numbers[:38]) + flags[0] + numbers[38:].tobytes() + flags[1]
    assert command.take(data)
    np.testing.assert_array_equal(command.dq_c, numbers[7:14])
    np.testing.assert_array_equal(command.p, numbers[26:29])
    np.testing.assert_array_equal(command.R[:, 0], numbers[14:17])
    np.testing.assert_array_equal(command.twist, numbers[30:36])
    np.testing.assert_array_equal(command.torque, numbers[38:])
    assert command.elbow == 36.0 and command.finished
    # the same again, and too few bytes
    assert not command.take(data)
    assert not command.take(struct.pack("<Q", 6) + data[8:-1])


def test_another_version_is_refused_with_the_right_one(client) -> None:
    assert struct.unpack("<BH", client.connect(version=9)) == (1, 10)
    assert struct.unpack("<BH", client.connect()) == (0, 10)


def test_states_come_every_millisecond(client) -> None:
    client.connect()
    states = [client.state()[0] for _ in range(20)]
    numbers = [int(state["message_id"]) for state in states]
    assert numbers == list(range(numbers[0], numbers[0] + 20))
    np.testing.assert_allclose(states[0]["F_T_EE"][14], 0.16, atol=1e-6)


def test_a_motion_begins_and_is_missed_when_no_command_comes(arm, client) -> None:
    client.connect()
    move = MOVE.pack(2, 4, *[10.0, 3.12, 6.28] * 2, False, *[0.0] * 7)
    assert client.ask(Command.MOVE, move) == b"\1"
    # reflex aborted, after twenty periods without a command
    assert client.answer(Command.MOVE) == b"\x08"
    while (state := client.state()[0])["robot_mode"] != 4:
        pass
    assert state["errors"][NAMES.index("communication_constraints_violation")]
    assert client.ask(Command.AUTOMATIC_ERROR_RECOVERY) == b"\0"


def test_what_makes_no_sense_is_refused(client) -> None:
    client.connect()
    deviations = [10.0, 3.12, 6.28] * 2
    for controller, generator in ((0, 4), (3, 0), (0, 5)):
        body = MOVE.pack(controller, generator, *deviations, False, *[0.0] * 7)
        assert client.ask(Command.MOVE, body) == b"\7"
    assert client.ask(Command.SET_LOAD, struct.pack("<13d", -1.0, *[0.0] * 12)) == b"\2"
    assert client.ask(Command.SET_LOAD, b"") == b"\2"
    assert client.ask(Command.SET_CARTESIAN_IMPEDANCE, struct.pack("<6d", *[5e3] * 6)) == b"\2"


def test_only_one_client_is_served(arm, client) -> None:
    client.connect()
    with socket.create_connection((arm.host, 1337), timeout=5.0) as other:
        assert other.recv(1) == b""
    assert client.state()[0]["robot_mode"] == 1


@pytest.mark.parametrize("data", [b"\xff" * 64, HEADER.pack(99, 1, 12), HEADER.pack(1, 1, 4)])
def test_garbage_is_hung_up_on(arm, data) -> None:
    with socket.create_connection((arm.host, 1337), timeout=5.0) as other:
        other.sendall(data)
        assert other.recv(64) == b""


def test_the_model_has_the_names_that_libfranka_looks_for(client) -> None:
    client.connect()
    answer = client.ask(Command.GET_ROBOT_MODEL)
    root = ElementTree.fromstring(answer[1:].decode())
    assert answer[0] == 0 and "link8" in [link.get("name") for link in root.iter("link")]
    limits = [joint.find("position_based_velocity_limits") for joint in root.iter("joint")]
    assert sum(limit is not None for limit in limits) == 7


def test_a_wrong_line_is_answered_with_the_right_ones(arm) -> None:
    assert arm.say("reflex nonsense").startswith("error: ")
    assert "user_stop" in arm.say("dance")
    assert arm.say("push 1 2 x 4").startswith("error: 'x' is not a number")
