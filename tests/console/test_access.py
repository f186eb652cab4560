"""Access control: which requests the console refuses."""

import contextlib
import socket
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

TOKEN = "a-token-for-the-test"


@pytest.fixture(scope="module")
def open_console(console_for_module):
    """A console on loopback, without a token and without an arm."""
    return console_for_module()


@pytest.fixture(scope="module")
def guarded(console_for_module):
    """A console that needs a token."""
    return console_for_module("--host", "0.0.0.0", "--token", TOKEN)


def status_of(url: str, **headers: str) -> int:
    """The status of the answer to a WebSocket handshake."""
    try:
        with connect(url, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


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
def test_pages_of_other_origins_are_refused(origin, status, open_console):
    host = open_console.host
    headers = {}
    if origin:
        headers["Origin"] = origin.format(host=host, port=host.rpartition(":")[2])
    assert status_of(f"ws://{host}/ws", **headers) == status
    assert httpx.get(f"http://{host}/api/status", headers=headers).status_code == (
        200 if status == 101 else 403
    )


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "169.254.169.254"])
def test_foreign_host_names_are_refused(host, open_console):
    url = f"http://{open_console.host}/api/config"
    assert httpx.get(url, headers={"Host": host}).status_code in (400, 403)
    port = open_console.host.rpartition(":")[2]
    assert httpx.get(url, headers={"Host": f"localhost:{port}"}).status_code == 200


def test_every_answer_has_a_content_security_policy(open_console):
    for path in ("/", "/api/status", "/api/nothing", "/no/such/page"):
        headers = httpx.get(f"http://{open_console.host}{path}").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("given", ["", "wrong", TOKEN[:-1], TOKEN + "x", "ä" * 20])
def test_requests_without_the_token_are_refused(given, guarded):
    port = guarded.host.rpartition(":")[2]
    base = f"127.0.0.1:{port}"
    bearer = {"Authorization": f"Bearer {given or 'none'}".encode()}
    for path in ("/", "/api/status", "/api/recordings", "/api/openapi.json", "/assets/x.js"):
        assert httpx.get(f"http://{base}{path}", headers=bearer).status_code == 401
        reply = httpx.get(f"http://{base}{path}", params={"token": given})
        assert reply.status_code == 401
        assert "set-cookie" not in reply.headers
    assert status_of(f"ws://{base}/ws", Cookie=f"pliant-{port}={quote(given)}") == 401
    assert status_of(f"ws://{base}/ws?token={quote(given)}") == 401


def test_a_cookie_keeps_the_token(guarded):
    assert guarded.token == TOKEN
    port = guarded.host.rpartition(":")[2]
    base = f"127.0.0.1:{port}"
    with httpx.Client(base_url=f"http://{base}") as browser:
        reply = browser.get("/", params={"token": TOKEN})
        assert reply.status_code == 303
        assert reply.headers["location"] == "/"
        assert "httponly" in reply.headers["set-cookie"].lower()
        assert "samesite=strict" in reply.headers["set-cookie"].lower()
        assert browser.get("/api/status").status_code == 200
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    assert status_of(f"ws://{base}/ws", Cookie=cookie) == 101
    assert status_of(f"ws://{base}/ws", Cookie=cookie, Origin="http://evil.example") == 403
    assert status_of(f"ws://{base}/ws", Authorization=f"Bearer {TOKEN}") == 101


def test_a_public_address_gets_a_token(console_for_module):
    made = console_for_module("--host", "0.0.0.0")
    assert len(made.token) >= 16
    port = made.host.rpartition(":")[2]
    assert httpx.get(f"http://127.0.0.1:{port}/api/status").status_code == 401


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
def test_names_of_recordings_reach_no_other_folder(name, open_console):
    folder = open_console.recordings
    folder.mkdir(exist_ok=True)
    secret = folder.parent / "secret.mcap"
    secret.write_text("SECRET")
    (folder / "ok.mcap").write_text("RECORDED")
    (folder / "notes.txt").write_text("SECRET")
    (folder / ".hidden.mcap").write_text("SECRET")
    (folder / "folder.mcap").mkdir(exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (folder / "link.mcap").symlink_to(secret)
    base = f"http://{open_console.host}/api/recordings"
    reply = httpx.get(f"{base}/{name}")
    assert "SECRET" not in reply.text
    assert "root:" not in reply.text
    listed = httpx.get(base).json()
    assert [entry["name"] for entry in listed] == ["ok.mcap"]
    if name:
        assert reply.status_code in (404, 422)
    assert httpx.get(f"{base}/ok.mcap").text == "RECORDED"


def test_the_page_serves_no_files_outside_its_folder(open_console):
    for path in (
        "/../server/app.py",
        "/%2e%2e/server/app.py",
        "/..%2fserver%2fapp.py",
        "//etc/passwd",
    ):
        with socket.create_connection(open_console.host.split(":"), timeout=10) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {open_console.host}\r\n\r\n".encode())
            answer = raw.recv(65536).decode(errors="replace")
        assert " 404 " in answer.splitlines()[0] or " 503 " in answer.splitlines()[0], answer[:200]


def test_a_body_of_ten_megabytes_is_refused(open_console):
    with connect(f"ws://{open_console.host}/ws", max_size=None) as page:
        page.recv()
        with pytest.raises(ConnectionClosed) as closed:
            page.send("x" * 10_000_000)
            while True:
                page.recv(timeout=20)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    url = f"http://{open_console.host}/api/status"
    with contextlib.suppress(httpx.WriteError):
        assert httpx.request("POST", url, content=b"x" * 10_000_000).status_code == 403
    assert httpx.get(url).status_code == 200


def test_openapi_describes_the_interface(open_console):
    described = httpx.get(f"http://{open_console.host}/api/openapi.json").json()
    assert {"/api/recordings", "/api/config", "/api/columns", "/api/status"} <= set(
        described["paths"]
    )
    base = f"http://{open_console.host}"
    columns = httpx.get(f"{base}/api/columns").json()
    assert next(c for c in columns["columns"] if c["name"] == "w_T")["unit"] == "N, N·m"
    schema = httpx.get(f"{base}/api/config/schema").json()
    assert schema["$defs"]["SafetyConfig"]["properties"]["contact_force"]["unit"] == "N"
    assert httpx.get(f"{base}/api/config").json()["safety"]["contact_force"] == 60.0
    assert "<robot" in httpx.get(f"{base}/api/arm.urdf", params={"arm": "ur5e"}).text
    assert httpx.get(f"{base}/api/arm.urdf", params={"arm": "../../x"}).status_code == 404
