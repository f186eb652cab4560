"""What all tests share."""

import os
import shutil
from collections.abc import Callable
from typing import Any, NoReturn

import pytest
from hypothesis import settings

# Faults are what many tests are about; the flight recorder's own tests give it a folder.
os.environ["PLIANT_FLIGHT_DIR"] = ""

# No deadline, as the first call of a kernel may compile it; the same examples on every machine,
# so that a failure seen once is seen again.
settings.register_profile("pliant", deadline=None, derandomize=True)
settings.load_profile("pliant")

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # WebGL without a graphics card
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)


def _leave_out(why: str) -> NoReturn:
    if os.environ.get("PLIANT_REQUIRE_BROWSER"):
        pytest.fail(f"NOT TESTED IN A BROWSER: {why}")
    pytest.skip(f"NOT TESTED IN A BROWSER: {why}")


@pytest.fixture(scope="session")
def not_in_a_browser() -> Callable[[str], NoReturn]:
    """Leaves out what needs a browser, loudly; fails where one is required."""
    return _leave_out


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        _leave_out(f"no Chromium ({', '.join(NAMES)}) on this machine")
    return {"executable_path": found, "args": list(FLAGS), "headless": True}
