"""`allfronts enrol`: learn a deck from four photographs (docs/contracts.md, section 3.2)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from host.camera_setup.learning import ProgressLine, learnt_in_words, rehearsal_in_words, rehearsal_row
from host.cli import EXIT_DONE
from host.messages import catalogue, known, say
from host.messages.command_text import CommandRefusal
from host.settings import load_settings

if TYPE_CHECKING:
    from vision.enrolment.enrol import Photo
    from vision.enrolment.examine import Examined
    from vision.enrolment.proof import Learnt


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
    from host.camera_setup.deck_before import lies_in_deck, save_learnt, tell_before
    from vision.enrolment.enrol import PHOTOS, examine
    from vision.enrolment.proof import learn
    from vision.picture_file import open_picture

    if not args.deck.strip():
        # An empty variable of a script is not the current folder.
        raise CommandRefusal("no-deck", "no-deck-given")
    for name in PHOTOS:
        if lies_in_deck(Path(getattr(args, name)), Path(args.deck)):
            raise CommandRefusal("photograph-in-deck", "photograph-in-deck", path=getattr(args, name))
    language = load_settings().language
    progress = ProgressLine(sys.stderr, sys.stderr.isatty() and not args.json, language)
    photos = {}
    for number, name in enumerate(PHOTOS):
        photos[name] = examine(open_picture(getattr(args, name)), getattr(args, name))
        progress.told("photographs", number + 1, len(PHOTOS))
    learnt = learn(photos, progress.told)
    progress.done()
    before = save_learnt(learnt, args.deck)
    tell_before(sys.stderr, "en" if args.json else language, args.deck, before)
    advice = [
        {"picture": getattr(args, name), "code": a.code, "at": a.at, "remedy": a.remedy}
        for name, photo in photos.items()
        for a in photo.advice
    ]
    if args.json:
        row = _row(args.deck, learnt, photos, advice) | ({} if before is None else {"before": str(before)})
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        return EXIT_DONE
    for item in advice:
        better = {"advice": advice_in_words(item, language)}
        sys.stdout.write(say(language, "terminal", "enrol-better", better) + "\n")
    for line in learnt_in_words(learnt, language):
        sys.stdout.write(line + "\n")
    sys.stdout.write(say(language, "terminal", "enrol-learnt", {"folder": args.deck}) + "\n")
    return EXIT_DONE


def advice_in_words(item: Mapping[str, str], language: str) -> str:
    """What would make a photograph better: which one, which card where it concerns one, and the remedy. No code."""
    remedy = say(language, "enrol-mend", item["code"]) if known("enrol-mend", item["code"]) else item["remedy"]
    place = catalogue(language)["aim-spot"].get(item["at"], "")
    return ": ".join(part for part in (item["picture"], place, remedy) if part)


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
        "theaters": learnt.theaters,
        "rehearsal": rehearsal_row(rehearsal) | {"words": rehearsal_in_words(rehearsal)},
        "likelihoods": asdict(rehearsal.likelihoods),
    }
