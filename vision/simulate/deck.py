"""Our own printable deck: eighteen faces, a back and three boards, in several looks under a seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput, Failure
from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater, strength_of
from vision.geometry.table import BOARD, CARD, CARD_CORNER
from vision.simulate.ink import InkColour, Sheet, SheetImage, mix, texture
from vision.simulate.pictures import ILLUSTRATIONS, Palette, SheetPlace, draw_board_scene

ART_SCALE: Final = 4.0
"""px/mm that a table is drawn from; a printed sheet uses 12 (about 300 dpi)."""

NAMES: Final[dict[str, str]] = {
    "A1": "Support", "A2": "Air Drop", "A3": "Maneuver", "A4": "Aerodrome", "A5": "Containment", "A6": "Heavy Bombers",
    "L1": "Reinforce", "L2": "Ambush", "L3": "Maneuver", "L4": "Cover Fire", "L5": "Disrupt", "L6": "Heavy Tanks",
    "S1": "Transport", "S2": "Escalation", "S3": "Maneuver", "S4": "Redeploy", "S5": "Blockade",
    "S6": "Super Battleship",
}  # fmt: skip
BOARD_NAMES: Final[dict[Theater, str]] = {"A": "AIR", "L": "LAND", "S": "SEA"}
ONGOING: Final = frozenset({"A1", "A4", "A5", "L4", "S2", "S5"})
"""Cards whose effect lasts; those of the other cards below 6 happen at once. The same in every edition."""


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """How a deck is printed. Colours are red, green, blue."""

    header: dict[Theater, InkColour]
    ink: InkColour
    border: InkColour
    back: InkColour
    back_ink: InkColour
    scene: dict[Theater, Palette]
    header_mm: float
    pattern: str
    shop: bool = False
    """Set like a shop deck: figures 19 mm high, five lines of text, and one picture for the three 3s, so that only the
    header's colour tells those apart."""


_BRIGHT_SCENES: Final[dict[Theater, Palette]] = {
    "A": Palette((66, 156, 219), (205, 232, 245), (126, 176, 205), (35, 52, 82), (255, 255, 255), (238, 92, 62)),
    "L": Palette((250, 205, 122), (252, 232, 178), (98, 140, 58), (56, 58, 36), (252, 246, 222), (217, 82, 44)),
    "S": Palette((250, 176, 142), (252, 226, 196), (30, 118, 150), (24, 48, 74), (250, 250, 246), (226, 64, 72)),
}
_MUTED_SCENES: Final[dict[Theater, Palette]] = {
    "A": Palette((124, 130, 134), (184, 182, 172), (142, 142, 136), (58, 58, 60), (214, 210, 198), (146, 98, 78)),
    "L": Palette((146, 140, 112), (188, 182, 154), (104, 104, 70), (54, 52, 38), (212, 206, 184), (150, 104, 62)),
    "S": Palette((116, 128, 128), (176, 182, 174), (78, 98, 100), (44, 52, 54), (206, 208, 200), (142, 92, 76)),
}
_NIGHT_SCENES: Final[dict[Theater, Palette]] = {
    "A": Palette((24, 26, 66), (92, 70, 132), (52, 48, 96), (12, 12, 28), (232, 224, 255), (255, 196, 74)),
    "L": Palette((28, 44, 52), (92, 118, 96), (34, 66, 48), (10, 18, 16), (226, 240, 210), (255, 148, 64)),
    "S": Palette((14, 34, 60), (56, 112, 132), (16, 60, 84), (6, 14, 26), (214, 242, 250), (255, 110, 110)),
}
_PAPER_SCENES: Final[dict[Theater, Palette]] = {
    "A": Palette((196, 220, 226), (244, 238, 222), (168, 196, 200), (62, 84, 100), (255, 252, 240), (216, 116, 92)),
    "L": Palette((240, 218, 180), (248, 240, 220), (210, 150, 84), (104, 66, 38), (255, 250, 236), (152, 60, 44)),
    "S": Palette((206, 228, 208), (244, 242, 224), (96, 150, 112), (38, 78, 62), (252, 254, 244), (206, 128, 52)),
}

LOOKS: Final[dict[str, PrintStyle]] = {
    "bright": PrintStyle(
        {"A": (38, 128, 204), "L": (112, 142, 42), "S": (16, 92, 128)}, (255, 255, 255), (250, 250, 248),
        (58, 52, 88), (246, 214, 120), _BRIGHT_SCENES, 23.5, "stars",
    ),
    "muted": PrintStyle(
        {"A": (112, 110, 98), "L": (124, 112, 72), "S": (98, 114, 118)}, (238, 232, 216), (226, 220, 206),
        (76, 74, 70), (232, 224, 206), _MUTED_SCENES, 24.0, "herringbone", True,
    ),
    "night": PrintStyle(
        {"A": (68, 48, 124), "L": (28, 84, 62), "S": (14, 74, 108)}, (255, 226, 150), (20, 20, 26),
        (22, 22, 30), (214, 168, 74), _NIGHT_SCENES, 23.0, "diamonds",
    ),
    "paper": PrintStyle(
        {"A": (176, 208, 222), "L": (236, 166, 92), "S": (150, 196, 150)}, (44, 40, 36), (252, 248, 236),
        (190, 84, 66), (252, 240, 214), _PAPER_SCENES, 23.5, "scales",
    ),
}  # fmt: skip
"""`bright` is flat and colourful, `muted` printed like a shop deck, `night` dark, `paper` pale with dark figures and
with land in orange and sea in green."""


@dataclass(frozen=True, slots=True)
class Deck:
    """The printed deck: every face by its name (the back is `-`), boards by theater, at `scale` px/mm."""

    style: str
    scale: float
    faces: dict[Face, SheetImage]
    boards: dict[Theater, SheetImage]
    corner: float = CARD_CORNER
    """Radius of the cards' corners, mm."""


def _shift(colour: InkColour, hue: float) -> InkColour:
    """The colour with its hue turned by `hue` degrees and its chroma kept: decks under a seed differ in colour."""
    lab = cv2.cvtColor(np.array([[colour[::-1]]], np.uint8), cv2.COLOR_BGR2Lab).astype(np.float32)[0, 0]
    a, b = float(lab[1]) - 128, float(lab[2]) - 128
    c, s = math.cos(math.radians(hue)), math.sin(math.radians(hue))
    turned = np.array([[[lab[0], 128 + a * c - b * s, 128 + a * s + b * c]]])
    bgr = cv2.cvtColor(np.clip(turned, 0, 255).astype(np.uint8), cv2.COLOR_Lab2BGR)[0, 0]
    return (int(bgr[2]), int(bgr[1]), int(bgr[0]))


def _tinted(look: PrintStyle, rng: np.random.Generator) -> PrintStyle:
    hue = float(rng.uniform(-14, 14))
    return PrintStyle(
        {t: _shift(c, hue) for t, c in look.header.items()}, look.ink, look.border,
        _shift(look.back, float(rng.uniform(-30, 30))), look.back_ink, look.scene, look.header_mm, look.pattern,
        look.shop,
    )  # fmt: skip


def _icon(sheet: Sheet, card: str, colour: InkColour, at: tuple[float, float]) -> None:
    """The bolt of an effect that happens at once, the loop of one that lasts; the 6s have neither."""
    x, y = at
    if card[1] == "6":
        return
    if card in ONGOING:
        loop = np.linspace(0, 2 * math.pi, 40)
        x -= 0.8
        sheet.line([(x + 2.6 * math.sin(a), y + 1.25 * math.sin(2 * a)) for a in loop], 0.75, colour)
    else:
        sheet.polygon(
            [(x + 0.6, y - 2.2), (x - 1.6, y + 0.4), (x - 0.1, y + 0.4), (x - 0.7, y + 2.2), (x + 1.6, y - 0.5),
             (x + 0.1, y - 0.5)],
            colour,
        )  # fmt: skip


def _small_print(sheet: Sheet, left: float, right: float, top: float, colour: InkColour, lines: int, seed: int) -> None:
    """Ability text as a camera sees it: grey lines with ragged ends, too small to read."""
    rng = np.random.default_rng(seed)
    for k in range(lines):
        x, end = left, right - float(rng.uniform(0, 9))
        while x < end:
            word = float(rng.uniform(1.2, 5.0))
            sheet.box(x, top + 2.3 * k, min(x + word, end), top + 2.3 * k + 1.05, colour)
            x += word + 0.8


def _figure(sheet: Sheet, look: PrintStyle, figure: str, colour: InkColour) -> None:
    """The strength. A shop deck's is narrow and nearly as high as the header, 2.7 to 21.7 mm; its underlined 6 less."""
    if not look.shop:
        sheet.word(figure, (10.4, 20.4), 15.6, colour, 850, "middle")
        return
    foot, high = (19.6, 16.7) if figure == "6" else (21.7, 19.0)
    wide = Sheet(40, 24, sheet.scale, (0, 0, 0))
    wide.word(figure, (20, foot), high, (255, 255, 255), 850, "middle")
    h, w = wide.image.shape[:2]
    cover = cv2.resize(wide.image, (round(w * 0.62), h), interpolation=cv2.INTER_AREA)
    left = round(9.2 * sheet.scale - cover.shape[1] / 2)
    cover, left = cover[:, max(0, -left) :], max(0, left)
    part = sheet.image[: cover.shape[0], left : left + cover.shape[1]]
    part[:] = part + (np.array(colour[::-1]) - part.astype(np.float32)) * (cover / 255.0)


def _face(card: str, look: PrintStyle, scale: float, rng: np.random.Generator, lettered: bool) -> SheetImage:
    theater: Theater = card[0]  # type: ignore[assignment]
    w, h = CARD
    sheet = Sheet(w, h, scale, look.border)
    edge, band = 1.6, look.header_mm
    header, scene = look.header[theater], look.scene[theater]
    picture = "A3" if look.shop and card[1] == "3" else card
    seen = look.scene["A"] if look.shop and card[1] == "3" else scene
    frame = SheetPlace(edge, band + 0.9, w - edge, h - edge)
    ILLUSTRATIONS[picture](sheet, frame, seen, rng)
    _trim(sheet, frame, look.border)
    sheet.gradient(edge, edge, w - edge, band, mix(header, (255, 255, 255), 0.05), mix(header, (0, 0, 0), 0.07))
    _figure(sheet, look, str(strength_of(card)), look.ink)  # type: ignore[arg-type]
    if card[1] == "6":
        sheet.box(4.4, 21.4, 13.6, 22.3, look.ink)
    if not lettered:
        return sheet.image
    if card[1] == "6":
        first, _, second = NAMES[card].partition(" ")
        sheet.word(first.upper(), (w - 4, 9.4), 3.9, look.ink, 800, "right")
        sheet.word(second.upper(), (w - 4, 15.4), 3.9, look.ink, 800, "right")
    else:
        width = sheet.word(NAMES[card].upper(), (w - 4, 7.4), 3.1, look.ink, 800, "right")
        _icon(sheet, card, look.ink, (w - 4 - width - 3.8, 5.8))
        lines = 5 if look.shop else 4
        _small_print(sheet, 22.0, w - 4, 10.6, mix(header, look.ink, 0.62), lines, seed=sum(map(ord, card)) * 7919)
    return sheet.image


def _trim(sheet: Sheet, f: SheetPlace, colour: InkColour) -> None:
    """Shapes may run over the picture's edge: the border is printed after it."""
    w, h = sheet.width, sheet.height
    sheet.box(0, 0, w, f.top, colour)
    sheet.box(0, f.bottom, w, h, colour)
    sheet.box(0, 0, f.left, h, colour)
    sheet.box(f.right, 0, w, h, colour)


def _back(look: PrintStyle, scale: float) -> SheetImage:
    w, h = CARD
    sheet = Sheet(w, h, scale, look.border)
    edge = 1.6
    frame = SheetPlace(edge, edge, w - edge, h - edge)
    sheet.box(edge, edge, w - edge, h - edge, look.back)
    soft = mix(look.back, look.back_ink, 0.38)
    pitch = 7.0
    for row in range(-1, math.ceil(h / pitch) + 1):
        for column in range(-1, math.ceil(w / pitch) + 1):
            x, y = column * pitch + (pitch / 2 if row % 2 else 0) + 1.2, row * pitch + 2.4
            if look.pattern == "stars":
                points = [
                    (
                        x + (2.3 if k % 2 else 0.9) * math.cos(k * 0.785),
                        y + (2.3 if k % 2 else 0.9) * math.sin(k * 0.785),
                    )
                    for k in range(8)
                ]
                sheet.polygon(points, soft)
            elif look.pattern == "herringbone":
                sheet.line([(x - 3.5, y + 3.5), (x, y), (x + 3.5, y + 3.5)], 0.9, soft)
            elif look.pattern == "diamonds":
                sheet.line([(x - 3.5, y), (x, y - 3.5), (x + 3.5, y), (x, y + 3.5), (x - 3.5, y)], 0.5, soft)
                sheet.disc((x, y), 0.7, look.back_ink)
            else:
                for r in (3.4, 2.2, 1.0):
                    arc = [(x + r * math.cos(a), y + r * math.sin(a)) for a in np.linspace(0, math.pi, 14)]
                    sheet.line(arc, 0.5, soft)
    _trim(sheet, frame, look.border)
    # A face-down card counts 2: the figure is the one of a face-up 2, which is what makes reading a back hard.
    sheet.box(edge, edge, 18.6, 22.6, look.back)
    _figure(sheet, look, "2", look.back_ink)
    return sheet.image


def _board(theater: Theater, look: PrintStyle, scale: float, rng: np.random.Generator, lettered: bool) -> SheetImage:
    w, h = BOARD
    sheet = Sheet(w, h, scale, look.scene[theater].dark)
    frame = SheetPlace(1.4, 1.4, w - 1.4, h - 1.4)
    draw_board_scene(theater, sheet, frame, look.scene[theater], rng)
    _trim(sheet, frame, look.scene[theater].dark)
    sheet.box(w / 2 - 24, h / 2 - 9, w / 2 + 24, h / 2 + 9, look.header[theater])
    if lettered:
        sheet.word(BOARD_NAMES[theater], (w / 2, h / 2 + 5), 10, look.ink, 900, "middle")
    return sheet.image


def _printed(image: SheetImage, rng: np.random.Generator) -> SheetImage:
    """Paper is not perfectly even: a soft mottle of under one per cent."""
    mottle = texture(image.shape[0], image.shape[1], 26, rng)[..., None] * 1.6
    return np.clip(image + mottle, 0, 255).astype(np.uint8)


def print_deck(style: str = "bright", seed: int = 0, scale: float = ART_SCALE, lettered: bool = True) -> Deck:
    """The deck in one of `LOOKS`; seed 0 has the look's own colours, others vary hue and picture details.

    Without `lettered` names and small print are left out, for a printer to set in any language. Raises `BadInput`
    (`unknown-style`).
    """
    if style not in LOOKS:
        raise BadInput("unknown-style", f"{style!r} is not a deck style.", f"Styles are {', '.join(LOOKS)}.")
    look = LOOKS[style]
    rng = np.random.default_rng([seed, 77])
    if seed:
        look = _tinted(look, rng)
    streams: Callable[[str], np.random.Generator] = lambda name: np.random.default_rng([seed, *map(ord, name)])  # noqa: E731
    faces: dict[Face, SheetImage] = {
        c: _printed(_face(c, look, scale, streams(c), lettered), streams(c + "p")) for c in CARDS
    }
    faces[FACE_DOWN] = _printed(_back(look, scale), streams("back"))
    boards = {t: _printed(_board(t, look, scale, streams(t), lettered), streams(t + "p")) for t in THEATERS}
    return Deck(style, scale, faces, boards)


@lru_cache(maxsize=12)
def printed_deck(style: str, seed: int) -> Deck:
    """The deck as tables show it, printed once for all cameras that look at it: that takes a third of the time in which
    a camera is made. Its pictures are read only."""
    deck = print_deck(style, seed)
    for image in (*deck.faces.values(), *deck.boards.values()):
        image.setflags(write=False)
    return deck


def deck_sheet(deck: Deck, columns: int = 7) -> SheetImage:
    """All faces, the back and the boards on one white picture, for a README or a check by eye."""
    gap = round(4 * deck.scale)
    tiles = [deck.faces[c] for c in CARDS] + [deck.faces[FACE_DOWN]]
    th, tw = tiles[0].shape[:2]
    rows = math.ceil(len(tiles) / columns)
    bh, bw = deck.boards["A"].shape[:2]
    sheet = np.full(((th + gap) * rows + gap, (tw + gap) * columns + gap, 3), 246, np.uint8)
    for k, tile in enumerate(tiles):
        y, x = gap + (k // columns) * (th + gap), gap + (k % columns) * (tw + gap)
        sheet[y : y + th, x : x + tw] = tile
    strip = np.full((bh + gap, sheet.shape[1], 3), 246, np.uint8)
    for k, theater in enumerate(THEATERS):
        x = gap + k * (bw + gap)
        if x + bw <= strip.shape[1]:
            strip[:bh, x : x + bw] = deck.boards[theater]
    return np.vstack((sheet, strip))


def save_for_printing(folder: Path, style: str = "bright", seed: int = 0) -> list[Path]:
    """Writes every card and board at about 300 dpi as PNG into `folder`; raises `Failure` (`cannot-write`)."""
    deck = print_deck(style, seed, scale=12.0)
    written: list[Path] = []
    pictures = {**{f"{n if n != FACE_DOWN else 'back'}": i for n, i in deck.faces.items()}}
    pictures.update({f"board-{BOARD_NAMES[t].lower()}": i for t, i in deck.boards.items()})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, image in pictures.items():
            path = folder / f"{name}.png"
            path.write_bytes(cv2.imencode(".png", image)[1].tobytes())
            written.append(path)
    except OSError as error:
        raise Failure(
            "cannot-write", f"{folder} cannot be written: {error.strerror}.", "Name another folder."
        ) from error
    return written
