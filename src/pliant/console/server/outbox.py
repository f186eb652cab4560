"""The bounded queue of messages and frames to a viewer."""

import asyncio
from collections import deque

_MOST_TEXTS = 512
_MOST_FRAME_BYTES = 4_000_000


class Outbox:
    """Keeps all texts in order, and drops the oldest frames when they take too much memory.

    Attributes:
        overflown: Too many texts wait; the viewer must be dropped.
        left_out: Number of frames dropped.
    """

    def __init__(self) -> None:
        self.overflown = False
        self.left_out = 0
        self._texts: deque[str] = deque()
        self._latest = ""
        self._frames: deque[bytes] = deque()
        self._frame_bytes = 0
        self._something = asyncio.Event()

    def text(self, text: str) -> None:
        """Queue a text message; it is sent before the waiting frames."""
        if len(self._texts) >= _MOST_TEXTS:
            self.overflown = True
        else:
            self._texts.append(text)
        self._something.set()

    def latest(self, text: str) -> None:
        """Queue a text message that replaces the previous one of its kind if that still waits."""
        self._latest = text
        self._something.set()

    def frame(self, frame: bytes) -> None:
        """Queue a frame."""
        self._frames.append(frame)
        self._frame_bytes += len(frame)
        while self._frame_bytes > _MOST_FRAME_BYTES:
            self._frame_bytes -= len(self._frames.popleft())
            self.left_out += 1
        self._something.set()

    async def next(self) -> str | bytes:
        """Wait for the next message or frame to send."""
        while True:
            if self._texts:
                return self._texts.popleft()
            if self._latest:
                text, self._latest = self._latest, ""
                return text
            if self._frames:
                frame = self._frames.popleft()
                self._frame_bytes -= len(frame)
                return frame
            self._something.clear()
            await self._something.wait()
