"""What all tests share."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from .controllers import connect, control, folder, patient, pipe, rig, stopped_well  # noqa: F401

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


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for 1 MB: a file system where that is permitted, else a limit on files."""
    disk = tmp_path / "disk"
    disk.mkdir()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limit[1]))
    yield disk
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    if mounted:
        subprocess.run(["umount", str(disk)], check=True)
