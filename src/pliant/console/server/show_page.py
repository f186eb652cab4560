"""Opens the console's page in the default browser."""

import html
import os
import webbrowser
from urllib.parse import urlsplit

from pliant.ring.runtime_folder import runtime_folder

PAGE_SUFFIX = ".html"


def show_page(name: str, address: str) -> None:
    """Open the address in the default browser.

    Every user can read the arguments of a browser's process, so the browser is given a file that
    only this user can read and that leads to the address.

    Args:
        name: The console's name.
        address: The address, with the token.
    """
    path = runtime_folder() / f"{name}{PAGE_SUFFIX}"
    path.unlink(missing_ok=True)
    target = html.escape(address, quote=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(
            f'<!doctype html><meta http-equiv="refresh" content="0; url={target}">'
            f'<a href="{target}">The console at {urlsplit(address).netloc}</a>\n'
        )
    webbrowser.open(path.as_uri())


def remove_page(name: str) -> None:
    """Remove the file that leads to the address."""
    (runtime_folder() / f"{name}{PAGE_SUFFIX}").unlink(missing_ok=True)
