"""Starting a controller from the console."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pliant.console.server.controller_launch import _wait_until_ready
from pliant.controller import progress_line


class Compiling:
    """A controller that compiles, and is ready after a few looks."""

    doing = ""

    def __init__(self) -> None:
        self._says = iter(["", "compiling: 1 s", "compiling: 1 s", "compiling, once: 50 %"])

    def poll(self) -> dict[str, Any] | None:
        self.doing = next(self._says, "ready")
        return {} if self.doing == "ready" else None


def test_what_takes_long_is_told_on_the_page_and_on_the_terminal(capsys, monkeypatch) -> None:
    monkeypatch.setattr(progress_line, "_EVERY", 0.0)
    told: list[str] = []
    child: Any = Compiling()
    # Playwright may have left an event loop running in this thread
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _wait_until_ready(child, told.append)).result()
    assert told == ["compiling: 1 s", "compiling, once: 50 %"]
    assert capsys.readouterr().err.splitlines() == [
        "starting the arm",
        "starting the arm: compiling: 1 s",
        "starting the arm: compiling, once: 50 %",
        "the arm is ready",
    ]
