"""The interactive page in a browser: it plots, zooms, reads values off, and loads nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from pliant.recording import Recording
from pliant.recording.plot_file import plot


@pytest.fixture(scope="module")
def page(
    eventful: Recording, tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> Iterator[Page]:
    """The page of a recording; fails if the page loads anything else or raises an error."""
    file: Path = tmp_path_factory.mktemp("viewer") / "a.html"
    plot([eventful], file, groups=["contact", "wrench"])
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url))
    page.goto(file.as_uri())
    assert problems.pop(0) == file.as_uri()
    yield page
    page.close()
    assert problems == []


def hover(page: Page, panel: int, fraction: float) -> None:
    """Move the pointer over a panel, to a fraction of its width."""
    box = page.locator("canvas").nth(panel).bounding_box()
    assert box
    page.mouse.move(box["x"] + fraction * box["width"], box["y"] + 40)
    page.wait_for_function("!waiting")


def test_the_pointer_shows_time_and_values(page: Page, eventful: Recording) -> None:
    hover(page, 0, 0.3)
    page.wait_for_function("document.getElementById('time').textContent !== ''")
    time = float(page.locator("#time").inner_text().split()[0])
    text = page.locator("section", has_text="Fz, N").locator(".line").first.inner_text()
    found = re.fullmatch(r"sensed (-?[\d.]+)", text)
    assert found
    near = np.abs(eventful.time - time) < 0.004
    values = eventful["w_T"][near, 2]
    assert values.min() - 1e-3 <= float(found[1]) <= values.max() + 1e-3


def test_the_wheel_zooms_around_the_pointer_and_0_shows_all(
    page: Page, eventful: Recording
) -> None:
    hover(page, 1, 0.5)
    before = page.evaluate("[view.from, view.to, pointer]")
    page.mouse.wheel(0, -100)
    page.wait_for_function(f"view.to - view.from < {0.9 * (before[1] - before[0])}")
    start, end = page.evaluate("[view.from, view.to]")
    assert start < before[2] < end
    page.keyboard.press("ArrowRight")
    assert page.evaluate("view.from") > start
    page.keyboard.press("0")
    assert page.evaluate("[view.from, view.to]") == [0.0, eventful.time[-1]]


def test_clicking_a_name_hides_its_line(page: Page) -> None:
    offset = page.locator("section", has_text="Compliant offset")
    line = offset.locator(".line", has_text="z")
    hidden = re.compile(r"\boff\b")
    line.click()
    expect(line).to_have_class(hidden)
    line.click()
    expect(line).not_to_have_class(hidden)


def test_names_stay_where_they_are_while_the_pointer_reads_values(page: Page) -> None:
    names = page.locator(".line")
    hover(page, 0, 0.5)
    with_values = [name.bounding_box() for name in names.all()]
    page.mouse.move(1, 1)
    page.wait_for_function("document.getElementById('time').textContent === ''")
    assert [name.bounding_box() for name in names.all()] == with_values


def test_contact_is_shaded_and_lines_are_drawn(page: Page) -> None:
    shades = page.evaluate(
        "(() => { const c = panels[0].canvas;"
        " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        " const seen = {}; for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255) {"
        " const key = [d[i], d[i + 1], d[i + 2]].join(); seen[key] = (seen[key] || 0) + 1; }"
        " return seen; })()"
    )
    assert shades.get("227,227,227", 0) > 1000
    assert any(max(map(int, key.split(","))) < 60 for key in shades)
