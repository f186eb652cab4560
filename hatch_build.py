"""Refuses to pack a wheel whose console would have no page."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):
    """Looks whether the page has been built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install may come before the page; a wheel may not.

        Raises:
            FileNotFoundError: The page is not there.
        """
        del build_data
        page = Path(self.root) / "src/pliant/console/static/index.html"
        if version == "standard" and not page.exists():
            raise FileNotFoundError(f"{page} is missing: `make setup` builds the console's page")
