"""Decks that were photographed, learnt as people learn theirs, on tables drawn in rooms.

Of photographs with known answers there are few, and most are read right and for sure. The faces that were cut out of
them make as many tables as one likes, in all rooms that the simulation has: `./allfronts bench reader.photographed
--pictures DIR --tables N --seed N`, one folder a deck, in it `enroll-air.jpg` and its sisters. Of 1,768 such tables of
seventeen decks two were wrong and certain where 272 photographs of them had shown none.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.failure import BadInput, Failure
from engine.names import Theater
from host.bench.drawn import Drawn, Facts, Truth, art_digest
from host.bench.figure import Figure, Measured, Wish
from host.bench.rooms import each_told, tables_in
from host.bench.scores import AXES, by_condition
from host.bench.tables import OUT, measured_scores, reader_digest, row_of, wanted_rows, write_report

if TYPE_CHECKING:
    from vision.enrolment.enrol import Photo
    from vision.profile import DeckProfile
    from vision.types import Picture

EACH: Final = 2
"""Tables that one camera sees of one deck in one room."""
_CONDITIONS: Final = ("deck", "tilt", "scale", "shortest strip", "cards", "beyond what is asked")


@dataclass(frozen=True, slots=True)
class Photographed:
    """A deck by the name of its folder, and the digest of its four photographs."""

    folder: Path
    digest: str

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def kept_as(self) -> str:
        """The name of the folder in which its profile is kept: another one for other photographs."""
        return f"{self.name}-{self.digest}"

    def photographs(self) -> dict[Photo, Picture]:
        """Its four photographs; raises `BadInput` as `open_picture` does."""
        from vision.picture_file import open_picture

        return {name: open_picture(path) for name, path in _files(self.folder).items()}


@dataclass(frozen=True, slots=True)
class Answered:
    """A photograph of a table, and what lies on it."""

    picture: Path
    truth: Truth
    order: tuple[Theater, Theater, Theater]

    def as_drawn(self, deck: int) -> Drawn:
        """The same as a drawn table of which nothing is known but how many cards lie there; `deck`: its number."""
        heights = [len(stack) for stack in self.truth.values()]
        facts = Facts(
            kind="photograph", look=self.picture.stem, deck=deck, tilt=0.0, scale=0.0, noise=0.0, strip=99.0, turn=0.0,
            cards=sum(heights), highest=max(heights, default=0), left=1.0,
        )  # fmt: skip
        return Drawn(self.truth, self.order, facts, self.picture.read_bytes())


def _files(deck: Path) -> dict[Photo, Path]:
    """Where a deck's four photographs are."""
    from vision.enrolment.enrol import PHOTOS

    return {name: deck / f"enroll-{name}.jpg" for name in PHOTOS}


def photographed(folder: Path) -> list[Photographed]:
    """The decks under `folder`, by name. Raises `BadInput` (no-decks) where none has its four photographs."""
    found: list[Photographed] = []
    for deck in sorted(path.parent for path in folder.glob("*/enroll-air.jpg")):
        files = _files(deck).values()
        if all(path.is_file() for path in files):
            digest = hashlib.sha256(b"".join(path.read_bytes() for path in files))
            found.append(Photographed(deck, digest.hexdigest()[:10]))
    if not found:
        wanted = ", ".join(path.name for path in _files(folder).values())
        raise BadInput("no-decks", f"{folder} holds no deck's photographs.", f"Put {wanted} there, in a folder a deck.")
    return found


def answered(deck: Photographed) -> Iterator[Answered]:
    """The deck's photographs whose answer is known, by name: beside each lies what is on it, as `.json`."""
    for answer in sorted(deck.folder.glob("*.json")):
        picture, data = answer.with_suffix(".jpg"), json.loads(answer.read_text(encoding="utf-8"))
        if not answer.name.startswith("enroll-") and picture.is_file() and {"stacks", "order"} <= data.keys():
            truth: Truth = {
                (theater, seat): tuple(pile) for theater, at in data["stacks"].items() for seat, pile in at.items()
            }
            first, second, third = data["order"]
            yield Answered(picture, truth, (first, second, third))


def room_and_deck(index: int, decks: int) -> tuple[str, int]:
    """Room and number of the deck of table `index`, of so many `decks`: each deck in one room, then in the next."""
    from vision.simulate import ROOMS

    room, deck = divmod(index // EACH, decks)
    return list(ROOMS)[room % len(ROOMS)], deck


def whole_run(decks: int) -> int:
    """How many tables show each deck in each room."""
    from vision.simulate import ROOMS

    return EACH * decks * len(ROOMS)


def learnt(deck: Photographed, folder: Path) -> DeckProfile | None:
    """The deck's profile as `enrol` makes it, kept in `folder`; None, and told on standard error, where it is
    refused."""
    from vision.enrolment.enrol import examine
    from vision.enrolment.proof import learn
    from vision.profile import DeckProfile

    kept = folder / deck.kept_as
    if (kept / "profile.json").exists():
        return DeckProfile.load(kept)
    try:
        profile = learn({name: examine(photo, name) for name, photo in deck.photographs().items()}).profile
    except Failure as failure:
        sys.stderr.write(f"\r{deck.name} is refused ({failure.code}): {failure}\n")
        return None
    kept.mkdir(parents=True, exist_ok=True)
    profile.save(kept)
    return profile


def draw_pair(seed: int, pair: int, decks: Sequence[Photographed], profiles: Mapping[int, DeckProfile]) -> list[Drawn]:
    """Tables `pair * EACH` and on of a seed: those of one deck in one room."""
    import numpy as np

    from vision.enrolment.rehearsal import deck_as_learnt

    room, number = room_and_deck(pair * EACH, len(decks))
    rng = np.random.default_rng([seed, pair, 14])
    return list(tables_in(room, deck_as_learnt(profiles[number]), decks[number].name, number, rng, EACH))


def run(wish: Wish, folder: Path) -> list[dict[str, Any]]:
    """The wanted tables' rows; what an earlier run of the same code has read is not read again. Raises `BadInput`
    (no-decks)."""
    import cv2

    from vision.tracking.reader import Reader

    cv2.setNumThreads(1)
    decks = photographed(folder)
    wanted = sorted(wish.only) or list(range(wish.tables or max(EACH, round(whole_run(len(decks)) * wish.scale))))
    digest = hashlib.sha256("".join(f"{deck.name} {deck.digest} " for deck in decks).encode()).hexdigest()[:10]
    stamp = f"{art_digest()}-{reader_digest()}"
    path = OUT / "bench" / f"photographed-{wish.seed}-{digest}-{stamp}.jsonl"
    profiles: dict[int, DeckProfile] = {}
    needed = sorted({room_and_deck(index, len(decks))[1] for index in wanted})
    for number in each_told(needed):
        profile = learnt(decks[number], OUT / "bench" / f"decks-photographed-{stamp}")
        if profile is not None:
            profiles[number] = profile
    wanted = [index for index in wanted if room_and_deck(index, len(decks))[1] in profiles]
    readers = {number: Reader(profile) for number, profile in profiles.items()}

    def read(todo: Collection[int]) -> Iterator[dict[str, Any]]:
        for pair in sorted({index // EACH for index in todo}):
            reader = readers[room_and_deck(pair * EACH, len(decks))[1]]
            for index, table in enumerate(draw_pair(wish.seed, pair, decks, profiles), pair * EACH):
                if index in todo:
                    yield row_of(index, table, reader, wish.keep, bool(wish.only))

    return wanted_rows(wish, path, wanted, read)


def likelihoods(rows: Sequence[Mapping[str, Any]]) -> Iterator[Measured]:
    """Of the cards that were told to be so likely: how many, and how many of them are other cards. A card of a stack
    that was read too high or too low counts as right if one like it lies there."""
    bounds = (0.5, 0.8, 0.9, 0.93, 0.97, 0.99, 1.01)
    seen = [
        (p, read == lies[nth] if len(lies) == len(row["seen"][at]) else read in lies)
        for row in rows
        if row["seen"] is not None
        for at, lies in row["truth"].items()
        for nth, (read, p) in enumerate(row["seen"][at])
    ]
    for least, most in itertools.pairwise(bounds):
        here = [right for p, right in seen if least <= p < most]
        yield Measured(float(len(here) - sum(here)), len(here), f"wrong at {least:g} to {min(most, 1.0):g}")


def _photographed(wish: Wish) -> Iterator[Measured]:
    if wish.pictures is None:
        sys.stderr.write("not measured: say where photographs of decks are with --pictures DIR\n")
        return
    rows = run(wish, wish.pictures)
    scores = by_condition(rows, {"room": AXES["light"], **{name: AXES[name] for name in _CONDITIONS}})
    yield from measured_scores(scores)
    told = list(likelihoods(rows))
    yield from told
    more = {"likelihoods": [asdict(measured) for measured in told]}
    write_report(OUT / "bench" / f"photographed-{wish.seed}.json", wish.seed, rows, scores, more)


FIGURES: Final = (
    Figure(
        "reader.photographed",
        "",
        "decks learnt from photographs (--pictures DIR), their tables drawn in rooms: right and sure, wrong and sure",
        at_length=_photographed,
    ),
)

__all__ = ["FIGURES", "Photographed", "learnt", "likelihoods", "photographed", "room_and_deck", "run", "whole_run"]
