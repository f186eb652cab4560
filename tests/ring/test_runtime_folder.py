"""The runtime folder: who may use it, and what is removed from it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pliant.errors import PliantError
from pliant.ring.discovery import find_controllers
from pliant.ring.ring import RingWriter
from pliant.ring.runtime_folder import clean_up, runtime_folder

WRITER = """
import sys, time
from pathlib import Path
from pliant.ring.ring import RingWriter
RingWriter(Path(sys.argv[1]), 6, 8, {})
print("ready", flush=True)
time.sleep(1000)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime folder that is named by the user."""
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path / "r"


def bound(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(str(path))
    return made


def test_clean_up_removes_what_the_dead_left_and_nothing_else(place: Path) -> None:
    folder = runtime_folder()
    alive = RingWriter(folder / "alive.ring", 6, 4, {})
    killed = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder / "dead.ring")], stdout=subprocess.PIPE
    )
    assert killed.stdout and killed.stdout.readline() == b"ready\n"
    with bound(folder / "alive.sock"), bound(folder / "dead.sock"):
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        foreign = ["paper.2024", "half.999999999", "old.ring", "alive.txt", "other.sock"]
        for name in foreign:
            (folder / name).write_text("mine")
        (folder / "link.ring").symlink_to("/nowhere")
        assert clean_up() == ["dead"]
        assert find_controllers() == ["alive"]
    kept = {path.name for path in folder.iterdir()}
    assert kept == {*foreign, "link.ring", "alive.ring", "alive.sock"}
    assert all((folder / name).read_text() == "mine" for name in foreign)
    alive.close()


def test_a_file_beside_a_dead_ring_stays(place: Path) -> None:
    folder = runtime_folder()
    (folder / "dead.ring").symlink_to("/proc/999999999/fd/5")
    (folder / "dead.sock").write_text("mine")
    assert clean_up() == ["dead"]
    assert [path.name for path in folder.iterdir()] == ["dead.sock"]


def test_a_link_to_a_process_that_took_the_number_is_removed(place: Path) -> None:
    folder = runtime_folder()
    read, write = os.pipe()
    (folder / "reused.ring").symlink_to(f"/proc/{os.getpid()}/fd/{read}")
    (folder / "gone.ring").symlink_to(f"/proc/{os.getpid()}/fd/9999")
    assert sorted(clean_up()) == ["gone", "reused"]
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_folder_that_only_this_user_writes_is_taken(mode: int, place: Path) -> None:
    place.mkdir()
    place.chmod(mode)
    assert runtime_folder() == place
    assert place.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777, 0o722])
def test_a_folder_that_others_can_write_is_refused(mode: int, place: Path) -> None:
    place.mkdir()
    place.chmod(mode)
    with pytest.raises(PliantError, match=r"written by other users: `chmod 700` it, or set PLIANT"):
        runtime_folder()


def test_a_planted_link_is_refused(place: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PliantError, match="is a link, which may lead anywhere: remove it"):
        runtime_folder()


@pytest.mark.skipif(os.getuid() != 0, reason="NOT TESTED: needs root to give a folder away")
def test_a_folder_of_another_user_is_refused(place: Path) -> None:
    place.mkdir(0o700)
    os.chown(place, 65534, 65534)
    with pytest.raises(PliantError, match="belongs to another user: set PLIANT_RUNTIME_DIR"):
        runtime_folder()


def test_the_default_folder_is_private_whatever_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLIANT_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    before = os.umask(0)
    try:
        folder = runtime_folder()
    finally:
        os.umask(before)
    assert folder == tmp_path / f"pliant-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    assert runtime_folder().stat().st_mode & 0o777 == 0o700
