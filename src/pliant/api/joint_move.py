"""`arm.joints.move`: all joints to positions, waiting until they are there."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Protocol

from pliant.api.move_result import Moved
from pliant.commands import Command
from pliant.numerics.spatial import Array
from pliant.tick import Tick


class Runner(Protocol):
    """The part of an arm that its joints use: giving commands, and letting time pass."""

    def wait_until(self, condition: Callable[[Tick], bool], timeout: float = ...) -> Tick:
        """Let the arm run until a condition holds."""
        ...

    def _command(self, kind: type[Command], **fields: Any) -> Any: ...

    def move_joints(
        self, target: Any, speed: float | None, wait: bool, until: Any, timeout: float
    ) -> Moved | None:
        """Send all joints to positions."""
        ...


class JointMove:
    """The part of `arm.joints` that moves all joints."""

    _runner: Runner

    def move(
        self,
        positions: Sequence[float] | Array,
        *,
        speed: float | None = None,
        wait: bool = True,
        until: Any = None,
        timeout: float = inf,
    ) -> Moved | None:
        """Send all joints to positions and wait until they are there; no law may be active.

        Args:
            positions: One per joint, rad.
            speed: Largest speed of each joint, rad/s; without waiting it stays for later moves.
            wait: Whether to wait.
            until: A condition that ends the move: `pliant.force() > 5`.
            timeout: After this long, s, the joints stop and `WaitTimeout` is raised.
        """
        return self._runner.move_joints(positions, speed, wait, until, timeout)
