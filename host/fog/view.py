"""What a page of Fog of War shows, with every text in one language, for one role. Plain JSON values."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.failure import Failure
from engine.fog.actions import FightOn, Launch, SetBoard, SetBox, SetProvince, SetProvinces
from engine.fog.battles import HIGHEST_VALUE
from engine.fog.board import open_questions, questions_to_begin
from engine.fog.checklist import checklist
from engine.fog.codec import to_json
from engine.fog.effects import Consequence
from engine.fog.intel import price
from engine.fog.names import HAND, OBJECTIVES, POINTS_TO_WIN, SECTORS, SIDES, Side, other
from engine.fog.outcome import choices
from engine.fog.play import FogStep
from engine.fog.refusal import FromYourBox
from engine.fog.sentences import SentencePart, Texts, province, say, section
from engine.fog.state import Battle, FogState, Game, first_at_year_end, sector_of
from engine.fog.strength import FogStrengthPart as Summand
from engine.fog.strength import strengths
from engine.fog.turns import limited, must_play
from engine.fog.year_end import COST, ONE_BY_ONE, PARAGRAPH, ending_year, stages
from host.fog.map_view import map_view
from host.fog.rights import SIDE_OF
from host.fog.table import SMALL_MAP, FogChange
from host.fog.texts import fog_texts
from host.messages.failure_text import failure_sentences
from host.web.access import Role

STEPS_SHOWN: Final = 80
_BOX: Final = (SetBox, SetProvince, SetProvinces, SetBoard)
FogViewJson = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FogView:
    """What is published: how things stand, in no language yet."""

    change: FogChange
    lights: str = "lights-none"
    demo: FogViewJson | None = None
    unsaved: Failure | None = None
    """Why the players' own board could not be written to its file."""


class Speaker:
    """Says things in one language, with the names of one board."""

    def __init__(self, language: str, game: Game) -> None:
        self.texts: Texts = fog_texts(language)
        self.names = game.board.names()

    def say(self, group: str, code: str, **parts: SentencePart) -> str:
        return say(self.texts, group, code, parts, self.names)

    def effect(self, effect: Consequence) -> FogViewJson:
        text = say(self.texts, "effect", effect.code, effect.parts, self.names)
        return {"paragraph": section(self.texts, effect.paragraph), "text": text, "remind": effect.remind}

    def province(self, key: str) -> str:
        return province(self.texts, key, self.names)


def fog_view(shown: FogView, language: str, role: Role, program: str) -> FogViewJson:
    """The view of one role. `program` changes when the page itself is another one and must be loaded anew."""
    history = shown.change.history
    game = history.game
    state, speaker = game.state, Speaker(language, game)
    speak = speaker.say
    needed = questions_to_begin(game.board) if state.phase == "setup" else ()
    return {
        "program": program,
        "entry": shown.change.entry,
        "lang": language,
        "role": role,
        "sides": _sides(role) if shown.demo is None else [],
        "phase": state.phase,
        "year": state.year,
        "winter": state.winter,
        "turn": state.turn,
        "points": state.points,
        "goal": POINTS_TO_WIN,
        "token": state.token,
        "demo_board": game.board.name == SMALL_MAP,
        "now": _now(game, speaker),
        "check": [
            _line(item.paragraph, item.code, item.parts, item.status, state, speaker) for item in checklist(game)
        ],
        "camps": {side: _camp(game, side, speaker) for side in SIDES},
        "map": map_view(game, language),
        "battle": _battle(game, history.steps, speaker),
        "bid": _bid(game, speaker),
        "year_end": _year_end(game, speaker),
        "limited": limited(state),
        "must_play": must_play(state),
        "closing": state.closing,
        "questions": [
            {"ask": question.ask, "text": _asked(question.ask, speaker), "needed": question in needed}
            for question in open_questions(game.board)
        ],
        "to_begin": len(needed),
        "board": to_json(game.board) if role == "owner" and shown.demo is None else None,
        "unsaved": _unsaved(shown.unsaved, language) if role == "owner" else None,
        "fields": dict(speaker.texts["field"]) if role == "owner" else {},
        "objectives": [{"key": key, "name": speaker.province(key)} for key in game.board.box.objectives],
        "last": [speaker.effect(effect) for effect in _last(state, history.steps)],
        "history": _history(history.steps, shown.change.times, language),
        "undo": _taken_back(history.steps, speaker),
        "redo": bool(history.undone),
        "lights": speak("lights", shown.lights),
        "demo": shown.demo if role == "owner" else None,
        "initials": {side: speak("initial", side) for side in SIDES},
        "notes": {note.paragraph: speak("demo-note", note.text) for note in game.board.box.notes},
        "names": {"axis": speak("side", "axis"), "allies": speak("side", "allies")},
    }


def _unsaved(failure: Failure | None, language: str) -> str | None:
    """What is wrong with the board's file, and what to do: the owner's computer has it."""
    return None if failure is None else " ".join(failure_sentences(failure, language))


def _last(state: FogState, steps: tuple[FogStep, ...]) -> tuple[Consequence, ...]:
    """What the last step led to. What the box says changes nothing on the table: the step before it stays shown."""
    played = (step for step in reversed(steps) if state.phase == "setup" or not isinstance(step.action, _BOX))
    found = next(played, None)
    return found.effects if found is not None else ()


def _sides(role: Role) -> list[Side]:
    """The sides that a role speaks for."""
    return list(SIDES) if role == "owner" else [SIDE_OF[role]] if role in SIDE_OF else []


def _line(
    paragraph: str, code: str, parts: Mapping[str, SentencePart], status: str, state: FogState, speaker: Speaker
) -> FogViewJson:
    group = "effect" if state.phase == "setup" else "check"
    label = section(speaker.texts, paragraph)
    return {"paragraph": label, "code": code, "text": speaker.say(group, code, **parts), "status": status}


def _now(game: Game, speaker: Speaker) -> FogViewJson:
    """The one thing that is due: a heading, a sentence, and what kind it is."""
    state, speak = game.state, speaker.say
    side = speak("side", state.turn)
    if state.result is not None:
        why = speak("now", f"why-{state.result.why}", points=state.points)
        return {"kind": "end", "who": speak("now", "won", side=state.result.winner), "ask": why}
    if state.phase == "setup":
        missing = len(questions_to_begin(game.board))
        ask = speak("now", "setup-questions", n=missing) if missing else speak("now", "setup")
        return {"kind": "setup", "who": speak("now", "setting-up"), "ask": ask}
    if state.battle is not None:
        return _battle_now(state, state.battle, speaker)
    if state.bid is not None:
        answering = state.bid.to_answer
        code = "bid-cancel" if answering != state.bid.by else "bid-insist"
        return {"kind": "bid", "who": speak("side", answering), "ask": speak("now", code, n=price(state.bid))}
    if state.phase == "year-end":
        return {"kind": "year-end", "who": speak("now", "year-end", year=ending_year(state)), "ask": ""}
    code = "closing" if state.closing else "limited" if limited(state) else "must-play" if must_play(state) else "turn"
    return {"kind": "turn", "who": side, "ask": speak("now", code, hand=state.camp(state.turn).hand)}


def _battle_now(state: FogState, battle: Battle, speaker: Speaker) -> FogViewJson:
    where = speaker.province(battle.target)
    if battle.outcome is None:
        code, who = "battle", speaker.say("now", "battle-of", where=where)
    else:
        winner = battle.by if battle.outcome == "win" else other(battle.by)
        code, who = "bank", speaker.say("side", winner)
    return {"kind": "battle", "who": who, "ask": speaker.say("now", code, n=battle.needed, where=where)}


def _camp(game: Game, side: Side, speaker: Speaker) -> FogViewJson:
    camp = game.state.camp(side)
    sectors = game.board.box.sectors
    slots = []
    for slot, name in enumerate(SECTORS):
        behind = sector_of(camp, slot)
        mark = sectors[behind] if sectors else None
        slots.append(
            {
                "slot": slot,
                "name": name,
                "cards": camp.operations[slot],
                "new": behind == 0,
                "behind": behind,
                "ready": None if mark is None else mark.ready,
                "attack": 0 if mark is None else mark.attack,
                "defence": 0 if mark is None else mark.defence,
            }
        )
    names = ("deck", "hand", "discard", "wins", "losses", "intel", "intel_used", "production", "wheel")
    counts = {name: getattr(camp, name) for name in names}
    held = len(game.state.held(side))
    return {"name": speaker.say("side", side), **counts, "provinces": held, "slots": slots, "hand_full": HAND}


def _battle(game: Game, steps: tuple[FogStep, ...], speaker: Speaker) -> FogViewJson | None:
    """The open battle: how many cards each side turns up, what is added to them, and the choices for the win pile.

    `launched` is the number of the step that began it.
    """
    battle, state = game.state.battle, game.state
    if battle is None:
        return None
    ground = state.ground(battle.target)
    rival = other(battle.by)
    cards = state.camp(battle.by).operations[battle.slot] if battle.slot is not None else ground.cards(battle.by)
    found: FogViewJson = {
        "launched": max((n for n, step in enumerate(steps) if isinstance(step.action, (Launch, FightOn))), default=0),
        "by": battle.by,
        "target": battle.target,
        "where": speaker.province(battle.target),
        "from": None if battle.origin is None else speaker.province(battle.origin),
        "attack": cards,
        "defence": ground.cards(rival),
        "neutral": ground.neutral,
        "outcome": battle.outcome,
        "fixed": None,
        "ask": None,
        "choices": [],
        "needed": battle.needed,
        "highest": HIGHEST_VALUE,
    }
    try:
        sums = strengths(game, battle, (), (), (), None)
    except FromYourBox as missing:
        found["ask"] = {"ask": missing.ask, "text": _asked(missing.ask, speaker)}
    else:
        found["fixed"] = {"attack": _parts(sums.attack.parts, speaker), "defence": _parts(sums.defence.parts, speaker)}
    if battle.outcome is not None:
        values = battle.attack if battle.outcome == "win" else battle.defence
        found["values"] = list(values)
        found["winner"] = battle.by if battle.outcome == "win" else rival
        found["choices"] = [
            {"chosen": list(chosen), "values": [values[i] for i in chosen], "worth": sum(values[i] for i in chosen)}
            for chosen in choices(values, battle.needed)
        ]
    return found


def _parts(parts: tuple[Summand, ...], speaker: Speaker) -> list[FogViewJson]:
    return [
        {
            "text": speaker.say("part", part.name),
            "value": part.value,
            "paragraph": section(speaker.texts, part.paragraph),
        }
        for part in parts
    ]


def _bid(game: Game, speaker: Speaker) -> FogViewJson | None:
    bid = game.state.bid
    if bid is None:
        return None
    n = price(bid)
    code = "cancel" if bid.to_answer != bid.by else "insist"
    return {
        "to_answer": bid.to_answer,
        "price": n,
        "pay": speaker.say("now", f"pay-{code}", n=n),
        "let": speaker.say("now", f"let-{code}"),
    }


def _year_end(game: Game, speaker: Speaker) -> FogViewJson | None:
    state = game.state
    if state.phase != "year-end" or state.stage is None:
        return None
    both = state.stage in ONE_BY_ONE
    spending = [
        {"on": on, "cost": COST[on], "paragraph": PARAGRAPH[on], "text": speaker.say("spend", on, cost=COST[on])}
        for on in ("recover", "track", "intel", *(("points",) if state.turn == "axis" else ()))
    ]
    last = state.stage == "3.11" and stages(state)[-1] == "3.11"
    return {
        "stage": state.stage,
        "text": speaker.say("stage", "3.11-end" if last else state.stage, year=state.year, next=state.year + 1),
        "who": speaker.say("side", state.turn) if both else None,
        "turn": state.turn if both else None,
        "first": first_at_year_end(state),
        "budget": state.budget,
        "spending": spending if state.stage == "3.4" else [],
        "recall": state.stage == "3.6",
        "objectives": last,
        "on_cards": OBJECTIVES,
        "next": speaker.say("now", "served" if both else "next-stage", side=state.turn),
    }


def _asked(ask: str, speaker: Speaker) -> str:
    owner, _, rest = ask.partition(".")
    if owner == "province":
        key, _, field = rest.rpartition(".")
        return f"{speaker.province(key)}: {speaker.say('field', field)}"
    return speaker.say("field", rest)


def _history(steps: tuple[FogStep, ...], times: tuple[float, ...], language: str) -> list[FogViewJson]:
    found = []
    for number, step in enumerate(steps[-STEPS_SHOWN:], max(0, len(steps) - STEPS_SHOWN)):
        if step.effects:
            speaker = Speaker(language, step.before)
            when = time.strftime("%H:%M", time.localtime(times[number])) if number < len(times) else ""
            found.append({"when": when, "lines": [speaker.effect(effect) for effect in step.effects]})
    return found


def _taken_back(steps: tuple[FogStep, ...], speaker: Speaker) -> str | None:
    """What undo would take back, in a sentence."""
    if not steps:
        return None
    first = steps[-1].effects[:1]
    return str(speaker.effect(first[0])["text"]) if first else speaker.say("now", "tick")
