"""Virtual URs for tests: one process each, on a loopback address of its own."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_numbers = itertools.count(1)


def new_host() -> str:
    """A loopback address that no other test uses; ur_rtde asks for remote control there."""
    pid = os.getpid()
    return (
        f"127.{1 + pid // 65536 % 200}.{pid // 256 % 256}.{(pid + 97 * next(_numbers)) % 254 + 1}"
    )


class VirtualArm:
    """A running `pliant virtual`.

    Attributes:
        host: Its address.
        process: Its process.
    """

    def __init__(self, place: str, *options: str, host: str | None = None) -> None:
        self.host = host or new_host()
        command = [sys.executable, "-m", "pliant.cli", "virtual", place, "--host", self.host]
        self.process = subprocess.Popen(
            [*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first == "ready\n", first

    def say(self, line: str) -> str:
        """Say a line on its standard input; its answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def truth(self) -> dict[str, Any]:
        """What only the simulation knows."""
        return json.loads(self.say("truth"))

    def close(self) -> int:
        """Close its standard input; its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait()


@contextmanager
def virtual_arm(place: str, *options: str, host: str | None = None) -> Iterator[VirtualArm]:
    arm = VirtualArm(place, *options, host=host)
    try:
        yield arm
    finally:
        arm.close()
