"""How learning a deck is told: how far it is, and what rehearsing the deck has shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from engine.names import FACE_DOWN, Face
from host.messages import catalogue, say

if TYPE_CHECKING:
    from vision.enrolment.proof import Learnt
    from vision.enrolment.rehearsal import Rehearsal


class ProgressLine:
    """One line on a terminal that says how far learning is."""

    def __init__(self, stream: TextIO, shown: bool, language: str) -> None:
        self._stream, self._shown, self._language = stream, shown, language

    def told(self, stage: str, done: int, of: int) -> None:
        if self._shown:
            self._stream.write(f"\r\033[K{stage_in_words(self._language, stage, done, of)}")
            self._stream.flush()

    def done(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()


def stage_in_words(language: str, stage: str, done: int, of: int) -> str:
    """What learning is at."""
    return f"{say(language, 'terminal', f'enrol-{stage}')} {done}/{of}"


def learnt_in_words(learnt: Learnt, language: str = "en", face_name: Callable[[Face], str] = str) -> list[str]:
    """What is to be checked by a person, if anything, and what rehearsing the deck has shown."""
    check = [] if learnt.theaters == "own" else [say(language, "terminal", f"enrol-theaters-{learnt.theaters}")]
    return [*check, *rehearsal_in_words(learnt.rehearsal, language, face_name)]


def rehearsal_in_words(rehearsal: Rehearsal, language: str = "en", face_name: Callable[[Face], str] = str) -> list[str]:
    """How a deck was read on the whole, a line for each group of faces that will be asked about, and what follows."""
    # Commands that only say how far they are need not wait for the reader.
    from vision.enrolment.rehearsal import LIGHTS

    texts, lights = catalogue(language)["terminal"], catalogue(language)["enrol-light"]

    def joined(names: list[str]) -> str:
        first, last = ", ".join(names[:-1]), names[-1]
        return texts["list-and"].format(a=first, b=last) if first else last

    doubt = rehearsal.tables - rehearsal.right - rehearsal.wrong
    lines = [
        texts["enrol-rehearsed"].format(
            tables=rehearsal.tables, right=rehearsal.right, doubt=doubt, wrong=rehearsal.wrong
        )
    ]
    for confusion in rehearsal.confusions:
        faces = joined([texts["enrol-back"] if face == FACE_DOWN else face_name(face) for face in confusion.faces])
        where = texts["enrol-now-and-then"]
        if len(confusion.lights) == len(LIGHTS):
            where = texts["enrol-any-light"]
        elif confusion.lights:
            where = texts["enrol-in"].format(lights=joined([lights[light] for light in confusion.lights]))
        why = "enrol-colour" if confusion.colour_alone else "enrol-alike"
        lines.append(texts[why].format(faces=faces, where=where))
        if confusion.mistaken:
            lines.append("  " + texts["enrol-mistaken"].format(n=confusion.mistaken, of=confusion.laid))
    if rehearsal.wrong:
        lines.append(texts["enrol-wrong"])
    elif doubt:
        lines.append(texts["enrol-doubt"])
    return lines


def rehearsal_row(rehearsal: Rehearsal) -> dict[str, Any]:
    """The same as JSON tells it."""
    return {
        "tables": rehearsal.tables,
        "right": rehearsal.right,
        "wrong": rehearsal.wrong,
        "cards": rehearsal.cards,
        "cards_right": rehearsal.cards_right,
        "confusions": [asdict(confusion) for confusion in rehearsal.confusions],
    }
