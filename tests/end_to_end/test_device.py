"""What a device does by itself, in a real browser: tones, spoken sentences and vibration for what has come about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.end_to_end.page_checks import fits, listened
from tests.end_to_end.served_table import served_without_table

pytestmark = pytest.mark.needs_browser

LIMIT = 30_000

# Writes down what would be heard and felt. Only a Polish and an English voice are installed.
RECORDER = """
window.heard = [];
window.AudioContext = class {
  constructor() { this.state = "running"; this.currentTime = 0; this.destination = {}; }
  resume() { return Promise.resolve(); }
  createOscillator() {
    const source = { frequency: {}, connect: (to) => to, start: () => window.heard.push("tone " + source.frequency.value), stop: () => {} };
    return source;
  }
  createGain() {
    const change = () => {};
    return { gain: { setValueAtTime: change, linearRampToValueAtTime: change, exponentialRampToValueAtTime: change }, connect: (to) => to };
  }
};
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }, { lang: "pl-PL" }],
  cancel: () => {},
  speak: (said) => window.heard.push("says " + said.lang + ": " + said.text),
} });
navigator.vibrate = (pattern) => { window.heard.push("felt"); return true; };
"""  # noqa: E501


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with served_without_table() as served:
        opened = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        opened.add_init_script(RECORDER)
        opened.goto(served.address)
        opened.wait_for_selector("text=The table is being set up", timeout=LIMIT)
        yield opened


def view(entry: int, kind: str = "turn", **changes: Any) -> dict[str, Any]:
    now = {"kind": kind, "title": changes.pop("title", "Far to play"), "mend": changes.pop("mend", [])}
    return {"lang": "en", "edition": "revised", "role": "near", "turn": "far", "entry": entry, "now": now,
            "question": None, "last": f"Move {entry}.", "theaters": [], "can": [], "demo": None,
            "war_over": False} | changes  # fmt: skip


def shown(page: Any, told: dict[str, Any]) -> list[str]:
    """What is heard and felt when the table comes to look like this."""
    script = """(detail) => { window.heard = []; document.dispatchEvent(new CustomEvent("view", { detail })); }"""
    page.evaluate(script, told)
    return list(page.evaluate("window.heard"))


def test_every_device_is_silent_until_it_is_asked_to_sound(page: Any) -> None:
    complaints = listened(page)
    assert shown(page, view(1)) == []
    assert shown(page, view(2)) == []
    page.wait_for_selector("#device input", timeout=LIMIT)
    fits(page, "device")

    page.check("#device label:has-text('Tones') input")
    page.check("#device label:has-text('Spoken') input")
    page.check("#device label:has-text('Vibration') input")
    assert "says en-GB: I say what happens on the table." in page.evaluate("window.heard")

    # A move of the other's is a tone and a sentence; one's own turn is felt as well.
    assert shown(page, view(3)) == ["tone 660", "says en-GB: Move 3."]
    own = shown(page, view(4, turn="near", title="You to play"))
    assert own == ["tone 523", "tone 784", "felt", "says en-GB: Move 4. You to play"]

    # A mistake is told with its mend, once; nothing is said again while it stays.
    wrong = view(5, "violation", title="That card does not belong there", mend=["Take it back."])
    assert shown(page, wrong)[-2:] == ["felt", "says en-GB: That card does not belong there. Take it back."]
    assert shown(page, wrong) == []
    assert "felt" in shown(page, view(6, "end", title="Near wins the battle"))

    # A language without a voice is shown and not read with another language's sounds.
    assert shown(page, view(7, lang="uk")) == []
    assert shown(page, view(8, lang="uk")) == ["tone 660"]
    assert complaints == []


def test_what_was_chosen_holds_for_this_device_and_a_viewer_has_no_turn(page: Any) -> None:
    shown(page, view(1))
    page.check("#device label:has-text('Vibration') input")
    page.reload()
    page.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    shown(page, view(1, role="viewer"))
    assert page.is_checked("#device label:has-text('Vibration') input")
    assert shown(page, view(2, role="viewer", turn="near")) == []


def test_a_page_whose_scripts_did_not_arrive_says_so_and_is_loaded_again(browser: Any) -> None:
    with served_without_table() as served:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.route("**/static/page.js", lambda route: route.abort())
        page.goto(served.address)
        page.wait_for_selector(".not-whole:has-text('did not arrive whole')", state="visible", timeout=LIMIT)
        page.unroute("**/static/page.js")
        page.click("text=Load it again")
        page.wait_for_selector("text=The table is being set up", timeout=LIMIT)
        assert page.locator(".not-whole").is_hidden()


def test_what_another_program_kept_at_this_address_is_no_choice_of_the_device(page: Any) -> None:
    complaints = listened(page)
    page.add_init_script("""localStorage.setItem("device", '"phone"')""")
    page.reload()
    page.wait_for_selector("text=The table is being set up", timeout=LIMIT)
    shown(page, view(1))
    page.check("#device label:has-text('Vibration') input")
    assert page.evaluate("window.heard") == ["felt"]
    assert complaints == []
