"""What an action would change, in words: for those who are asked to agree to it."""

from __future__ import annotations

from engine.cards import AIR_DROP
from engine.events import Correct
from engine.names import SEATS
from engine.places import PLACES
from engine.referee import UndoPreview
from engine.state import State, board
from host.messages.message import PLAYERS, Message, MessagePart, mend_message, move_message
from host.session.session import Rules
from host.session.standing import Standing
from host.web.view import faces_of


def _said(code: str, **parts: MessagePart) -> Message:
    return Message("change", "change", code, parts)


def of_preview(found: UndoPreview, after: State, standing: Standing) -> tuple[Message, ...]:
    """What an undo or redo takes back or makes again. `after` is the state in which its moves lie on the table."""
    moves = [move_message(move, board(after), found.state.pending) for move in found.moves]
    if dict(found.score) != dict(standing.score):
        moves.append(Message("change", "view", "score-back", PLAYERS | {s: found.score[s] for s in SEATS}))
    return tuple(moves)


def of_letting_stand(standing: Standing) -> tuple[Message, ...]:
    """The mistake that would count as played, and what would have put it right."""
    found = standing.violation
    if found is None:
        return ()
    title = Message("change", "violation", found.code, {"who": found.who})
    return (title, _said("instead"), *(mend_message(mend, found) for mend in found.mend))


def of_correction(given: Correct, standing: Standing) -> tuple[Message, ...]:
    """Every place and number that a correction sets otherwise than it is shown."""
    state, told = standing.state, []
    if given.board is not None:
        lies = faces_of(state)
        for place in PLACES:
            if given.board[place] != lies[place]:
                old, new = " ".join(lies[place]), " ".join(given.board[place])
                told.append(_said("place", theater=place[0], seat=place[1], old=old, new=new))
    if given.order is not None and given.order != state.order:
        told.append(_said("order", a=given.order[0], b=given.order[1], c=given.order[2]))
    if given.turn is not None and given.turn != state.turn:
        told.append(_said("turn", seat=given.turn))
    if given.first is not None and given.first != state.first:
        told.append(_said("first", seat=given.first))
    if given.score is not None:
        told.append(Message("change", "change", "score", PLAYERS | {s: given.score[s] for s in SEATS}))
    for seat, cards in (given.hands or {}).items():
        told.append(_said("hand", seat=seat, n=cards))
    if given.effect is not None:
        told.append(_said("effect", card=given.effect))
    for seat, granted in (given.permits or {}).items():
        told.append(_said("permit" if granted else "no-permit", card=AIR_DROP, seat=seat))
    for seat, turns in (given.extra or {}).items():
        told.append(_said("extra", seat=seat, n=turns))
    for spot, card in (given.hidden or {}).items():
        told.append(_said("hidden", theater=spot.theater, seat=spot.seat, n=spot.index + 1, card=card))
    return tuple(told)


def of_new_war(rules: Rules, now: Rules, standing: Standing) -> tuple[Message, ...]:
    """The war that would end unfinished, and the rules of the next one, with its players where they are others."""
    target = rules.timeline().war.target
    score = PLAYERS | {s: standing.score[s] for s in SEATS}
    kind = "new-beginner" if rules.beginner else "new"
    told = (Message("change", "change", "ends", score), _said(kind, edition=rules.edition, n=target))
    if rules.names == now.names:
        return told
    return (*told, _said("players", **{seat: name or "–" for seat, name in zip(SEATS, rules.names, strict=True)}))
