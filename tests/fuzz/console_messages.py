"""Hostile messages to the console: WebSocket, REST, hosts and tokens; the arm feels none of them.

A real console runs with an arm; its operator is in control. Strangers send messages made from the
messages' own schema, mutated, and anything else. They are refused or cut off, one reply for each
request, and the operator commands as before.
"""

import contextlib
import http.client
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from pliant.console.server.messages import FROM_PAGE, Messages
from pliant.reasons import State
from pliant.ring.ring import RingReader
from pliant.stages.supervisor import read_text

from ..console.conftest import Console, Page
from .footprint import Footprint, footprint
from .hostile import damaged, nested, number, spoiled, value
from .kind import Finding, Tally, each
from .own_folder import runtime_folder_at

_BATCH = 10
_CLOSED = (1003, 1007, 1008, 1009, 1013)
"""Reasons for which a console may close the connection of a stranger."""

_KEPT = ("w_target", "state", "law", "law_seq", "n_af", "X_WR_target", "zero_seq")
_PATIENCE = 60.0


class ConsoleMessages:
    """One console for all cases of a process, as it must outlive them."""

    def __init__(self, folder: Path) -> None:
        self._runtime = runtime_folder_at(folder / "run")
        home = folder / "home"
        home.mkdir()
        self._console = Console(home, self._runtime, "--heartbeat", "10", "--lease-timeout", "3600")
        self._operator = self._console.started("sim:ur5e")
        if not self._operator.line("WRENCH 0 0 -1 0 0 0")["ok"]:
            raise Finding("the operator is not in control")
        (ring,) = self._runtime.glob("*.ring")
        self._ring = RingReader(ring)
        self._before: Footprint | None = None
        self._cases = 0

    def close(self) -> None:
        """End the console, and its arm."""
        self._operator.send(type="stop")
        self._console.close()

    def run(self, dice: random.Random, count: int) -> Tally:
        """Send messages in batches, each from a stranger of its own, and some requests."""
        before = self._ring.latest()
        tally = each(count // _BATCH, lambda: self._batch(dice) < _BATCH)
        self._check_arm(before)
        self._check_growth()
        return Tally(tally.accepted * _BATCH, tally.refused * _BATCH)

    def _batch(self, dice: random.Random) -> int:
        """Some messages of a stranger, and perhaps a request; how many were not understood."""
        if dice.random() < 0.3:
            self._request(dice)
        batch = [_message(dice) for _ in range(_BATCH)]
        with self._stranger(dice) as stranger:
            return _BATCH if stranger is None else _send(stranger, batch)

    @contextlib.contextmanager
    def _stranger(self, dice: random.Random) -> Iterator[ClientConnection | None]:
        """A page that is not the operator's; now and then without the token."""
        headers = {"Authorization": f"Bearer {self._console.token}"}
        url = f"ws://{self._console.host}/ws"
        if dice.random() < 0.02:
            headers = {"Cookie": f"pliant=x; token={number(dice)}"}
        try:
            with connect(url, max_size=None, compression=None, additional_headers=headers) as made:
                yield made
        except InvalidStatus as refused:
            if refused.response.status_code not in (401, 403, 429, 503):
                raise Finding(f"a stranger got status {refused.response.status_code}") from None
            yield None

    def _request(self, dice: random.Random) -> None:
        """A request that is not as it should be: no error of the server, whatever it says."""
        path, body = _rest(dice)
        host = self._console.host if dice.random() < 0.8 else dice.choice(_HOSTS)
        address, _, port = self._console.host.rpartition(":")
        client = http.client.HTTPConnection(address, int(port), timeout=_PATIENCE)
        try:
            client.putrequest("POST" if body else "GET", path, skip_host=True)
            client.putheader("Host", host)
            client.putheader("Authorization", f"Bearer {self._console.token}")
            if body:
                client.putheader("Content-Length", str(len(body)))
            client.endheaders(body or None)
            status = client.getresponse().status
        except (http.client.HTTPException, ValueError, UnicodeError, ConnectionError):
            # the request itself cannot be sent, or the server hung up
            return
        finally:
            client.close()
        if status >= 500 and status not in (501, 503):
            raise Finding(f"status {status} to {path!r} with host {host!r} and {body[:200]!r}")

    def _check_arm(self, before: Any) -> None:
        after = self._ring.latest()
        assert before is not None and after is not None
        changed = [name for name in _KEPT if (after[name] != before[name]).any()]
        if changed or after["state"].item() != State.ACTIVE:
            why = f"{changed}, {read_text(after)}, {self._operator.events[-3:]}"
            raise Finding(f"messages of strangers reached the arm: {why}")
        page: Page = self._operator
        if page.status["holder"] != page.name:
            said = [event["text"] for event in page.events[-3:]]
            raise Finding(
                f"the operator lost control to {page.status['holder']!r}; the console is "
                f"{page.status['phase']}, {page.status['why']!r}, and said {said}"
            )
        if not page.line("WRENCH 0 0 -1 0 0 0")["ok"]:
            raise Finding("the operator is not obeyed any more")
        if self._console.process.poll() is not None:
            raise Finding("the console has ended")

    def _check_growth(self) -> None:
        now = footprint(self._console.process.pid)
        self._cases += 1
        if self._cases == 3:
            self._before = now
        if self._before and now.memory - self._before.memory > 64.0:
            raise Finding(f"the console grew to {now.memory:.0f} MB")
        if self._before and now.descriptors > self._before.descriptors + 8:
            raise Finding(f"the console has {now.descriptors} descriptors")


_HOSTS = (
    "",
    "[",
    "[::1",
    "[::1]]:80",
    "127.0.0.1:99999999",
    "evil.example",
    "a b",
    "\xff",
    "@",
    "x" * 5000,
)


def _send(stranger: ClientConnection, batch: list[str | bytes]) -> int:
    """Send messages and a ping after them; how many were not understood."""
    refused = 0
    try:
        for message in batch:
            stranger.send(message)
        stranger.send('{"type": "ping", "t": 7.5}')
        while True:
            answer = stranger.recv(timeout=_PATIENCE)
            if isinstance(answer, bytes):
                continue
            told = json.loads(answer)
            refused += "not understood" in str(told.get("text", ""))
            if "an error in the console" in str(told.get("text", "")):
                raise Finding(f"{told['text']}: {[str(m)[:200] for m in batch]}")
            if told == {"type": "pong", "t": 7.5}:
                return refused
    except ConnectionClosed as closed:
        if closed.rcvd is None or closed.rcvd.code not in _CLOSED:
            raise Finding(f"a stranger's connection broke: {closed}") from None
        return len(batch)
    except TimeoutError:
        raise Finding(f"a ping got no pong: {[str(m)[:200] for m in batch]}") from None


def _message(dice: random.Random) -> str | bytes:
    """A message that a page might send, changed; or something else."""
    choice = dice.random()
    if choice < 0.02:
        return dice.randbytes(dice.randrange(60))
    if choice < 0.04:
        return nested(dice)[:60000]
    if choice < 0.08:
        return json.dumps(value(dice), default=str)
    message = _valid(dice)
    if choice < 0.6:
        message = spoiled(dice, message, most=2)
    text = json.dumps(message)
    if choice > 0.95:
        text = damaged(dice, text.encode()).decode(errors="replace")
    return text if _harmless(text) else '{"type": "subscribe", "columns": ["k"], "every": 0}'


def _harmless(text: str) -> bool:
    """Whether it is none of what a stranger may do: stop the arm, record, take a free name."""
    try:
        message = FROM_PAGE.validate_json(text)
    except (ValidationError, ValueError):
        return True
    return message.type not in ("stop", "start", "attach", "record", "name") and not (
        message.type == "line" and message.text.split()[:1] == ["STOP"]
    )


_LINES = (
    "WRENCH 0 0 -9 0 0 0",
    "HOLD",
    "OFF",
    "PUSH 0 0 50 0 0 0",
    "LAW position",
    "STATE",
    "PING",
)


def _valid(dice: random.Random) -> dict[str, Any]:
    """A message as its class describes it."""
    kind = dice.choice(Messages.from_page)
    made: dict[str, Any] = {"type": kind.model_fields["type"].default}
    schema = kind.model_json_schema()
    for name, field in schema["properties"].items():
        if name != "type" and (name in schema.get("required", ()) or dice.random() < 0.6):
            made[name] = _fitting(dice, name, field)
    return made


def _fitting(dice: random.Random, name: str, field: dict[str, Any]) -> Any:
    """A value that fits a field's schema, more or less."""
    if name == "text":
        return dice.choice(_LINES)
    if name == "columns":
        return dice.choices(("k", "q", "w_T", "reason_text", "nothing"), k=dice.randrange(5))
    if "enum" in field:
        return dice.choice(field["enum"])
    kind = field.get("type")
    if kind == "array":
        return [number(dice) for _ in range(dice.choice((0, 6)))]
    if kind in ("number", "integer"):
        low, high = field.get("minimum", 0), field.get("maximum", 10)
        return dice.choice((low, high, 1, 1 if kind == "integer" else number(dice)))
    return dice.choice(("a", "x1", None, "sim:ur5e"))


def _rest(dice: random.Random) -> tuple[str, bytes]:
    """A path and, for a POST, a body."""
    choice = dice.random()
    if choice < 0.4:
        body = dice.choice((nested(dice)[:60000], json.dumps(value(dice), default=str)))
        path = dice.choice(("/api/sequence/read", "/api/sequence/write"))
        return path, damaged(dice, body.encode(errors="replace")) or b"x"
    paths = (
        "/api/status", "/api/config", "/api/columns", "/api/recordings/../../etc/passwd",
        "/api/recordings/%2e%2e%2fx/plot.png", "/api/arm.urdf?arm=../x", "/api/arm.urdf?arm=panda",
        "/api/recordings/a.mcap", "/api/arm.urdf?arm=" + "x" * 100, "/%00", "/api/nothing", "/ws",
        "/?token=" + "y" * 50, "/api/recordings/" + "z" * 300, "//", "/..%2f..%2fetc/passwd",
    )  # fmt: skip
    return dice.choice(paths), b""
