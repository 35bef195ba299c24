"""The page as an application on a phone's home screen, and how much of it has to be loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from host.web.access import Access
from tests.end_to_end.page_checks import listened
from tests.end_to_end.served_table import served_without_table

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000
FIRST_PAGE_MOST = 150_000
"""Bytes of everything that the first page loads."""


@pytest.fixture
def invited(browser: Any) -> Iterator[Any]:
    """A browser page that came in by the invitation for the near seat; nothing is served to others."""
    access = Access(opened=True)
    with served_without_table(access) as served:
        page = browser.new_page(base_url=served.address)
        page.invitation = f"/join?k={access.tokens['near']}"
        yield page


def test_a_phone_can_put_the_page_on_its_home_screen(invited: Any) -> None:
    complaints = listened(invited)
    invited.goto(invited.invitation)
    invited.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    browser = invited.context.new_cdp_session(invited)
    # The manifest needs the invitation's cookie, as everything does.
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    read = json.loads(manifest["data"])
    assert (read["start_url"], read["display"], read["scope"]) == ("/", "standalone", "/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in read["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in read["icons"])
    told = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in told] in ([], ["in-incognito"])
    touch = invited.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    for source in (touch, *(icon["src"] for icon in read["icons"])):
        assert invited.request.get(source).headers["content-type"].startswith("image/")
    assert complaints == []


def test_the_first_page_is_small(invited: Any) -> None:
    loaded: list[int] = []
    invited.on("requestfinished", lambda request: loaded.append(request.sizes()["responseBodySize"]))
    invited.goto(invited.invitation)
    invited.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    assert len(loaded) > 10
    assert sum(loaded) < FIRST_PAGE_MOST
