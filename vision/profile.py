"""What is known of one deck: pictures of its faces, its back and its boards, in the light of the tags' white.

A profile is a folder: `profile.json`, one PNG for each card, the back and each board, and `sheet.png` to look at.
Version 1. Whoever wants to draw a deck by hand needs nothing but these pictures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.failure import BadInput
from engine.names import CARDS, FACE_DOWN, THEATERS, Face, Theater
from vision.geometry import table as geometry
from vision.picture_file import header_size
from vision.types import Picture

FORMAT: Final = "allfronts-deck"
VERSION: Final = 1
"""Of the form in which a profile is kept."""
KEYS: Final = frozenset(
    {"format", "version", "scale", "camera", "card_mm", "board_mm", "white", "likelihoods", "pictures", "checksum"}
)
"""What a record may say. A deck that was drawn by hand has neither `pictures` nor `checksum`."""
MOST_RECORD: Final = 65_536
"""Bytes of a `profile.json` at most: one has some 3,000."""
MOST_PICTURE: Final = 4 << 20
"""Bytes of a picture at most: one has some 100,000."""
"""Largest files that are read of a profile, bytes."""
SCALE: Final = 3.0
"""Pixels per millimetre of the stored pictures."""
CARD_PX: Final = (round(geometry.CARD[0] * SCALE), round(geometry.CARD[1] * SCALE))
BOARD_PX: Final = (round(geometry.BOARD[0] * SCALE), round(geometry.BOARD[1] * SCALE))
FACES: Final[tuple[Face, ...]] = (*CARDS, FACE_DOWN)
"""Every face a reader can see: the eighteen cards and the back."""


def _file_of(face: Face) -> str:
    return "back.png" if face == FACE_DOWN else f"{face}.png"


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """How sure measurements may make of this deck's faces, fitted to rehearsed tables of it."""

    print_temperature: float
    """Nats of print and colour together that make one nat of belief."""
    colour_temperature: float
    """The same between faces of equal print, which colour alone tells apart."""
    cards: int
    """Rehearsed cards that they were fitted on."""


@dataclass(frozen=True, slots=True)
class DeckProfile:
    """Pictures of one deck. `faces`: each of `FACES` to (264, 190, 3) uint8 BGR, upright; `boards`: (263, 382, 3)."""

    faces: Mapping[Face, Picture]
    boards: Mapping[Theater, Picture]
    camera_scale: float = 2.3
    """Pixels per millimetre of the camera that took the photographs: how sharp the pictures really are."""
    focal: float = 0.85
    """Focal length of that camera in picture widths."""
    likelihoods: Likelihoods | None = None
    """This deck's; None where it was not rehearsed."""

    def sheet(self) -> Picture:
        """All pictures of the profile on one, for a person to check: a row a theater, then back and boards."""
        w, h = CARD_PX
        gap = 12
        out = np.full((4 * (h + gap + 26) + gap, 6 * (w + gap) + gap, 3), 60, np.uint8)
        for k, face in enumerate(CARDS):
            self._place(out, self.faces[face], str(face), gap + (k % 6) * (w + gap), gap + (k // 6) * (h + gap + 26))
        y = gap + 3 * (h + gap + 26)
        self._place(out, self.faces[FACE_DOWN], "back", gap, y)
        for k, theater in enumerate(THEATERS):
            board = cv2.resize(self.boards[theater], (w * 3 // 2, round(w * 1.5 * BOARD_PX[1] / BOARD_PX[0])))
            self._place(
                out, np.asarray(board, dtype=np.uint8), f"board {theater}", 2 * gap + w + k * (w * 3 // 2 + gap), y
            )
        return out

    @staticmethod
    def _place(sheet: Picture, image: Picture, name: str, x: int, y: int) -> None:
        h, w = image.shape[:2]
        sheet[y + 22 : y + 22 + h, x : x + w] = image[:, : sheet.shape[1] - x]
        cv2.putText(sheet, name, (x, y + 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)

    def save(self, folder: str | Path, sheet: Picture | None = None) -> None:
        """Write the profile into `folder`, made if absent, with `sheet` to look at instead of its own.

        Raises `BadInput` where that cannot be.
        """
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            pictures = {_file_of(face): _png(self.faces[face]) for face in FACES}
            pictures |= {f"board-{theater}.png": _png(self.boards[theater]) for theater in THEATERS}
            for name, data in pictures.items():
                (folder / name).write_bytes(data)
            (folder / "sheet.png").write_bytes(_png(self.sheet() if sheet is None else sheet))
            record: dict[str, object] = {
                "format": FORMAT,
                "version": VERSION,
                "scale": SCALE,
                "camera": {"scale": round(self.camera_scale, 3), "focal": round(self.focal, 4)},
                "card_mm": geometry.CARD,
                "board_mm": geometry.BOARD,
                "white": "sRGB, corner tags' white at 0.86 of full light",
            }
            if self.likelihoods is not None:
                record["likelihoods"] = asdict(self.likelihoods)
            # What belongs together: a face of another deck, or of another card, is noticed.
            record["pictures"] = {name: _digest(data) for name, data in pictures.items()}
            record["checksum"] = _checksum(record)
            # Last, so that a folder with this file is a whole profile.
            (folder / "profile.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise BadInput(
                "deck-not-written", f"{folder} cannot be written: {error.strerror}.", "Give another --deck."
            ) from error

    @classmethod
    def load(cls, folder: str | Path) -> DeckProfile:
        """Read a profile; raises `BadInput` (`no-deck`, `bad-deck`) naming the file that is missing or spoilt."""
        folder = Path(folder)
        try:
            record = json.loads(_content(folder / "profile.json", MOST_RECORD))
        except OSError as error:
            if error.strerror and not isinstance(error, FileNotFoundError | NotADirectoryError):
                why = f"{folder}/profile.json cannot be read: {error.strerror}."
                raise BadInput("no-deck", why, "Check the path.") from error
            raise BadInput(
                "no-deck", f"{folder} holds no deck profile.", "Learn the deck first: ./allfronts enrol."
            ) from error
        except (ValueError, RecursionError) as error:
            raise BadInput("bad-deck", f"{folder}/profile.json is not JSON.", "Enrol the deck again.") from error
        if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
            raise BadInput(
                "bad-deck",
                f"{folder}/profile.json is not a deck profile of version {VERSION}.",
                "Enrol the deck again.",
            )
        if not set(record) <= KEYS or ("checksum" in record and record["checksum"] != _checksum(record)):
            raise BadInput("bad-deck", f"{folder}/profile.json is not as it was written.", "Enrol the deck again.")
        pictures = record.get("pictures")
        digests: Mapping[str, object] = pictures if isinstance(pictures, dict) else {}
        camera = record.get("camera")
        camera = camera if isinstance(camera, dict) else {}
        faces = {face: _read(folder / _file_of(face), CARD_PX, digests) for face in FACES}
        _refuse_twins(folder, faces)
        boards: dict[Theater, Picture] = {t: _read(folder / f"board-{t}.png", BOARD_PX, digests) for t in THEATERS}
        scale, focal = _number(camera.get("scale"), 2.3), _number(camera.get("focal"), 0.85)
        return cls(faces, boards, scale, focal, _likelihoods(record.get("likelihoods")))


def _refuse_twins(folder: Path, faces: Mapping[Face, Picture]) -> None:
    """Two faces of one picture cannot be told apart; raises `BadInput` (`bad-deck`) that names both."""
    seen: dict[bytes, Face] = {}
    for face, picture in faces.items():
        twin = seen.setdefault(picture.tobytes(), face)
        if twin != face:
            raise BadInput(
                "bad-deck",
                f"{folder / _file_of(twin)} and {_file_of(face)} are the same picture.",
                "Put the right file back, or enrol the deck again.",
            )


def _likelihoods(value: object) -> Likelihoods | None:
    """As they were written; None where they are absent or no sensible numbers."""
    if not isinstance(value, dict):
        return None
    numbers = [value.get(name) for name in ("print_temperature", "colour_temperature", "cards")]
    if not all(isinstance(n, int | float) and 0.1 < n < 1e6 for n in numbers):
        return None
    warm, colour, cards = (float(n) for n in numbers if isinstance(n, int | float))
    return Likelihoods(warm, colour, int(cards))


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and 0.1 < value < 100 else default


def _png(image: Picture) -> bytes:
    # More compression makes the folder a tenth smaller, in twice the time.
    ok, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not ok:
        raise BadInput("deck-not-written", "A picture of the profile cannot be written.", "Check the disk.")
    return bytes(data)


def _content(path: Path, most: int) -> bytes:
    """The bytes of a file; raises `OSError`, or `ValueError` where there are more than `most`."""
    if path.exists() and not path.is_file():
        # A pipe or a device would be waited for.
        raise OSError(f"{path} is no file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path} is too long")
    return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _checksum(record: Mapping[str, object]) -> str:
    """SHA-256 over everything else that the record says."""
    rest = {key: value for key, value in record.items() if key != "checksum"}
    return _digest(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())


def _read(path: Path, size: tuple[int, int], digests: Mapping[str, object]) -> Picture:
    """The picture at `path`; where the record has digests, it must be the one that was written with it."""
    try:
        data = _content(path, MOST_PICTURE)
        if digests and digests.get(path.name) != _digest(data):
            raise BadInput(
                "bad-deck",
                f"{path} is not the picture that was learnt: it was exchanged, changed or damaged.",
                "Put the right file back, or enrol the deck again.",
            )
        # A deck may come from a stranger: the header is asked before anything is unpacked.
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if header_size(data) == size else None
    except (OSError, ValueError, cv2.error) as error:
        raise BadInput("bad-deck", f"{path} is missing or cannot be read.", "Enrol the deck again.") from error
    if image is None or image.shape != (size[1], size[0], 3):
        raise BadInput("bad-deck", f"{path} is not the picture it should be.", "Enrol the deck again.")
    return np.asarray(image, dtype=np.uint8)
