"""On a patterned mat an empty place is a claim, too."""

from __future__ import annotations

import numpy as np

from engine.names import THEATERS, Face
from engine.places import Place
from engine.sight import Sight
from host.bench.drawn import random_table
from vision.enrolment.rehearsal import deck_as_learnt
from vision.profile import DeckProfile
from vision.simulate import ROOMS, SimulatedCamera, varied_room
from vision.tracking.reader import Reader
from vision.types import Picture

Board = dict[Place, tuple[Face, ...]]

SEED = 1046
TABLE = 2
"""The third table that was drawn so with the golden deck on a checked mat."""


def drawn(profile: DeckProfile) -> tuple[Picture, Board]:
    """A picture of that table in dim light, and what lies there."""
    rng = np.random.default_rng([SEED, list(ROOMS).index("checked"), *map(ord, "dunes")])
    condition, _ = varied_room("checked", rng)
    camera = SimulatedCamera(seed=int(rng.integers(1, 1 << 30)), condition=condition, deck=deck_as_learnt(profile))
    for _ in range(TABLE + 1):
        truth = random_table(rng, bool(rng.random() < 0.12))
        order = tuple(str(theater) for theater in rng.permutation(list(THEATERS)))
        camera.clear()
        picture = camera.still(truth, order)
    return picture, truth


def test_cards_on_a_checked_mat_in_dim_light_are_no_empty_place(dunes_profile: DeckProfile) -> None:
    """An L3 under a back: their explanation left more in doubt than that nothing lies there, which was then certain,
    though something was seen that the bare table does not show."""
    picture, truth = drawn(dunes_profile)
    sight: Sight = Reader(dunes_profile).read(picture).sight
    assert dict(sight.board) == truth
    assert sight.board["A", "far"] == ("L3", "-")
