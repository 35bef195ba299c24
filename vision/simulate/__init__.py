"""A simulated camera: pictures and films of any table with our own printable deck, under a seed.

It shares nothing with the reader but the geometry, so that it can show where the reader is wrong.
"""

from vision.simulate.camera import EMPTY, FilmFrame, FilmStep, SimulatedCamera
from vision.simulate.conditions import CONDITIONS, ROOMS, TableCondition, varied, varied_room
from vision.simulate.deck import LOOKS, Deck, deck_sheet, print_deck, printed_deck, save_for_printing

__all__ = [
    "CONDITIONS",
    "EMPTY",
    "LOOKS",
    "ROOMS",
    "Deck",
    "FilmFrame",
    "FilmStep",
    "SimulatedCamera",
    "TableCondition",
    "deck_sheet",
    "print_deck",
    "printed_deck",
    "save_for_printing",
    "varied",
    "varied_room",
]
