"""A wakeup flag: set when a descriptor becomes readable, free of charge for a tick otherwise.

After a sleep a system call takes as long as a stage of the tick. So a thread waits for the
descriptor. It stays in a kernel that never takes Python's lock: a thread that holds the lock and
gets no CPU would make a tick late.
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

_SET, _LEAVING = range(2)
_ROOM = 1 << 16
_EVENT_SIZE = 16
"""Bytes of an `epoll_event` of the C library; on some machines it has fewer."""

_epoll_wait = types.ExternalFunction(
    "epoll_wait", types.int32(types.int32, types.voidptr, types.int32, types.int32)
)


class Wakeup:
    """A flag that stays set until it is re-armed, and is set again when input is there.

    Attributes:
        flag: Its first byte is not zero if input may be there.
    """

    def __init__(self, descriptor: int | None) -> None:
        """Make a flag that is set; it stays set where a descriptor cannot be waited for."""
        self.flag = bytearray([True, False])
        self._descriptor = descriptor
        self._thread: threading.Thread | None = None
        self._wakeup_before: int | None = None
        if descriptor is not None and IN_KERNELS:
            self._listen(descriptor)

    def wake(self) -> None:
        """Set the flag."""
        self.flag[_SET] = True

    def rearm(self) -> None:
        """Clear the flag until input is there, which may be now."""
        if self._thread is not None and self._descriptor is not None:
            self.flag[_SET] = False
            self._epoll.modify(self._descriptor, select.EPOLLIN | select.EPOLLONESHOT)

    def watch_signals(self) -> None:
        """Set the flag at every signal too: Python's handlers wait until a kernel has returned."""
        if self._thread is not None:
            before = signal.set_wakeup_fd(self._signal_end, warn_on_full_buffer=False)
            self._wakeup_before = before

    def close(self) -> None:
        """Stop listening; call it before the descriptor is closed. Safe to call twice."""
        if self._thread is not None:
            if self._wakeup_before is not None:
                signal.set_wakeup_fd(self._wakeup_before)
            self.flag[_LEAVING] = True
            with suppress(BlockingIOError):
                # very many signals may have filled the pipe
                os.readv(self._read_end, [self._drained])
            os.write(self._signal_end, b"0")
            self._thread.join()
            self._thread = None
            self._epoll.close()
            os.close(self._read_end)
            os.close(self._signal_end)

    def _listen(self, descriptor: int) -> None:
        self._epoll = select.epoll()
        # one event each time it is re-armed
        self._epoll.register(descriptor, select.EPOLLONESHOT)
        self._read_end, self._signal_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        # made now: at the end there may be no memory
        self._drained = bytearray(_ROOM)
        # nobody reads what comes here, so only new input may count
        self._epoll.register(self._read_end, select.EPOLLIN | select.EPOLLET)
        event, flag = np.zeros(_EVENT_SIZE, np.uint8), np.frombuffer(self.flag, np.uint8)
        own = (self._epoll.fileno(), event, flag)
        urgency = (os.sched_getscheduler(0), os.sched_getparam(0))
        listen = direct(set_flag_on_event, *own)

        def wait() -> None:
            # with the priority of the thread that made it
            with suppress(OSError):
                os.sched_setscheduler(0, *urgency)
            listen(*own)

        self._thread = threading.Thread(target=wait, daemon=True, name="wakeup")
        self._thread.start()


def compile_wakeup() -> None:
    """Compile or load the kernel that waits for input."""
    if IN_KERNELS:
        direct(set_flag_on_event, 0, np.zeros(_EVENT_SIZE, np.uint8), np.zeros(2, np.uint8))


@kernel_that_waits
def set_flag_on_event(epoll: int, event: NDArray[np.uint8], flag: NDArray[np.uint8]) -> None:
    """Set the flag whenever input comes, until told to leave."""
    while not flag[_LEAVING]:
        if _epoll_wait(epoll, event.ctypes, 1, -1) > 0:
            flag[_SET] = True
