"""From a view in no language to what the page draws: every text in one language, for one role."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

from engine.names import CARDS, FACE_DOWN, SEATS, THEATERS, Face, Seat, other
from host.messages import known, say
from host.messages.message import MessagePart
from host.web.access import Role
from host.web.actions import allowed
from host.web.page_state import Condition, HistoryEntry, TableView
from host.web.page_view import (
    CardText,
    Choice,
    DemoText,
    HistoryLine,
    MoveLine,
    Now,
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


def localised(view: TableView, language: str, role: Role, program: str) -> PageView:
    """The view as the page draws it. `program` changes when the page itself is another one and must be loaded anew."""
    game = view.game
    mine = _seats_of(role)
    can = sorted(allowed(role))

    def word(code: str, **parts: MessagePart) -> str:
        return say(language, "view", code, parts)

    colours = edition_colours(game)
    return {
        "program": program,
        "entry": view.entry,
        "lang": language,
        "role": role,
        "battle_text": " · ".join([*_place(view, language), word("battle", battle=game.battle)]),
        "turn": game.turn,
        "war": view.war,
        "beginner": game.beginner,
        "war_over": game.war_winner is not None,
        "first": game.first,
        "target": game.target,
        "edition": game.edition,
        "now": _now(game, language),
        "last": _last(view.history, language),
        "question": _question(game, language),
        "assumptions": [a.text(language) for a in game.assumptions],
        "seats": {seat: _seat(view, seat, colours[seat], language) for seat in SEATS},
        "theaters": [_theater(t, language) for t in game.theaters],
        "can": can,
        "done": _done(game, language) if game.turn in mine else None,
        "withdrawals": _withdrawals(game, mine, language),
        "undo": _preview(game.undo, "undo", language),
        "redo": _preview(game.redo, "redo", language),
        "history": [_line(line, language) for line in view.history[-HISTORY_SHOWN:]],
        "things": [_condition(c, language) for c in (*view.club, view.camera, view.lights)],
        "picture": f"/picture.jpg?n={view.picture}" if view.picture else None,
        "demo": _demo(view, language),
        "cards": [{"face": c, "text": say(language, "card", c)} for c in CARDS] if "correct" in can else [],
        "orders": [
            {"value": "".join(o), "text": word("order", a=o[0], b=o[1], c=o[2])} for o in permutations(THEATERS)
        ],
    }


def _seats_of(role: Role) -> tuple[Seat, ...]:
    """The seats that a role speaks for."""
    if role == "owner":
        return SEATS
    return () if role == "viewer" else (role,)


def _now(game: GameView, language: str) -> Now:
    def word(code: str, **parts: MessagePart) -> str:
        return say(language, "view", code, parts)

    if game.question is not None:
        # The table was put back as it lay: the question says what that would take back.
        undo = game.undo if game.question.text.code == "undo" and game.question.text.parts.get("moves") == 1 else None
        back = [] if undo is None else [word("undo-beyond" if undo.asks else "undo"), *_moves(undo, language)]
        return _said("question", game.question.text.text(language), " ".join(back) or None)
    if game.violation is not None:
        return _broken(game.violation, language)
    if game.war_winner is not None:
        score = {seat: game.seats[seat].score for seat in SEATS}
        return _said(
            "end", word("war-won", winner=game.war_winner), word("war-won-why", near=score["near"], far=score["far"])
        )
    if game.winner is not None:
        why = word("battle-won-why", winner=game.winner, points=game.points)
        return _said("end", word("battle-won", winner=game.winner), why)
    if not game.begun:
        return _said("waiting", word("waiting"), word("waiting-why", first=game.first))
    if game.pending is not None:
        edition = f"{game.pending}-{game.edition}"
        code = edition if known("ask", edition) else game.pending
        return _said("effect", word("to-decide", turn=game.turn, effect=game.pending), say(language, "ask", code, {}))
    return _said("turn", word("to-play", turn=game.turn))


def _said(kind: str, title: str, text: str | None = None) -> Now:
    return {"kind": kind, "title": title, "text": text, "mend": []}


def _broken(violation: ViolationView, language: str) -> Now:
    steps = [step.text(language) for step in violation.mend]
    said = _said("violation", violation.title.text(language), violation.rule.text(language))
    if violation.either and len(steps) > 1:
        steps[1:] = [say(language, "view", "or", {"step": step}) for step in steps[1:]]
    said["mend"] = steps
    return said


def _last(history: Sequence[HistoryEntry], language: str) -> str | None:
    for line in reversed(history):
        if line.said.kind in ("move", "battle", "undo", "correction", "revised"):
            return line.said.text(language)
    return None


def _question(game: GameView, language: str) -> QuestionText | None:
    if game.question is None:
        return None
    options: list[Choice] = [{"id": key, "text": said.text(language)} for key, said in game.question.options]
    return {"id": game.question.id, "options": options}


def _place(view: TableView, language: str) -> list[str]:
    """Round and table of a match that a club gave this table."""
    match = next((c for c in view.club if c.code == "club-match"), None)
    return [] if match is None else [say(language, "condition", "club-place", match.parts)]


def _seat(view: TableView, seat: Seat, colour: str, language: str) -> SeatText:
    game, named = view.game, view.names[SEATS.index(seat)]

    def word(code: str, **parts: MessagePart) -> str:
        return say(language, "view", code, parts)

    s = game.seats[seat]
    rank = "first" if seat == game.first else "second"
    return {
        "name": f"{named} ({say(language, 'seat', seat)})" if named else say(language, "seat", seat),
        "score": s.score,
        "hand": s.hand,
        "hand_text": word("hand", n=s.hand) if s.hand else word("no-hand"),
        "withdraw_text": "" if s.withdrawal is None else word("withdraw", n=s.withdrawal),
        "turn": game.turn == seat,
        "commander": word(f"{rank}-mark"),
        "commander_text": word(rank),
        "colour": colour,
    }


def _theater(theater: TheaterView, language: str) -> TheaterText:
    def word(code: str, **parts: MessagePart) -> str:
        return say(language, "view", code, parts)

    name = say(language, "theater", theater.theater)
    totals = sorted((side.total for side in theater.sides.values()), reverse=True)
    why = word(theater.why, holder=theater.holder, most=totals[0], least=totals[1])
    held = {"why": "held", "why-tie": "held-tie", "why-empty": "held-empty"}[theater.why]
    return {
        "id": theater.theater,
        "name": name,
        "holder": theater.holder,
        "held": say(language, "seat", theater.holder),
        "lead_text": word(held, holder=theater.holder, lead=theater.lead),
        "why": why,
        "spoken": f"{name}. {why}",
        "wrong": theater.wrong,
        "choice": theater.choice,
        "lights": {"dots": list(theater.dots), "mood": theater.mood},
        "near": _side(theater, "near", theater.sides["near"], language),
        "far": _side(theater, "far", theater.sides["far"], language),
    }


def _side(theater: TheaterView, seat: Seat, side: SideView, language: str) -> SideText:
    faces = ", ".join(say(language, "card", face) for face in side.faces)
    spoken = "stack" if faces else "stack-empty"
    parts: list[PartText] = [
        {
            "text": say(language, "part", p.name, {"card": p.card or FACE_DOWN, "source": p.source}),
            "value": str(p.value),
        }
        for p in side.parts
    ]
    return {
        "total": side.total,
        "stack": [_card(face, language) for face in side.faces],
        "parts": parts,
        "spoken": say(language, "view", spoken, {"seat": seat, "theater": theater.theater, "cards": faces}),
    }


def _card(face: Face, language: str) -> CardText:
    if face == FACE_DOWN:
        return {"face": face, "strength": "", "name": ""}
    return {"face": face, "strength": face[1:], "name": say(language, "card-name", face)}


def _done(game: GameView, language: str) -> str | None:
    if game.pending is None or not game.optional:
        return None
    return say(language, "view", "decline", {"effect": game.pending})


def _withdrawals(game: GameView, mine: tuple[Seat, ...], language: str) -> list[Withdrawal]:
    made: list[Withdrawal] = []
    for seat in mine:
        s = game.seats[seat]
        if not s.may_withdraw or not game.begun:
            continue
        parts: Mapping[str, MessagePart] = {"seat": seat, "other": other(seat), "n": s.withdrawal}
        made.append(
            {
                "seat": seat,
                "button": say(language, "view", "withdraw-button", parts),
                "title": say(language, "view", "withdraw-title", parts),
                "text": say(language, "view", "withdraw-why", parts),
            }
        )
    return made


def _moves(preview: Preview, language: str) -> list[str]:
    return [move.text(language) for move in preview.moves]


def _preview(preview: Preview | None, which: str, language: str) -> StepBack | None:
    if preview is None:
        return None
    code = "undo-beyond" if preview.asks else which
    due = "to-play" if preview.pending is None else "to-decide"
    parts: Mapping[str, MessagePart] = {"turn": preview.turn, "effect": preview.pending}
    then = None if preview.turn is None else say(language, "view", due, parts)
    lines: list[MoveLine] = [{"when": "", "text": move} for move in _moves(preview, language)]
    return {"text": say(language, "view", code, {}), "lines": lines, "then": then, "asks": preview.asks}


def _line(line: HistoryEntry, language: str) -> HistoryLine:
    when = time.strftime("%H:%M", time.localtime(line.at))
    return {"when": when, "text": line.said.text(language), "kind": line.said.kind}


def _condition(condition: Condition, language: str) -> Thing:
    if known("condition", condition.code):
        text = say(language, "condition", condition.code, condition.parts)
    else:
        text = condition.message
    return {"ok": condition.ok, "text": text}


def _demo(view: TableView, language: str) -> DemoText | None:
    if view.demo is None:
        return None
    code = "paused" if view.demo.paused else "running"
    return {
        "paused": view.demo.paused,
        "speed": view.demo.speed,
        "speeds": list(SPEEDS),
        "text": say(language, "demo", code, {"seed": view.demo.seed}),
    }
