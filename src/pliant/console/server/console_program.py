"""The console program, started by an arm that is to be shown."""

from typing import Any

from pliant.console.server.access_token import given_token
from pliant.console.server.serve import serve
from pliant.console.server.settings import Settings
from pliant.processes import Parent


def main(options: dict[str, Any], parent: Parent) -> None:
    """Serve a console that follows a controller, until told to stop.

    Args:
        options: The controller to `attach` to, the `port`, and whether to `open` a browser.
        parent: The program that shows its arm.

    Raises:
        PliantError: It cannot listen there, or there is no such controller.
    """
    serve(
        Settings(port=options["port"], token=given_token(None)),
        attach=options["attach"],
        show=options["open"],
        ready=lambda address: parent.ready(address=address),
    )
