"""The page in Chromium; the results are read from the ticks of the controller."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page

from pliant.ring.ring import RingReader
from pliant.ring.runtime_folder import RING_SUFFIX
from pliant.stages.joints import ReportedMode
from tests.virtual_arms import TooBusyError, is_busy

PAGE = Path(__file__).parents[3] / "src/pliant/console/static/index.html"
LONGEST = 60_000


@pytest.fixture(scope="session", autouse=True)
def built_page(not_in_a_browser: Callable[[str], NoReturn]) -> None:
    """The tests of this folder need the built page."""
    if not PAGE.exists():
        not_in_a_browser("the page is not built (make setup)")


class Operator:
    """Operates the page.

    Attributes:
        page: Playwright's page.
        errors: Errors in the browser's console.
    """

    def __init__(self, page: Page, ring: Callable[[], Any], until: Callable[..., Any]) -> None:
        self.page = page
        self.errors: list[str] = []
        self._ring = ring
        self._reader: Any = None
        self._until = until
        page.set_default_timeout(LONGEST)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # requests to a server that has ended fail, as expected
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    # reading

    def column(self, name: str) -> np.ndarray:
        """A column of the controller's newest tick."""
        if self._reader is None or self._reader.ended:
            self._reader = self._ring()
        row = self._reader.latest()
        assert row is not None
        return row[name][0].copy()

    def modes_of(self, joint: int) -> Callable[[], set[str]]:
        """Collects the modes of a joint from now on."""
        reader, seen = self._from_now(), set[str]()

        def collect() -> set[str]:
            seen.update(ReportedMode(int(row["mode"][0, joint])).name for row in reader.ticks())
            return seen

        return collect

    def lines(self) -> Callable[[str], list[Any]]:
        """Collects the commands that reach the controller from now on."""
        reader, seen = self._from_now(), []

        def collect(word: str) -> list[Any]:
            seen.extend(line for line in reader.lines() if line.kind == "command")
            return [line for line in seen if f": {word} " in line.text]

        return collect

    def _from_now(self) -> Any:
        reader = self._ring()
        for _ in (*reader.ticks(), *reader.lines()):
            pass
        return reader

    def number(self, name: str) -> float:
        return self.column(name).item()

    def until(self, condition: Callable[[], Any], longest: float = 60.0) -> Any:
        """Wait for a condition, and handle the browser's events meanwhile."""

        def met() -> Any:
            self.page.wait_for_timeout(20)
            return condition()

        return self._until(met, longest)

    def shown(self, test_id: str) -> str:
        return self.page.get_by_test_id(test_id).inner_text()

    def sees(self, test_id: str, text: str) -> None:
        """Wait until an element of the page contains a text."""
        self.until(lambda: text in self.shown(test_id))

    def keep(self, name: str) -> None:
        """Save a screenshot if PLIANT_SCREENSHOTS names a folder."""
        folder = os.environ.get("PLIANT_SCREENSHOTS")
        if folder:
            self.page.screenshot(path=f"{folder}/{name}.png")

    # operating

    def press(self, name: str, within: Locator | None = None) -> None:
        (within or self.page).get_by_role("button", name=name, exact=True).click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def choose(self, group: str, name: str) -> None:
        self.page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name).click()

    def fill(self, label: str, value: object) -> None:
        field = self.page.get_by_label(label, exact=True)
        field.fill(str(value))
        field.blur()

    def open(self, section: str) -> Locator:
        """Unfold a section of the panel."""
        found = self.page.locator(f"#section-{section}")
        if found.get_attribute("open") is None:
            found.locator("summary").first.click()
        return found

    def start(self) -> None:
        """Start the arm that the page offers, and wait until its law is active."""
        self.press("Start")
        self.until(self._is_active)
        self.until(lambda: self.column("X_WT").any())

    def _is_active(self) -> bool:
        if is_busy(self.shown("why")):
            raise TooBusyError
        return "Active" in self.shown("state")


def ring_in(runtime: Path) -> RingReader:
    """The ring of the running controller."""
    rings = list(runtime.glob(f"*{RING_SUFFIX}"))
    assert len(rings) == 1, "no controller runs"
    return RingReader(rings[0])


@pytest.fixture
def operator(console: Any, visit: Callable[..., Operator]) -> Iterator[Operator]:
    """An operator of a new console, without an arm."""
    made = visit(console())
    yield made
    assert made.errors == []


@pytest.fixture
def visit(browser: Browser, until: Any) -> Iterator[Callable[..., Operator]]:
    """Opens pages of a console."""
    contexts = []

    def open_page(served: Any, before: str = "") -> Operator:
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 720}))
        page = contexts[-1].new_page()
        if before:
            page.add_init_script(before)
        operator = Operator(page, lambda: ring_in(served.runtime), until)
        page.goto(served.address)
        page.get_by_test_id("state").wait_for()
        return operator

    yield open_page
    for context in contexts:
        context.close()
