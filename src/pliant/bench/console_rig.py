"""A console in a separate process, with viewers and a browser for measurements."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from pliant.bench.rig import cpu_seconds, start_tolerant, wait_ready
from pliant.console.server.access_token import VARIABLE
from pliant.console.server.app import PAGE
from pliant.controller.launch import end_controller as end
from pliant.controller.options import ControlOptions
from pliant.errors import PliantError
from pliant.processes import Child
from pliant.ring.runtime_folder import RING_SUFFIX, runtime_folder

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Programs of a Chromium, in the order in which they are looked for."""
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_ARM = "bench"
_START_TIMEOUT = 60.0


@dataclass(frozen=True, kw_only=True)
class ConsoleRig:
    """A running console that is attached to a controller.

    Attributes:
        host: Address and port on which it listens.
        address: The address to open, with the token.
        pid: Its process id.
        ring: The controller's ring.
    """

    host: str
    address: str
    pid: int
    ring: Path

    def cpu_seconds(self) -> float:
        """Processor time that the console has used so far."""
        return cpu_seconds(self.pid)


@contextlib.contextmanager
def console_rig() -> Iterator[ConsoleRig]:
    """Run a simulated arm at 500 Hz and a console that is attached to it.

    Raises:
        PliantError: One of them did not start.
    """
    folder = Path(tempfile.mkdtemp(dir=runtime_folder().parent))
    environment = os.environ | {"PLIANT_RUNTIME_DIR": str(folder)}
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        options = ControlOptions(stay=True, name=_ARM)
        controller = start_tolerant(options, environment)
        stack.callback(end, controller.process)
        wait_ready(controller)
        console = Child("console", env=environment)
        console.send({"attach": _ARM, "port": 0, "open": False})
        stack.callback(_terminate, console.process)
        try:
            address = console.wait_ready(_START_TIMEOUT)["address"]
        except PliantError as error:
            raise PliantError(f"the benchmark's console did not start: {error}") from None
        host, pid = urlsplit(address).netloc, console.process.pid
        yield ConsoleRig(host=host, address=address, pid=pid, ring=folder / f"{_ARM}{RING_SUFFIX}")


@contextlib.contextmanager
def open_page(rig: ConsoleRig) -> Iterator["Page"]:
    """Open the console's page in a headless Chromium.

    Raises:
        PliantError: There is no browser, or the page is not built.
    """
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        raise PliantError(f"no browser found; looked for {', '.join(BROWSERS)}")
    if not (PAGE / "index.html").exists():
        raise PliantError("the console's page is not built: run `make setup`")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise PliantError(
            "playwright is not installed: it comes with `pip install .[dev]`"
        ) from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=list(BROWSER_FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(rig.address)
        _wait_for_ticks(page)
        yield page
        browser.close()


@contextlib.contextmanager
def watchers(rig: ConsoleRig, count: int) -> Iterator[None]:
    """Viewers in a separate process, which connect and disconnect; one of them never reads."""
    crowd = subprocess.Popen(
        [sys.executable, "-m", "pliant.bench.crowd", rig.host, str(count)],
        env=os.environ | {VARIABLE: parse_qs(urlsplit(rig.address).query)["token"][0]},
        stdout=subprocess.PIPE,
    )
    try:
        if crowd.stdout is None or crowd.stdout.readline() != b"ready\n":
            raise PliantError("the viewers did not start")
        yield
    finally:
        _terminate(crowd)


def _wait_for_ticks(page: "Page") -> None:
    # playwright's own way of waiting uses eval, which the page's security policy forbids
    deadline = time.monotonic() + _START_TIMEOUT
    while not page.evaluate("() => window.pliantStats?.ticks ?? 0"):
        if time.monotonic() > deadline:
            raise PliantError("the page shows no ticks")
        time.sleep(0.1)


def _terminate(process: subprocess.Popen) -> None:
    process.terminate()
    process.communicate()
