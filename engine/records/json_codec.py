"""Battles, moves, steps and states as JSON (docs/contracts.md, section 3.1). Reading rejects; it never guesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, cast

from engine.battle import Destruction, destruction, play
from engine.cards import INSTANTS
from engine.editions import edition_named
from engine.failure import BadInput
from engine.legality import decider, explain, legal_moves
from engine.moves import MOVE_KINDS, Move
from engine.names import (
    SEATS,
    THEATERS,
    Card,
    EditionName,
    Seat,
    Theater,
    parse_card,
    parse_edition,
    parse_order,
    parse_seat,
)
from engine.places import PLACES
from engine.refusal import IllegalMove, Refusal, refusal
from engine.state import (
    ALL_CARDS,
    BIT,
    CardInPlay,
    Effect,
    Hand,
    Order,
    Pile,
    Result,
    State,
    board,
    cards_of,
    mask_of,
    start,
)
from engine.strength import control, totals

Json = dict[str, Any]

_FIELDS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    # deed: (JSON name, Move field, kind); "?" marks a field that may be absent or null.
    "deploy": (("card", "card", "card"), ("to", "to", "theater")),
    "improvise": (("card", "card", "card?"), ("to", "to", "theater")),
    "withdraw": (),
    "flip": (("side", "side", "seat"), ("at", "at", "theater"), ("reveals", "reveals", "card?")),
    "move": (("from", "origin", "theater"), ("index", "nth", "index"), ("to", "to", "theater")),
    "return": (("at", "at", "theater"), ("index", "nth", "index")),
    "reinforce": (("to", "to", "theater"), ("card", "card", "card?")),
    "decline": (),
}


def _shown(value: object) -> str:
    """A value from outside, short enough for a message."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _field(value: object, kind: str) -> Refusal | None:
    """Why a field's value is not of its kind; None if it is."""
    if kind == "theater":
        return None if isinstance(value, str) and value in THEATERS else refusal("unknown-theater", value=_shown(value))
    if kind == "seat":
        return None if isinstance(value, str) and value in SEATS else refusal("unknown-seat", value=_shown(value))
    if kind == "index":
        return None if type(value) is int else refusal("bad-index", value=_shown(value))
    return None if isinstance(value, str) and value in BIT else refusal("unknown-card", value=_shown(value))


def move_from_json(data: object) -> Move:
    """A move as JSON has it; raises `IllegalMove` if it is not one. Fields that the deed does not use are skipped."""
    if not isinstance(data, Mapping):
        raise IllegalMove(refusal("not-a-move"))
    do = data.get("do")
    if not isinstance(do, str) or do not in MOVE_KINDS:
        raise IllegalMove(
            refusal("missing-field", do="a move", field="do")
            if do is None
            else refusal("unknown-deed", value=_shown(do))
        )
    by = data.get("by")
    why = refusal("missing-field", do=do, field="by") if by is None else _field(by, "seat")
    fields: dict[str, Any] = {}
    for name, attribute, kind in _FIELDS[do]:
        value = data.get(name)
        if value is None:
            if not kind.endswith("?"):
                why = why or refusal("missing-field", do=do, field=name)
            continue
        why = why or _field(value, kind.rstrip("?"))
        fields[attribute] = value
    if why is not None:
        raise IllegalMove(why)
    return Move(do, cast(Seat, by), **fields)


def move_to_json(move: Move) -> Json:
    """A move as JSON. An improvise always says `card`, null where it is unknown."""
    data: Json = {"by": move.by, "do": move.do}
    for name, attribute, kind in _FIELDS[move.do]:
        value = getattr(move, attribute)
        if value is not None or not kind.endswith("?") or move.do == "improvise":
            data[name] = value
    return data


class UncheckedBattle(NamedTuple):
    """One battle as it is written down: the deal, if the record has it, and moves that nobody has checked yet."""

    edition: EditionName
    order: Order
    first: Seat
    hands: dict[Seat, tuple[Card, ...]] | None
    deck: tuple[Card, ...] | None
    moves: tuple[object, ...]
    """As JSON has them; `move_from_json` reads one."""

    def start(self) -> State:
        """The table before the first move; raises `BadInput`."""
        return start(self.edition, self.order, self.first, self.hands, self.deck)


def _cards(value: object, field: str) -> tuple[Card, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput("bad-field", f"{field} is not a list of cards.", 'Write it as ["A1", "L6", …].')
    found: list[Card] = []
    for i, card in enumerate(value):
        with _in_field(f"{field}[{i}]"):
            found.append(parse_card(card))
    return tuple(found)


@contextmanager
def _in_field(name: str) -> Iterator[None]:
    """Names the field in what is wrong with its value."""
    try:
        yield
    except BadInput as bad:
        raise BadInput(bad.code, f"{name}: {bad.message}", bad.remedy) from bad


def battle_from_json(data: object) -> UncheckedBattle:
    """One battle as contracts 3.1 writes it; raises `BadInput` that names the field and the mend."""
    if not isinstance(data, Mapping):
        raise BadInput("not-a-battle", "A battle is a JSON object.", "See docs/engine.md for its fields.")
    for field in ("edition", "order", "first", "moves"):
        if field not in data:
            raise BadInput("missing-field", f"The battle has no field {field}.", "Add it.")
    hands, deck = data.get("hands"), data.get("deck")
    if (hands is None) != (deck is None):
        raise BadInput(
            "half-a-deal", "A deal needs hands and deck.", "Give both, or leave out both (an onlooker's record)."
        )
    dealt: dict[Seat, tuple[Card, ...]] | None = None
    if hands is not None:
        if not isinstance(hands, Mapping) or any(seat not in hands for seat in SEATS):
            raise BadInput("bad-field", "hands does not have near and far.", 'Write {"near": […], "far": […]}.')
        dealt = {seat: _cards(hands[seat], f"hands.{seat}") for seat in SEATS}
    moves = data["moves"]
    if not isinstance(moves, Sequence) or isinstance(moves, str):
        raise BadInput("bad-field", "moves is not a list.", "Write a list of moves; [] for none.")
    with _in_field("edition"):
        edition = parse_edition(data["edition"])
    with _in_field("order"):
        order = parse_order(data["order"])
    with _in_field("first"):
        first = parse_seat(data["first"])
    battle = UncheckedBattle(
        edition,
        order,
        first,
        dealt,
        None if deck is None else _cards(deck, "deck"),
        tuple(moves),
    )
    battle.start()
    return battle


class ReplayStep(NamedTuple):
    """The table after one legal move (or before the first), with what the move lost."""

    state: State
    move: Move | None
    destruction: Destruction | None


class Stopped(NamedTuple):
    """The illegal move that ended a battle's record."""

    at: int
    why: Refusal
    edition: EditionName
    """Whose rulebook the refusal cites."""


def replay(battle: UncheckedBattle) -> Iterator[ReplayStep | Stopped]:
    """The battle's steps; an illegal move gives `Stopped` and ends them."""
    state = battle.start()
    yield ReplayStep(state, None, None)
    for at, raw in enumerate(battle.moves):
        try:
            move = raw if isinstance(raw, Move) else move_from_json(raw)
        except IllegalMove as illegal:
            # Whose turn it is says more than what is wrong with the form.
            over = refusal("battle-over") if state.turn is None else illegal.refusal
            yield Stopped(at, over, state.edition.name)
            return
        why = explain(state, move)
        if why is not None:
            yield Stopped(at, why, state.edition.name)
            return
        lost = destruction(state, move)
        state = play(state, move)
        yield ReplayStep(state, move, lost)


def step_to_json(step: ReplayStep, legal: bool = False) -> Json:
    """One step as `judge` prints it."""
    state = step.state
    faces = board(state)
    sums = totals(state.order, state.piles)
    data: Json = {
        "board": {t: {s: list(faces[t, s]) for s in SEATS} for t in THEATERS},
        "strength": {t: {"near": sums[2 * i], "far": sums[2 * i + 1]} for i, t in enumerate(THEATERS)},
        "control": control(state),
        "turn": state.turn,
        "pending": state.pending,
        "hand": state.hand_sizes,
    }
    if step.destruction is not None:
        data["destroyed"] = step.destruction.card
        data["by_card"] = step.destruction.by_card
    if legal:
        data["legal"] = [move_to_json(m) for m in legal_moves(state)]
    return data


def result_to_json(result: Result | None) -> Json | None:
    return None if result is None else {"winner": result.winner, "points": result.points, "why": result.why}


def result_from_json(data: Any) -> Result | None:
    """The result that `result_to_json` wrote; raises what reading JSON of another shape raises."""
    if data is None:
        return None
    why = _choice(data["why"], ("played-out", "withdrew"))
    return Result(parse_seat(data["winner"]), _count(data["points"]), why)


def stopped_to_json(stopped: Stopped) -> Json:
    why = stopped.why
    return {
        "at": stopped.at,
        "code": why.code,
        "rule": why.rule_in(stopped.edition),
        "message": f"{why.message} {why.mend}",
    }


# ------------------------------------------------------------------------------------------------------------ states


def _slot_to_json(slot: CardInPlay) -> Json:
    data: Json = {"card": slot.card, "up": slot.up}
    if slot.maybe:
        data["maybe"] = list(cards_of(slot.maybe))
    return data


def _hand_to_json(hand: Hand) -> Json:
    data: Json = {"count": hand.size, "known": list(cards_of(hand.known)), "open": hand.open}
    if hand.maybe:
        data["maybe"] = list(cards_of(hand.maybe))
    return data


def state_to_json(state: State) -> Json:
    """Everything about a state, what is hidden included. `state_from_json` gives the same state back."""
    return {
        "edition": state.edition.name,
        "order": "".join(state.order),
        "first": state.first,
        "active": state.active,
        "turn": state.turn,
        "pending": state.pending,
        "result": result_to_json(state.result),
        "stacks": {t: {s: [_slot_to_json(slot) for slot in state.stack(t, s)] for s in SEATS} for t in THEATERS},
        "hands": {s: _hand_to_json(state.hand(s)) for s in SEATS},
        "deck": [_slot_to_json(slot) for slot in state.deck],
        "unseen": list(cards_of(state.unseen)),
        "loose": list(cards_of(state.loose)),
        "effects": [effect._asdict() for effect in state.queue],
        "permits": dict(zip(SEATS, state.permits, strict=True)),
        "extra": dict(zip(SEATS, state.extra, strict=True)),
    }


def _slot(data: Any) -> CardInPlay:
    card = None if data["card"] is None else parse_card(data["card"])
    if not isinstance(data["up"], bool) or (card is None and data["up"]):
        raise ValueError("a card is up or not, and one that is up is known")
    return CardInPlay(card, data["up"], _mask(data.get("maybe", ())))


def _mask(data: Any) -> int:
    return mask_of(_cards(data, "a list of cards"))


def _count(data: Any) -> int:
    if type(data) is not int or not 0 <= data <= len(BIT):
        raise ValueError(f"{_shown(data)} is not a count of cards")
    return data


def _hand(data: Any) -> Hand:
    return Hand(_count(data["count"]), _mask(data["known"]), _mask(data.get("maybe", ())), bool(data["open"]))


def _pile(data: Any) -> Pile:
    return tuple(_slot(slot) for slot in data)


def _choice(value: Any, among: Sequence[str | None]) -> Any:
    if value not in among:
        raise ValueError(f"{_shown(value)} is none of {', '.join(map(str, among))}")
    return value


_EFFECTS: Final = ("maneuver", "ambush", "disrupt", "transport", "reinforce", "redeploy")


def _effect(data: Any) -> Effect:
    return Effect(
        _choice(data["name"], _EFFECTS),
        parse_card(data["card"]),
        parse_seat(data["owner"]),
        _count(data["step"]),
        cast(Theater, _choice(data["place"], THEATERS)),
    )


def state_from_json(data: object) -> State:
    """The state that `state_to_json` wrote; raises `BadInput` (`bad-state`) for anything else."""
    try:
        return _state(data)
    except (KeyError, TypeError, ValueError, AttributeError, BadInput) as error:
        why = f"it has no field {error}" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise BadInput(
            "bad-state", f"This is not a state of a battle: {why}.", "Use what state_to_json wrote."
        ) from error


def _state(data: Any) -> State:
    state = State(
        edition=edition_named(data["edition"]),
        order=parse_order(data["order"]),
        first=parse_seat(data["first"]),
        active=parse_seat(data["active"]),
        turn=cast(Seat | None, _choice(data["turn"], (*SEATS, None))),
        pending=_choice(data["pending"], (*_EFFECTS, "play", None)),
        result=result_from_json(data["result"]),
        piles=tuple(_pile(data["stacks"][t][s]) for t, s in PLACES),
        hands=(_hand(data["hands"]["near"]), _hand(data["hands"]["far"])),
        deck=_pile(data["deck"]),
        unseen=_mask(data["unseen"]),
        loose=_mask(data["loose"]),
        queue=tuple(_effect(effect) for effect in data["effects"]),
        permits=(bool(data["permits"]["near"]), bool(data["permits"]["far"])),
        extra=(_count(data["extra"]["near"]), _count(data["extra"]["far"])),
    )
    _check_cards(state)
    _check_decision(state)
    return state


def _check_cards(state: State) -> None:
    """Eighteen cards in eighteen slots, each once, and as many unknown slots as unknown cards."""
    slots = [slot for pile in (*state.piles, state.deck) for slot in pile]
    named = [slot.card for slot in slots if slot.card is not None]
    for mask in (state.hands[0].known, state.hands[1].known, state.unseen, state.loose):
        named += cards_of(mask)
    room = len(slots) + state.hands[0].size + state.hands[1].size
    if len(named) != len(BIT) or mask_of(named) != ALL_CARDS or room != len(BIT):
        raise ValueError("it does not hold each of the eighteen cards once")
    marks = [hand.maybe for hand in state.hands] + [slot.maybe for slot in slots]
    if any(hand.unknown < 0 for hand in state.hands) or any(mark & ~state.loose for mark in marks):
        raise ValueError("a hand holds fewer cards than are known in it, or a card is loose and known")
    if any(slot.maybe for slot in slots if slot.card is not None):
        raise ValueError("a known card may not be another one")


def _check_decision(state: State) -> None:
    """Turn, effects and result agree, so that there is something to decide until the end."""
    if (state.turn is None) != (state.result is not None) or (state.turn is None and state.queue):
        raise ValueError("turn and result do not agree")
    for effect in state.queue:
        steps = (0, 1) if effect.name in ("disrupt", "redeploy") else (0,)
        if INSTANTS.get(effect.card) != effect.name or effect.step not in steps:
            raise ValueError(f"{effect.card} has no effect {effect.name} of step {effect.step}")
    if state.turn is None or not state.queue:
        if state.pending is not None or state.turn not in (None, state.active):
            raise ValueError("turn and pending do not agree")
        return
    effect = state.queue[0]
    expected = "play" if effect.name == "redeploy" and effect.step else effect.name
    if state.pending != expected or state.turn != decider(effect, state.edition.disrupt_owner_first):
        raise ValueError("turn and pending are not those of the effect that comes first")
    if not legal_moves(state):
        raise ValueError("the effect that waits has no target")
