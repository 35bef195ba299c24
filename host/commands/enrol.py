"""`allfronts enrol`: learn a deck from four photographs (docs/contracts.md, section 3.2)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, TextIO

from engine.names import FACE_DOWN
from host.cli import EXIT_DONE

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

    progress = _Progress(sys.stderr, sys.stderr.isatty() and not args.json)
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
        sys.stdout.write(f"{item['picture']}: {item['code']} {item['at']}: {item['remedy']}\n")
    for line in rehearsal_in_words(learnt.rehearsal):
        sys.stdout.write(line + "\n")
    sys.stdout.write(f"Learnt 18 cards, the back and three boards. Check {args.deck}/sheet.png.\n")
    return EXIT_DONE


class _Progress:
    """One line on a terminal that says how far learning is."""

    def __init__(self, stream: TextIO, shown: bool) -> None:
        self._stream, self._shown = stream, shown

    def told(self, stage: str, done: int, of: int) -> None:
        if self._shown:
            self._stream.write(f"\r\033[K{STAGES[stage]} {done}/{of}")
            self._stream.flush()

    def done(self) -> None:
        if self._shown:
            self._stream.write("\r\033[K")
            self._stream.flush()


STAGES: Final = {
    "photographs": "Finding boards and cards in photograph",
    "cut": "Comparing the photographs",
    "read-back": "Reading back photograph",
    "rehearsal": "Rehearsing table",
}


def rehearsal_in_words(rehearsal: Rehearsal) -> list[str]:
    """What a deck is expected to be asked about, a line for each group of faces, and how it was read on the whole."""
    from vision.enrolment.rehearsal import LIGHTS

    lines = [
        f"Rehearsed {rehearsal.tables} tables of this deck in many kinds of light: {rehearsal.right} read right and "
        f"for sure, {rehearsal.tables - rehearsal.right - rehearsal.wrong} left in doubt, {rehearsal.wrong} wrong."
    ]
    for confusion in rehearsal.confusions:
        names = ["the back" if face == FACE_DOWN else face for face in confusion.faces]
        who = ", ".join(names[:-1]) + " and " + names[-1]
        why = "differ in colour alone" if confusion.colour_alone else "look alike"
        if confusion.lights:
            lights = [LIGHTS[light] for light in confusion.lights]
            where = "in any light" if len(lights) == len(LIGHTS) else "in " + " and ".join(lights)
            lines.append(f"{who} {why}: {where} I shall ask.")
        else:
            lines.append(f"{who} {why}: now and then I shall ask.")
        if confusion.mistaken:
            lines.append(f"  {confusion.mistaken} of {confusion.laid} were taken for one another.")
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
