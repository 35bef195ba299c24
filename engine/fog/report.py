"""A whole game as text: what was done, and what followed with its paragraph of the memo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.fog.actions import FogAction
from engine.fog.names import SIDES
from engine.fog.play import play
from engine.fog.sentences import Texts, english_texts, say
from engine.fog.state import FogState, Game

COUNTED: Final = ("deck", "hand", "discard", "wins", "losses", "intel", "intel_used", "production")


def report(game: Game, actions: Iterable[FogAction], texts: Texts | None = None) -> str:
    """Markdown: a heading for each year, turn and year's end; a line for each consequence, what a hand must do marked
    with an arrow. Raises as `play` does."""
    return "\n".join(_lines(game, actions, texts or english_texts())) + "\n"


def _lines(game: Game, actions: Iterable[FogAction], texts: Texts) -> Iterator[str]:
    names, noted = game.board.names(), set()
    for action in actions:
        game, effects = play(game, action)
        for effect in effects:
            if effect.code in ("wheel-turned", "year-ends"):
                yield from _heading(game.state, effect.code, texts)
            if effect.code in ("note", "look-up"):
                # What the rulebook says to a paragraph need not be read at every turn.
                if effect.paragraph in noted:
                    continue
                noted.add(effect.paragraph)
            sentence = say(texts, "effect", effect.code, effect.parts, names)
            yield f"- {'→ ' if effect.remind else ''}{sentence} ({effect.paragraph})"
    yield ""
    yield from _standing(game.state, texts)


def _heading(state: FogState, code: str, texts: Texts) -> Iterator[str]:
    title = texts["side"][state.turn] if code == "wheel-turned" else texts["count"]["year-end"]
    yield f"\n## {state.year}{' ❄' if state.winter else ''}: {title}\n"
    yield from _standing(state, texts)
    yield ""


def _standing(state: FogState, texts: Texts) -> Iterator[str]:
    words = texts["count"]
    yield f"{words['points']} {state.points}."
    for side in SIDES:
        camp = state.camp(side)
        counts = [f"{words['provinces']} {len(state.held(side))}"]
        counts += [f"{words[name]} {getattr(camp, name)}" for name in COUNTED]
        yield f"{texts['side'][side]}: {', '.join(counts)}."
