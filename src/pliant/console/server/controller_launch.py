"""Starting a controller for the console."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from pliant.config import Config
from pliant.console.server.messages import StartRequest
from pliant.controller.arm_config import configure
from pliant.controller.launch import launch_controller
from pliant.controller.options import ControlOptions
from pliant.controller.progress_line import ProgressLine
from pliant.errors import PliantError
from pliant.processes import Child
from pliant.ring.runtime_folder import clean_up

_START_TIMEOUT = 120.0
"""How long a controller may take to be ready after it last said what it does, s."""

_LOOK = 0.05


async def launch(
    request: StartRequest, name: str, config: Path | None, tell: Callable[[str], None]
) -> Child:
    """Start a controller and wait until it is ready.

    It outlives the console: its standard input never ends by itself, and signals to the console's
    terminal do not reach it. If the console dies, the arm holds.

    Args:
        request: What to start.
        name: Its name.
        config: A file with parameters for it.
        tell: Called with what it does if starting takes long, such as how far compiling is; the
            terminal shows that too.

    Raises:
        PliantError: It did not start; the message says why.
    """
    clean_up()
    try:
        # importing the robot takes seconds on a busy machine, in which no heartbeat would be heard
        settled = await asyncio.to_thread(configure, request.robot, config, None)
        child = _start(request, name, settled)
        await _wait_until_ready(child, tell)
    except PliantError as error:
        raise PliantError(f"not started: {error}") from None
    return child


def _start(request: StartRequest, name: str, config: Config) -> Child:
    """Start a controller whose standard input is a pipe that only it holds, so it never ends."""
    options = ControlOptions(
        robot=request.robot,
        time=request.duration,
        rate=request.rate,
        robot_ip=request.address or None,
        stay=True,
        name=name,
    )
    read, write = os.pipe()
    try:
        return launch_controller(
            options, config, stdin=read, pass_fds=(write,), start_new_session=True
        )
    finally:
        os.close(read)
        os.close(write)


async def _wait_until_ready(child: Child, tell: Callable[[str], None]) -> None:
    now = asyncio.get_running_loop().time
    deadline, told, line = now() + _START_TIMEOUT, "", ProgressLine()
    line.say("starting the arm")
    try:
        while child.poll() is None:
            if child.doing != told:
                deadline, told = now() + _START_TIMEOUT, child.doing
                tell(told)
                line.say(f"starting the arm: {told}")
            if now() > deadline:
                raise PliantError("the controller was not ready in time")
            await asyncio.sleep(_LOOK)
    except BaseException:
        child.kill()
        clean_up()
        raise
    line.finish("the arm is ready")
