"""What the screens are sent: the newest of each part, later where the organiser wants it, never anything hidden."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.failure import BadInput
from host.club.screen import LISTENERS_AT_MOST, Feed
from host.club.simulation.war import war
from host.club.view import ClubTableView, view_from_json, view_to_json
from host.web.stream import TooManyListeners


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_slow_screen_is_sent_the_newest_and_not_everything() -> None:
    feed = Feed(Clock())
    version, _ = feed.changed_after(0)
    for n in range(100):
        feed.publish("table 1", {"n": n})
    feed.publish("table 2", {"n": 1})

    version, parts = feed.changed_after(version)

    assert parts == {"table 1": {"n": 99}, "table 2": {"n": 1}}
    assert feed.changed_after(version) == (version, {})


def test_what_does_not_change_is_not_sent_again() -> None:
    feed = Feed(Clock())
    feed.publish("club", {"round": 1})
    version, _ = feed.changed_after(0)
    feed.publish("club", {"round": 1})

    assert feed.changed_after(version) == (version, {})


def test_with_a_delay_everything_comes_later_in_its_order() -> None:
    clock = Clock()
    feed = Feed(clock)
    feed.publish("table 1", {"score": 6}, delay=60)
    clock.now = 30
    feed.publish("table 1", {"score": 12}, delay=60)
    assert feed.shown() == {}

    clock.now = 61
    assert feed.shown() == {"table 1": {"score": 6}}
    clock.now = 91
    assert feed.shown() == {"table 1": {"score": 12}}


def test_a_shorter_delay_lets_nothing_overtake() -> None:
    clock = Clock()
    feed = Feed(clock)
    feed.publish("table 1", {"score": 6}, delay=60)
    feed.publish("table 1", {"score": 12})

    assert feed.shown() == {}
    clock.now = 60
    assert feed.shown() == {"table 1": {"score": 12}}


def test_a_table_that_is_taken_off_is_told_to_the_screens() -> None:
    feed = Feed(Clock())
    feed.publish("table 1", {"n": 1})
    version, _ = feed.changed_after(0)
    feed.publish("table 1", None)

    assert feed.changed_after(version)[1] == {"table 1": None}
    assert feed.shown() == {}


def test_screens_beyond_the_most_are_turned_away_until_one_leaves() -> None:
    feed = Feed(Clock())

    joined = [feed.listen() for _ in range(LISTENERS_AT_MOST)]
    with pytest.raises(TooManyListeners):
        feed.listen()
    joined[0].close()
    feed.listen()


def test_a_screen_is_woken_sees_what_changed_and_hears_of_the_end() -> None:
    clock, woken = Clock(), list[int]()
    feed = Feed(clock)
    feed.publish("club", {"round": 1})
    screen = feed.listen(patience=0.0, wake=lambda: woken.append(1))
    assert next(screen) == {"club": {"round": 1}}
    assert next(screen) is None

    feed.publish("table 1", {"score": 6})
    assert woken
    assert next(screen) == {"table 1": {"score": 6}}

    woken.clear()
    feed.publish("table 1", {"score": 12}, delay=60)
    assert woken, "it has to know when to look again"
    assert (next(screen), screen.due()) == (None, 60.0)
    clock.now = 60
    assert next(screen) == {"table 1": {"score": 12}}

    feed.close()
    with pytest.raises(StopIteration):
        next(screen)


def test_no_entry_and_no_view_of_a_war_holds_a_card_that_lies_face_down() -> None:
    hidden = 0
    for told in war(5, "1-1-2", 100):
        for move in told.body["event"]["moves"]:
            if move["do"] in ("improvise", "reinforce"):
                assert move["card"] is None
                hidden += 1
        assert set(view_to_json(told.view)) == {
            "match", "battle", "near", "far", "turn", "phase", "theaters", "trouble", "at",
        }  # fmt: skip
        assert view_from_json(view_to_json(told.view)) == told.view
    assert hidden > 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*view_to_json(ClubTableView()), "hand", "deck"]), JSON))
def test_whatever_a_table_sends_is_a_view_or_refused(read: dict[str, Any]) -> None:
    try:
        view = view_from_json(read)
    except BadInput as refused:
        assert refused.code == "bad-view"
        return
    assert set(view_to_json(view)) == set(view_to_json(ClubTableView()))


@pytest.mark.parametrize(
    "read", [{"near": -1}, {"near": True}, {"turn": "left"}, {"trouble": ["x" * 99]}, {"at": 1e30}]
)
def test_a_view_that_is_none_is_refused(read: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        view_from_json(read)
