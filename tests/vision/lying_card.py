"""A card drawn into a picture that was read."""

from __future__ import annotations

import cv2
import numpy as np

from engine.places import Place
from vision.geometry.table import CARD
from vision.tracking.reader import TableReading
from vision.types import Picture


def laid(picture: Picture, plain: TableReading, place: Place, card: Picture, left: float, top: float) -> None:
    """Draws a card into a picture that was read, its upper left corner so far right and down in a column, mm."""
    lying = [[left, top], [left + CARD[0], top], [left + CARD[0], top + CARD[1]], [left, top + CARD[1]]]
    corners = plain.registration.project(plain.frames[place].to_table(np.array(lying)))
    shown = cv2.GaussianBlur(card, (0, 0), 1.2)
    height, width = shown.shape[:2]
    there = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(there, corners.astype(np.float32))
    cv2.warpPerspective(shown, matrix, picture.shape[1::-1], picture, borderMode=cv2.BORDER_TRANSPARENT)
