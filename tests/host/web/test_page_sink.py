"""What a page says of its camera: one condition at a time, and in the words of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.lexicon import LANGUAGES
from engine.places import PLACES
from engine.sight import sight_of
from host.commands.play import not_obeyed
from host.messages import say
from host.session.session import Rules
from host.session.source_events import SourceNotice
from host.session.source_state import LASTING
from host.sinks.event_lines import source_line
from host.web.view_serializer import localised


@pytest.mark.parametrize(("first", "then"), [("low-contrast", "no-table"), ("no-table", "low-contrast")])
def test_a_table_that_cannot_be_read_has_one_reason(played: Callable[..., Any], first: str, then: str) -> None:
    table = played()
    table.session.source(SourceNotice(first), 0.0)
    assert (table.shown.camera.ok, table.shown.camera.code) == (False, first)
    table.session.source(SourceNotice(then), 1.0)
    assert table.shown.camera.code == then
    table.session.source(SourceNotice("table-found"), 2.0)
    assert table.shown.camera.ok


def test_a_page_knows_its_war_before_its_first_change_and_after_a_restart(
    played: Callable[..., Any], battle: Callable[..., Any]
) -> None:
    game = played()
    war = game.session.war
    assert war and game.shown.war == war
    game.show(battle(3)[0])
    game.log.close()
    game.open()
    assert game.shown.war == game.session.war == war


def test_a_pale_picture_is_told_as_one() -> None:
    line = source_line(SourceNotice("low-contrast"), 1.0)
    assert line is not None
    assert line["code"] == "low-contrast"
    assert line["message"].startswith("The picture is pale: ")


def test_another_deck_is_said_until_a_card_of_this_one_is_read(played: Callable[..., Any]) -> None:
    """Given strange cards, when tables without a card of the deck are read, then the page goes on saying so."""
    table = played()
    table.session.source(SourceNotice("wrong-deck"), 0.0)
    empty = dict.fromkeys(PLACES, ())
    table.session.see(sight_of(empty, ("A", "L", "S")), 1.0)
    assert (table.shown.camera.ok, table.shown.camera.code) == (False, "wrong-deck")
    for language in LANGUAGES:
        said = localised(table.shown, language, "viewer", "x")["things"]
        assert [thing["text"] for thing in said if not thing["ok"]] == [say(language, "condition", "wrong-deck")]
    table.session.see(sight_of({**empty, ("A", "near"): ("A6",)}, ("A", "L", "S")), 5.0)
    assert table.shown.camera.ok


def test_a_moved_camera_is_a_line_of_the_history(played: Callable[..., Any]) -> None:
    table = played()
    entry = table.entry
    table.session.source(SourceNotice("camera-moved"), 0.0)
    assert table.history[-1].said.text("en") == "The camera or the mat was moved."
    assert table.entry == entry


@pytest.mark.parametrize("code", sorted(LASTING | {"table-found"}))
def test_what_the_source_says_has_words_in_every_language(code: str) -> None:
    assert all(say(language, "condition", code) for language in LANGUAGES)


def test_rules_that_are_not_obeyed_are_said_until_another_war_begins(played: Callable[..., Any]) -> None:
    """Given an unfinished war by the revised rules, when the program is started with others, then the page says so."""
    table = played()
    assert not_obeyed(table.session, Rules("revised")) is None
    condition = not_obeyed(table.session, Rules("critters", target=18))
    assert condition is not None
    beginners = not_obeyed(table.session, Rules("revised", target=12, beginner=True))
    assert beginners is not None
    assert beginners.code == "own-rules-full"
    table.page.set_resumed(table.session.war, condition)
    for language in LANGUAGES:
        things = localised(table.shown, language, "owner", "x")["things"]
        assert any("12" in thing["text"] and "18" in thing["text"] and not thing["ok"] for thing in things), language
    assert len(localised(table.shown, "en", "viewer", "x")["things"]) < len(things)
    table.session.begin_war(Rules("critters", target=18))
    assert table.shown.resumed is None
