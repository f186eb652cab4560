"""Access control: origin, host and token of requests, and the content security policy.

Every user of this machine can connect to a port on loopback, and a page of another origin can try
to reach it through the operator's browser. So whatever is not a file of the page needs the token,
which the printed address has and a cookie then keeps. A request with an `Origin` must have the
console's own, and the `Host` must be one of the console's names.
"""

import asyncio
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pliant.console.server.access_token import TokenGate
from pliant.console.server.settings import Settings, is_loopback

LONGEST_BODY = 65536

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # a browser must not keep a page of an older version of the server
    "Cache-Control": "no-cache",
}
_REFUSED_SOCKET = 4403
_PAGE_FILES = ("/", "/index.html", "/icon.svg", "/licenses.md")
_MOST_WAITING = 32
"""Most wrong guesses that wait at a time: each holds a connection."""


class Access:
    """Middleware that refuses requests before their bodies are read."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._gate = TokenGate(settings.token)
        self._cookie = f"pliant-{settings.port}"
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with the reason."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        why = self._foreign(headers) or self._too_long(headers)
        if why:
            return await _refuse(scope, receive, send, 403, why)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and scope["type"] == "http" and self._gate.opens(given):
            return await self._redirect()(scope, receive, send)
        if given or not (_is_file_of_page(scope) or self._knows_token(headers)):
            if given or self._presents_token(headers):
                await self._delay()
            text = "the console asks for its token: open the address that it printed"
            return await _refuse(scope, receive, send, 401, text)
        await self._app(scope, receive, _with_headers(send))

    def _foreign(self, headers: Headers) -> str:
        """Why a request cannot be from the console's own page; empty if it can."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(host):
            return "this console does not answer to that host"
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "this console answers its own page only"
        return ""

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this console: any name can be made to resolve to loopback."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if is_loopback(self._settings.host):
            return is_loopback(name)
        # the token is checked next, and a foreign page does not know it
        return bool(name)

    @staticmethod
    def _too_long(headers: Headers) -> str:
        length = headers.get("content-length", "0")
        digits = length.isascii() and length.isdecimal() and len(length) < 10
        if "transfer-encoding" in headers or not digits or int(length) > LONGEST_BODY:
            return f"a request has at most {LONGEST_BODY} bytes"
        return ""

    def _knows_token(self, headers: Headers) -> bool:
        bearer = self._bearer(headers)
        if bearer:
            return self._gate.opens(bearer)
        return self._gate.opens_by_cookie(self._kept(headers))

    def _presents_token(self, headers: Headers) -> bool:
        return bool(self._bearer(headers) or self._kept(headers))

    @staticmethod
    def _bearer(headers: Headers) -> str:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return token if scheme.lower() == "bearer" else ""

    def _kept(self, headers: Headers) -> str:
        """The value of this console's cookie; a browser sends those of other ports as well."""
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return cookie.value if cookie else ""

    async def _delay(self) -> None:
        """Let a wrong guess wait; too many at once are answered immediately."""
        delay = self._gate.delay()
        if self._waiting < _MOST_WAITING:
            self._waiting += 1
            try:
                await asyncio.sleep(delay)
            finally:
                self._waiting -= 1

    def _redirect(self) -> Response:
        """Set the cookie, and redirect to the address without the token."""
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(
            self._cookie, self._gate.cookie, httponly=True, samesite="strict", path="/"
        )
        return response


def _is_file_of_page(scope: Scope) -> bool:
    """Whether a request is for the page itself, which is the same for everybody."""
    path = scope["path"]
    return scope["type"] == "http" and (path in _PAGE_FILES or path.startswith("/assets/"))


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope["extensions"]:
        await send({"type": "websocket.close", "code": _REFUSED_SOCKET, "reason": why})
        return
    await PlainTextResponse(why + "\n", status, headers=_HEADERS)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
