"""`arm.joints.move`: all joints to positions, waiting until they are there."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Protocol

import numpy as np

from pliant.api.move_result import Moved
from pliant.commands import Command
from pliant.errors import Refused
from pliant.numerics.spatial import Array
from pliant.stages.joints.joint_limits import JointLimits
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
        """Send all joints to positions and wait until they are there.

        The law `position` ends for it; any other active law refuses.

        Args:
            positions: One per joint, rad.
            speed: Largest speed of each joint, rad/s; without waiting it stays for later moves.
            wait: Whether to wait.
            until: A condition that ends the move: `pliant.force() > 5`.
            timeout: After this long, s, the joints stop and `WaitTimeout` is raised.
        """
        return self._runner.move_joints(positions, speed, wait, until, timeout)


def joint_targets(
    target: Sequence[float] | Array, names: Sequence[str], limits: JointLimits
) -> list[float]:
    """One position for each joint, within its limits.

    Raises:
        Refused: There are more or fewer, or one is beyond a limit.
    """
    try:
        values = np.asarray(target, float)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.shape != (len(names),):
        raise Refused(f"give {len(names)} joint positions, rad, as a list, not {target!r}")
    beyond = np.flatnonzero(~((values >= limits.q_min) & (values <= limits.q_max)))
    if len(beyond):
        j = int(beyond[0])
        turns = "; positions are in rad, not in degrees" if abs(values[j]) > 10.0 else ""
        raise Refused(
            f"joint {j} {names[j]}: {values[j]:g} rad is not within "
            f"{limits.q_min[j]:.4g} to {limits.q_max[j]:.4g} rad{turns}"
        )
    return values.tolist()
