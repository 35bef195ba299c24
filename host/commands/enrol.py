"""`allfronts enrol`: learn a deck from four photographs (docs/contracts.md, section 3.2)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, TextIO

from engine.names import FACE_DOWN
from host.cli import EXIT_DONE
from host.messages import catalogue, known, say
from host.settings import load_settings

if TYPE_CHECKING:
    from vision.enrolment.enrol import Photo
    from vision.enrolment.examine import Examined
    from vision.enrolment.proof import Learnt
    from vision.enrolment.rehearsal import Rehearsal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deck", required=True, metavar="DIR", help="where the deck's profile goes")
    for name, what in (
        ("air", "the six air cards"),
        ("land", "the six land cards"),
        ("sea", "the six sea cards"),
        ("back", "six cards face down"),
    ):
        parser.add_argument(f"--{name}", required=True, metavar="PICTURE", help=f"photograph of the mat with {what}")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Writes the profile; raises `BadInput` or `Failure` with what to mend."""
    from vision.enrolment.enrol import PHOTOS, examine
    from vision.enrolment.proof import learn
    from vision.picture_file import open_picture

    language = load_settings().language
    progress = _Progress(sys.stderr, sys.stderr.isatty() and not args.json, language)
    photos = {}
    for number, name in enumerate(PHOTOS):
        photos[name] = examine(open_picture(getattr(args, name)), getattr(args, name))
        progress.told("photographs", number + 1, len(PHOTOS))
    learnt = learn(photos, progress.told)
    progress.done()
    learnt.profile.save(args.deck, learnt.sheet)
    advice = [
        {"picture": getattr(args, name), "code": a.code, "at": a.at, "remedy": a.remedy}
        for name, photo in photos.items()
        for a in photo.advice
    ]
    if args.json:
        sys.stdout.write(json.dumps(_row(args.deck, learnt, photos, advice), ensure_ascii=False) + "\n")
        return EXIT_DONE
    for item in advice:
        remedy = say(language, "enrol-mend", item["code"]) if known("enrol-mend", item["code"]) else item["remedy"]
        sys.stdout.write(f"{item['picture']}: {item['at'] or item['code']}: {remedy}\n")
    for line in rehearsal_in_words(learnt.rehearsal, language):
        sys.stdout.write(line + "\n")
    sys.stdout.write(say(language, "terminal", "enrol-learnt", {"folder": args.deck}) + "\n")
    return EXIT_DONE


class _Progress:
    """One line on a terminal that says how far learning is."""

    def __init__(self, stream: TextIO, shown: bool, language: str) -> None:
        self._stream, self._shown, self._language = stream, shown, language

    def told(self, stage: str, done: int, of: int) -> None:
        if self._shown:
            self._stream.write(f"\r\033[K{say(self._language, 'terminal', f'enrol-{stage}')} {done}/{of}")
            self._stream.flush()

    def done(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()


def rehearsal_in_words(rehearsal: Rehearsal, language: str = "en") -> list[str]:
    """What a deck is expected to be asked about, a line for each group of faces, and how it was read on the whole."""
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
        faces = joined([texts["enrol-back"] if face == FACE_DOWN else face for face in confusion.faces])
        where = texts["enrol-now-and-then"]
        if len(confusion.lights) == len(LIGHTS):
            where = texts["enrol-any-light"]
        elif confusion.lights:
            where = texts["enrol-in"].format(lights=joined([lights[light] for light in confusion.lights]))
        why = "enrol-colour" if confusion.colour_alone else "enrol-alike"
        lines.append(texts[why].format(faces=faces, where=where))
        if confusion.mistaken:
            lines.append("  " + texts["enrol-mistaken"].format(n=confusion.mistaken, of=confusion.laid))
    return lines


def _row(
    deck: str, learnt: Learnt, photos: Mapping[Photo, Examined], advice: list[dict[str, str]]
) -> dict[str, object]:
    from vision.enrolment.proof import face_at

    profile, rehearsal = learnt.profile, learnt.rehearsal
    return {
        "deck": deck,
        "cards": len(profile.faces) - 1,
        "scale": round(profile.camera_scale, 2),
        "advice": advice,
        "cuts": [
            {
                "photo": name,
                "face": face_at(name, number),
                "x": round(card.centre[0], 1),
                "y": round(card.centre[1], 1),
                "turn": round(float(card.frame.turn), 4),
                "lead": round(card.lead, 1),
                "sides": [round(side, 2) for side in card.sides],
            }
            for name, photo in photos.items()
            if photo.layout is not None
            for number, card in enumerate(photo.layout.cards)
        ],
        "rehearsal": {
            "tables": rehearsal.tables,
            "right": rehearsal.right,
            "wrong": rehearsal.wrong,
            "cards": rehearsal.cards,
            "cards_right": rehearsal.cards_right,
            "confusions": [asdict(confusion) for confusion in rehearsal.confusions],
            "words": rehearsal_in_words(rehearsal),
        },
        "likelihoods": asdict(rehearsal.likelihoods),
    }
