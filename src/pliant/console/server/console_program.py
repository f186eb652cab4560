"""The console program, started by an arm that is to be shown."""

import webbrowser
from typing import Any

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

    def ready(address: str) -> None:
        parent.ready(address=address)
        if options["open"]:
            webbrowser.open(address)

    serve(Settings(port=options["port"]), attach=options["attach"], ready=ready)
