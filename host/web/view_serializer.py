"""From a view in no language to what the page draws: every text in one language, for one role."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

from engine.cards import INSTANTS
from engine.names import CARDS, FACE_DOWN, SEATS, THEATERS, Seat, other
from engine.places import PLACES, place_text
from host.messages import Person, known, say
from host.messages.message import PLAYERS, MessagePart
from host.messages.reader import MessageReader, reader_of
from host.web.access import Role
from host.web.actions import allowed
from host.web.consent import deciders
from host.web.consent_text import asked_text, asks_text
from host.web.marks import MarkedCard
from host.web.page_state import Condition, HistoryEntry, ObstacleShown, TableView
from host.web.page_view import (
    Blind,
    CardText,
    Choice,
    DemoText,
    EmptyOffer,
    FirstChoice,
    HistoryLine,
    MoveLine,
    Now,
    ObstacleText,
    PageView,
    PartText,
    QuestionText,
    SeatText,
    SideText,
    StepBack,
    TheaterText,
    Thing,
    Withdrawal,
)
from host.web.view import GameView, Preview, SideView, TheaterView, ViolationView, edition_colours

SPEEDS: Final = (0.5, 1, 2, 4, 8)
HISTORY_SHOWN: Final = 120
NEWEST: Final = 9_999
"""Beyond a battle's last moment, which the archive then shows."""
URGENT: Final = frozenset({"hand-over", "hand-over-boards", "not-a-card", "board-unseen", "no-boards"})
"""Obstacles that anybody takes away at once, and until then nothing is recorded there."""


def localised(view: TableView, language: str, role: Role, program: str) -> PageView:
    """The view as the page draws it. `program` changes when the page itself is another one and must be loaded anew."""
    game = view.game
    reader = reader_of(language, view.names, None if role == "viewer" or role == "owner" else role)
    mine = _seats_of(role)
    can = sorted(_can(view, role))

    colours = edition_colours(game)
    return {
        "program": program,
        "entry": view.entry,
        "lang": language,
        "role": role,
        "battle_text": " · ".join([*_place(view, reader), reader.view("battle", battle=game.battle)]),
        "turn": None if game.war_winner else game.turn,
        "war": view.war,
        "beginner": game.beginner,
        "war_over": game.war_winner is not None,
        "first": game.first,
        "target": game.target,
        "edition": game.edition,
        "now": _now(game, reader),
        "arrows": [{"origin": arrow.origin, "to": arrow.to} for arrow in game.arrows],
        "hints": [reader.text(one) for one in game.hints],
        "firsts": _firsts(game, reader) if "first" in can else [],
        "lasting": [reader.text(one) for one in game.lasting],
        "blind": _blind(view, reader),
        "last": _last(view.history, reader),
        "question": _question(game, reader),
        "assumptions": [reader.text(a) for a in game.assumptions if not (a.code == "first" and _first_assumed(game))],
        "seats": {seat: _seat(view, seat, colours[seat], reader) for seat in SEATS},
        "theaters": [_theater(t, reader) for t in game.theaters],
        "can": can,
        "done": _done(game, reader) if game.turn in mine else None,
        "withdrawals": _withdrawals(game, mine, reader),
        "asks": asks_text(role, view.present, reader),
        "alone": role != "viewer" and not deciders(role, view.present),
        "asked": asked_text(view.asked, role, reader),
        "undo": _preview(game.undo, "undo", reader),
        "redo": _preview(game.redo, "redo", reader),
        "history": [_line(line, reader) for line in view.history[-HISTORY_SHOWN:]],
        "things": [_condition(c, reader) for c in _conditions(view, role)],
        "obstacles": [_obstacle(one, reader) for one in view.obstacles],
        "empty": _empty_offer(view, reader) if "empty" in can else None,
        "picture": f"/picture.jpg?n={view.picture}" if view.picture else None,
        "demo": _demo(view, reader),
        "cards": [{"face": c, "text": reader.say("card", c)} for c in CARDS] if "correct" in can else [],
        "instants": list(INSTANTS) if "correct" in can else [],
        "orders": [
            {"value": "".join(o), "text": reader.view("order", a=o[0], b=o[1], c=o[2])} for o in permutations(THEATERS)
        ],
    }


def _conditions(view: TableView, role: Role) -> tuple[Condition, ...]:
    """What a page says of the table's parts. An onlooker can mend none of them."""
    own: tuple[Condition, ...] = (view.camera, view.lights)
    if role == "viewer":
        own = tuple(one for one in own if one.ok or view.blind is not None)
    begun = () if view.resumed is None or role == "viewer" else (view.resumed,)
    return (*begun, *view.club, *own)


def _can(view: TableView, role: Role) -> frozenset[str]:
    """The actions that a page of that role is offered now."""
    if view.demo is not None:
        return allowed(role) & {"demo"}
    return allowed(role) - ({"new"} if view.match and view.game.war_winner is None else set())


def _seats_of(role: Role) -> tuple[Seat, ...]:
    """The seats that a role speaks for."""
    if role == "owner":
        return SEATS
    return () if role == "viewer" else (role,)


def _firsts(game: GameView, reader: MessageReader) -> list[FirstChoice]:
    """Asked before the first card of a war: later it follows from the battle before."""
    if game.begun or game.battle > 1 or game.war_winner is not None:
        return []
    told = not _first_assumed(game)
    return [
        {"seat": seat, "text": reader.view("first-is", seat=seat), "chosen": told and seat == game.first}
        for seat in SEATS
    ]


def _first_assumed(game: GameView) -> bool:
    """Nobody has said who is first in this war, and no card tells."""
    return not game.begun and any(one.code == "first" for one in game.assumptions)


def _blind(view: TableView, reader: MessageReader) -> Blind | None:
    if view.blind is None:
        return None
    since = time.strftime("%H:%M", time.localtime(view.blind))
    text = _condition(view.camera, reader)["text"]
    return {"title": reader.view("blind"), "text": text, "since": reader.view("blind-since", time=since)}


def _now(game: GameView, reader: MessageReader) -> Now:
    said = _now_of(game, reader)
    if game.bring_back and said["kind"] in ("turn", "effect", "waiting", "end"):
        said["before"] = reader.view("bring-back")
        said["mend"] = [reader.text(step) for step in game.bring_back]
    return said


def _now_of(game: GameView, reader: MessageReader) -> Now:
    if game.question is not None:
        # The table was put back as it lay: the question says what that would take back.
        undo = game.undo if game.question.text.code == "undo" and game.question.text.parts.get("moves") == 1 else None
        back = [] if undo is None else [reader.view("undo-beyond" if undo.asks else "undo"), *_moves(undo, reader)]
        return _said("question", reader.text(game.question.text), " ".join(back) or None)
    if game.violation is not None:
        return _broken(game.violation, reader)
    if game.war_winner is not None:
        score: dict[str, MessagePart] = {seat: game.seats[seat].score for seat in SEATS}
        return _said(
            "end", reader.view("war-won", winner=game.war_winner), reader.say("view", "war-won-why", PLAYERS | score)
        )
    if game.winner is not None:
        why = reader.view("battle-won-why", winner=game.winner, points=game.points)
        return _said("end", reader.view("battle-won", winner=game.winner), why)
    if not game.begun:
        why = "waiting-draw" if _first_assumed(game) else "waiting-why"
        return _said("waiting", reader.view("waiting"), reader.view(why, first=game.first))
    if game.pending is not None:
        edition = f"{game.pending}-{game.edition}"
        code = edition if known("ask", edition) else game.pending
        return _said("effect", _due(game.turn, game.pending, reader), reader.say("ask", code, {}))
    return _said("turn", _due(game.turn, None, reader))


def _due(turn: Seat | None, pending: str | None, reader: MessageReader) -> str:
    """Who is to do what."""
    code = "to-play" if pending is None else "to-play-again" if pending == "play" else "to-decide"
    return reader.view(code, turn=turn, effect=pending)


def _said(kind: str, title: str, text: str | None = None) -> Now:
    return {"kind": kind, "title": title, "text": text, "before": None, "mend": []}


def _broken(violation: ViolationView, reader: MessageReader) -> Now:
    steps = [reader.text(step) for step in violation.mend]
    said = _said("violation", reader.text(violation.title), reader.text(violation.rule))
    if violation.either and len(steps) > 1:
        steps[1:] = [reader.view("or", step=_inside(step, reader)) for step in steps[1:]]
    said["mend"] = steps
    return said


def _inside(sentence: str, reader: MessageReader) -> str:
    """A sentence inside another: a word for the reader that began it is written small, a name is not."""
    you = next((reader.say("seat", seat) for seat, person in reader.people.items() if person.you), "")
    begins = bool(you) and sentence.lower().startswith(you)
    return sentence[:1].lower() + sentence[1:] if begins else sentence


def _last(history: Sequence[HistoryEntry], reader: MessageReader) -> str | None:
    for line in reversed(history):
        if line.said.kind in ("move", "battle", "undo", "correction", "revised"):
            return reader.text(line.said)
    return None


def _question(game: GameView, reader: MessageReader) -> QuestionText | None:
    if game.question is None:
        return None
    asked = game.question.options
    several = {seat for seat in SEATS if sum(one.about == seat for one in asked) > 1}
    options: list[Choice] = [
        {
            "id": one.key,
            "text": " ".join(map(reader.text, one.said)),
            "about": one.about if one.about in several else "",
        }
        for one in asked
    ]
    return {"id": game.question.id, "options": options}


def _place(view: TableView, reader: MessageReader) -> list[str]:
    """Round and table of a match that a club gave this table."""
    match = next((c for c in view.club if c.code == "club-match"), None)
    return [] if match is None else [reader.say("condition", "club-place", match.parts)]


def _seat(view: TableView, seat: Seat, colour: str, reader: MessageReader) -> SeatText:
    game, person = view.game, reader.people.get(seat, Person())
    s, over = game.seats[seat], game.war_winner is not None
    rank = "first" if seat == game.first else "second"
    name = person.name or say(reader.language, "seat", seat)
    return {
        "name": reader.view("you", name=name) if person.you else name,
        "person": view.names[SEATS.index(seat)],
        "score": s.score,
        "hand": 0 if over else s.hand,
        "hand_text": "" if over else reader.view("hand", n=s.hand) if s.hand else reader.view("no-hand"),
        "withdraw_text": ""
        if s.withdrawal is None or over
        else reader.view("withdraw", other=other(seat), n=s.withdrawal),
        "turn": game.turn == seat and not over,
        "commander": reader.view(f"{rank}-mark"),
        "commander_text": reader.view(rank),
        "colour": colour,
    }


def _theater(theater: TheaterView, reader: MessageReader) -> TheaterText:
    name, held_by = reader.say("theater", theater.theater), reader.say("seat", theater.holder)
    totals = sorted((side.total for side in theater.sides.values()), reverse=True)
    why = reader.view(theater.why, holder=theater.holder, most=totals[0], least=totals[1])
    held = {"why": "held", "why-tie": "held-tie", "why-empty": "held-empty"}[theater.why]
    return {
        "id": theater.theater,
        "name": name,
        "holder": theater.holder,
        "held": held_by[:1].upper() + held_by[1:],
        "lead_text": reader.view(held, holder=theater.holder, lead=theater.lead),
        "why": why,
        "spoken": f"{name}. {why}",
        "wrong": theater.wrong,
        "choice": theater.choice,
        "lights": {"dots": list(theater.dots), "mood": theater.mood},
        "near": _side(theater, "near", theater.sides["near"], reader),
        "far": _side(theater, "far", theater.sides["far"], reader),
    }


def _side(theater: TheaterView, seat: Seat, side: SideView, reader: MessageReader) -> SideText:
    faces = ", ".join(reader.say("card", face) for face in side.faces)
    spoken = "stack" if faces else "stack-empty"
    parts: list[PartText] = [
        {
            "text": reader.say("part", p.name, {"card": p.card or FACE_DOWN, "source": p.source}),
            "value": str(p.value),
        }
        for p in side.parts
    ]
    return {
        "total": side.total,
        "faces": list(side.faces),
        "stack": [_card(card, reader) for card in side.drawn],
        "parts": parts,
        "spoken": reader.say("view", spoken, {"seat": seat, "theater": theater.theater, "cards": faces}),
    }


def _card(card: MarkedCard, reader: MessageReader) -> CardText:
    face = card.face
    hidden = face == FACE_DOWN
    return {
        "face": face,
        "strength": "" if hidden else face[1:],
        "name": "" if hidden else reader.say("card-name", face),
        "mark": card.mark,
        "mark_text": reader.say("mark", card.mark) if card.mark else "",
        "place": card.place,
    }


def _done(game: GameView, reader: MessageReader) -> str | None:
    if game.pending is None or not game.optional:
        return None
    return reader.say("view", "decline", {"effect": game.pending})


def _withdrawals(game: GameView, mine: tuple[Seat, ...], reader: MessageReader) -> list[Withdrawal]:
    made: list[Withdrawal] = []
    for seat in mine:
        s = game.seats[seat]
        if not s.may_withdraw or not game.begun or game.war_winner is not None:
            continue
        parts: Mapping[str, MessagePart] = {"seat": seat, "other": other(seat), "n": s.withdrawal}
        made.append(
            {
                "seat": seat,
                "button": reader.say("view", "withdraw-button", parts),
                "title": reader.say("view", "withdraw-title", parts),
                "text": reader.say("view", "withdraw-why", parts),
            }
        )
    return made


def _moves(preview: Preview, reader: MessageReader) -> list[str]:
    return [reader.text(move) for move in preview.moves]


def _preview(preview: Preview | None, which: str, reader: MessageReader) -> StepBack | None:
    if preview is None:
        return None
    code = "undo-beyond" if preview.asks else which
    then = [] if preview.turn is None else [_due(preview.turn, preview.pending, reader) + "."]
    if preview.score is not None:
        then.append(reader.say("view", "score-back", PLAYERS | dict(preview.score)))
    lines: list[MoveLine] = [{"when": "", "text": move} for move in _moves(preview, reader)]
    return {"text": reader.view(code), "lines": lines, "then": " ".join(then) or None, "asks": preview.asks}


def _line(line: HistoryEntry, reader: MessageReader) -> HistoryLine:
    when = time.strftime("%H:%M", time.localtime(line.at))
    kind = "begins" if line.said.code == "new-battle" else line.said.kind
    return {"when": when, "text": reader.text(line.said), "kind": kind}


def _condition(condition: Condition, reader: MessageReader) -> Thing:
    if known("condition", condition.code):
        text = reader.say("condition", condition.code, condition.parts)
    else:
        text = condition.message
    return {"ok": condition.ok, "text": text}


def _obstacle(obstacle: ObstacleShown, reader: MessageReader) -> ObstacleText:
    return {
        "text": reader.say("obstacle", obstacle.code, obstacle.parts),
        "urgent": obstacle.code in URGENT,
        "left": obstacle.left,
        "top": obstacle.top,
        "width": obstacle.width,
        "height": obstacle.height,
    }


def _empty_offer(view: TableView, reader: MessageReader) -> EmptyOffer | None:
    """The offer to say that what is seen in some places is the mat; where no card lies, of all of them at once."""
    places = [one.may_be_mat for one in view.obstacles if one.may_be_mat is not None]
    if not places:
        return None
    code = "one" if len(places) == 1 else "some"
    text = reader.view(f"empty-{code}", theater=places[0][0], seat=places[0][1])
    if code == "some" and not any(side.faces for theater in view.game.theaters for side in theater.sides.values()):
        text, places = reader.view("empty-all"), list(PLACES)
    return {"text": text, "why": reader.view("empty-why"), "places": [place_text(place) for place in places]}


def _demo(view: TableView, reader: MessageReader) -> DemoText | None:
    if view.demo is None:
        return None
    code = "paused" if view.demo.paused else "running"
    return {
        "paused": view.demo.paused,
        "speed": view.demo.speed,
        "speeds": list(SPEEDS),
        "text": reader.say("demo", code),
        "back": f"/games/#/war/{view.war}/{view.game.battle}/{NEWEST}" if view.demo.archived and view.war else "",
    }
