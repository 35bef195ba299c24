"""A card drawn into a picture that was read."""

from __future__ import annotations

import cv2
import numpy as np

from engine.places import Place
from vision.geometry.table import CARD
from vision.tracking.reader import TableReading
from vision.types import Picture


def laid(
    picture: Picture, plain: TableReading, place: Place, card: Picture, left: float, top: float, turn: float = 0.0
) -> None:
    """Draws a card into a picture that was read, its upper left corner so far right and down in a column, mm, and then
    turned about its middle, degrees."""
    middle = np.array([left, top]) + np.array(CARD) / 2
    theta = np.radians(turn)
    turned = np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD) / 2
    corners = plain.registration.project(plain.frames[place].to_table(middle + half @ turned))
    shown = cv2.GaussianBlur(card, (0, 0), 1.2)
    height, width = shown.shape[:2]
    there = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(there, corners.astype(np.float32))
    cv2.warpPerspective(shown, matrix, picture.shape[1::-1], picture, borderMode=cv2.BORDER_TRANSPARENT)
