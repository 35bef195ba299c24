"""What an action led to: what was computed or tracked, and what the players must do themselves, each with its
paragraph of the memo."""

from __future__ import annotations

from typing import NamedTuple

from engine.fog.board import FogBoard
from engine.fog.refusal import ForbiddenAction
from engine.fog.sentences import SentencePart
from engine.fog.state import Game


class Consequence(NamedTuple):
    """One consequence. `remind` is for what only the players' own hands can do."""

    paragraph: str
    code: str
    parts: dict[str, SentencePart]
    remind: bool = False


class Played(NamedTuple):
    """The game after an action, and what the action led to, in order."""

    game: Game
    effects: tuple[Consequence, ...]


def done(paragraph: str, code: str, **parts: SentencePart) -> Consequence:
    return Consequence(paragraph, code, parts)


def remind(paragraph: str, code: str, **parts: SentencePart) -> Consequence:
    return Consequence(paragraph, code, parts, True)


def cut_off(board: FogBoard, paragraph: str) -> Consequence:
    """What the players' rulebook says where the memo is cut off, or that it has to be looked up."""
    for note in board.box.notes:
        if note.paragraph == paragraph:
            return remind(paragraph, "note", text=note.text)
    return remind(paragraph, "look-up")


def with_cards(effects: tuple[Consequence, ...]) -> tuple[Consequence, ...]:
    """Without the reminders to move no cards at all."""
    return tuple(effect for effect in effects if not (effect.remind and effect.parts.get("n") == 0))


def need(held: bool, code: str, paragraph: str, **parts: SentencePart) -> None:
    """Raises `ForbiddenAction` where a condition does not hold."""
    if not held:
        raise ForbiddenAction(code, paragraph, **parts)
