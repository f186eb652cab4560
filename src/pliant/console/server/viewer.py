"""One browser that watches the arm, and may command it."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from pliant.config import explain
from pliant.console.server import messages as m
from pliant.console.server.backend import Answer, ClientConnection
from pliant.console.server.describe import json_safe
from pliant.console.server.frames import Subscription
from pliant.console.server.identities import Identity
from pliant.console.server.outbox import Outbox
from pliant.console.server.sequence_player import SequencePlayer
from pliant.console.server.token_bucket import TokenBucket
from pliant.errors import PliantError, Refused

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub

_RATE, _BURST = 400.0, 800.0
"""Messages a second that a page may send; it needs less than a hundred."""

_MOST_MISTAKES = 20
_MOST_TASKS = 64
_UNSUPPORTED, _TOO_MUCH = 1003, 1008
_RELEASE = "LEASE release"
_OF_THE_CONSOLE = {
    "NAME": "send a message of type name",
    "REPLIES": "the console reads the replies",
    "WATCHDOG": "the console sets it by its heartbeat",
}
"""Lines by which a viewer would become somebody else to the controller, or escape the watchdog."""


class Viewer:
    """Talks to one page: handles its messages, and sends the ticks that it subscribed to.

    Attributes:
        identity: Who it is.
        outbox: The messages and frames that wait to be sent.
        subscription: The columns that it receives.
        sequence: Runs sequences of joint positions for it.
        seen: When its last message came, by the hub's clock.
        commanded: When it last gave a command.
    """

    def __init__(self, identity: Identity, hub: "Hub", socket: WebSocket) -> None:
        self.identity = identity
        self.outbox = Outbox()
        self.subscription: Subscription | None = None
        self.sequence = SequencePlayer(self, hub)
        self.seen = hub.clock
        self.commanded = time.monotonic()
        self._hub = hub
        self._socket = socket
        self._bucket = TokenBucket(_RATE, _BURST)
        self._mistakes = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._connection: ClientConnection | None = None
        self._connecting = asyncio.Lock()
        self._sending_since = 0.0
        self._dropped = asyncio.Event()
        self._gone = False

    @property
    def connected(self) -> bool:
        """Whether it has a connection to the controller; it opens one with its first command."""
        return self._connection is not None

    @property
    def id(self) -> str:
        """The id of its identity."""
        return self.identity.id

    @property
    def name(self) -> str:
        """Its label for others."""
        return self.identity.name

    @property
    def client(self) -> str:
        """Its name at the controller; it never changes while it is connected."""
        return self.identity.client

    @property
    def in_control(self) -> bool:
        """Whether it holds the lease."""
        return self._hub.holding is self

    @property
    def stuck(self) -> float:
        """For how long the browser has not accepted the last message, s."""
        return time.monotonic() - self._sending_since if self._sending_since else 0.0

    async def serve(self) -> None:
        """Serve the page until it leaves or is dropped."""
        sender = asyncio.create_task(self._send_outbox())
        listener = asyncio.create_task(self._listen())
        dropped = asyncio.create_task(self._dropped.wait())
        work = (sender, listener, dropped)
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._gone = True
            self.disconnect()
            for task in (*work, *self._tasks):
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    # to the page

    def send(self, message: m.Message) -> None:
        """Send a message."""
        self.outbox.text(message.model_dump_json())

    def drop(self) -> None:
        """Stop serving it, even if it does not read the closing handshake."""
        self._dropped.set()

    async def close(self, code: int, reason: str) -> None:
        """Close the WebSocket."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(code, reason)

    async def _send_outbox(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                item = await self.outbox.next()
                self._sending_since = time.monotonic()
                if isinstance(item, str):
                    await self._socket.send_text(item)
                else:
                    await self._socket.send_bytes(item)
                self._sending_since = 0.0

    # to the controller

    async def command(self, line: str) -> Answer:
        """Send a line that the operator asked for."""
        self.commanded = time.monotonic()
        return await self.send_line(line)

    async def send_line(self, line: str) -> Answer:
        """Send a line to the controller in this viewer's name."""
        try:
            async with self._connecting:
                answer = (self._connection or await self._connect()).send(line)
            return await answer
        except PliantError as error:
            return Answer(ok=False, text=str(error))

    def send_if_connected(self, line: str) -> None:
        """Send a line that only matters to a controller that knows this viewer."""
        if self._connection is not None:
            self._connection.send(line)

    async def release_control(self) -> None:
        """Stop the sequence that runs, and release the lease."""
        await self.sequence.stop()
        await self.send_line(_RELEASE)

    def disconnect(self) -> None:
        """Close the connection to the controller, which counts this viewer as gone."""
        self.sequence.abort()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _connect(self) -> ClientConnection:
        connection = await self._hub.connect(self.client)
        if self._gone:
            # the viewer left meanwhile: the hub no longer checks its heartbeat
            connection.close()
            raise Refused(f"{self.name} has left")
        self._connection = connection
        return connection

    # from the page

    async def _listen(self) -> None:
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                return
            if event.get("text") is None:
                return await self.close(_UNSUPPORTED, "messages are text")
            if not self._bucket.take() or self._mistakes > _MOST_MISTAKES:
                return await self.close(_TOO_MUCH, "too many messages, or too many not understood")
            self.seen = self._hub.clock
            self._receive(event["text"])

    def _receive(self, text: str) -> None:
        try:
            message = m.FROM_PAGE.validate_json(text)
        except ValidationError as error:
            self._mistakes += 1
            self.send(m.Event(kind="error", text=f"message not understood: {explain(error)[:200]}"))
            return
        if isinstance(message, m.Ping):
            self.send(m.Pong(t=message.t))
        elif isinstance(message, m.Subscribe):
            columns = tuple(message.columns)
            self._hub.viewers.subscribe(self, self._hub.n, columns, message.every)
        elif isinstance(message, m.StopRequest) or len(self._tasks) < _MOST_TASKS:
            self._spawn(self._handle(message))
        else:
            self._refuse(message, "too many requests at once")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, message: m.FromPage) -> None:
        """Handle a message, and reply to it."""
        try:
            answer = await self._done(message)
            number = getattr(message, "id", None)
            if answer is not None and number is not None:
                self._reply(number, answer)
        except PliantError as error:
            self._refuse(message, str(error))
        except Exception as error:
            # the page that waits for the reply must learn of a bug in the server
            self._refuse(message, f"an error in the console: {type(error).__name__}: {error}")
            raise

    async def _done(self, message: m.FromPage) -> Answer | None:
        """Do what a message asks for; the answer, if it has one."""
        if isinstance(message, m.SendLine):
            return await self._checked(message.text)
        if isinstance(message, m.PushRequest):
            numbers = " ".join(repr(value) for value in message.wrench_W)
            return await self._checked(f"PUSH {numbers} world {message.seconds!r}")
        if isinstance(message, m.StopRequest):
            return await self._hub.stop(self)
        if isinstance(message, m.NameRequest):
            return self._hub.rename(self, message.name)
        if isinstance(message, m.ResumeRequest):
            return self._hub.resume(self, message.secret)
        text = ""
        if isinstance(message, m.LeaseRequest):
            text = await self._hub.lease.request(self, message.action, message.to)
        elif isinstance(message, m.SequenceRequest):
            text = await self.sequence.request(message)
        elif isinstance(message, m.StartRequest | m.AttachRequest | m.RecordRequest):
            text = await self._hub.request(self, message)
        return Answer(ok=True, text=text)

    def _refuse(self, message: m.FromPage, why: str) -> None:
        number = getattr(message, "id", None)
        if number is None:
            self.send(m.Event(kind="error", text=why))
        else:
            self._reply(number, Answer(ok=False, text=why))

    async def _checked(self, line: str) -> Answer:
        """Send a line as it came from the page."""
        if not line.isprintable():
            return Answer(ok=False, text="a line has no control characters")
        words = line.split()
        if words == _RELEASE.split():
            await self.sequence.stop()
        if words[:1] and words[0] in _OF_THE_CONSOLE:
            return Answer(
                ok=False, text=f"{words[0]} is not for viewers: {_OF_THE_CONSOLE[words[0]]}"
            )
        return await self.command(line)

    def _reply(self, number: int, answer: Answer) -> None:
        value = json_safe(answer.value)
        text = self._hub.identities.labelled(answer.text)
        self.send(m.Reply(id=number, ok=answer.ok, text=text, value=value))
