"""The option `--empty` of `look` and `watch`: a picture of the table with no card on it tells how its mat looks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from engine.failure import BadInput, Failure
from engine.places import PLACES
from host.messages.command_text import CommandRefusal

if TYPE_CHECKING:
    from vision.tracking.reader import Reader


def add_empty(parser: argparse.ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--empty",
        metavar="PICTURE",
        help="the same table with no card on it: how a printed mat looks is learnt from it",
    )


def learn_empty_picture(reader: Reader, path: str) -> None:
    """Learns from a picture file how the table looks where nothing lies. Raises `BadInput`: `no-table`, `low-contrast`
    and what `open_picture` raises for a picture that shows none, `cards-there` for one that surely shows cards."""
    from vision.picture_file import open_picture
    from vision.tracking.reader import SURE

    picture = open_picture(path)
    try:
        reading = reader.read(picture)
    except Failure as failure:
        raise BadInput(failure.code, failure.message, failure.remedy) from failure
    # A field of the mat may be told as a card, in doubt.
    if any(card.p >= SURE for cards in reading.sight.stacks.values() for card in cards):
        raise CommandRefusal("cards-there", "cards-there", file=path)
    reader.learn_empty(picture, reading, PLACES)
