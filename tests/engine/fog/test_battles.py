"""Battles: strength as a sum, the four outcomes, and where every card goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.fog.actions import BankCards, FightOn, Launch, NewOperation, Reveal
from engine.fog.board import Threshold
from engine.fog.effects import Played
from engine.fog.outcome import cards_to_look_at, choices, may_bank, needed_for_pile, outcome, quagmire_losses
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction, FromYourBox
from engine.fog.state import Battle, Camp, Game, cards_of
from engine.fog.strength import FogCard, strengths


def armed(game: Game, changed: Callable[..., Game], cards: int = 3, sector: int = 2, **fields: object) -> Game:
    """The Axis has an operation of so many cards on Alpha, so many turns of the wheel old."""
    camp = replace(game.state.axis, wheel=sector, operations=(cards, None, None, None, None, None))
    return changed(game, axis=camp, **fields)


def launched(game: Game, target: str = "lutta", origin: str = "iron-vale") -> Game:
    return play(game, Launch(0, target, origin)).game


def cards(*values: int) -> tuple[FogCard, ...]:
    return tuple(FogCard(value) for value in values)


def told(played: Played, code: str) -> dict[str, object]:
    return next(dict(effect.parts) for effect in played.effects if effect.code == code)


# Strength


def test_every_part_of_both_sums_is_named_with_its_paragraph(begun: Game, changed: Callable[..., Game]) -> None:
    # given winter, an attack on land from the sea, a neutral card, a fort and an old operation under A+1
    game = armed(begun, changed, sector=4, winter=True)
    battle = Battle("axis", "old-vineyard", "south-sound", 0)
    sums = strengths(game, battle, cards(3, 2), (FogCard(2, "fort"),), (1,), "axis")
    assert [(p.name, p.value, p.paragraph) for p in sums.attack.parts] == [
        ("card", 3, "str.1"),
        ("card", 2, "str.1"),
        ("wheel", 1, "str.5"),
        ("token", 1, "str.6"),
    ]
    assert [(p.name, p.value, p.paragraph) for p in sums.defence.parts] == [
        ("fort", 2, "str.1"),
        ("neutral", 1, "str.2"),
        ("landing", 4, "str.3"),
        ("winter-sun", 0, "str.4"),
    ]
    assert (sums.attack.total, sums.defence.total) == (7, 7)


@pytest.mark.parametrize(("target", "bonus"), [("old-vineyard", 0), ("fjords", 2), ("lutta", 1)])
def test_winter_helps_the_defender_by_the_province_symbol(
    begun: Game, changed: Callable[..., Game], target: str, bonus: int
) -> None:
    game = armed(begun, changed, winter=True)
    assert strengths(game, Battle("axis", target, "karst", 0), (), (), (), None).defence.total == bonus


def test_no_landing_bonus_in_a_quagmire(begun: Game) -> None:
    assert strengths(begun, Battle("axis", "old-vineyard", None, None), (), (), (), None).defence.total == 0


def test_forts_count_for_the_defender_only(begun: Game, changed: Callable[..., Game]) -> None:
    game, fort = armed(begun, changed), (FogCard(3, "fort"),)
    sums = strengths(game, Battle("axis", "lutta", "iron-vale", 0), fort, fort, (), None)
    assert (sums.attack.total, sums.defence.total) == (0, 3)


# Outcome


@pytest.mark.parametrize(
    ("attack", "defence", "is_"),
    [(6, 3, "win"), (5, 3, "quagmire"), (3, 3, "quagmire"), (2, 3, "defeat"), (2, 4, "rout"), (0, 0, "win")],
)
def test_the_four_outcomes_on_the_small_map(begun: Game, attack: int, defence: int, is_: str) -> None:
    assert outcome(begun.board, attack, defence, suitable=1).outcome == is_


def test_an_attack_without_a_suitable_card_is_a_rout(begun: Game) -> None:
    assert outcome(begun.board, 2, 0, suitable=0).outcome == "rout"


def test_the_two_numbers_that_are_cut_off_are_asked_for(begun: Game) -> None:
    silent = replace(begun.board, box=replace(begun.board.box, win=None, rout=None))
    with pytest.raises(FromYourBox, match="what the attack must reach"):
        outcome(silent, 3, 2, 1)
    with pytest.raises(FromYourBox) as asked:
        outcome(silent, 2, 3, 1)
    assert asked.value.ask == "box.rout"


@given(st.integers(0, 30), st.integers(0, 30), st.fractions(1, 4), st.fractions(1, 4), st.integers(0, 5))
def test_one_outcome_always_holds_and_more_attack_is_never_worse(
    attack: int, defence: int, win: object, rout: object, plus: int
) -> None:
    from engine.fog.board_file import built_in

    board = built_in("demo")
    box = replace(board.box, win=Threshold(win, plus), rout=Threshold(rout, plus))  # type: ignore[arg-type]
    order = ("rout", "defeat", "quagmire", "win")
    board = replace(board, box=box)
    now, more = (outcome(board, n, defence, 1).outcome for n in (attack, attack + 1))
    assert order.index(now) <= order.index(more)


# The win pile


@given(st.lists(st.integers(1, 6), max_size=9).map(tuple), st.integers(0, 30))
def test_offered_choices_are_exactly_those_from_which_no_card_can_be_left_out(
    values: tuple[int, ...], strength: int
) -> None:
    needed = needed_for_pile(values, strength)
    found = choices(values, needed)
    assert found, "there is always a choice"
    for chosen in found:
        assert may_bank(values, chosen, needed)
        assert not any(may_bank(values, tuple(i for i in chosen if i != left), needed) for left in chosen)
    best = min(
        sum(values[i] for i in range(len(values)) if mask >> i & 1)
        for mask in range(2 ** len(values))
        if sum(values[i] for i in range(len(values)) if mask >> i & 1) >= needed
    )
    assert sum(values[i] for i in found[0]) == best


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 5))
def test_a_quagmire_costs_half_of_each_side_own_cards_before_neutral_ones(mine: int, theirs: int, neutral: int) -> None:
    lost = quagmire_losses(mine, theirs, neutral)
    assert lost.attacker == (max(1, mine // 2) if mine else 0)
    together = theirs + neutral
    assert lost.defender + lost.neutral == (max(1, together // 2) if together else 0)
    assert lost.neutral == 0 or lost.defender == theirs


def test_half_of_a_pile_is_looked_at_and_at_least_one() -> None:
    assert [cards_to_look_at(n) for n in (1, 2, 3, 4, 5)] == [1, 1, 1, 2, 2]


# Where the cards go


def test_a_win_takes_the_province_and_the_winner_chooses_what_goes_to_the_pile(
    begun: Game, changed: Callable[..., Game]
) -> None:
    # given two Allied cards in Lutta, three of the Axis in an operation
    game = launched(armed(begun, changed, 3), "lutta")
    game = changed(game, replace(game.state.ground("lutta"), allies=2))
    # when 8 stand against 2 + 0 (one zero goes)
    game = play(game, Reveal(cards(4, 3, 1), cards(2, 0))).game
    assert game.state.battle is not None and game.state.battle.needed == 2
    assert game.state.allies.discard == 1
    with pytest.raises(ForbiddenAction, match="must be worth 2"):
        play(game, BankCards((2,)))
    played = play(game, BankCards((1,)))
    state = played.game.state
    # then the rest stays, the losses are counted, and what falls with Lutta falls
    assert state.ground("lutta").control == "axis" and state.ground("lutta").axis == 2
    assert (state.axis.wins, state.allies.losses, state.battle) == (1, 1, None)
    assert told(played, "falls-with")["passed"] == ["old-vineyard", "salt-coast"]
    assert state.ground("salt-coast").control == "axis"


def test_lutta_falls_for_the_first_time_only_once(begun: Game, changed: Callable[..., Game]) -> None:
    game = launched(armed(begun, changed, 1, happened=("paris",)), "lutta")
    state = play(game, Reveal(cards(2))).game.state
    assert state.ground("lutta").control == "axis"
    assert state.ground("old-vineyard").control == "allies"


def test_a_defeat_costs_the_attacker_and_leaves_the_defender(begun: Game, changed: Callable[..., Game]) -> None:
    game = launched(armed(begun, changed, 1))
    game = changed(game, replace(game.state.ground("lutta"), allies=1))
    state = play(game, Reveal(cards(2), cards(3))).game.state
    assert (state.axis.losses, state.ground("lutta").allies, state.ground("lutta").control) == (1, 1, "allies")
    assert state.axis.operations[0] is None


def test_a_rout_lets_the_defender_choose_for_the_win_pile(begun: Game, changed: Callable[..., Game]) -> None:
    game = launched(armed(begun, changed, 1))
    game = changed(game, replace(game.state.ground("lutta"), allies=2))
    game = play(game, Reveal(cards(1), cards(2, 1))).game
    state = play(game, BankCards((1,))).game.state
    assert (state.allies.wins, state.ground("lutta").allies, state.axis.losses) == (1, 1, 1)


def test_a_quagmire_is_fought_on_and_ends_with_a_win(begun: Game, changed: Callable[..., Game]) -> None:
    game = launched(armed(begun, changed, 2))
    game = changed(game, replace(game.state.ground("lutta"), allies=1))
    state = play(game, Reveal(cards(2, 1), cards(2))).game.state
    assert state.ground("lutta").quagmire == "axis"
    assert (state.axis.losses, state.allies.losses, state.ground("lutta").axis) == (1, 1, 1)
    game = play(game._replace(state=state), FightOn("lutta")).game
    state = play(game, Reveal(cards(2))).game.state
    assert state.ground("lutta").control == "axis" and state.ground("lutta").quagmire is None


def test_the_token_adds_one_and_then_passes_as_the_box_says(begun: Game, changed: Callable[..., Game]) -> None:
    game = launched(armed(begun, changed, 1))
    played = play(game, Reveal(cards(2), token=True))
    assert told(played, "strength")["n"] == 3
    assert played.game.state.token == "allies"


def test_counts_that_differ_from_the_table_are_told(begun: Game, changed: Callable[..., Game]) -> None:
    with pytest.raises(ForbiddenAction, match="The attack has 2 cards, not 1"):
        play(launched(armed(begun, changed, 2)), Reveal(cards(2)))


# Launching


@pytest.mark.parametrize(
    ("target", "origin", "sector", "code"),
    [
        ("lutta", "iron-vale", 0, "not-ready"),
        ("midland", "karst", 2, "own-province"),
        ("lutta", "grey-sea", 2, "origin-not-yours"),
        ("lutta", "karst", 2, "origin-not-next"),
        ("far-ridge", "karst", 2, "no-supply"),
    ],
)
def test_a_launch_that_the_memo_forbids_says_which_step_forbids_it(
    begun: Game, changed: Callable[..., Game], target: str, origin: str, sector: int, code: str
) -> None:
    with pytest.raises(ForbiddenAction) as refused:
        play(armed(begun, changed, sector=sector), Launch(0, target, origin))
    assert refused.value.code == code
    assert refused.value.remedy


def test_iron_vale_cannot_be_attacked_from_the_grey_sea_but_the_other_way_round(
    begun: Game, changed: Callable[..., Game]
) -> None:
    camp = Camp(hand=1, deck=3, wheel=2, operations=(2, None, None, None, None, None))
    allies = changed(begun, allies=camp, turn="allies")
    with pytest.raises(ForbiddenAction) as refused:
        play(allies, Launch(0, "iron-vale", "grey-sea"))
    assert refused.value.code == "attack-forbidden"
    assert play(allies, Launch(0, "iron-vale", "lutta")).game.state.battle is not None
    assert play(armed(begun, changed), Launch(0, "grey-sea", "iron-vale")).game.state.battle is not None


def test_own_defenders_of_a_neutral_target_are_discarded(begun: Game, changed: Callable[..., Game]) -> None:
    game = armed(begun, changed)
    game = changed(game, replace(game.state.ground("fjords"), axis=2))
    state = play(game, Launch(0, "fjords", "karst")).game.state
    assert (state.ground("fjords").axis, state.axis.discard) == (0, 2)


def test_a_new_operation_clears_what_lies_on_new_op(begun: Game, changed: Callable[..., Game]) -> None:
    game = armed(begun, changed, cards=2, sector=0)
    played = play(game, NewOperation(1))
    assert told(played, "cleared")["n"] == 2
    assert played.game.state.axis.operations[0] == 1
    assert played.game.state.axis.discard == 2
    assert cards_of(played.game.state, "axis") == cards_of(game.state, "axis")
