"""Arms that kernels can read and write without Python."""

from typing import Protocol

from numba.extending import overload

from pliant.tick import Rows


class Native(Protocol):
    """A named tuple of what such kernels need, with its `@kernel` functions as methods.

    Compiled kernels know from the tuple's class which ones these are.
    """

    def read(self, tick: Rows, /) -> bool:
        """Fill the columns of stage `robot`; False if that went wrong, and Python says how."""
        ...

    def write(self, tick: Rows, /) -> None:
        """Send what the arm is to do, and note what was sent; it cannot fail."""
        ...


def read_native(arm: Native, tick: Rows) -> bool:
    """Read an arm in a kernel."""
    return arm.read(tick)


def write_native(arm: Native, tick: Rows) -> None:
    """Write to an arm in a kernel."""
    arm.write(tick)


@overload(read_native)
def _compiled_read(arm, tick):
    read = arm.instance_class.read
    return lambda arm, tick: read(arm, tick)


@overload(write_native)
def _compiled_write(arm, tick):
    write = arm.instance_class.write
    return lambda arm, tick: write(arm, tick)
