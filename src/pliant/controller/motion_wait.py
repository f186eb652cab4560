"""The client whose command names a motion, and who waits for its reply until that is read."""

from collections.abc import Callable

from pliant.config import Config
from pliant.controller.line_client import Client
from pliant.controller.motion_loader import MotionLoader
from pliant.errors import Refused
from pliant.stages.reference.playable_motion import PlayableMotion


class MotionWait:
    """At most one client waits at a time; the others do not notice."""

    def __init__(self, loader: MotionLoader | None) -> None:
        """Wait for what a loader reads; without one, motions are refused."""
        self._loader = loader
        self._waiting: tuple[Client, str] | None = None

    @property
    def waiting(self) -> tuple[Client, str] | None:
        """Who waits, and the line that it sent."""
        return self._waiting

    def begin(
        self, client: Client, line: str, file: str, config: Config, wake: Callable[[], None]
    ) -> None:
        """Have a motion read, elsewhere.

        Args:
            client: Who waits.
            line: The line that it sent.
            file: The motion that the line names.
            config: The configuration for which it is read.
            wake: Called when it was read, from another thread.

        Raises:
            Refused: There is no loader, or it refuses the file.
        """
        if self._loader is None:
            raise Refused("this controller reads no motions for clients")
        self._loader.start(file, config, wake)
        self._waiting = client, line
        client.waits = True

    def is_over(self, stopping: bool) -> bool:
        """Whether the motion is read, or nobody may want it any more."""
        if self._waiting is None or self._loader is None:
            return False
        return stopping or self._left or self._loader.done

    def end(self) -> PlayableMotion:
        """The motion; nobody waits any more, whatever became of it.

        Raises:
            PliantError: It could not be read, or was not read to the end.
        """
        left, self._waiting = self._left, None
        if self._loader is None:
            raise Refused("no motion was read")
        if not self._loader.done:
            self._loader.cancel()
            why = "you hung up" if left else "the controller is stopping"
            raise Refused(f"the motion was not read: {why}")
        return self._loader.take()

    def close(self) -> None:
        """End the process that reads."""
        if self._loader is not None:
            self._loader.close()

    @property
    def _left(self) -> bool:
        if self._waiting is None:
            return True
        client, _ = self._waiting
        return client.gone or client.deaf
