"""What waits or is owed stands on every page, whether or not hints are on."""

from __future__ import annotations

from typing import Any

from engine.state import Effect
from host.web.view_serializer import localised
from host.web.waiting import waiting
from tests.host.conftest import lay


def test_given_air_drop_then_both_pages_say_whose_next_card_may_go_anywhere(game: Any) -> None:
    lay(game, An="A2")
    (line,) = localised(game.shown, "en", "far", "x")["lasting"]
    assert line == "Air Drop: Ann may lay the next card face up in any theater."
    lay(game, An="A2", Lf="L6")
    lay(game, An="A2", Lf="L6", Sn="L5")
    assert not any("Air Drop" in one for one in localised(game.shown, "en", "far", "x")["lasting"])


def test_effects_that_wait_and_turns_that_are_owed_are_told_in_every_language(game: Any) -> None:
    state = game.session.standing.state
    queue = (Effect("maneuver", "A3", "near", 0, "A"), Effect("ambush", "L2", "far", 0, "L"))
    told = waiting(state._replace(queue=queue, pending="maneuver", extra=(1, 0)))
    assert [one.code for one in told] == ["effect-waits", "extra-turn"]
    for language in ("en", "ru", "uk", "pl"):
        assert all("{" not in one.text(language) for one in told)


def test_what_needs_another_card_is_not_said_of_a_player_who_holds_none(game: Any) -> None:
    """With Air Drop as Ann's last card its permission stood on both pages until the battle ended."""
    # Given Ann's Air Drop, played with one card more in her hand and as her last one,
    state = game.session.standing.state._replace(permits=(True, False))
    near, far = state.hands
    for left, told in ((1, ["permission"]), (0, [])):
        hand = near._replace(size=left)
        # then it is told only where another card can follow.
        assert [one.code for one in waiting(state._replace(hands=(hand, far)))] == told
