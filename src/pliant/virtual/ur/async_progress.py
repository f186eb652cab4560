"""The register in which the control program tells how far an asynchronous motion is."""

_REGISTER = 2
_MOST = 127
_RUNNING = 1 << 15


class AsyncProgress:
    """Bits 0-14 progress, 15 running, 16-22 a count of writes, 24-30 the number of the motion."""

    def __init__(self, put_int) -> None:
        """Make the register.

        Args:
            put_int: Writes an output integer: its number and its value.
        """
        self._put = put_int
        self._writes = 0
        self._operation = 0

    def started(self) -> None:
        """A motion has begun."""
        self._operation = 0 if self._operation >= _MOST else self._operation + 1
        self._write(_RUNNING)

    def at(self, progress: int) -> None:
        """A motion has passed a waypoint."""
        if progress == 0:
            self.started()
        else:
            self._write(_RUNNING + min(progress, _RUNNING - 1))

    def finished(self) -> None:
        """A motion has ended, or was ended."""
        self._write(0)

    def _write(self, low: int) -> None:
        self._writes = 0 if self._writes >= _MOST else self._writes + 1
        self._put(_REGISTER, (self._operation << 24) + (self._writes << 16) + low)
