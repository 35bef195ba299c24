"""A battle as plain text: the table as the near seat sees it, strengths explained, whose decision it is.

For the terminal and for the golden texts of the tests. English; who speaks another language gives its words to `draw`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.battle import Destruction
from engine.lexicon import card_name
from engine.moves import Move
from engine.names import Card, Seat, Theater
from engine.state import CardInPlay, State, cards_of
from engine.strength import Held, Part, Strength, holders, strengths

ShownCard: TypeAlias = Callable[[CardInPlay], str]
"""A card as it stands in the drawing."""
ShownTheater: TypeAlias = Callable[[Held, int, int], str]
"""A theater as it stands in the drawing, with far's strength and near's."""

_WIDTH: Final = 25
_THEATER: Final[dict[Theater, str]] = {"A": "Air", "L": "Land", "S": "Sea"}
_EFFECT: Final = {
    "maneuver": "Maneuver",
    "ambush": "Ambush",
    "disrupt": "Disrupt",
    "transport": "Transport",
    "reinforce": "Reinforce",
    "redeploy": "Redeploy",
    "play": "Redeploy's play",
}


def named(card: Card | None) -> str:
    """A card with its name, such as `L6 Heavy Tanks`."""
    return "a card" if card is None else f"{card} {card_name(card).text}"


def _slot(slot: CardInPlay) -> str:
    if slot.up:
        return named(slot.card)
    return f"({slot.card or '?'})"


def _board(held: Held, far: int, near: int) -> str:
    return f"-- {_THEATER[held.theater]} {far}:{near} {_holder(held)} --"


def draw(state: State, card: ShownCard = _slot, board: ShownTheater = _board) -> list[str]:
    """The table: the far stacks above their boards, the near ones below. A card in brackets lies face down."""
    piles = state.stacks
    held = {h.theater: h for h in holders(state)}
    sums = strengths(state)
    rows: list[list[str]] = []
    far = [[card(slot) for slot in piles[t, "far"]] for t in state.order]
    near = [[card(slot) for slot in piles[t, "near"]] for t in state.order]
    high, low = (max(map(len, side)) for side in (far, near))
    rows += [[pile[i] if i < len(pile) else "" for pile in far] for i in range(high - 1, -1, -1)]
    rows.append([board(held[t], sums[t, "far"].total, sums[t, "near"].total) for t in state.order])
    rows += [[pile[i] if i < len(pile) else "" for pile in near] for i in range(low)]
    longest = max(len(cell) for row in rows for cell in row)
    width = _WIDTH if longest <= _WIDTH else longest + 2
    return ["  " + "".join(cell.center(width) for cell in row).rstrip() for row in rows]


def _holder(held: Held) -> str:
    return f"{held.seat} +{held.lead}" if held.lead else f"{held.seat} tie"


def hold_line(state: State, held: Held) -> str:
    """Who holds a theater and why, each side's strength as a sum."""
    sums = strengths(state)
    if held.why == "empty-first-player":
        why = "no card and no Support there, so it is the 1st player's"
        if sums[held.theater, "near"].total:
            why = f"both have {_sum(sums[held.theater, 'near'])}, and a tie is the 1st player's"
        return f"{held.seat} holds {_THEATER[held.theater]}: {why}"
    far, near = _sum(sums[held.theater, "far"]), _sum(sums[held.theater, "near"])
    tie = ", and a tie is the 1st player's" if held.why == "tie-first-player" else ""
    return f"{held.seat} holds {_THEATER[held.theater]}: far {far}; near {near}{tie}"


def _sum(strength: Strength) -> str:
    if not strength.parts:
        return "0"
    parts = " + ".join(map(_part, strength.parts))
    return f"{strength.total} = {parts}" if len(strength.parts) > 1 else parts


def _part(part: Part) -> str:
    if part.name == "printed":
        return f"{part.value} ({named(part.card)})"
    if part.name == "face-down":
        return f"{part.value} (face down)"
    if part.name == "escalation":
        return f"{part.value} (face down, Escalation)"
    if part.name == "cover-fire":
        return f"{part.value} ({part.card or 'face down'} under Cover Fire)"
    return f"{part.value} (Support in {_THEATER[part.source]})" if part.source else f"{part.value} (Support)"


def turn_line(state: State) -> str:
    """Who must decide about what, or how the battle ended."""
    if state.result is not None:
        how = "all cards played" if state.result.why == "played-out" else "withdrawal"
        return f"{state.result.winner} wins the battle for {state.result.points} points: {how}."
    hands = f"hands near {state.hands[0].size}, far {state.hands[1].size}"
    if state.pending is None:
        return f"{state.turn} to play; {hands}."
    return f"{state.turn} decides about {_EFFECT[state.pending]}; {hands}."


def move_line(state: State, move: Move, lost: Destruction | None = None) -> str:
    """What a move is, in words; `state` is the one it is played in."""
    text = f"{move.by} {_deed(state, move)}"
    if lost is not None:
        text += f"; {named(lost.by_card)} destroys it"
    return text + "."


def _pile_card(state: State, theater: Theater | None, seat: Seat, nth: int) -> CardInPlay | None:
    pile = state.stack(theater, seat) if theater is not None else ()
    return pile[nth] if -len(pile) <= nth < len(pile) else None


def _at(theater: Theater | None) -> str:
    return _THEATER[theater] if theater is not None else "?"


def _deed(state: State, move: Move) -> str:
    if move.do == "deploy":
        return f"deploys {named(move.card)} to {_at(move.to)}"
    if move.do == "improvise":
        return f"improvises {named(move.card)} in {_at(move.to)}"
    if move.do == "withdraw":
        return "withdraws"
    if move.do == "decline":
        return f"declines {_EFFECT[state.pending]}" if state.pending else "declines"
    if move.do == "reinforce":
        return f"reinforces {_at(move.to)} with {named(move.card or state.deck[0].card)}, face down"
    seat: Seat = move.side or move.by
    theater = move.at if move.do != "move" else move.origin
    slot = _pile_card(state, theater, seat, -1 if move.nth is None else move.nth)
    card = named(slot.card if slot is not None else None)
    if move.do == "flip":
        whose = "its own" if seat == move.by else f"{seat}'s"
        if slot is not None and slot.up:
            return f"turns {whose} {card} in {_at(theater)} face down"
        shown = named(move.reveals or (slot.card if slot is not None else None))
        return f"turns {whose} card in {_at(theater)} up: {shown}"
    if move.do == "move":
        return f"moves {card} from {_at(theater)} to {_at(move.to)}"
    return f"takes {card} back from {_at(theater)}"


def view(state: State) -> list[str]:
    """Table, reasons and turn: what the terminal shows after a move."""
    lines = [*draw(state), ""]
    lines += [f"  {hold_line(state, held)}" for held in holders(state)]
    return [*lines, f"  {turn_line(state)}"]


def hidden(state: State) -> list[str]:
    """What the holder of the record knows besides the table: hands, deck, permissions."""
    lines = []
    for seat in ("near", "far"):
        hand = state.hand("near" if seat == "near" else "far")
        known = " ".join(cards_of(hand.known))
        unknown = f"{hand.unknown} unknown" if hand.unknown else ""
        lines.append(f"  {seat} hand: {', '.join(filter(None, (known, unknown))) or 'empty'}")
    lines.append(f"  deck: {' '.join(slot.card or '?' for slot in state.deck) or 'empty'}")
    for i, seat in enumerate(("near", "far")):
        if state.permits[i]:
            lines.append(f"  {seat} may use Air Drop")
        if state.extra[i]:
            lines.append(f"  {seat} is owed {state.extra[i]} extra turn{'s' if state.extra[i] > 1 else ''}")
    if state.queue:
        lines.append(f"  waiting: {', '.join(f'{e.name} of {e.owner} ({e.card})' for e in state.queue)}")
    return lines
