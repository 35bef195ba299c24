"""PDFs as a printer sees them: rasterised, measured in millimetres."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from host.printing.page import Page, pdf

MM = 25.4
Picture = NDArray[np.uint8]


def pictures(data: bytes, dpi: float = 150) -> list[Picture]:
    """Every page of a PDF, rows × columns × 3, BGR."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [np.asarray(page.render(scale=dpi / 72).to_numpy())[..., :3].copy() for page in document]
    finally:
        document.close()


def sizes(data: bytes) -> list[tuple[float, float]]:
    """Width and height of every page, mm."""
    document = pypdfium2.PdfDocument(data)
    try:
        return [tuple(side * MM / 72 for side in document.get_page_size(k)) for k in range(len(document))]
    finally:
        document.close()


def printed(pages: Sequence[Page], dpi: float = 150) -> list[Picture]:
    return pictures(pdf(pages, "test"), dpi)


def tags_in(picture: Picture, dpi: float = 150) -> dict[int, NDArray[np.float64]]:
    """AprilTags: id to corners (4, 2) in mm from the page's upper left corner."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 3
    corners, ids, _ = cv2.aruco.ArucoDetector(family, options).detectMarkers(picture)
    numbers = np.asarray(ids).reshape(-1).tolist() if len(corners) else []
    return {
        int(n): (np.asarray(c, np.float64).reshape(4, 2) + 0.5) * MM / dpi
        for n, c in zip(numbers, corners, strict=True)
    }
