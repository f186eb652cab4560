"""Access control: which requests the console refuses."""

import contextlib
import socket
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from pliant.cli import main

TOKEN = "a-token-for-the-test"


@pytest.fixture(scope="module")
def served(console_for_module):
    """A console on loopback, without an arm."""
    return console_for_module()


@pytest.fixture(scope="module")
def guarded(console_for_module):
    """A console that other machines can reach, with a token of the operator's choice."""
    return console_for_module("--host", "0.0.0.0", PLIANT_CONSOLE_TOKEN=TOKEN)


def status_of(url: str, headers: Any) -> int:
    """The status of the answer to a WebSocket handshake."""
    try:
        with connect(url, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def answer_to(host: str, request: str) -> str:
    """The first line of the answer to a request as it is given."""
    with socket.create_connection(host.split(":"), timeout=20) as raw:
        raw.sendall(request.encode("latin-1"))
        return raw.recv(65536).decode("latin-1").partition("\r\n")[0]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        ("http://{host}", 101),
        ("http://evil.example", 403),
        ("http://127.0.0.1:1", 403),
        ("http://localhost.evil.example:{port}", 403),
        ("null", 403),
    ],
)
def test_pages_of_other_origins_are_refused(origin, status, served):
    headers = served.bearer
    if origin:
        headers["Origin"] = origin.format(host=served.host, port=served.port)
    assert status_of(f"ws://{served.host}/ws", headers) == status
    assert served.api.get("/api/status", headers=headers).status_code == (
        200 if status == 101 else 403
    )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "169.254.169.254"])
def test_foreign_host_names_are_refused(host, served):
    assert served.api.get("/api/config", headers={"Host": host}).status_code in (400, 403)
    named = served.api.get("/api/config", headers={"Host": f"localhost:{served.port}"})
    assert named.status_code == 200


@pytest.mark.parametrize(
    "host", ["[::1", "[", "a]b", "[x]", "[::1]]:80", "127.0.0.1:99999999", "é"]
)
def test_a_malformed_host_is_refused_without_a_traceback(host, served, capfd):
    for header in (f"Host: {host}", f"Host: {served.host}\r\nOrigin: http://{host}"):
        request = f"GET /api/status HTTP/1.1\r\n{header}\r\nX-Last: 1\r\n\r\n"
        status = answer_to(served.host, request).split()[1]
        assert status in ("400", "401", "403")
    assert "Traceback" not in capfd.readouterr().err


def test_every_answer_has_a_content_security_policy(served):
    for path in ("/", "/api/status", "/api/nothing", "/no/such/page"):
        for headers in (
            served.api.get(path).headers,
            httpx.get(f"http://{served.host}{path}").headers,
        ):
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self';" in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-cache"


DATA = ("/api/status", "/api/recordings", "/api/config", "/api/arm.urdf?arm=ur5e",
        "/api/openapi.json", "/recordings", "/ws", "/docs")  # fmt: skip


@pytest.mark.parametrize("console", ["served", "guarded"])
def test_requests_without_the_token_are_refused(console, request):
    made = request.getfixturevalue(console)
    base = f"127.0.0.1:{made.port}"
    for path in DATA:
        assert httpx.get(f"http://{base}{path}").status_code == 401
    assert status_of(f"ws://{base}/ws", {}) == 401
    assert status_of(f"ws://{base}/ws?token=", {}) == 401


@pytest.mark.parametrize("given", ["wrong", TOKEN[:-1], TOKEN + "x", "ä" * 20])
def test_wrong_tokens_are_refused(given, guarded):
    base = f"127.0.0.1:{guarded.port}"
    bearer = {"Authorization": f"Bearer {given}".encode()}
    assert httpx.get(f"http://{base}/api/status", headers=bearer, timeout=60).status_code == 401
    reply = httpx.get(f"http://{base}/", params={"token": given}, timeout=60)
    assert reply.status_code == 401
    assert "set-cookie" not in reply.headers
    assert status_of(f"ws://{base}/ws", {"Cookie": f"pliant-{guarded.port}={quote(given)}"}) == 401


def test_the_page_itself_is_no_secret_and_says_nothing(served):
    assert httpx.get(f"http://{served.host}/").status_code == 200
    assert served.token not in httpx.get(f"http://{served.host}/").text


@pytest.mark.parametrize("console", ["served", "guarded"])
def test_a_cookie_replaces_the_token_of_the_address(console, request):
    made = request.getfixturevalue(console)
    base = f"127.0.0.1:{made.port}"
    with httpx.Client(base_url=f"http://{base}") as browser:
        reply = browser.get("/", params={"token": made.token})
        assert reply.status_code == 303
        assert reply.headers["location"] == "/"
        cookie = reply.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        # an operator may use a token elsewhere; the browser does not keep it
        assert made.token not in cookie
        assert browser.get("/api/status").status_code == 200
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    assert status_of(f"ws://{base}/ws", {"Cookie": cookie}) == 101
    foreign = {"Cookie": cookie, "Origin": "http://evil.example"}
    assert status_of(f"ws://{base}/ws", foreign) == 403
    assert status_of(f"ws://{base}/ws", {"Authorization": f"Bearer {made.token}"}) == 101


def test_every_start_has_a_token_of_its_own(served, guarded, console_for_module):
    other = console_for_module()
    assert guarded.token == TOKEN
    assert len({served.token, other.token, TOKEN}) == 3
    assert min(len(served.token), len(other.token)) >= 16
    url = f"http://{served.host}/api/status"
    assert httpx.get(url, headers=other.bearer, timeout=60).status_code == 401


def test_the_token_is_on_no_command_line_and_in_no_log(guarded, served, capfd):
    for made in (guarded, served):
        assert made.api.get("/api/status", params={"x": made.token}).status_code == 200
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                assert made.token.encode() not in path.read_bytes()
        assert made.token not in capfd.readouterr().err
    # what the console starts does not get it either
    own = Path(f"/proc/{guarded.process.pid}/environ").read_bytes()
    assert TOKEN.encode() in own


def test_the_address_is_kept_for_the_programs_of_this_user(console, folder, capsys):
    made = console()
    (path,) = folder.glob("*.console")
    assert path.stat().st_mode & 0o777 == 0o600
    main(["status"])
    assert f"console at {made.address}\n" in capsys.readouterr().out
    assert made.close() == 0
    assert list(folder.iterdir()) == []


def test_the_browser_is_given_a_file_not_the_token(console, tmp_path, until):
    """The arguments of a browser's process are visible to every user."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part; mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    made = console("--open", BROWSER=f"{browser} %s")
    until(opened.exists)
    address = opened.read_text().strip()
    assert made.token not in address
    page = Path(unquote(urlsplit(address).path))
    assert page.stat().st_mode & 0o777 == 0o600
    assert made.address in page.read_text()
    made.close()
    assert not page.exists()


def test_wrong_guesses_wait_and_the_right_token_does_not(console, until):
    made, url = console(), "/api/status"
    wrong = {"Authorization": "Bearer wrong"}
    waiting = []

    def guess() -> None:
        with httpx.Client(base_url=f"http://{made.host}", timeout=120) as client:
            waiting.append(client)
            before = time.monotonic()
            assert client.get(url, headers=wrong).status_code == 401
            waiting.remove(client)
            took.append(time.monotonic() - before)

    took: list[float] = []
    for _ in range(4):
        guess()
    # 0.1, 0.2, 0.4, 0.8 s, and what a busy machine adds
    assert took[3] > 0.5

    # while many guesses wait, the operator does not
    guesses = [threading.Thread(target=guess) for _ in range(20)]
    for thread in guesses:
        thread.start()
    until(lambda: len(waiting) == 20)
    before = time.monotonic()
    assert made.api.get(url).status_code == 200
    assert made.page().status["phase"] == "idle"
    assert waiting
    operator = time.monotonic() - before
    for thread in guesses:
        thread.join()
    assert max(took) > 4.5 and operator < max(took)


@pytest.mark.parametrize(
    ("token", "mode", "message"),
    [
        ("short", 0o600, "must have 16 to 256 printable ASCII characters, it has 5"),
        (TOKEN, 0o644, "other users may read the token"),
        (None, 0, "cannot read the token"),
    ],
)
def test_a_token_file_is_checked(token, mode, message, tmp_path):
    path = tmp_path / "token"
    if token:
        path.write_text(token)
        path.chmod(mode)
    with pytest.raises(SystemExit) as ended:
        main(["console", "--token-file", str(path)])
    assert message in str(ended.value)


def test_a_token_file_sets_the_token(console, tmp_path):
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(f"{TOKEN}\n")
    assert console("--token-file", str(path)).token == TOKEN


@pytest.mark.parametrize(
    "name",
    [
        "../secret.mcap",
        "..%2fsecret.mcap",
        "%2e%2e%2fsecret.mcap",
        "..%5csecret.mcap",
        "%2fetc%2fpasswd",
        "....//secret.mcap",
        "link.mcap",
        ".hidden.mcap",
        "folder.mcap",
        "notes.txt",
        "ok.mcap%00.txt",
        "a" * 5000,
        "",
    ],
)
def test_names_of_recordings_reach_no_other_folder(name, served):
    folder = served.recordings
    folder.mkdir(exist_ok=True)
    secret = folder.parent / "secret.mcap"
    secret.write_text("SECRET")
    (folder / "ok.mcap").write_text("RECORDED")
    (folder / "notes.txt").write_text("SECRET")
    (folder / ".hidden.mcap").write_text("SECRET")
    (folder / "folder.mcap").mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (folder / "link.mcap").symlink_to(secret)
    base = "/api/recordings"
    reply = served.api.get(f"{base}/{name}")
    assert "SECRET" not in reply.text
    assert "root:" not in reply.text
    listed = served.api.get(base).json()
    assert [entry["name"] for entry in listed] == ["ok.mcap"]
    if name:
        assert reply.status_code in (404, 422)
    assert served.api.get(f"{base}/ok.mcap").text == "RECORDED"


def test_the_page_serves_no_files_outside_its_folder(served):
    for path in (
        "/../server/app.py",
        "/%2e%2e/server/app.py",
        "/..%2fserver%2fapp.py",
        "//etc/passwd",
    ):
        head = f"Host: {served.host}\r\nAuthorization: Bearer {served.token}"
        answer = answer_to(served.host, f"GET {path} HTTP/1.1\r\n{head}\r\n\r\n")
        assert " 404 " in answer or " 503 " in answer, answer


def test_a_body_of_ten_megabytes_is_refused(served):
    with connect(f"ws://{served.host}/ws", max_size=None, additional_headers=served.bearer) as page:
        page.recv()
        with pytest.raises(ConnectionClosed) as closed:
            page.send("x" * 10_000_000)
            while True:
                page.recv(timeout=20)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    with contextlib.suppress(httpx.WriteError):
        assert served.api.post("/api/status", content=b"x" * 10_000_000).status_code == 403
    assert served.api.get("/api/status").status_code == 200


def test_openapi_describes_the_interface(served):
    described = served.api.get("/api/openapi.json").json()
    assert {"/api/recordings", "/api/config", "/api/columns", "/api/status"} <= set(
        described["paths"]
    )
    columns = served.api.get("/api/columns").json()
    assert next(c for c in columns["columns"] if c["name"] == "w_T")["unit"] == "N, N·m"
    schema = served.api.get("/api/config/schema").json()
    assert schema["$defs"]["SafetyConfig"]["properties"]["contact_force"]["unit"] == "N"
    assert served.api.get("/api/config").json()["safety"]["contact_force"] == 60.0
    assert "<robot" in served.api.get("/api/arm.urdf", params={"arm": "ur5e"}).text
    assert served.api.get("/api/arm.urdf", params={"arm": "../../x"}).status_code == 404
