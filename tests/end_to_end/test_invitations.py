"""Phones at the table, in a real browser: opened, invited, revoked, and over HTTPS with the table's own certificate."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from host.app.network_page import NetworkPage
from host.app.switched_backend import SwitchedBackend
from host.invitations.page import invitation_pages
from host.web.access import Access, hosts
from host.web.app import make_app
from host.web.server import PageServer
from tests.end_to_end.page_checks import in_order, listened, until

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000
PHONE = {"width": 360, "height": 640}
NETWORK = "127.0.0.2"
"""Another address of this machine, in the place of its address on the home network."""


class Table:
    """A table's pages on this machine, with the network to be opened."""

    def __init__(self, folder: Path, address: str | None = NETWORK) -> None:
        self.backend, self.access, self.port = SwitchedBackend(), Access(), 0
        self.network = NetworkPage(
            self._app, replace(self.access, opened=True), lambda: self.port, folder,
            address=lambda: address, secure_port=0,
        )  # fmt: skip
        self._server = PageServer(self._app(self.access, lambda: hosts(self.port, None)), ("127.0.0.1",), 0)
        self.port = self._server.port
        self._server.start()

    def _app(self, access: Access, answered: Callable[[], frozenset[str]]) -> Flask:
        return make_app(
            self.backend,
            access,
            answered,
            pages=[
                lambda guard: invitation_pages(
                    self.access.tokens, self.network, guard, lambda: "en", lambda: {"near": "Wladyslawa", "far": ""}
                )
            ],
        )

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.backend.close()
        self.network.close()
        self._server.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def test_a_phone_is_invited_comes_in_and_is_sent_out(table: Table, browser: Any) -> None:
    owner = browser.new_page(viewport=PHONE)
    complaints = listened(owner)
    owner.goto(table.address + "/invitations")
    owner.wait_for_selector("button:has-text('Open it to the phones')", timeout=LIMIT)
    in_order(owner, "invitations-closed")
    assert table.network.base is None

    # Opened: one card for each seat with its code and link, and nobody is in yet.
    owner.click("button:has-text('Open it to the phones')")
    owner.wait_for_selector(".invitation img", timeout=LIMIT)
    assert owner.locator(".invitation:has(img) h2").all_text_contents() == [
        "Wladyslawa · Near seat", "Far seat", "To look on, also on a television", "To run the table",
    ]  # fmt: skip
    assert owner.locator("text=Nobody has come in with it yet").count() == 4
    in_order(owner, "invitations-open")
    # On a wide screen the cards of the two seats stand side by side, across the page.
    owner.set_viewport_size({"width": 1280, "height": 800})
    near_card, far_card = (owner.locator(".invitation").nth(n).bounding_box() for n in range(2))
    assert near_card["y"] == far_card["y"]
    assert near_card["x"] < 400 < far_card["x"]
    owner.set_viewport_size(PHONE)

    # A stranger is told what this is, in the own language, and how to come in.
    stranger = browser.new_context(viewport=PHONE, locale="pl").new_page()
    stranger.goto(str(table.network.base))
    stranger.wait_for_selector("h1:has-text('Nie masz jeszcze zaproszenia')", timeout=LIMIT)
    in_order(stranger, "uninvited")

    # Who is invited comes in, and the card says so.
    near = browser.new_context(viewport=PHONE).new_page()
    near.goto(owner.input_value(".invitation:has-text('Near seat') input"))
    near.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    owner.wait_for_selector(".invitation:has-text('Near seat') [data-taken=yes]", timeout=LIMIT)
    assert near.goto(f"{table.network.base}/invitations").status == 403
    near.wait_for_selector("h1:has-text('This page is the owner')", timeout=LIMIT)

    # Revoking asks once more; the phone is then out, its link is no longer valid, and the others' stay.
    near.goto(str(table.network.base))
    before = {role: table.access.tokens[role] for role in table.access.tokens}
    card = owner.locator(".invitation:has-text('Near seat')")
    card.locator("button:has-text('Revoke and make')").click()
    card.locator("button:has-text('Keep it')").click()
    card.locator("button:has-text('Revoke and make')").click()
    assert table.access.tokens["near"] == before["near"]
    card.locator("button:has-text('Revoke it')").click()
    until(owner, lambda: table.access.tokens["near"] != before["near"])
    assert table.access.tokens["far"] == before["far"]
    near.wait_for_selector("text=no longer valid", timeout=LIMIT)
    near.goto(f"{table.network.base}/join?k={before['near']}")
    near.wait_for_selector("text=no longer valid", timeout=LIMIT)

    owner.click("button:has-text('Close the table to the phones')")
    owner.wait_for_selector("button:has-text('Open it to the phones')", timeout=LIMIT)
    assert table.network.base is None
    assert complaints == []


def test_an_answer_that_comes_late_does_not_show_what_was_before(table: Table, browser: Any) -> None:
    """The page asked what is open, then the table was opened, and the late answer showed it closed again."""
    owner = browser.new_page(viewport=PHONE)
    owner.goto(table.address + "/invitations")
    owner.wait_for_selector("button:has-text('Open it to the phones')", timeout=LIMIT)
    late: list[tuple[Any, Any]] = []

    def first_held(route: Any) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    owner.route("**/invitations/state*", first_held)
    until(owner, lambda: bool(late))
    owner.click("button:has-text('Open it to the phones')")
    owner.wait_for_selector("button:has-text('Open it securely')", timeout=LIMIT)
    # Every change of the page from here on is written down.
    owner.evaluate(
        "() => { window.seenClosed = false; new MutationObserver(() => {"
        " if (!document.querySelector('.invitation')) window.seenClosed = true; })"
        ".observe(document.getElementById('invitations'), { childList: true }); }"
    )
    route, answer = late[0]
    with owner.expect_event("requestfinished", timeout=LIMIT):
        route.fulfill(response=answer)
    with owner.expect_response("**/invitations/state*", timeout=LIMIT):
        pass
    assert owner.evaluate("window.seenClosed") is False


def test_a_button_that_is_held_down_while_the_page_changes_is_pressed(table: Table, browser: Any) -> None:
    """It was drawn anew under the finger, and a click counts only where one element was pressed and let go."""
    owner = browser.new_page(viewport=PHONE)
    # However slow this machine is, the button is not held too long, and nothing is asked but what is asked here.
    owner.add_init_script(
        "const later = window.setTimeout;"
        "window.setTimeout = (call, ms, ...rest) => later(call, ms < 1000 ? ms : 600000, ...rest);"
    )
    owner.goto(table.address + "/invitations")
    owner.click("button:has-text('Open it to the phones')")
    owner.hover("button:has-text('Open it securely')", timeout=LIMIT)
    owner.mouse.down()
    table.access.tokens.renew("far")
    with owner.expect_response("**/invitations/state*", timeout=LIMIT):
        owner.evaluate("window.dispatchEvent(new Event('online'))")
    # What is asked after it is answered after it.
    owner.evaluate("fetch('/invitations/state').then((answer) => answer.text())")
    owner.mouse.up()
    owner.wait_for_selector("text=How a phone gets there", timeout=LIMIT)


def test_over_https_a_screen_stays_on(table: Table, browser: Any) -> None:
    owner = browser.new_page(viewport=PHONE)
    owner.goto(table.address + "/invitations")
    owner.click("button:has-text('Open it to the phones')")
    owner.click("button:has-text('Open it securely')", timeout=LIMIT)
    owner.wait_for_selector("text=How a phone gets there", timeout=LIMIT)
    in_order(owner, "invitations-secure")
    certificate = table.network.certificate
    assert certificate is not None
    assert str(owner.locator(".invitation code >> nth=1").text_content()) == certificate.fingerprint

    # The page that explains it is there for every phone that is invited, over the plain connection.
    phone = browser.new_context(viewport=PHONE, locale="uk", ignore_https_errors=True).new_page()
    phone.goto(f"{table.network.base}/join?k={table.access.tokens['far']}")
    phone.goto(f"{table.network.base}/secure?lang=uk")
    phone.wait_for_selector("h1:has-text('Екран, що не гасне')", timeout=LIMIT)
    assert phone.locator("code").first.text_content() == certificate.fingerprint
    in_order(phone, "secure-how")
    with phone.expect_download() as loaded:
        phone.click("text=Завантажте сертифікат")
    assert Path(loaded.value.path()).read_bytes() == certificate.authority.read_bytes()

    # Then the table opens securely, with the same invitation, and may keep the screen on.
    phone.click("text=Відкрийте стіл захищено")
    phone.wait_for_url(f"{table.network.secure_base}/", timeout=LIMIT)
    phone.wait_for_selector("#now", timeout=LIMIT)
    assert phone.evaluate("isSecureContext && 'wakeLock' in navigator")
    phone.goto(f"{table.network.secure_base}/join?k={table.access.tokens['near']}")
    assert phone.url == f"{table.network.secure_base}/"

    # Who trusts the certificate needs no exception; who does not is warned.
    port = int(str(table.network.secure_base).rsplit(":", 1)[1])
    trusting = ssl.create_default_context(cafile=str(certificate.authority))
    connection = http.client.HTTPSConnection(NETWORK, port, context=trusting, timeout=20)
    connection.request("GET", "/", headers={"Host": f"{NETWORK}:{port}"})
    assert connection.getresponse().status == 401
    with pytest.raises(ssl.SSLCertVerificationError):
        http.client.HTTPSConnection(NETWORK, port, context=ssl.create_default_context(), timeout=20).connect()


def test_without_a_network_it_says_so(tmp_path: Path, browser: Any) -> None:
    table = Table(tmp_path, address=None)
    page = browser.new_page(viewport=PHONE)
    page.goto(table.address + "/invitations")
    page.click("button:has-text('Open it to the phones')", timeout=LIMIT)
    page.wait_for_selector(".error:has-text('in no network')", timeout=LIMIT)
    table.close()


def test_a_revocation_that_does_not_arrive_is_told_and_tried_again(table: Table, browser: Any) -> None:
    owner = browser.new_page(viewport=PHONE)
    owner.goto(table.address + "/invitations")
    owner.click("button:has-text('Open it to the phones')", timeout=LIMIT)
    near = owner.locator(".invitation:has-text('Wladyslawa')")
    link = near.locator("input").input_value()
    near.locator("button:has-text('Revoke and make')").click()
    # Given a network that is gone, when the revocation is confirmed, then whoever revokes hears that it did not happen,
    owner.context.set_offline(True)
    near.locator("button:has-text('Revoke it')").click()
    near.locator("[role=alert]:has-text('That could not be done.')").wait_for(timeout=LIMIT)
    # and can do it once the network is there again.
    owner.context.set_offline(False)
    near.locator("button:has-text('Revoke it')").click()
    until(owner, lambda: near.locator("input").input_value() != link)


def test_who_opens_the_table_by_the_keyboard_stays_on_the_page(table: Table, browser: Any) -> None:
    owner = browser.new_page(viewport=PHONE)
    owner.goto(table.address + "/invitations")
    owner.wait_for_selector("button:has-text('Open it to the phones')", timeout=LIMIT)
    owner.focus("button:has-text('Open it to the phones')")
    owner.keyboard.press("Enter")
    owner.wait_for_selector(".invitation img", timeout=LIMIT)
    # What was pressed is gone; the next key goes on from the page's heading and not from its very top.
    until(owner, lambda: owner.evaluate("document.activeElement.tagName") == "H1")
