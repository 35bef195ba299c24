"""A simulated camera: pictures and films of any table with our own printable deck, under a seed.

It shares nothing with the reader but the geometry, so that it can show where the reader is wrong.
"""

from vision.simulate.camera import CONDITIONS, EMPTY, Condition, FilmFrame, SimulatedCamera, Step, varied
from vision.simulate.deck import LOOKS, Deck, deck_sheet, print_deck, save_for_printing

__all__ = [
    "CONDITIONS",
    "EMPTY",
    "LOOKS",
    "Condition",
    "Deck",
    "FilmFrame",
    "SimulatedCamera",
    "Step",
    "deck_sheet",
    "print_deck",
    "save_for_printing",
    "varied",
]
