"""One browser that looks at the arm, and may command it."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from pliant.config import explain
from pliant.console.server import messages as m
from pliant.console.server.backend import Answer, Door
from pliant.console.server.bucket import Bucket
from pliant.console.server.frames import Subscription
from pliant.console.server.outbox import Outbox
from pliant.errors import PliantError, Refused

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub

_RATE, _BURST = 400.0, 800.0
"""Messages a second that a page may send; it needs less than a hundred."""

_MOST_MISTAKES = 20
_MOST_TASKS = 64
_UNSUPPORTED, _TOO_MUCH = 1003, 1008


class Viewer:
    """Speaks with one page: takes its messages, sends it what it subscribed to.

    Attributes:
        name: How others see it.
        outbox: What waits to be sent.
        subscription: The columns that it wants.
        seen: When it last said anything, by the hub's clock.
        commanded: When it last gave a command.
    """

    def __init__(self, name: str, hub: "Hub", socket: WebSocket) -> None:
        self.name = name
        self.outbox = Outbox()
        self.subscription: Subscription | None = None
        self.seen = hub.clock
        self.commanded = time.monotonic()
        self._hub = hub
        self._socket = socket
        self._bucket = Bucket(_RATE, _BURST)
        self._mistakes = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._door: Door | None = None
        self._opening = asyncio.Lock()
        self._sending_since = 0.0
        self._dropped = asyncio.Event()
        self._gone = False

    @property
    def has_door(self) -> bool:
        """Whether it has said anything to the controller."""
        return self._door is not None

    @property
    def stuck(self) -> float:
        """For how long what was sent last has not been taken, s."""
        return time.monotonic() - self._sending_since if self._sending_since else 0.0

    async def serve(self) -> None:
        """Speak with the page until it leaves or is sent away."""
        sender = asyncio.create_task(self._send())
        listener = asyncio.create_task(self._listen())
        dropped = asyncio.create_task(self._dropped.wait())
        work = (sender, listener, dropped)
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._gone = True
            self.leave()
            for task in (*work, *self._tasks):
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    def tell(self, message: m.Message) -> None:
        """Send a message."""
        self.outbox.text(message.model_dump_json())

    def leave(self) -> None:
        """Shut the door to the controller: for it this viewer is gone."""
        if self._door is not None:
            self._door.shut()
            self._door = None

    async def say(self, line: str) -> Answer:
        """Give a line to the controller in this viewer's name."""
        try:
            async with self._opening:
                answer = (self._door or await self._open_door()).send(line)
            return await answer
        except PliantError as error:
            return Answer(ok=False, text=str(error))

    def add(self, line: str) -> None:
        """Give a line that means something only to a controller that knows this viewer."""
        if self._door is not None:
            self._door.send(line)

    def rename(self, name: str) -> None:
        """Take another name, at the controller too if it knows this viewer."""
        self.name = name
        self.add(f"NAME {name}")

    def drop(self) -> None:
        """Stop serving it, even if it does not read its goodbye."""
        self._dropped.set()

    async def close(self, code: int, reason: str) -> None:
        """Send it away."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(code, reason)

    async def _open_door(self) -> Door:
        door = await self._hub.open_door(self.name)
        if self._gone:
            # nobody would ever notice its silence
            door.shut()
            raise Refused(f"{self.name} has left")
        self._door = door
        return door

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                item = await self.outbox.next()
                self._sending_since = time.monotonic()
                if isinstance(item, str):
                    await self._socket.send_text(item)
                else:
                    await self._socket.send_bytes(item)
                self._sending_since = 0.0

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
            self._take(event["text"])

    def _take(self, text: str) -> None:
        try:
            message = m.FROM_PAGE.validate_json(text)
        except ValidationError as error:
            self._mistakes += 1
            self.tell(m.Event(kind="error", text=f"message not understood: {explain(error)[:200]}"))
            return
        if isinstance(message, m.Ping):
            self.tell(m.Pong(t=message.t))
            if self._hub.holder == self.name:
                self.add("PING")
        elif isinstance(message, m.Subscribe):
            columns = tuple(message.columns)
            self._hub.viewers.subscribe(self, self._hub.n, columns, message.every)
        elif isinstance(message, m.StopRequest) or len(self._tasks) < _MOST_TASKS:
            self._do(self._obey(message))
        else:
            self._refuse(message, "too many requests at once")

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _obey(self, message: m.FromPage) -> None:
        """Do what a message asks for, and say so."""
        try:
            if isinstance(message, m.StopRequest):
                await self._hub.stop(self)
            elif isinstance(message, m.SendLine):
                self._answer(message.id, await self._line(message.text))
            elif isinstance(message, m.PushRequest):
                numbers = " ".join(repr(value) for value in message.wrench_W)
                await self._line(f"PUSH {numbers} world {message.seconds!r}")
            elif isinstance(message, m.LeaseRequest):
                text = await self._hub.lease.request(self, message.action, message.to)
                self._answer(message.id, Answer(ok=True, text=text))
            elif isinstance(message, m.NameRequest):
                self._hub.rename(self, message.name)
            elif isinstance(message, m.StartRequest | m.AttachRequest | m.RecordRequest):
                text = await self._hub.request(self, message)
                self._answer(message.id, Answer(ok=True, text=text))
        except PliantError as error:
            self._refuse(message, str(error))
        except Exception as error:
            # a mistake in here must not go unnoticed by whoever waits for the answer
            self._refuse(message, f"an error in the console: {type(error).__name__}: {error}")
            raise

    def _refuse(self, message: m.FromPage, why: str) -> None:
        number = getattr(message, "id", None)
        if number is None:
            self.tell(m.Event(kind="error", text=why))
        else:
            self._answer(number, Answer(ok=False, text=why))

    async def _line(self, line: str) -> Answer:
        if not line.isprintable():
            return Answer(ok=False, text="a line has no control characters")
        self.commanded = time.monotonic()
        return await self.say(line)

    def _answer(self, number: int, answer: Answer) -> None:
        self.tell(m.Reply(id=number, ok=answer.ok, text=answer.text))
