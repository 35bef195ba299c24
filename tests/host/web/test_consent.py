"""Given two players with phones, what changes the game for both waits until both have agreed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from host.messages import catalogue
from host.web.access import ROLES, Role
from host.web.actions import Refused, Request, perform
from host.web.consent import ANSWER_SECONDS, AskedFor, Consent, deciders
from host.web.view_serializer import localised

Make = Callable[..., Any]
Battle = Callable[..., list[Any]]


class Clock:
    """Time that passes when told to, and what is due then."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        due = (self.now + seconds, call)
        self.due.append(due)

        def call_off() -> None:
            if due in self.due:
                self.due.remove(due)

        return call_off

    def passes(self, seconds: float) -> None:
        self.now += seconds
        ripe, self.due = [c for t, c in self.due if t <= self.now], [(t, c) for t, c in self.due if t > self.now]
        for call in ripe:
            call()


class Phones:
    """A table in the middle of a battle, and the phones that are open at it."""

    def __init__(self, game: Any, clock: Clock, stack: ExitStack) -> None:
        self.game, self.clock, self._stack = game, clock, stack
        page = game.page
        page.consent = Consent(page.broadcaster.present, page.publish, clock=lambda: clock.now, later=clock.later)

    def open(self, *roles: Role) -> None:
        for role in roles:
            self._stack.callback(self.game.page.broadcaster.listen(role=role).close)

    def does(self, role: Role, action: str, **body: Any) -> str:
        return str(self.game.backend.act(role, action, {"at": self.game.entry, **body}))

    def shows(self, role: Role, language: str = "en") -> Any:
        return localised(self.game.shown, language, role, "x")["asked"]

    def answers(self, role: Role, answer: str) -> str:
        return self.does(role, "agree", request=self.game.shown.asked.number, answer=answer)


@pytest.fixture
def phones(played: Make, battle: Battle) -> Iterator[Phones]:
    game = played()
    for scene in battle(7)[:4]:
        game.show(scene)
    with ExitStack() as stack:
        yield Phones(game, Clock(), stack)


@pytest.mark.parametrize(
    ("by", "present", "asked"),
    [
        ("near", {"near", "far"}, {"far"}),
        ("near", {"near", "far", "owner"}, {"far"}),
        ("near", {"near", "owner"}, {"owner"}),
        ("near", {"near", "viewer"}, set()),
        ("owner", {"owner", "near", "far"}, {"near", "far"}),
        ("owner", {"owner", "far"}, {"far"}),
        ("owner", {"owner", "viewer"}, set()),
    ],
)
def test_those_are_asked_whom_it_concerns(by: Role, present: set[Role], asked: set[Role]) -> None:
    assert deciders(by, frozenset(present)) == asked


def test_one_seat_asks_for_an_undo_and_the_other_agrees(phones: Phones) -> None:
    phones.open("near", "far")
    before = phones.game.view
    assert phones.does("near", "undo") == "asked"
    assert phones.game.view == before, "nothing has changed yet"
    asked = phones.shows("far")
    assert (asked["answers"], asked["title"]) == (True, "Near asks: take this back?")
    assert len(asked["what"]) == len(before.undo.moves)
    assert phones.shows("near")["told"] == "Asked: Far. Until the answer nothing changes."
    assert phones.shows("viewer") is None
    phones.answers("far", "yes")
    assert phones.game.view.redo is not None
    assert phones.shows("far") is None
    cause = list(phones.game.log.entries())[-1].cause
    assert (cause["role"], cause["agreed"]) == ("near", True)


def test_a_refusal_changes_nothing_and_is_told(phones: Phones) -> None:
    phones.open("near", "far")
    before = phones.game.view
    phones.does("near", "undo")
    phones.answers("far", "no")
    assert phones.game.view == before
    assert phones.shows("near")["told"] == "Declined: Far. Nothing was changed."
    assert phones.does("near", "undo") == "asked", "it may be asked again"


def test_without_an_answer_the_request_lapses_kindly(phones: Phones) -> None:
    phones.open("near", "far")
    before = phones.game.view
    phones.does("near", "undo")
    phones.clock.passes(ANSWER_SECONDS - 1)
    assert phones.shows("far")["outcome"] == "open"
    phones.clock.passes(1)
    assert phones.shows("near")["told"].startswith("No answer came within a minute")
    assert phones.shows("far") is None
    with pytest.raises(Refused, match="no-request"):
        phones.answers("far", "yes")
    assert phones.game.view == before


def test_a_request_about_a_table_that_has_moved_on_is_settled(phones: Phones, battle: Battle) -> None:
    phones.open("near", "far")
    phones.does("near", "undo")
    for scene in battle(7)[4:6]:
        phones.game.show(scene)
    after = phones.game.view
    assert phones.shows("near")["outcome"] == "moved-on"
    with pytest.raises(Refused, match="no-request"):
        phones.answers("far", "yes")
    assert phones.game.view == after


def test_whoever_asks_may_take_the_request_back_and_nobody_else(phones: Phones) -> None:
    phones.open("near", "far", "owner")
    phones.does("near", "undo")
    wrong: tuple[tuple[Role, str], ...] = (("owner", "yes"), ("owner", "no"), ("far", "stop"), ("near", "yes"))
    for role, answer in wrong:
        with pytest.raises(Refused, match="no-request"):
            phones.answers(role, answer)
    with pytest.raises(Refused, match="asked-already"):
        phones.does("far", "undo")
    phones.answers("near", "stop")
    assert phones.shows("far") is None


@pytest.mark.parametrize(("role", "answer"), [("far", "yes"), ("far", "no"), ("near", "stop")])
def test_a_request_that_is_settled_is_waited_for_no_more(phones: Phones, role: Role, answer: str) -> None:
    phones.open("near", "far")
    assert phones.does("near", "undo") == "asked"
    assert len(phones.clock.due) == 1
    phones.answers(role, answer)
    assert not phones.clock.due


def test_a_request_of_which_the_table_has_moved_on_is_waited_for_no_more(phones: Phones, battle: Battle) -> None:
    phones.open("near", "far")
    assert phones.does("near", "undo") == "asked"
    for scene in battle(7)[4:6]:
        phones.game.show(scene)
    assert not phones.clock.due


def test_requests_that_are_taken_back_leave_no_threads() -> None:
    consent = Consent(lambda: frozenset({"far"}), lambda: None)
    before = set(threading.enumerate())
    for number in range(1, 51):
        assert consent.ask(AskedFor(0, "near", "undo", (), "w", 0, frozenset({"far"})), lambda: None)
        assert consent.answer("near", number, "stop")
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
        assert not thread.is_alive()


def test_the_owner_asks_both_phones_and_decides_alone_where_there_are_none(phones: Phones) -> None:
    phones.open("owner")
    assert phones.does("owner", "undo", agreed=True) == "done"
    assert phones.does("owner", "redo", agreed=True) == "done"
    phones.open("near", "far")
    assert phones.does("owner", "undo") == "asked"
    phones.answers("near", "yes")
    assert phones.shows("far")["answers"]
    assert phones.game.view.redo is None
    phones.answers("far", "yes")
    assert phones.game.view.redo is not None


def test_a_seat_with_the_only_phone_says_that_both_agree(phones: Phones) -> None:
    phones.open("near")
    with pytest.raises(Refused, match="agree-first"):
        phones.does("near", "undo")
    assert phones.does("near", "undo", agreed=True) == "done"


def test_a_correction_is_told_in_words_to_whoever_agrees(phones: Phones) -> None:
    phones.open("near", "far")
    board = {t.theater: {s: list(t.sides[s].faces) for s in ("near", "far")} for t in phones.game.view.theaters}
    lay = board["S"]["near"]
    lay.append("-")
    sent = {"board": board, "score": {"near": 3, "far": 0}, "hands": {"near": 2}}
    assert phones.does("near", "correct", **sent) == "asked"
    place, score, hand = phones.shows("far")["what"]
    assert place.startswith("Sea, Near: ")
    assert place.endswith("a face-down card")
    assert (score, hand) == ("Score: Near 3, you 0", "Near: 2 cards in hand")
    phones.answers("far", "yes")
    assert phones.game.view.seats["near"].score == 3


def test_what_cannot_be_done_is_not_even_asked_for(phones: Phones) -> None:
    phones.open("near", "far")
    for action, body, code in (
        ("stand", {}, "no-violation"),
        ("redo", {}, "nothing-to-redo"),
        ("correct", {"score": 3}, "bad-request"),
        ("new", {"target": 0}, "bad-target"),
        ("agree", {"request": 1, "answer": "yes"}, "no-request"),
        ("agree", {"request": 1, "answer": "perhaps"}, "bad-request"),
        ("undo", {"at": phones.game.entry - 1}, "stale"),
    ):
        with pytest.raises(Refused) as refused:
            phones.does("near", action, **body)  # type: ignore[arg-type]
        assert refused.value.code == code
    assert phones.game.shown.asked is None


@pytest.mark.parametrize("role", ROLES)
def test_every_request_and_answer_has_its_words(phones: Phones, role: Role) -> None:
    phones.open("near", "far")
    phones.does("far", "new", target=18)
    for language in ("en", "ru", "uk", "pl"):
        shown = phones.shows(role, language)
        assert (shown is not None) == (role in ("near", "far"))
        if shown is not None:
            said = [shown["title"], shown["told"], *shown["what"]]
            assert all(line and "{" not in line for line in said), said
    assert {"lapsed", "moved-on", "declined"} <= set(catalogue("en")["consent"])


def test_a_match_of_a_club_keeps_its_war_and_may_be_conceded(phones: Phones) -> None:
    session = phones.game.session
    session.begin_war(session.rules.from_json({**session.rules.to_json(), "match": "r1t1"}))
    assert "new" not in localised(phones.game.shown, "en", "owner", "x")["can"]
    with pytest.raises(Refused, match="match-runs"):
        phones.does("owner", "new")
    assert phones.does("owner", "concede", seat="near", what="war") == "done"
    assert phones.does("owner", "new") == "done", "the match is decided"
    assert session.rules.match == ""


class Playing:
    """A demonstration's controls."""

    def do(self, what: str, speed: float | None) -> bool:
        return True


def test_nobody_plays_between_the_players_of_a_demonstration(phones: Phones) -> None:
    for action in ("undo", "correct", "withdraw", "new", "concede"):
        with pytest.raises(Refused, match="demo-plays"):
            perform(action, Request("owner", {"at": phones.game.entry}, phones.game.session, Playing()))
