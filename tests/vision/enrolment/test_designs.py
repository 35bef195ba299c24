"""Decks of random design: each differs from the others, and is cut where it lies."""

from __future__ import annotations

import numpy as np
import pytest

from engine.names import SEATS, THEATERS, Face, Theater
from engine.places import Place
from vision.enrolment.placement import place_all
from vision.geometry.rectify import frame_around
from vision.geometry.registration import register
from vision.geometry.table import CARD
from vision.simulate import CONDITIONS, EMPTY, SimulatedCamera, varied
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


def furthest(camera: SimulatedCamera, theater: Theater) -> float:
    """How far a corner of a theater's six cards is cut off at most, mm."""
    board: dict[Place, tuple[Face, ...]] = {place: (f"{theater}{face[0][1]}",) for place, face in SIX.items()}
    lying = camera.lay(board, THEATERS)
    image = camera.picture(lying)
    found = register(image)
    assert found is not None
    corners = np.array([[0, 0], [CARD[0], 0], CARD, [0, CARD[1]]])
    most = 0.0
    for number, card in enumerate(place_all(image, found.pose).cards):
        lies = next(x for x in lying if x.what == f"{theater}{number + 1}")
        true = frame_around((lies.x, lies.y), np.radians(lies.turn), *CARD)
        away = card.frame.to_table(corners) - true.to_table(corners)
        most = max(most, float(np.hypot(*away.T).max()))
    return most


@pytest.mark.parametrize("seed", [0, 3])
def test_a_deck_of_random_design_is_placed_where_it_lies(seed: int) -> None:
    assert furthest(SimulatedCamera(seed=seed, condition="day", deck=design_deck(seed), vary=True), "S") < 1.2


@pytest.mark.parametrize(("seed", "theater"), [(61004, "L"), (61011, "L")])
def test_a_shadow_beside_a_card_is_not_taken_for_the_outer_part_of_a_border(seed: int, theater: Theater) -> None:
    """One deck has headers of the mat's own colour and a dark foot, the other white borders on a dark mat; both were
    cut up to 2.7 mm off, as if borders of a millimetre did not show."""
    condition = varied(CONDITIONS["day"], np.random.default_rng([seed, 0, 5]))
    camera = SimulatedCamera(seed=9000 + seed, condition=condition, deck=design_deck(seed))
    assert furthest(camera, theater) < 1.2
