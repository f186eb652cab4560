"""The token of a console: where it comes from, how it is compared, what a wrong guess costs."""

import hashlib
import hmac
import os
import secrets
import time
from pathlib import Path

from pliant.errors import ConfigError

VARIABLE = "PLIANT_CONSOLE_TOKEN"
"""Environment variable with the token. A command line is visible to every user of the machine; the
environment of a process only to its own."""

_SHORTEST = 16
_LONGEST = 256
_FIRST_DELAY = 0.1
_LONGEST_DELAY = 5.0
_MOST_COUNTED = 12.0
_FORGIVEN = 10.0
"""Time after which a wrong guess is forgotten, s."""


def given_token(file: Path | None) -> str:
    """The token of the operator's choice, from a file or the environment; empty if there is none.

    Raises:
        ConfigError: The file cannot be read or others can read it, or the token is too short.
    """
    # programs that the console starts need not know it
    token = os.environ.pop(VARIABLE, "")
    source = f"in {VARIABLE}"
    if file is not None:
        token, source = _read(file), f"in {file}"
    if not token and file is None:
        return ""
    if not (_SHORTEST <= len(token) <= _LONGEST and token.isascii() and token.isprintable()):
        raise ConfigError(
            f"the token {source} must have {_SHORTEST} to {_LONGEST} printable ASCII characters, "
            f"it has {len(token)} characters"
        )
    return token


def new_token() -> str:
    """A random token of 128 bits."""
    return secrets.token_urlsafe(16)


def _read(file: Path) -> str:
    try:
        with file.open() as opened:
            if os.fstat(opened.fileno()).st_mode & 0o077:
                raise ConfigError(f"other users may read the token in {file}: chmod 600 {file}")
            return opened.read(_LONGEST + 2).strip()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"cannot read the token in {file}: {error}") from None


class TokenGate:
    """Tells the right token from wrong ones, and the delay that a wrong one costs.

    Only wrong guesses wait, so nobody can lock the operator out by guessing. The browser keeps a
    value made from the token, not the token itself, which the operator may have chosen.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self.cookie = hmac.digest(self._token, b"pliant console cookie", hashlib.sha256).hex()
        self._wrong = 0.0
        self._last = time.monotonic()

    def opens(self, token: str) -> bool:
        """Whether this is the token; takes the same time wherever a wrong one differs."""
        return hmac.compare_digest(token.encode(), self._token)

    def opens_by_cookie(self, value: str) -> bool:
        """Whether a browser that presented the token has this cookie."""
        return hmac.compare_digest(value.encode(), self.cookie.encode())

    def delay(self) -> float:
        """How long to wait before a wrong guess is answered, s; it doubles with every guess."""
        now = time.monotonic()
        self._wrong = min(
            _MOST_COUNTED, max(0.0, self._wrong - (now - self._last) / _FORGIVEN) + 1.0
        )
        self._last = now
        return min(_LONGEST_DELAY, _FIRST_DELAY * 2.0 ** (self._wrong - 1.0))
