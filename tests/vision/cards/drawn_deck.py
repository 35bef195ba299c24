"""Reads a drawn deck's table by faces that were cut out of its photographs: the tables of golden folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.names import FACE_DOWN, Face
from engine.places import Place
from engine.sight import SeenCard, Sight
from vision.cards.calibration import seen_cards
from vision.cards.column import Column
from vision.cards.read_column import read_column
from vision.cards.templates import Bank
from vision.picture_file import open_picture
from vision.profile import DeckProfile
from vision.simulate.deck_design import design_deck
from vision.tracking.reader import Reader
from vision.types import Picture, Tones

GOLDEN = Path(__file__).parents[1] / "golden"


def read_golden(
    folder: str, profile: DeckProfile, design: int, cut: tuple[str, ...] = (), picture: str = "table"
) -> Sight:
    """What is read of a `picture` of a golden folder. The faces `cut` are those of the folder, as they were learnt;
    all others are as the deck was drawn. `profile`: of any deck, for what faces and boards do not tell."""
    faces = {name: golden_picture(folder, name) for name in cut}
    reader = reader_of_design(profile, design, faces)
    return reader.read(open_picture(GOLDEN / folder / f"{picture}.jpg")).sight


def golden_picture(folder: str, name: str) -> Picture:
    return np.asarray(cv2.imread(str(GOLDEN / folder / f"{name}.png")), dtype=np.uint8)


def golden_bank(folder: str, profile: DeckProfile, *names: Face) -> Bank:
    """The faces of a deck with some of a golden folder in their places, whose back is called `back` there."""
    pictures = {name: golden_picture(folder, "back" if name == FACE_DOWN else name) for name in names}
    faces = {name: _sized(picture, profile.faces[name]) for name, picture in pictures.items()}
    return Bank(replace(profile, faces={**profile.faces, **faces}))


def golden_column(
    folder: str, gains: Tones, saturation: float, brightest: Picture, limit: NDArray[np.float32] | None = None
) -> Column:
    """The column of a golden folder in the light that its table's boards told (`Column`)."""
    patch = golden_picture(folder, "column")
    inside = np.ones(patch.shape[:2], np.bool_)
    return Column(patch, inside, gains, saturation, brightest=brightest, limit=limit)


def seen_alone(bank: Bank, column: Column) -> tuple[SeenCard, ...]:
    """The cards of a column, as they are told where nothing else lies on the table."""
    place: Place = ("L", "near")
    seen, _ = seen_cards({place: read_column(bank, column)}, equal=bank.equal)
    return seen[place]


def reader_of_design(profile: DeckProfile, design: int, cut: Mapping[str, Picture] | None = None) -> Reader:
    """A reader of a deck's faces as they were drawn, but for those that were `cut` out of photographs."""
    deck = design_deck(design)
    faces = {name: _sized(deck.faces[name], old) for name, old in profile.faces.items()} | dict(cut or {})
    boards = {name: _sized(deck.boards[name], old) for name, old in profile.boards.items()}
    return Reader(replace(profile, faces=faces, boards=boards))


def _sized(picture: Picture, like: Picture) -> Picture:
    size = (like.shape[1], like.shape[0])
    return np.asarray(cv2.resize(picture[..., :3], size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
