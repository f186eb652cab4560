"""A viewer's connection to the controller's socket."""

import asyncio
import contextlib
import json
from collections import deque
from pathlib import Path

from pliant.console.server.backend import Answer, ClientConnection
from pliant.errors import PliantError

_MOST_WAITING = 64
_LONGEST_REPLY = 1 << 18


class ControllerConnection(ClientConnection):
    """Sends lines and matches the replies, which come in the order of the lines."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._waiting: deque[asyncio.Future[Answer]] = deque()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def open(cls, path: Path, name: str) -> "ControllerConnection":
        """Connect to a socket under a name.

        Raises:
            PliantError: There is no answer, or another client has that name.
        """
        try:
            connection = cls(*await asyncio.open_unix_connection(path, limit=_LONGEST_REPLY))
        except OSError as error:
            raise PliantError(f"the controller does not answer: {error.strerror}") from None
        try:
            for line in ("REPLIES json", f"NAME {name}"):
                answer = await connection.send(line)
                if not answer.ok:
                    raise PliantError(answer.text)
        except BaseException:
            connection.close()
            raise
        return connection

    def send(self, line: str) -> asyncio.Future[Answer]:
        """Send a line at once; returns a future of the reply."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if self._listening.done():
            answer.set_result(Answer(ok=False, text="the controller no longer answers"))
        elif len(self._waiting) >= _MOST_WAITING:
            answer.set_result(Answer(ok=False, text="too many commands are waiting for replies"))
        else:
            self._waiting.append(answer)
            self._writer.write(line.encode() + b"\n")
        return answer

    def close(self) -> None:
        """Close the connection at once."""
        self._listening.cancel()
        self._writer.transport.abort()
        self._fail_waiting()

    async def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await self._reader.readline():
                # an EVENT says that replies were lost, and answers nothing
                if not line.startswith(b"EVENT") and self._waiting:
                    answer = self._waiting.popleft()
                    if not answer.done():
                        answer.set_result(Answer(**json.loads(line)))
        self._fail_waiting()

    def _fail_waiting(self) -> None:
        for answer in self._waiting:
            if not answer.done():
                answer.set_result(Answer(ok=False, text="the controller has ended"))
        self._waiting.clear()
