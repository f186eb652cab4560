"""Access control: origin, host and token of requests, and the content security policy.

A page of another origin must not reach the arm through the operator's browser. A request with an
`Origin` must therefore have the console's own, and the `Host` must be one of the console's names.
On an address that other machines can reach, the console needs a token, which a cookie then keeps.
"""

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Access:
    """Middleware that refuses requests before their bodies are read."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._cookie = f"pliant-{settings.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with the reason."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        why = self._foreign(headers) or self._too_long(headers)
        if why:
            return await _refuse(scope, receive, send, 403, why)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and scope["type"] == "http" and self._is_token(given):
            return await self._redirect(given)(scope, receive, send)
        if self._settings.token and not self._is_token(self._presented(headers)):
            text = "the console asks for its token: open the address that it printed"
            return await _refuse(scope, receive, send, 401, text)
        await self._app(scope, receive, _with_headers(send))

    def _foreign(self, headers: Headers) -> str:
        """Why a request cannot be from the console's own page; empty if it can."""
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not self._is_ours(host):
            return "this console does not answer to that host"
        if origin is not None and urlsplit(origin).netloc != host:
            return "this console answers its own page only"
        return ""

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this console: any name can be made to resolve to loopback."""
        name = urlsplit(f"//{host}").hostname or ""
        listens = self._settings.host
        if is_loopback(listens):
            return is_loopback(name)
        # the token is checked next, and a foreign page does not know it
        return bool(name)

    @staticmethod
    def _too_long(headers: Headers) -> str:
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal() or int(length) > LONGEST_BODY:
            return f"a request has at most {LONGEST_BODY} bytes"
        return ""

    def _presented(self, headers: Headers) -> str:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return token
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return cookie.value if cookie else ""

    def _is_token(self, token: str) -> bool:
        expected = self._settings.token
        return bool(expected) and hmac.compare_digest(token.encode(), expected.encode())

    def _redirect(self, token: str) -> Response:
        """Set the token as a cookie, and redirect to the address without it."""
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(self._cookie, token, httponly=True, samesite="strict", path="/")
        return response


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
