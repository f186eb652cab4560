"""RTDE on the wire: the bytes that ur_rtde 1.6.5 sends and takes, and bytes that nobody should."""

import contextlib
import itertools
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pliant.errors import PliantError
from pliant.robots.ur import rtde_client
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.rtde_protocol import (
    PackageType,
    ProtocolError,
    Recipe,
    pack_text,
    package,
    take_packages,
    unpack_text,
)
from pliant.virtual.ur.program_text import (
    ProgramError,
    first_program,
    injected_path,
    program_name,
    register_offset,
    statements,
)

# recorded from ur_rtde 1.6.5: the start of its control interface
VERSION_ASKED = bytes.fromhex("0005560002")
SOFTWARE_ASKED = bytes.fromhex("000376")
STARTED = bytes.fromhex("000353")
# its recipe 4: input_int_register_0 alone, with a trailing comma; and a command 0 by it
INPUTS_ASKED = b"\x00\x18I" + b"input_int_register_0,"
COMMAND_0 = bytes.fromhex("0008550400000000")
# speedL by its recipe 13: i0, d0-7
SPEED_L = bytes.fromhex(
    "0048550d0000000a"
    "0000000000000000"
    "0000000000000000"
    "3f947ae147ae147b"
    "0000000000000000"
    "0000000000000000"
    "0000000000000000"
    "3fe0000000000000"
    "0000000000000000"
)


def test_the_bytes_of_ur_rtde() -> None:
    assert package(PackageType.PROTOCOL_VERSION, b"\0\2") == VERSION_ASKED
    assert package(PackageType.SOFTWARE_VERSION) == SOFTWARE_ASKED
    assert package(PackageType.START) == STARTED
    assert package(PackageType.INPUTS, b"input_int_register_0,") == INPUTS_ASKED
    assert Recipe(["input_int_register_0"], ["INT32"]).pack(4, [0]) == COMMAND_0
    recipe = Recipe(
        ["input_int_register_0", *(f"input_double_register_{i}" for i in range(8))],
        ["INT32", *["DOUBLE"] * 8],
    )
    assert recipe.pack(13, [10, 0, 0, 0.02, 0, 0, 0, 0.5, 0]) == SPEED_L
    (item,) = take_packages(bytearray(SPEED_L))
    assert recipe.unpack(item.body)[1:] == (10, 0, 0, 0.02, 0, 0, 0, 0.5, 0)


def test_excess_bytes_of_a_data_package_are_ignored() -> None:
    recipe = Recipe([f"d{i}" for i in range(6)], ["DOUBLE"] * 6)
    body = recipe.pack(1, range(6))[3:]
    assert recipe.unpack(body + bytes(48)) == (1, 0, 1, 2, 3, 4, 5)
    with pytest.raises(ProtocolError, match="48 bytes where its recipe needs 49"):
        recipe.unpack(body[:-1])


def test_packages_come_in_any_pieces() -> None:
    stream = STARTED + SPEED_L + COMMAND_0 + INPUTS_ASKED
    for cut in range(len(stream)):
        buffer = bytearray(stream[:cut])
        taken = list(take_packages(buffer))
        buffer += stream[cut:]
        taken += take_packages(buffer)
        assert [item.type for item in taken] == [ord(letter) for letter in "SUUI"]
        assert not buffer


def test_texts() -> None:
    (item,) = take_packages(bytearray(pack_text("the arm is sad", "virtual UR", 0)))
    assert unpack_text(item.body) == "virtual UR: the arm is sad"
    for length in range(len(item.body)):
        unpack_text(item.body[:length])


def test_moves_that_are_injected_into_the_program() -> None:
    text = (
        "def rtde_control():\n    global reg_offset_int = # int register offset\n24    x = 1\n"
        '    def exec_move_path():\n        textmsg("exec_move_path")\n        # inject move path\n'
        "\tsignal_async_progress(0)\n"
        "\tmovel(p[-0.35,-0.1,0.2,0,-3.14159,-7.29845e-16],a=1.2,v=0.25,r=0.02)\n"
        "\tsignal_async_progress(1)\n"
        "\tmovej([0,1,2,3,4,5],a=1.1,v=0.3,r=0)\n    end\nend\n"
    )
    first, second = injected_path(text)
    assert first.word == "movel" and first.is_pose and first.blend == 0.02
    assert first.numbers[5] == -7.29845e-16 and first.progress == 0
    assert second.word == "movej" and second.numbers == (0, 1, 2, 3, 4, 5)
    assert second.acceleration == 1.1 and second.speed == 0.3 and second.progress == 1
    assert program_name(text) == "rtde_control" and register_offset(text) == 24
    program, rest = first_program(text + text[:40])
    assert program == text and rest == text[:40]
    assert first_program(text[:-5])[0] == ""


@pytest.mark.parametrize("line", ["movel(p[1,2,3])", "set_gravity([0,0,1])", "x = 3", "stopj(a)"])
def test_lines_that_are_not_played(line: str) -> None:
    with pytest.raises(ProgramError):
        statements(line)


@contextmanager
def hostile(answers: list[list[bytes]], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that sends given bytes, one answer after each request, and hangs up.

    Args:
        answers: Each in pieces, which leave one by one.
        monkeypatch: Leads the client to the server's port.
    """
    server = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr(rtde_client, "PORT", server.getsockname()[1])

    def serve() -> None:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # the client may have hung up
        with connection, contextlib.suppress(OSError):
            for pieces in answers:
                if not connection.recv(4096):
                    return
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(0.0)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield "127.0.0.1"
    server.close()
    thread.join()


GOOD = [
    package(PackageType.PROTOCOL_VERSION, b"\1"),
    package(PackageType.SOFTWARE_VERSION, bytes.fromhex("000000050000000c0000000400000000")),
    package(PackageType.OUTPUTS, b"\1DOUBLE,VECTOR6D"),
    package(PackageType.START, b"\1"),
]
DATA = Recipe(["timestamp", "actual_q"], ["DOUBLE", "VECTOR6D"]).pack(1, range(7))


def talk(host: str) -> tuple[float, ...]:
    client = RtdeClient(host, timeout=0.2)
    try:
        client.software_version()
        client.start(["timestamp", "actual_q"])
        return client.newest(0.2)[0]
    finally:
        client.close()


def test_a_good_server_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    # the newest of three packages counts
    newest = Recipe(["timestamp", "actual_q"], ["DOUBLE", "VECTOR6D"]).pack(1, range(7, 14))
    answers = [*GOOD[:3], GOOD[3] + DATA + DATA + newest]
    with hostile([[answer] for answer in answers], monkeypatch) as host:
        assert talk(host)[1:] == tuple(range(7, 14))


def test_an_answer_may_come_byte_by_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [*GOOD[:3], GOOD[3] + DATA]
    pieces = [[answer[i : i + 1] for i in range(len(answer))] for answer in answers]
    with hostile(pieces, monkeypatch) as host:
        assert talk(host)[1:] == tuple(range(7))


@pytest.mark.parametrize(
    ("number", "answer", "text"),
    [
        (0, package(PackageType.PROTOCOL_VERSION, b"\0"), "does not speak RTDE version 2"),
        (1, package(PackageType.SOFTWARE_VERSION, b"\0\0"), "tells no software version"),
        (2, package(PackageType.OUTPUTS, b"\1DOUBLE,NOT_FOUND"), "does not know actual_q"),
        (3, package(PackageType.START, b"\0"), "sends no data"),
        (0, b"\0\0V", "claims to have 0 bytes"),
        (0, b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not answer PROTOCOL_VERSION|claims to have"),
    ],
)
def test_what_is_wrong_is_said(
    number: int, answer: bytes, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [*GOOD]
    answers[number] = answer
    with (
        hostile([[answer] for answer in answers], monkeypatch) as host,
        pytest.raises(PliantError, match=text),
    ):
        talk(host)


def in_pieces(answer: bytes, dice: random.Random) -> list[bytes]:
    """An answer, cut at up to three places."""
    cuts = sorted(dice.randrange(len(answer) + 1) for _ in range(dice.randrange(4)))
    return [answer[a:b] for a, b in itertools.pairwise([0, *cuts, len(answer)])]


def damaged(dice: random.Random) -> list[list[bytes]]:
    """Answers of a good server, in pieces, of which one or two are damaged."""
    answers = [*GOOD[:3], GOOD[3] + DATA]
    for _ in range(dice.randint(1, 2)):
        i = dice.randrange(len(answers))
        data = bytearray(answers[i])
        kind = dice.randrange(6)
        if kind == 0:
            data = data[: dice.randrange(len(data) + 1)]
        elif kind == 1 and data:
            data[dice.randrange(len(data))] = dice.randrange(256)
        elif kind == 2:
            data = bytearray(dice.randbytes(dice.randrange(64)))
        elif kind == 3:
            data += dice.randbytes(dice.randrange(64))
        elif kind == 4:
            dice.shuffle(answers)
        else:
            data = data * dice.randint(2, 5)
        if kind != 4:
            answers[i] = bytes(data)
    return [in_pieces(answer, dice) for answer in answers]


def attack(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hostile server: the client says a sentence or understands, and never hangs."""
    with hostile(damaged(random.Random(seed)), monkeypatch) as host:
        try:
            talk(host)
        except PliantError as error:
            assert 10 < len(str(error)) < 300


def test_a_share_of_hostile_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(60):
        attack(seed, monkeypatch)


@pytest.mark.long
def test_ten_thousand_hostile_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(10_000):
        attack(seed, monkeypatch)
