"""Pictures of tables without the game: what a reader may be shown, and must not find cards in."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from vision.geometry.table import CARD, CARD_CORNER
from vision.simulate.arm import draw_arm
from vision.simulate.camera import EMPTY, SimulatedCamera
from vision.simulate.conditions import CONDITIONS, varied
from vision.simulate.ink import InkColour, Sheet, SheetImage
from vision.simulate.mats import SURFACES
from vision.simulate.scene import card_mask

KINDS: Final = ("desk", "wood", "cloth", "other-cards", "hands", "between-boards")
"""`between-boards` is another game's cards laid at our own boards: the hardest, for there the reader does look."""
_SCALE: Final = 3.0


def _playing_card(rng: np.random.Generator) -> SheetImage:
    """A card of another game: white with red or black pips, or a bright trading card."""
    w, h = CARD
    sheet = Sheet(w, h, _SCALE, (248, 248, 246))
    if rng.random() < 0.5:
        colour: InkColour = (190, 30, 36) if rng.random() < 0.5 else (24, 24, 28)
        number = int(rng.integers(2, 11))
        sheet.word(str(number), (4, 12), 7, colour)
        for k in range(number):
            x, y = (20 + 24 * (k % 2), 18 + 56 * (k // 2) / max(1, (number - 1) // 2))
            sheet.disc((x, y), 4.2, colour)
    else:
        frame, sky, hill = (tuple(int(v) for v in rng.integers(30, 230, 3)) for _ in range(3))
        sheet.box(2, 2, w - 2, h - 2, (frame[0], frame[1], frame[2]))
        sheet.box(5, 12, w - 5, 48, (sky[0], sky[1], sky[2]))
        sheet.disc((w / 2, 32), 12, (hill[0], hill[1], hill[2]))
        sheet.box(5, 52, w - 5, h - 6, (236, 230, 214))
        sheet.word("Aurochs", (6, 10), 4.5, (20, 20, 20))
        for k in range(6):
            sheet.box(8, 55 + 4 * k, w - 8 - float(rng.uniform(0, 20)), 56.2 + 4 * k, (90, 84, 76))
    return sheet.image


def _paper(rng: np.random.Generator) -> SheetImage:
    """A sheet of writing, a notebook, a phone: rectangles that lie on desks."""
    w, h = float(rng.uniform(70, 210)), float(rng.uniform(60, 200))
    tone = int(rng.choice((20, 60, 190, 240)))
    sheet = Sheet(w, h, _SCALE, (tone, tone, max(0, tone - 8)))
    for k in range(int(h // 9)):
        if tone > 150:
            sheet.box(8, 8 + 9 * k, w - 8 - float(rng.uniform(0, w / 3)), 9.5 + 9 * k, (70, 70, 90))
    return sheet.image


def _lay(image: SheetImage, art: SheetImage, at: tuple[float, float], turn: float, size: float, soft: bool) -> None:
    """Pastes `art` over the picture, `size` px/mm, turned by degrees."""
    h, w = art.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), turn, size / _SCALE)
    matrix[:, 2] += np.array(at) - (w / 2, h / 2)
    mask = card_mask(art, CARD_CORNER * _SCALE if soft else 1)
    frame = (image.shape[1], image.shape[0])
    cover = cv2.warpAffine(mask, matrix, frame)[..., None] / 255.0
    image[:] = (image * (1 - cover) + cv2.warpAffine(art, matrix, frame) * cover).astype(np.uint8)


def without_game(kind: str, seed: int, mat: bool = False) -> SheetImage:
    """A picture, 1920 × 1080, of a table of one of `KINDS` with no card of the game on it.

    `mat` lays the mat with its tags under it, which is harder: the reader then knows where to look. Raises `BadInput`.
    """
    if kind not in KINDS:
        raise BadInput("unknown-kind", f"{kind!r} is not a kind of table.", f"Kinds are {', '.join(KINDS)}.")
    rng = np.random.default_rng([seed, 404])
    boards = kind == "between-boards"
    condition = varied(CONDITIONS["day" if mat or boards else "nomat"], rng)
    wanted = {"wood": ("oak", "walnut", "ash"), "cloth": ("cloth",)}.get(kind, tuple(SURFACES))
    camera = SimulatedCamera(
        "bright", seed, condition=replace(condition, surface=str(rng.choice(wanted)), clutter=1.5, pile=False)
    )
    image = camera.plate(camera.lay(EMPTY) if boards else ())
    scale = camera.optics.scale()
    height, width = image.shape[:2]
    pieces = {"desk": 7, "other-cards": 12, "between-boards": 12}.get(kind, 0)
    for k in range(pieces):
        art = _paper(rng) if kind == "desk" else _playing_card(rng)
        if boards or (kind == "other-cards" and mat):
            # In the very places where the game's cards would lie.
            x = (-130.5, 0.0, 130.5)[k % 3] + float(rng.normal(0, 4))
            y = (-1 if k % 2 else 1) * (96 + 23 * (k // 6)) + float(rng.normal(0, 3))
            at = camera.optics.project(np.array([(x, y, 0.0)]))[0]
            right = camera.optics.project(np.array([(x + 10, y, 0.0)]))[0]
            turn = -math.degrees(math.atan2(right[1] - at[1], right[0] - at[0])) + (0 if y < 0 else 180)
        else:
            at = rng.uniform((150, 150), (width - 150, height - 150))
            turn = float(rng.uniform(0, 360))
        _lay(image, art, (float(at[0]), float(at[1])), turn, scale, kind != "desk")
    if kind == "hands":
        for seat, lean in (("near", 0.0), ("far", 180.0)):
            tip = (float(rng.uniform(-150, 150)), float(rng.uniform(40, 160)) * (-1 if seat == "near" else 1))
            camera.carrier.arm(image, draw_arm(rng), tip, lean + float(rng.normal(0, 12)), 20)
    return camera.finished(image)
