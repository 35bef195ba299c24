"""What must hold on every page and dialog, looked at in a real browser: nothing wider than the screen, every button
within it or reached by scrolling down, and no finding of the automatic accessibility check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe

OUT = Path(__file__).parents[2] / "out"
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-gpu",
]  # fmt: skip

_OUTSIDE = """() => [...document.querySelectorAll("button, a, input, select, summary")]
  .filter((node) => node.checkVisibility() && !node.closest(".unseen"))
  .map((node) => ({ box: node.getBoundingClientRect(), said: node.outerHTML.slice(0, 120) }))
  .filter(({ box }) => box.width > 0 && (box.left < -1 || box.right > innerWidth + 1))
  .map(({ said }) => said)"""


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def wait_until(page: Any, function: str, arg: Any = None, seconds: float = 30.0) -> None:
    """Waits until a function of the page gives something true.

    Playwright's own `wait_for_function` evaluates text within the page, which the pages' content security policy
    forbids as soon as the first try does not succeed.
    """
    ends = time.monotonic() + seconds
    while not page.evaluate(function, arg):
        assert time.monotonic() < ends, f"still not so after {seconds} s: {function}"
        page.wait_for_timeout(50)


def until(page: Any, holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Waits, with the page at work, until something holds on this side."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it did not come to be"
        page.wait_for_timeout(50)


def listened(page: Any) -> list[str]:
    """Everything that the page's console complains of, as it comes."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def fits(page: Any, name: str) -> None:
    """Holds the page as it is now to the width of the screen, and keeps a picture of it under `out/`."""
    OUT.mkdir(exist_ok=True)
    page.screenshot(path=str(OUT / f"{name}.png"))
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} scrolls sideways"
    outside = page.evaluate(_OUTSIDE)
    assert not outside, f"{name}: outside the screen: {outside}"


def in_order(page: Any, name: str) -> None:
    """As `fits`, and the accessibility check as well, which takes a second."""
    fits(page, name)
    found = Axe().run(page).response["violations"]
    told = [f"{finding['id']}: {node['html'][:160]}" for finding in found for node in finding["nodes"]]
    assert not told, f"{name}: {told}"
