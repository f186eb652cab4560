"""Starting a controller for the console."""

import asyncio
import contextlib
import os
import sys
import tempfile
from asyncio.subprocess import Process
from pathlib import Path
from typing import IO

from pliant.console.server.messages import StartRequest
from pliant.errors import PliantError
from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX, clean_up, runtime_folder

_START_TIMEOUT = 120.0
_LOOK = 0.05


async def launch(request: StartRequest, name: str, config: Path | None) -> Process:
    """Start a controller and wait until it is ready.

    It outlives the console: its standard input never ends by itself, and signals to the console's
    terminal do not reach it. If the console dies, whoever was in control is gone and the arm holds.

    Raises:
        PliantError: It did not start; the message says what it said.
    """
    clean_up()
    with tempfile.TemporaryFile() as said:
        process = await _spawn(_command(request, name, config), said)
        try:
            await _wait_until_ready(name, process)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            clean_up()
            if isinstance(error, PliantError):
                raise PliantError(f"not started: {_last_line(said) or error}") from None
            raise
    return process


def _command(request: StartRequest, name: str, config: Path | None) -> list[str]:
    command = [sys.executable, "-m", "pliant.cli", "control", "--stay", "--name", name]
    command += [f"--robot={request.robot}", "--time", repr(request.duration)]
    if config is not None:
        command += ["--config", str(config)]
    if request.rate is not None:
        command += ["--rate", repr(request.rate)]
    if request.address:
        command.append(f"--robot-ip={request.address}")
    return command


async def _spawn(command: list[str], said: IO[bytes]) -> Process:
    """Start a process whose standard input is a pipe that only it holds, so that it has no end."""
    read, write = os.pipe()
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=read,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=said,
            pass_fds=(write,),
            start_new_session=True,
        )
    finally:
        os.close(read)
        os.close(write)


async def _wait_until_ready(name: str, process: Process) -> None:
    deadline = asyncio.get_running_loop().time() + _START_TIMEOUT
    path = runtime_folder() / f"{name}{RING_SUFFIX}"
    ring = None
    while asyncio.get_running_loop().time() < deadline and process.returncode is None:
        await asyncio.sleep(_LOOK)
        ring = ring or _open(path)
        if ring and any(line.text.startswith("ready") for line in ring.lines()):
            return
    raise PliantError("it was not ready in time")


def _open(path: Path) -> RingReader | None:
    try:
        ring = RingReader(path)
    except (OSError, ValueError, PliantError):
        return None
    ring.rewind()
    return ring


def _last_line(said: IO[bytes]) -> str:
    """What a controller said last, without the prefix that a terminal needs."""
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("pliant: ") if lines else ""
