"""Another user of the same machine: nothing read, nothing commanded, nothing deleted.

The console's part is tested with the console.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pliant.ring.ring import RingReader

NOBODY = 65534
HANGS = 120.0

pytestmark = pytest.mark.skipif(
    os.getuid() != 0, reason="NOT TESTED AS ANOTHER USER: only root can become nobody"
)

BECOME_NOBODY = f"""
import json, mmap, os, socket, sys
os.setgroups([]), os.setgid({NOBODY}), os.setuid({NOBODY})
assert os.getresuid() == os.getresgid() == ({NOBODY},) * 3
"""

ATTEMPTS = """
runtime, flights, recording, pid = sys.argv[1:]

def tried(do):
    try:
        return repr(do())
    except OSError as error:
        return error.errno

def connect():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{runtime}/c.sock")
        client.sendall(b"STOP\\n")

def read(path):
    with open(path, "rb") as file:
        return file.read(16)

def memory():
    for number in os.listdir(f"/proc/{pid}/fd"):
        read(f"/proc/{pid}/fd/{number}")

print(json.dumps({
    "who": os.getuid(),
    "list the runtime folder": tried(lambda: os.listdir(runtime)),
    "read the link to the ring": tried(lambda: os.readlink(f"{runtime}/c.ring")),
    "read the ring": tried(lambda: read(f"{runtime}/c.ring")),
    "read the process's memory": tried(memory),
    "command over the socket": tried(connect),
    "delete the ring": tried(lambda: os.unlink(f"{runtime}/c.ring")),
    "delete the socket": tried(lambda: os.unlink(f"{runtime}/c.sock")),
    "put something there": tried(lambda: open(f"{runtime}/d.sock", "w")),
    "replace the folder": tried(lambda: os.rename(runtime, runtime + "x")),
    "list the flights": tried(lambda: os.listdir(flights)),
    "read the recording": tried(lambda: read(recording)),
    "write the recording": tried(lambda: open(recording, "ab")),
    "stop the controller": tried(lambda: os.kill(int(pid), 9)),
}))
"""


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that everybody may enter; the default runtime folder is in it."""
    root = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    root.chmod(0o755)
    monkeypatch.delenv("PLIANT_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(root))
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", str(root / "flights"))
    before = os.umask(0o022)
    yield root
    os.umask(before)
    shutil.rmtree(root)


def started(places: Path) -> tuple[subprocess.Popen[bytes], RingReader]:
    """A controller that records, and its ring."""
    config = places / "patient.json"
    config.write_text(json.dumps({"safety": {"lateness": 60.0}}))
    command = [
        *(sys.executable, "-m", "pliant.cli", "control", "--name", "c", "--config", str(config)),
        *("--record", str(places / "mine.mcap")),
    ]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + HANGS
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
        if (places / f"pliant-{os.getuid()}" / "c.sock").exists():
            return process, RingReader(places / f"pliant-{os.getuid()}" / "c.ring")
    raise AssertionError("the controller did not start")


def as_nobody(code: str, *arguments: object) -> dict:
    """What a program prints that becomes another user, who may not be able to start this Python."""
    run = subprocess.run(
        [sys.executable, "-I", "-c", BECOME_NOBODY + code, *map(str, arguments)],
        cwd="/",
        env={"PATH": "/usr/bin"},
        capture_output=True,
        check=True,
    )
    return json.loads(run.stdout)


def test_another_user_reads_commands_and_deletes_nothing(places: Path) -> None:
    runtime, flights = places / f"pliant-{os.getuid()}", places / "flights"
    process, ring = started(places)
    try:
        found = sorted(path.name for path in runtime.iterdir())
        flights.mkdir(mode=0o700, exist_ok=True)
        tried = as_nobody(ATTEMPTS, runtime, flights, places / "mine.mcap", process.pid)
        assert tried.pop("who") == NOBODY
        # 1 and 13: not permitted, permission denied
        assert {what: how for what, how in tried.items() if how not in (1, 13)} == {}
        assert sorted(path.name for path in runtime.iterdir()) == found == ["c.ring", "c.sock"]
        before, deadline = ring.published, time.monotonic() + HANGS
        while ring.published < before + 10:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    deadline = time.monotonic() + HANGS
    while not (saved := list(flights.glob("*.mcap"))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert flights.stat().st_mode & 0o777 == 0o700
    assert saved[0].stat().st_mode & 0o777 == 0o600
    assert (places / "mine.mcap").stat().st_mode & 0o777 == 0o600


PLANTED = """
os.mkdir(sys.argv[1] + "/pliant-0", 0o777) if sys.argv[2] == "folder" else os.symlink(
    "/etc", sys.argv[1] + "/pliant-0")
print(json.dumps({}))
"""


@pytest.mark.parametrize("what", ["folder", "link"])
def test_what_another_user_planted_is_not_used(what: str, places: Path) -> None:
    places.chmod(0o1777)
    as_nobody(PLANTED, places, what)
    run = subprocess.run(
        [sys.executable, "-m", "pliant.cli", "status"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "set PLIANT_RUNTIME_DIR to a folder of your own" in run.stderr
    assert "Traceback" not in run.stderr
