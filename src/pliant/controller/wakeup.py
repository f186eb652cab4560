"""A bell that rings when something comes at a descriptor, and costs a tick nothing when not.

Asking the system takes a call, which after a sleep takes as long as a stage of the tick does. So a
thread of its own asks. It stays in a kernel that never takes Python's lock, because who holds that
and is not given a CPU makes a tick late.
"""

import os
import select
import signal
import threading
from contextlib import suppress

import numpy as np
from numba import types
from numpy.typing import NDArray

from pliant.loop.system_clock import IN_KERNELS
from pliant.numerics.kernels import direct, kernel_that_waits

_RANG, _LEAVING = range(2)
_ROOM = 1 << 16
_EVENT_SIZE = 16
"""Bytes of an `epoll_event` of the C library; on some machines it has fewer."""

_epoll_wait = types.ExternalFunction(
    "epoll_wait", types.int32(types.int32, types.voidptr, types.int32, types.int32)
)


class Bell:
    """Rings until hushed, and again when something is there to be read at a descriptor.

    Attributes:
        rang: Its first byte is not zero if something may be there.
    """

    def __init__(self, descriptor: int | None) -> None:
        """Make a bell that rings; without a descriptor, or where that is impossible, for ever."""
        self.rang = bytearray([True, False])
        self._descriptor = descriptor
        self._thread: threading.Thread | None = None
        self._wakeup_before: int | None = None
        if descriptor is not None and IN_KERNELS:
            self._listen(descriptor)

    def ring(self) -> None:
        """Ring."""
        self.rang[_RANG] = True

    def hush(self) -> None:
        """Be silent until something is there, which may be now."""
        if self._thread is not None and self._descriptor is not None:
            self.rang[_RANG] = False
            self._epoll.modify(self._descriptor, select.EPOLLIN | select.EPOLLONESHOT)

    def heed_signals(self) -> None:
        """Ring at every signal too: what Python does at one waits until a kernel has returned."""
        if self._thread is not None:
            before = signal.set_wakeup_fd(self._knocker, warn_on_full_buffer=False)
            self._wakeup_before = before

    def close(self) -> None:
        """Stop listening; call it before the descriptor is closed. Safe to call twice."""
        if self._thread is not None:
            if self._wakeup_before is not None:
                signal.set_wakeup_fd(self._wakeup_before)
            self.rang[_LEAVING] = True
            with suppress(BlockingIOError):
                # after very many signals there would be no room
                os.read(self._door, _ROOM)
            os.write(self._knocker, b"0")
            self._thread.join()
            self._thread = None
            self._epoll.close()
            os.close(self._door)
            os.close(self._knocker)

    def _listen(self, descriptor: int) -> None:
        self._epoll = select.epoll()
        # each time it is hushed it rings once
        self._epoll.register(descriptor, select.EPOLLONESHOT)
        self._door, self._knocker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        # nobody reads what comes here, so it must ring for what is new alone
        self._epoll.register(self._door, select.EPOLLIN | select.EPOLLET)
        event, rang = np.zeros(_EVENT_SIZE, np.uint8), np.frombuffer(self.rang, np.uint8)
        own = (self._epoll.fileno(), event, rang)
        urgency = (os.sched_getscheduler(0), os.sched_getparam(0))
        listen = direct(ring_when_called, *own)

        def wait() -> None:
            # as urgently as what made it
            with suppress(OSError):
                os.sched_setscheduler(0, *urgency)
            listen(*own)

        self._thread = threading.Thread(target=wait, daemon=True, name="bell")
        self._thread.start()


@kernel_that_waits
def ring_when_called(epoll: int, event: NDArray[np.uint8], rang: NDArray[np.uint8]) -> None:
    """Ring whenever something comes, until told to leave."""
    while not rang[_LEAVING]:
        if _epoll_wait(epoll, event.ctypes, 1, -1) > 0:
            rang[_RANG] = True
