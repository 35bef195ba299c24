"""Decks of random design: each differs from the others, and is cut where it lies."""

from __future__ import annotations

import numpy as np
import pytest

from engine.names import SEATS, THEATERS
from vision.enrolment.placement import place_all
from vision.geometry.rectify import frame_around
from vision.geometry.registration import register
from vision.geometry.table import CARD
from vision.simulate import EMPTY, SimulatedCamera
from vision.simulate.deck_design import design_deck, draw_design

SIX = {
    **EMPTY,
    **{(t, seat): (f"S{k + n}",) for k, t in enumerate(THEATERS) for seat, n in zip(SEATS, (1, 4), strict=True)},
}


def test_designs_have_what_decks_in_shops_have() -> None:
    designs = [draw_design(seed) for seed in range(60)]
    assert {d.side for d in designs} == {"left", "right", "both"}
    assert {d.back for d in designs} == {"plain", "repeating", "figure"}
    assert {d.equal_maneuvers for d in designs} == {True, False}
    assert any(d.border == 0 for d in designs) and any(d.border > 1 for d in designs)
    tones = [sum(d.header["A"]) / 3 for d in designs]
    assert min(tones) < 60 and max(tones) > 200


def test_equal_maneuvers_differ_in_the_header_alone() -> None:
    seed = next(s for s in range(20) if draw_design(s).equal_maneuvers)
    deck, design = design_deck(seed, 3.0), draw_design(seed)
    below = round((design.header_mm + 1) * deck.scale)
    assert np.array_equal(deck.faces["A3"][below:], deck.faces["S3"][below:])
    assert not np.array_equal(deck.faces["A3"][:below], deck.faces["S3"][:below])


@pytest.mark.parametrize("seed", [0, 3])
def test_a_deck_of_random_design_is_placed_where_it_lies(seed: int) -> None:
    camera = SimulatedCamera(seed=seed, condition="day", deck=design_deck(seed), vary=True)
    lying = camera.lay(SIX, THEATERS)
    image = camera.picture(lying)
    found = register(image)
    assert found is not None
    corners = np.array([[0, 0], [CARD[0], 0], CARD, [0, CARD[1]]])
    for number, card in enumerate(place_all(image, found.pose).cards):
        lies = next(x for x in lying if x.what == f"S{number + 1}")
        true = frame_around((lies.x, lies.y), np.radians(lies.turn), *CARD)
        away = card.frame.to_table(corners) - true.to_table(corners)
        assert float(np.hypot(*away.T).max()) < 1.2
