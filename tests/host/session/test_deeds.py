"""What a page may ask of a running table: taking back, correcting, and what it is told where that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from engine.names import FACE_DOWN, SEATS
from host.app.runner import House
from host.messages import LANGUAGES, catalogue
from host.web.access import Access
from host.web.app import Refused
from host.web.view_serializer import localised
from vision.sources.trouble import Item
from vision.tracking.table_watcher import TableWatcher

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


class NoPictures:
    """A camera that is never switched on: here only pages speak."""

    def __iter__(self) -> Iterator[Item]:
        return iter(())

    def close(self) -> None:
        pass


def house_of(game: Any) -> House:
    return House(game.table, cast(TableWatcher, None), NoPictures(), Access(), "x", with_picture=False)


def lying(game: Any) -> dict[str, dict[str, list[str]]]:
    return {t.theater: {seat: list(t.sides[seat].faces) for seat in SEATS} for t in game.table.view.theaters}


@pytest.fixture
def revealed(played: Make, battle: Battle) -> Any:
    """A battle whose last move has just turned up a card that nobody else knew."""
    for seed in range(20):
        game = played()
        for scene in battle(seed):
            game.show(scene)
            if game.table.view.undo is not None and game.table.view.undo.asks:
                return game
    raise AssertionError("no card was turned up in twenty battles")


def test_what_was_revealed_is_taken_back_only_when_both_agree(revealed: Any) -> None:
    house = house_of(revealed)
    before = revealed.table.view
    assert localised(house.broadcaster.newest.view, "en", "owner", "x")["undo"]["asks"] is True  # type: ignore[union-attr]
    for unsure in ({}, {"agreed": False}, {"agreed": "yes"}):
        with pytest.raises(Refused, match="reveals"):
            house.act("owner", "undo", {"at": revealed.table.entry, **unsure})
        assert revealed.table.view == before
    house.act("owner", "undo", {"at": revealed.table.entry, "agreed": True})
    assert lying(revealed) != {t.theater: {s: list(t.sides[s].faces) for s in SEATS} for t in before.theaters}
    house.act("owner", "undo", {"at": revealed.table.entry, "redo": True})
    assert revealed.table.view.theaters == before.theaters


def test_what_an_undo_takes_back_is_told_as_it_was_made(revealed: Any) -> None:
    told = revealed.table.history[-1].said
    assert told.code.startswith("flip-up")
    assert [(said.code, said.parts["card"]) for said in revealed.table.view.undo.moves] == [
        (told.code, told.parts["card"])
    ]
    # What is then due is the effect that turned it up, and not a new turn.
    said = localised(house_of(revealed).broadcaster.newest.view, "en", "owner", "x")  # type: ignore[union-attr]
    assert "decides" in said["undo"]["then"]


def test_the_question_about_a_table_put_back_says_what_goes(played: Make, battle: Battle) -> None:
    for seed in range(20):
        game, before = played(), None
        for scene in battle(seed):
            game.show(scene)
            if before is not None and game.table.view.undo is not None and game.table.view.undo.asks:
                made = game.table.history[-1].said.text("en")
                game.show(before, looks=60)
                question = game.table.view.question
                if question is not None and question.text.code == "undo":
                    said = localised(house_of(game).broadcaster.newest.view, "en", "owner", "x")["now"]  # type: ignore[union-attr]
                    assert said["kind"] == "question"
                    assert made in said["text"]
                    return
                break
            before = scene
    raise AssertionError("no table put back was asked about")


def test_a_correction_sets_the_hands(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    house = house_of(game)
    far = game.table.view.seats["far"].hand
    house.act("owner", "correct", {"at": game.table.entry, "hands": {"near": 1}})
    assert game.table.view.seats["near"].hand == 1
    assert game.table.view.seats["far"].hand == far


def test_a_corrected_score_leaves_an_open_effect_open(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7):
        game.show(scene)
        if game.table.view.pending is not None:
            break
    pending, turn = game.table.view.pending, game.table.view.turn
    assert pending is not None
    house_of(game).act("owner", "correct", {"at": game.table.entry, "score": {"near": 4, "far": 0}})
    assert (game.table.view.pending, game.table.view.turn) == (pending, turn)
    assert game.table.view.seats["near"].score == 4


def test_a_table_that_cannot_be_is_refused_in_words_of_its_own(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    house = house_of(game)
    twice = {t: {"near": ["A6"], "far": []} if t in "AL" else {"near": [], "far": [FACE_DOWN]} for t in "ALS"}
    wrong = (
        ("impossible-table", {"board": twice}),
        ("impossible-table", {"hands": {"near": 17, "far": 17}}),
        ("bad-score", {"score": {"near": -1, "far": 0}}),
        ("bad-request", {"hands": {"near": "many"}}),
        ("bad-request", {"hands": {"nobody": 1}}),
        ("bad-request", {"hands": 7}),
    )
    before = game.table.view
    for code, body in wrong:
        with pytest.raises(Refused) as refused:
            house.act("owner", "correct", {"at": game.table.entry, **body})
        assert refused.value.code == code
        assert game.table.view == before
        assert all(code in catalogue(language)["refused"] for language in LANGUAGES)


def test_what_cannot_be_written_down_has_not_happened(played: Make, battle: Battle) -> None:
    game = played()
    for scene in battle(7)[:3]:
        game.show(scene)
    view, entry = game.table.view, game.table.entry
    game.journal._db.execute("PRAGMA query_only = ON")
    with pytest.raises(Refused, match="journal-lost"):
        house_of(game).act("owner", "correct", {"at": entry, "score": {"near": 5, "far": 5}})
    assert (game.table.view, game.table.entry) == (view, entry)
    game.journal._db.execute("PRAGMA query_only = OFF")
    house_of(game).act("owner", "correct", {"at": entry, "score": {"near": 5, "far": 6}})
    assert game.table.view.seats["far"].score == 6
