"""How a browser gets the token, and what it keeps of it."""

from pathlib import Path
from urllib.parse import unquote, urlsplit


def test_the_address_bar_loses_the_token(operator, console):
    page = operator.page
    operator.sees("state", "Not started")
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])").find("tok") < 0
    # a tab of the same browser needs no token; another browser does
    second = page.context.new_page()
    second.goto(page.url)
    second.get_by_test_id("state").filter(has_text="Not started").wait_for()
    stranger = page.context.browser.new_context().new_page()
    stranger.goto(page.url)
    stranger.get_by_test_id("state").filter(has_text="Refused").wait_for()
    operator.until(
        lambda: "open the address that it printed" in stranger.get_by_test_id("why").inner_text()
    )
    stranger.context.close()


def test_the_file_that_opens_the_browser_leads_to_the_page(console, browser, tmp_path, until):
    opened, program = tmp_path / "opened", tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {opened}.part; mv {opened}.part {opened}\n')
    program.chmod(0o755)
    made = console("--open", BROWSER=f"{program} %s")
    until(opened.exists)
    file = opened.read_text().strip()
    assert Path(unquote(urlsplit(file).path)).exists()
    context = browser.new_context()
    page = context.new_page()
    page.goto(file)
    page.get_by_test_id("state").filter(has_text="Not started").wait_for(timeout=60_000)
    assert page.url == f"http://{made.host}/"
    context.close()
