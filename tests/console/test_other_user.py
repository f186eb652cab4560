"""Another user of the same machine reads nothing of a console and commands nothing."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0, reason="NOT TESTED: acting as another user needs root"
)

TRY = """
import encodings.idna, os, socket, sys
user, group, port, *paths = sys.argv[1:]
os.setgroups([]), os.setgid(int(group)), os.setuid(int(user))
assert os.geteuid() != 0 and os.geteuid() == os.getuid()
UPGRADE = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
for request in ("/api/status", "/api/config", "/api/recordings", "/api/recordings/run.mcap", "/ws"):
    for upgrade in ([], UPGRADE):
        head = [f"GET {request} HTTP/1.1", f"Host: 127.0.0.1:{port}", *upgrade]
        with socket.create_connection(("127.0.0.1", int(port)), timeout=60) as raw:
            raw.sendall(("\\r\\n".join(head) + 2 * "\\r\\n").encode())
            print("HTTP", raw.recv(65536).split()[1].decode())
for path in paths:
    for attempt in (lambda: os.listdir(path), lambda: open(path).read(), lambda: os.unlink(path)):
        try:
            attempt()
            print("REACHED", path)
        except (PermissionError, IsADirectoryError, NotADirectoryError, FileNotFoundError) as error:
            print("DENIED", type(error).__name__)
for pid in filter(str.isdecimal, os.listdir("/proc")):
    for name in ("cmdline", "environ"):
        try:
            text = open(f"/proc/{pid}/{name}", "rb").read()
        except OSError:
            continue
        for word in text.split(b"\\0"):
            print("SEEN", ascii(word.decode(errors="replace")))
"""


def test_another_user_reaches_nothing(console, folder, until, tmp_path):
    served = console(PLIANT_CONSOLE_TOKEN="known-to-its-own-user")
    page = served.started("sim:ur5e")
    assert page.ask(type="record", action="start", name="run")["ok"]
    until(lambda: page.status["recording"])
    assert page.ask(type="record", action="stop")["ok"]
    run = served.recordings / "run.mcap"
    assert served.api.get("/api/recordings/run.mcap").status_code == 200
    # the folders above are the test's, not the console's
    for above in (folder, *tmp_path.parents):
        if above not in (folder, Path("/"), Path("/tmp"), Path("/dev"), Path("/dev/shm")):
            above.chmod(0o755)
    tmp_path.chmod(0o755)
    files = [served.recordings, run, folder, *folder.iterdir()]
    # it becomes the other user itself: that user may not be able to run this Python
    ids = (pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)
    done = subprocess.run(
        [sys.executable, "-I", "-c", TRY, *map(str, (*ids, served.port, *files))],
        cwd="/",
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert {line for line in said if line.startswith("HTTP")} == {"HTTP 401"}
    assert not [line for line in said if line.startswith("REACHED")]
    assert served.token not in done.stdout
    assert run.exists() and all(file.exists() for file in files)
    assert page.line("HOLD")["ok"]
    assert httpx.get(f"http://{served.host}/api/status").status_code == 401
