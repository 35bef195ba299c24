"""`allfronts enrol`: learn a deck from four photographs (docs/contracts.md, section 3.2)."""

from __future__ import annotations

import argparse
import json
import sys

from host.cli import EXIT_DONE


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
    from vision.enrolment.enrol import PHOTOS, assemble, examine
    from vision.picture_file import open_picture

    photos = {name: examine(open_picture(getattr(args, name)), getattr(args, name)) for name in PHOTOS}
    profile = assemble(photos)
    profile.save(args.deck)
    advice = [
        {"picture": getattr(args, name), "code": a.code, "at": a.at, "remedy": a.remedy}
        for name, photo in photos.items()
        for a in photo.advice
    ]
    if args.json:
        row = {"deck": args.deck, "cards": len(profile.faces) - 1, "scale": round(profile.camera_scale, 2)}
        sys.stdout.write(json.dumps({**row, "advice": advice}, ensure_ascii=False) + "\n")
        return EXIT_DONE
    for item in advice:
        sys.stdout.write(f"{item['picture']}: {item['code']} {item['at']}: {item['remedy']}\n")
    sys.stdout.write(f"Learnt 18 cards, the back and three boards. Check {args.deck}/sheet.png.\n")
    return EXIT_DONE
