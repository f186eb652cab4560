"""Many viewers, some of them badly behaved, disturb neither the arm nor the server."""

import json
import re
import socket
import threading
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from pliant.ring.ring import RingReader

COLUMNS = [
    "k",
    "time",
    "q",
    "w_T",
    "w_desired_T",
    "X_WT",
    "X_WR",
    "temperature",
    "J_W",
    "law_state",
]


ENOUGH = 10_000
"""Ticks that a crowd looks at before it goes."""


def own_memory_kB(pid: int) -> float:
    """Resident memory of a process without the ring, which it shares with the controller."""
    status = Path(f"/proc/{pid}/status").read_text()
    return float(re.search(r"RssAnon:\s+(\d+) kB", status)[1])


def look_and_leave(served: Any, ends: threading.Event, seen: list[int]) -> None:
    """Connect, receive a few messages and leave, repeatedly."""
    while not ends.is_set():
        token = {"Authorization": f"Bearer {served.token}"}
        with connect(
            f"ws://{served.host}/ws", max_size=None, compression=None, additional_headers=token
        ) as page:
            page.send(json.dumps({"type": "subscribe", "columns": COLUMNS}))
            for _ in range(12):
                message = page.recv(timeout=30)
                if isinstance(message, bytes):
                    seen.append(int.from_bytes(message[4:8], "little"))
            if len(seen) % 2:
                # gone without closing the WebSocket
                page.socket.shutdown(socket.SHUT_RDWR)


def test_twenty_viewers_come_and_go_and_one_never_reads(console, until, monkeypatch):
    # what is freed goes back to the system at once, rather than staying with the allocator
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "65536")
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    served = console()
    steady = served.started("sim:ur5e")
    steady.subscribe("k", "lateness")
    (path,) = served.runtime.glob("*.ring")
    ring = RingReader(path)

    # one viewer subscribes to many columns and never reads
    deaf = socket.create_connection(served.host.split(":"))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {served.host}\r\n"
        f"Authorization: Bearer {served.token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    wanted = json.dumps({"type": "subscribe", "columns": COLUMNS}).encode()
    # a masked text frame with a mask of zeros
    deaf.sendall(bytes([0x81, 0xFE]) + len(wanted).to_bytes(2, "big") + bytes(4) + wanted)

    def crowd(enough: int) -> None:
        ends, seen = threading.Event(), []
        threads = [
            threading.Thread(target=look_and_leave, args=(served, ends, seen)) for _ in range(19)
        ]
        for thread in threads:
            thread.start()
        try:
            until(lambda: sum(seen) > enough)
        finally:
            ends.set()
        for thread in threads:
            thread.join()

    crowd(ENOUGH // 2)
    before = own_memory_kB(served.process.pid)
    crowd(ENOUGH)
    growth = own_memory_kB(served.process.pid) - before
    deaf.close()
    # the outbox of the viewer that does not read is bounded, and the others free their memory
    assert growth < 6000.0

    # the steady page has received every tick and stayed in control
    ks = list(steady.ks)
    assert ks == list(range(ks[0], ks[0] + len(ks)))
    assert steady.missed == 0
    assert ring.missed == 0
    until(lambda: [viewer["id"] for viewer in steady.status["viewers"]] == [steady.id])
    assert steady.status["holder"] == steady.name
    assert steady.status["dropped"] == 0
