"""Rooms of the simulated camera: each is drawn, and each makes the picture hard in its own way and no other."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.names import FACE_DOWN, THEATERS
from vision.geometry.registration import find_tags, grey_of
from vision.geometry.table import CARD
from vision.simulate import EMPTY, ROOMS, SimulatedCamera, print_deck, varied_room
from vision.simulate.optics import Light, Optics, View
from vision.simulate.processing import Processing, processed
from vision.simulate.things import FREE, _outline, things_at_rim
from vision.simulate.wear import Wear, worn

TABLE = {**EMPTY, ("A", "near"): ("A6", "-", "S2"), ("L", "far"): ("-", "L4"), ("S", "near"): ("A3",)}
SMALL = (960, 540)


@pytest.mark.parametrize("name", sorted(ROOMS))
def test_every_room_can_be_drawn_the_same_way_twice(name: str) -> None:
    one, two = (SimulatedCamera("muted", 4, condition=name, resolution=SMALL, vary=True).still(TABLE) for _ in range(2))
    assert one.shape == (540, 960, 3) and one.std() > 6
    assert np.array_equal(one, two)


@pytest.mark.parametrize("name", ["checked", "printed", "wood"])
def test_a_patterned_mat_shows_its_tags_and_its_pattern(name: str) -> None:
    camera = SimulatedCamera("bright", 3, condition=replace(ROOMS[name], resolution=SMALL))
    picture = camera.still(EMPTY)
    assert set(find_tags(grey_of(picture))) == {0, 1, 2, 3}
    plain = SimulatedCamera("bright", 3, condition=replace(ROOMS[name], resolution=SMALL, pattern="plain"))
    bare = np.rint(camera.optics.project(np.array([(x, y, 0.0) for x in (-40, 40) for y in (150, 210)]))).astype(int)
    low, high = bare.min(0), bare.max(0)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    assert picture[part].std() > 1.5 * plain.still(EMPTY)[part].std()


def test_things_stand_at_the_rim_and_never_where_cards_lie() -> None:
    for seed in range(40):
        things = things_at_rim(3, seed % 3, np.random.default_rng(seed))
        assert len(things) >= seed % 3 + 1
        for thing in things:
            inside = np.abs(_outline(thing, 1.0)) < np.array(FREE) - 1e-6
            assert not inside.all(axis=1).any()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_thing_over_a_tag_hides_that_tag(seed: int) -> None:
    room = replace(ROOMS["tags-hidden"], things=0, resolution=(1280, 720))
    picture = SimulatedCamera("bright", seed, condition=room).still(EMPTY)
    assert len(find_tags(grey_of(picture))) == 4 - room.tags_hidden


def test_resting_arms_lie_on_no_card() -> None:
    room = replace(ROOMS["arms"], light=Light(shadow=0, noise=0), clutter=0.0, jpeg=None, resolution=SMALL)
    for seed in (1, 2):
        rested = SimulatedCamera("bright", seed, condition=room)
        alone = SimulatedCamera("bright", seed, condition=replace(room, arms=0))
        lying = rested.lay(TABLE, THEATERS)
        assert lying == alone.lay(TABLE, THEATERS)
        changed = np.abs(rested.plate(lying).astype(int) - alone.plate(lying)).max(axis=2) > 3
        assert changed.any(), "an arm is seen"
        for card in lying:
            width, height = CARD if card.what not in THEATERS else (127.0, 87.0)
            c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
            corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2) @ [[c, s], [-s, c]]
            at = rested.optics.project(np.column_stack((corners + np.array((card.x, card.y)), np.zeros(4))))
            mask = np.zeros(changed.shape, np.uint8)
            cv2.fillConvexPoly(mask, np.rint(at).astype(np.int32), (1.0,))
            assert not changed[mask > 0].any()


def test_a_strong_lens_with_three_radial_terms_is_undone_by_its_map() -> None:
    view = View(tilt=18, lean=200, field_of_view=88, k1=-0.26, k2=0.07, k3=-0.007)
    optics = Optics(view, (640, 360))
    places = optics.table_map()
    for row, column in ((180, 320), (20, 30), (340, 615), (15, 600)):
        x, y = places[row, column]
        assert optics.project(np.array([(x, y, 0.0)]))[0] == pytest.approx((column, row), abs=0.4)


def step(width: int = 240, height: int = 120) -> np.ndarray:
    picture = np.full((height, width, 3), (60, 90, 120), np.uint8)
    picture[:, width // 2 :] = (150, 130, 60)
    return picture


def test_sharpening_leaves_seams_along_edges_and_thin_colour_leaves_less_colour() -> None:
    plain = step(height=1080)
    sharp = processed(plain, Processing(sharpening=1.0))
    assert sharp[:, 121:124, 0].max() > 155 and sharp[:, 116:119, 0].min() < 55
    thin = processed(plain, Processing(saturation=0.5)).astype(int)
    assert np.ptp(thin[5, 5]) == pytest.approx(np.ptp(plain[5, 5].astype(int)) / 2, abs=2)


def test_smear_wipes_faint_print_away_and_keeps_edges() -> None:
    plain = step()
    plain[::3] = np.minimum(plain[::3] + 8, 255)
    smeared = processed(plain, Processing(smear=1.0))
    assert smeared[:, 20:80].std(axis=0).max() < 0.5 * plain[:, 20:80].std(axis=0).max()
    assert int(smeared[60, 200, 1]) - int(smeared[60, 40, 1]) > 30


def test_bands_of_mains_light_lie_across_and_wander() -> None:
    how = Processing(bands=0.1, band_count=2.0)
    rows = [processed(step(), how, frame)[:, 10, 1].astype(float) for frame in (0, 1)]
    assert int(np.argmax(np.abs(np.fft.rfft(rows[0] - rows[0].mean())))) == 2
    assert np.abs(rows[0] - rows[1]).max() > 5


def test_drifting_settings_change_from_picture_to_picture_and_come_back() -> None:
    how = Processing(drift=0.2, balance=(0.8, 1.0, 1.1))
    means = [float(processed(step(), how, frame).mean()) for frame in (0, 22, 90)]
    assert means[1] > 1.15 * means[0] and means[2] == pytest.approx(means[0], rel=0.02)


def test_worn_cards_are_white_at_the_rim_and_each_in_its_own_way() -> None:
    art = print_deck("night", 1).faces[FACE_DOWN]
    scale = print_deck("night", 1).scale
    one, two = (worn(art, Wear(scuffs=1.0, bend=3.0), scale, np.random.default_rng(n)) for n in (1, 2))
    rim = max(1, round(0.4 * scale))
    assert one[:rim].mean() > art[:rim].mean() + 20
    assert np.abs(one.astype(int) - two).mean() > 1
    assert np.array_equal(worn(art, Wear(), scale, np.random.default_rng(1)), art)


def test_haze_takes_contrast_and_adds_light() -> None:
    plain = replace(ROOMS["haze"], light=Light(noise=0), resolution=SMALL, jpeg=None)
    hazy = replace(plain, light=Light(noise=0, haze=0.4))
    clear, veiled = (SimulatedCamera("bright", 2, condition=c).still(TABLE) for c in (plain, hazy))
    assert veiled.std() == pytest.approx(0.6 * clear.std(), rel=0.03)
    assert veiled.min() > clear.min() + 60


def test_a_varied_strong_lens_hangs_aslant_up_to_20_degrees() -> None:
    views = [varied_room("lens", np.random.default_rng(seed))[0].view for seed in range(30)]
    assert all(8 <= view.tilt <= 20 for view in views)
    assert min(view.k1 for view in views) < -0.22 and any(view.k3 != 0 for view in views)
