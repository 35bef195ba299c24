"""The PDFs in hardware/print, looked at as a printer does: page sizes, and the tags where they must be, rasterised."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from kit import dimensions as d
from kit.check import Check, at_most, same

FOLDER: Final = Path(__file__).resolve().parents[1] / "print"
DPI: Final = 150
MM: Final = 25.4
SHEETS: Final[dict[str, tuple[int, tuple[float, float]]]] = {
    "mat-a2.pdf": (1, (420.0, 594.0)),
    "mat-2xa3.pdf": (2, (420.0, 297.0)),
    "mat-6xa4.pdf": (6, (297.0, 210.0)),
    "tags-a4.pdf": (1, (210.0, 297.0)),
}
"""Each PDF: its number of pages, and their width and height in mm."""
ACCURATE: Final = 0.2
"""mm that a printed tag may be off (150 dots an inch are 0.17 mm each)."""


def pages(path: Path) -> list[NDArray[np.uint8]]:
    """Every page in grey at `DPI`."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [np.asarray(page.render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze() for page in document]
    finally:
        document.close()


def tags_on(picture: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """AprilTags of a rasterised page: id to corners (4, 2), mm from the page's upper left corner."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 3
    corners, ids, _ = cv2.aruco.ArucoDetector(family, options).detectMarkers(picture)
    # OpenCV gives no ids at all where it finds no tag.
    numbers = np.asarray(ids).reshape(-1).tolist() if len(corners) else []
    found = zip(numbers, corners, strict=True)
    return {int(n): (np.asarray(c, np.float64).reshape(4, 2) + 0.5) * MM / DPI for n, c in found}


def print_checks(folder: Path = FOLDER) -> list[Check]:
    """Pages to size, every tag whole and 30 mm wide; on the one-sheet mat, each at its place and upright."""
    checks = []
    for name, (count, size) in SHEETS.items():
        path = folder / name
        if not path.is_file():
            checks.append(Check(f"{name} is there", False, f"./allfronts print writes it: {folder}"))
            continue
        document = pypdfium2.PdfDocument(path)
        sizes = [tuple(side * MM / 72 for side in document.get_page_size(k)) for k in range(len(document))]
        document.close()
        checks.append(same(f"{name}: number of pages", len(sizes), count))
        off = max(abs(a - b) for got in sizes for a, b in zip(got, size, strict=True))
        checks.append(at_most(f"{name}: pages off their size", off, 0.05))
        checks += _tag_checks(name, [tags_on(page) for page in pages(path)])
    if (folder / "mat-a2.pdf").is_file():
        checks += _mat_checks(tags_on(pages(folder / "mat-a2.pdf")[0]))
    return checks


def _tag_checks(name: str, found: list[dict[int, NDArray[np.float64]]]) -> list[Check]:
    """Each tag is on one of the pages, whole, with sides of 30 mm."""
    numbers = sorted(number for page in found for number in page)
    corners = [np.vstack((c, c[:1])) for page in found for c in page.values()]
    off = max((abs(float(np.hypot(*side)) - 30.0) for c in corners for side in np.diff(c, axis=0)), default=30.0)
    return [
        same(f"{name}: tags on its pages", numbers, [0, 1, 2, 3]),
        at_most(f"{name}: sides of its tags off 30 mm", off, ACCURATE),
    ]


def _mat_checks(tags: dict[int, NDArray[np.float64]]) -> list[Check]:
    checks = [same("mat-a2.pdf: its tags", sorted(tags), [0, 1, 2, 3])]
    for number, (x, y) in enumerate(((-185.0, 272.0), (185.0, 272.0), (185.0, -272.0), (-185.0, -272.0))):
        if number in tags:
            left, top = d.MAT[0] / 2 + x - 15, d.MAT[1] / 2 - y - 15
            due = np.array(((left, top), (left + 30, top), (left + 30, top + 30), (left, top + 30)))
            off = float(np.abs(tags[number] - due).max())
            checks.append(at_most(f"mat-a2.pdf: corners of tag {number} off their place", off, ACCURATE))
    return checks
