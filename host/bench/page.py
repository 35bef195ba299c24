"""Figures of the page: how soon it shows what happened at the table, and how soon it is up."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from engine.failure import Failure
from host.bench.figure import Figure, Measured

SCENES = 40
STARTS = 5
PAINTS = 20
LIMIT = 60.0
CHROMIUM = "/usr/bin/chromium"


def hand_to_page(scale: float) -> Iterator[Measured]:
    """Seconds from the first frame without a hand to the new table on a connected page, in real time.

    The whole path: motion gate, reader, referee, log, broadcaster, HTTP. The demonstration's camera draws on the same
    machine and takes its share of it.
    """
    from host.app.page_server import open_page, program_id
    from host.demo.show import DemoShow
    from host.web.access import Access

    wanted = max(3, round(SCENES * scale))
    taken: list[float] = []
    access = Access()
    show = DemoShow("revised", 7, access, program_id())
    page = open_page(show.table.backend, access, 0)
    try:
        with urllib.request.urlopen(f"{page.base}/stream", timeout=LIMIT) as stream:
            show.start("virtual")
            told, table = 0.0, None
            while len(taken) < wanted:
                line = stream.readline()
                if not line.startswith(b"data: {"):
                    continue
                now = time.perf_counter()
                view = json.loads(line[6:])
                lies = json.dumps([[t["id"], t["near"]["stack"], t["far"]["stack"]] for t in view["theaters"]])
                left = show.director.hand_left
                # The first view with another table after a hand has left is the one that was waited for.
                if lies != table and left > told:
                    taken.append(now - left)
                    told = left
                table = lies
    finally:
        show.table.page.broadcaster.close()
        page.close()
        show.close()
    taken.sort()
    yield Measured(median(taken), len(taken), "median")
    yield Measured(taken[min(len(taken) - 1, round(0.95 * len(taken)))], len(taken), "p95")
    yield Measured(taken[-1], len(taken), "worst")


def page_up(scale: float) -> Iterator[Measured]:
    """Seconds from `allfronts demo` to its page answering, from the second start on (the deck is learnt by then)."""
    taken: list[float] = []
    for number in range(1 + max(1, round(STARTS * scale))):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "host", "demo", "--http", str(port)],
            stdout=subprocess.DEVNULL,
            env=environment,
            cwd=Path(__file__).resolve().parents[2],
        )
        try:
            while time.perf_counter() - started < LIMIT:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                        break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.01)
            if number:
                taken.append(time.perf_counter() - started)
        finally:
            process.terminate()
            process.wait(15)
    yield Measured(median(taken), len(taken), "median")
    yield Measured(max(taken), len(taken), "worst")


def first_paint(scale: float) -> Iterator[Measured]:
    """Seconds from opening the table's page in Chromium, with nothing of it kept from before, to its first paint with
    content and to the field being drawn.

    Raises:
        Failure: the browser or what steers it is not there.
    """
    from host.app.page_server import open_page, program_id
    from host.demo.show import DemoShow
    from host.web.access import Access

    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Failure("no-browser", "Chromium cannot be steered here.", "./allfronts test installs it.") from None
    if not Path(CHROMIUM).exists():
        raise Failure("no-browser", f"There is no {CHROMIUM}.", "./allfronts test installs it.")
    painted: list[float] = []
    drawn: list[float] = []
    access = Access()
    show = DemoShow("revised", 7, access, program_id())
    page = open_page(show.table.backend, access, 0)
    try:
        show.start("virtual")
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
            for _ in range(max(3, round(PAINTS * scale))):
                opened = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
                opened.goto(page.base)
                opened.wait_for_selector('body[data-wait="no"]', timeout=LIMIT * 1000)
                drawn.append(opened.evaluate("performance.now()") / 1000)
                paints = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                painted.append(opened.evaluate(paints) / 1000)
                opened.context.close()
            browser.close()
    finally:
        show.table.page.broadcaster.close()
        page.close()
        show.close()
    for name, taken in (("first", painted), ("field", drawn)):
        yield Measured(median(taken), len(taken), f"{name}-median")
        yield Measured(max(taken), len(taken), f"{name}-worst")


FIGURES = (
    Figure(
        "page.after-hand", "s", "from the hand leaving the picture to the new table on a page (1 at most)", hand_to_page
    ),
    Figure("page.paint", "s", "opening the page in Chromium: first paint, field drawn (1 at most)", first_paint),
    Figure("page.start", "s", "from the command to the page answering, second start (5 at most)", page_up),
)
