"""The rulings R1 to R15, each as a table and what follows (docs/engine-rulings.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import Card, Move, State, destruction, explain, legal_moves, play
from engine.editions import EDITIONS, withdraw_points
from engine.names import EDITIONS as EDITION_NAMES
from engine.names import other
from engine.records.json_codec import state_from_json, state_to_json
from engine.state import cards_of

Table = Callable[..., State]
Moves = Callable[[str], list[Move]]
NEW = ("revised", "critters")


def deeds(state: State) -> set[str]:
    return {m.do for m in legal_moves(state)}


def codes(state: State, moves: Moves, line: str) -> str | None:
    why = explain(state, moves(line)[0])
    return None if why is None else why.code


# R1


@pytest.mark.parametrize("edition", NEW)
def test_r1_instants_wait_in_a_queue(table: Table, edition: str) -> None:
    moves = "near improvise A3 A\nfar improvise L2 S\nnear deploy L5 L\nnear flip near A\nfar flip far S"
    state = table(moves, "L5 A3", "L2", edition=edition)
    assert [(e.name, e.owner) for e in state.queue] == [("maneuver", "near"), ("ambush", "far")]
    assert (state.turn, state.pending) == ("near", "maneuver")


def test_r1_first_edition_resolves_the_flipped_instant_before_going_on(table: Table) -> None:
    moves = "near improvise A6 A\nfar improvise L2 S\nnear deploy L5 L\nfar flip far S"
    state = table(moves, "L5 A6", "L2", edition="first")
    assert [(e.name, e.step) for e in state.queue] == [("ambush", 0), ("disrupt", 1)]
    state = play(state, Move("flip", "far", side="near", at="A"))
    assert (state.turn, state.pending) == ("near", "disrupt")


# R2 and R3


@pytest.mark.parametrize("edition", NEW)
def test_r2_a_waiting_instant_survives_its_card_being_turned_down(table: Table, edition: str) -> None:
    moves = (
        "near improvise A3 A\nfar improvise L2 S\nnear deploy L5 L\nnear flip near A\nfar flip far S\nnear flip near L"
    )
    state = table(moves, "L5 A3", "L2", edition=edition)
    # Maneuver turned Disrupt, which is done, down; Ambush goes on although its own card may be turned next.
    assert (state.turn, state.pending) == ("far", "ambush")


def test_r2_adjacency_of_a_card_that_left_the_table_is_judged_from_where_it_lay(table: Table) -> None:
    state = table("near improvise A6 S\nfar deploy L6 L\nnear deploy S4 S", "S4 A6 A3", "L6")
    data = state_to_json(state)
    # As if near's Maneuver had been turned up in Land, moved to Sea, turned down there, and waited behind Redeploy.
    data["stacks"]["S"]["near"][0]["card"] = "A3"
    known: list[str] = data["hands"]["near"]["known"]
    data["hands"]["near"]["known"] = ["A6" if card == "A3" else card for card in known]
    data["effects"].append({"name": "maneuver", "card": "A3", "owner": "near", "step": 0, "place": "A"})
    waiting = state_from_json(data)
    state = play(play(waiting, Move("return", "near", at="S", nth=0)), Move("improvise", "near", Card("A6"), "A"))
    assert (state.turn, state.pending) == ("near", "maneuver")
    assert {(m.side, m.at) for m in legal_moves(state)} == {("far", "L")}, "Land is next to Sea, where the card lay"


def test_r3_disrupt_turned_down_by_a_nested_instant_is_cut_off(table: Table) -> None:
    moves = "near improvise A6 A\nfar improvise S3 S\nnear deploy L5 L\nfar flip far S\nfar flip near L"
    state = table(moves, "L5 A6", "S3", edition="first")
    assert state.queue == ()
    assert (state.turn, state.pending) == ("far", None)


def test_r3_air_drops_permission_ends_when_it_is_turned_down(table: Table, moves: Moves) -> None:
    line = "near deploy A2 A\nfar deploy L2 L\nfar flip near A"
    assert codes(table(line, "A2 L6", "L2", edition="first"), moves, "near deploy L6 S") == "wrong-theater"
    for edition in NEW:
        assert codes(table(line, "A2 L6", "L2", edition=edition), moves, "near deploy L6 S") is None


# R4 and R5


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r4_containment_destroys_the_reinforcement(table: Table, edition: str) -> None:
    state = table("near deploy A5 A\nfar deploy L1 L", "A5", "L1", "S6", edition=edition)
    move = Move("reinforce", "far", to="A")
    lost = destruction(state, move)
    assert lost is not None
    assert (lost.card, lost.by_card) == ("S6", "A5")
    after = play(state, move)
    assert after.stack("A", "far") == ()
    assert after.deck[-1].card == "S6"
    assert not after.deck[-1].up


def test_r4_a_reinforcement_leaves_air_drops_permission(table: Table) -> None:
    moves = (
        "near improvise L1 L\nfar improvise S6 S\nnear deploy A2 A\nfar deploy L2 L\nfar flip near L\nnear reinforce S"
    )
    state = table(moves, "A2 L1 L6", "L2 S6")
    assert state.permits == (True, False)
    assert Move("deploy", "near", Card("L6"), "A") in legal_moves(state)


@pytest.mark.parametrize("play_it", ["near deploy L6 L", "near improvise L6 S"])
def test_r5_any_play_from_the_hand_uses_the_permission_up(table: Table, play_it: str) -> None:
    state = table(f"near deploy A2 A\nfar deploy L4 L\n{play_it}", "A2 L6", "L4")
    assert state.permits == (False, False)


def test_r5_a_play_that_is_destroyed_uses_it_up_too(table: Table) -> None:
    state = table("near deploy A2 A\nfar deploy A5 A\nnear improvise L6 S", "A2 L6", "A5")
    assert state.stack("S", "near") == ()
    assert state.permits == (False, False)


def test_r5_an_air_drop_that_is_destroyed_gives_no_permission(table: Table) -> None:
    moves = "near deploy A6 A\nfar deploy S5 S\nnear improvise L6 A\nfar improvise L4 A\nnear deploy A2 A"
    state = table(moves, "A2 A6 L6", "S5 L4", order="SAL")
    assert state.deck[-1].card == "A2"
    assert state.permits == (False, False)


# R6


@pytest.mark.parametrize(("edition", "decides"), [("first", "far"), ("revised", "near"), ("critters", "near")])
def test_r6_who_flips_first_for_disrupt(table: Table, edition: str, decides: str) -> None:
    state = table("near improvise A6 A\nfar improvise S6 S\nnear deploy L5 L", "L5 A6", "S6", edition=edition)
    assert (state.turn, state.pending) == (decides, "disrupt")
    assert {m.side for m in legal_moves(state)} == {decides}


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r6_a_seat_without_a_card_flips_none(table: Table, edition: str) -> None:
    state = table("near deploy L5 L", "L5", edition=edition)
    assert (state.turn, state.pending) == ("near", "disrupt")
    state = play(state, Move("flip", "near", side="near", at="L"))
    assert (state.turn, state.pending) == ("far", None)


# R7


@pytest.mark.parametrize("edition", NEW)
def test_r7_redeploy_may_be_left_out_and_otherwise_asks_for_a_play(table: Table, edition: str) -> None:
    state = table("near improvise L6 A\nfar deploy S6 S\nnear deploy S4 S", "S4 L6", "S6", edition=edition)
    assert deeds(state) == {"return", "decline"}
    state = play(state, Move("return", "near", at="A", nth=0))
    assert state.pending == "play"
    assert deeds(state) == {"deploy", "improvise"}
    state = play(state, Move("deploy", "near", Card("L6"), "L"))
    assert (state.turn, state.pending) == ("far", None)


def test_r7_first_edition_redeploy_is_mandatory_and_gives_a_whole_turn(table: Table) -> None:
    state = table("near improvise L6 A\nfar deploy S6 S\nnear deploy S4 S", "S4 L6", "S6", edition="first")
    assert deeds(state) == {"return"}
    state = play(state, Move("return", "near", at="A", nth=0))
    assert (state.turn, state.pending) == ("near", None)
    assert "withdraw" in deeds(state)
    state = play(state, Move("deploy", "near", Card("L6"), "L"))
    assert state.turn == "far"


LATER = "near improvise A6 A\nfar deploy L4 L\nnear improvise S4 S\nfar deploy L2 L\nfar flip near S\nnear return A:0"


def test_r7_first_edition_an_extra_turn_won_on_the_others_turn_follows_the_next(table: Table) -> None:
    state = table(LATER, "S4 A6 L6", "L4 L2 S6", edition="first")
    assert state.extra == (1, 0)
    assert state.turn == "near"
    state = play(state, Move("deploy", "near", Card("A6"), "A"))
    assert (state.turn, state.extra) == ("near", (0, 0))
    state = play(state, Move("deploy", "near", Card("L6"), "L"))
    assert state.turn == "far"


def test_r7_first_edition_the_extra_turn_outlives_redeploy_being_turned_down(table: Table) -> None:
    moves = LATER + "\nnear deploy L5 L\nfar flip far L\nnear flip near S"
    state = table(moves, "S4 A6 L5", "L4 L2 S6", edition="first")
    assert not state.stack("S", "near")[-1].up
    assert (state.turn, state.pending) == ("near", None)


def test_r7_first_edition_an_extra_turn_without_a_card_is_lost(table: Table) -> None:
    state = table(LATER, "S4 A6 L6", "L4 L2 S6", edition="first")
    data = state_to_json(state)
    # As if near held one card only: the others lie in the deck.
    data["hands"]["near"] = {"count": 1, "known": ["A6"], "open": True}
    data["deck"] += [{"card": c, "up": False} for c in cards_of(state.hands[0].known) if c != "A6"]
    state = play(state_from_json(data), Move("deploy", "near", Card("A6"), "A"))
    assert (state.turn, state.extra) == ("far", (0, 0))


# R8, R9, R10


@pytest.mark.parametrize(("edition", "may"), [("first", True), ("revised", False), ("critters", False)])
def test_r8_reinforce_is_optional_in_the_first_edition_only(table: Table, edition: str, may: bool) -> None:
    state = table("near deploy L1 L", "L1", edition=edition)
    assert ("decline" in deeds(state)) is may
    why = explain(state, Move("decline", "near"))
    assert (why is None) is may
    assert may or (why is not None and (why.code, why.rule) == ("must-choose", "R8"))


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r9_transport_may_move_any_own_card_or_none(table: Table, edition: str) -> None:
    state = table("near improvise A6 S\nfar deploy L6 L\nnear deploy S1 S", "S1 A6", "L6", edition=edition)
    assert deeds(state) == {"move", "decline"}
    assert {(m.nth, m.to) for m in legal_moves(state) if m.do == "move"} == {(0, "A"), (0, "L"), (1, "A"), (1, "L")}


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r10_flips_take_uncovered_cards_and_must(table: Table, edition: str, moves: Moves) -> None:
    state = table("near deploy L4 L\nfar deploy L6 L\nnear deploy L3 L", "L4 L3", "L6", edition=edition)
    assert state.pending is None, "Maneuver has no target next door"
    state = table("near deploy L4 L\nfar deploy L6 L\nnear deploy A3 A", "L4 A3", "L6", edition=edition)
    assert {(m.side, m.at) for m in legal_moves(state)} == {("near", "L"), ("far", "L")}
    assert codes(state, moves, "near decline") == "must-choose"
    assert codes(state, moves, "near flip near A") == "not-adjacent"


# R11, R12


def test_r11_a_seat_without_cards_is_passed_over(dealt: Callable[[int, str], State]) -> None:
    data = state_to_json(dealt(1, "first")._replace(first="near", active="near", turn="near"))
    held: list[str] = data["hands"]["far"]["known"]
    data["deck"] += [{"card": c, "up": False} for c in held]
    data["hands"]["far"] = {"count": 0, "known": [], "open": True}
    state = state_from_json(data)
    card = cards_of(state.hands[0].known)[0]
    state = play(state, Move("improvise", "near", card, "A"))
    assert (state.turn, state.active) == ("near", "near")


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r12_no_withdrawal_while_an_effect_waits(table: Table, edition: str, moves: Moves) -> None:
    state = table("near deploy A6 A\nfar improvise A3 S\nnear deploy L2 L", "A6 L2", "A3", edition=edition)
    assert codes(state, moves, "near withdraw") == "withdraw-in-effect"
    state = play(state, Move("flip", "near", side="far", at="S"))
    assert state.turn == "far"
    # Nor may the one whose turn it is while the other decides.
    assert codes(state, moves, "near withdraw") == "withdraw-in-effect"
    assert codes(state, moves, "far withdraw") == "withdraw-in-effect"


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r12_withdrawing_scores_by_the_commander_card(table: Table, edition: str) -> None:
    state = play(table("", edition=edition), Move("withdraw", "near"))
    assert state.result == ("far", 2, "withdrew")
    assert legal_moves(state) == ()
    chart = {True: [2, 2, 2, 3, 3, 4, 6], False: [2, 2, 3, 3, 4, 6, 6]}
    for is_first, row in chart.items():
        assert [withdraw_points(left, is_first) for left in range(6, -1, -1)] == row


# R13


BLOCKADE = "near deploy L6 L\nfar deploy S5 S\nnear improvise A6 L\nfar improvise S6 L"


@pytest.mark.parametrize("edition", EDITION_NAMES)
def test_r13_blockade_destroys_the_fourth_card_of_either_seat(table: Table, edition: str) -> None:
    state = table(BLOCKADE, "L6 A6 A4", "S5 S6 L4", edition=edition)
    move = Move("improvise", "near", Card("A4"), "L")
    lost = destruction(state, move)
    assert lost is not None
    assert lost.by_card == "S5"
    after = play(state, move)
    assert len(after.stack("L", "near")) == 2
    assert destruction(after, Move("deploy", "far", Card("L4"), "L")) is not None
    assert destruction(after, Move("improvise", "far", Card("L4"), "A")) is None


def test_r13_where_both_would_destroy_a_card_blockade_is_named(table: Table) -> None:
    state = table(BLOCKADE + "\nnear deploy A5 A\nfar deploy L1 L", "L6 A6 A5 A4", "S5 S6 L1", deck="S2")
    assert state.deck[-1].card == "L1", "Blockade binds its owner too"
    lost = destruction(state, Move("improvise", "near", Card("A4"), "L"))
    assert lost is not None
    assert lost.by_card == "S5"
    elsewhere = destruction(state, Move("improvise", "near", Card("A4"), "S"))
    assert elsewhere is not None
    assert elsewhere.by_card == "A5"


# R11


@pytest.mark.parametrize("edition", EDITIONS)
def test_r11_the_switch_says_where_one_hand_can_run_out_alone(
    line_of_play: Callable[..., Iterator[tuple[State, Move, State]]], edition: str
) -> None:
    passed_over = 0
    for seed in range(150):
        for before, _, after in line_of_play(seed, edition):
            if after.turn is not None and after.pending is None:
                assert after.hand(after.turn).size, "nobody has a turn without a card"
                passed_over += after.turn == before.active and not after.hand(other(after.turn)).size
    assert bool(passed_over) is EDITIONS[edition].skips_empty_hand


# R15


def test_r15_a_destroyed_card_goes_face_down_to_the_bottom_of_the_deck(table: Table) -> None:
    state = table("near deploy A5 A\nfar improvise L6 S", "A5", "L6")
    assert state.deck[-1] == (Card("L6"), False, 0)
    assert len(state.deck) == 7


def test_every_switch_cites_its_ruling() -> None:
    switches: dict[str, Any] = {k: v for k, v in vars(EDITIONS["first"]).items() if isinstance(v, bool)}
    assert set(switches) == {
        "nested_instants",
        "cut_off_when_turned_down",
        "disrupt_owner_first",
        "redeploy_plays",
        "redeploy_optional",
        "reinforce_optional",
        "skips_empty_hand",
    }
    differing = {k for k, v in switches.items() if getattr(EDITIONS["revised"], k) is not v}
    assert differing == set(switches), "every switch tells the first edition from the revised one"
