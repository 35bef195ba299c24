"""Doubts: what is said of a card comes true as often as it is said, and no card lies in two places."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.names import FACE_DOWN, Face
from engine.places import Place
from vision.cards.calibration import FITTED, KnownCards, Weighed, believed, seen_cards, weigh
from vision.cards.discontent import WEAK, card_begs, is_plain
from vision.profile import FACES
from vision.tracking.reader import SURE

HERE: Place = ("A", "near")
THERE: Place = ("S", "far")


def card(match: float = 0.9, hue: float = 0.1, may_be_two: bool = False, **nats: float) -> SimpleNamespace:
    """A measured card: what each face costs; `back` is the back."""
    named = {FACE_DOWN if face == "back" else face: cost for face, cost in nats.items()}
    faces = tuple((FACES.index(face), cost) for face, cost in sorted(named.items(), key=lambda item: item[1]))
    return SimpleNamespace(faces=faces, match=match, hue_error=hue, may_be_two=may_be_two, together=False)


def table(hidden: bool = False, **columns: list[SimpleNamespace]) -> dict[Place, SimpleNamespace]:
    """Columns with cards; in those that are `hidden` something else lies too."""
    places = {"here": HERE, "there": THERE}
    return {places[name]: SimpleNamespace(cards=cards, hidden=hidden) for name, cards in columns.items()}


def read(columns: dict[Place, SimpleNamespace]) -> dict[Place, list[Face]]:
    cards, _ = seen_cards(columns)  # type: ignore[arg-type]
    return {place: [seen.read for seen in stack] for place, stack in cards.items()}


def test_a_fit_goes_by_what_would_be_said_of_each_card() -> None:
    held = Weighed({"A1": 0.0, "A4": 2.0, "L4": 3.5}, 0.95, 2.1, equal=frozenset({"A4"}))
    led = Weighed({"S2": 1.0, "A4": 0.0}, 0.95, 0.1)
    doubt = replace(FITTED, temperature=1.7, colour=0.9)

    said = [believed(held, doubt).p, dict(believed(led, doubt).others)["S2"]]

    fitted = KnownCards([("A1", held), ("S2", led)]).log_likelihood(1.7, 0.9)
    assert fitted == pytest.approx(sum(map(math.log, said)), abs=1e-4)


def test_a_card_whose_face_was_never_held_is_less_likely_than_the_last_one_held() -> None:
    held = Weighed({"A1": 0.0, "A4": 2.0}, 0.95, 0.1)

    last, never = (KnownCards([(face, held)]).log_likelihood(1.3, 1.2) for face in ("A4", "S6"))

    assert never == pytest.approx(last - 1 / 1.3, abs=1e-4)


def test_a_card_that_stands_out_is_believed() -> None:
    seen = believed(Weighed({"A1": 0.0, "A4": 14.0}, 0.9, 0.1))
    assert seen.read == "A1" and seen.p > 0.99 and not seen.others


def test_two_cards_that_look_the_same_are_believed_by_halves() -> None:
    seen = believed(Weighed({"A3": 0.0, "S3": 0.0}, 0.95, 0.1))
    assert seen.p == pytest.approx(0.5, abs=0.01)
    assert seen.others[0][1] == pytest.approx(0.5, abs=0.01)


def test_what_goes_with_no_face_is_believed_little_though_one_face_leads() -> None:
    assert believed(Weighed({"A1": 0.0, "A4": 20.0}, -0.3, 0.1)).p < 0.1


def test_a_card_whose_print_ends_the_search_for_other_explanations_is_sure() -> None:
    """A back under glare, half of it spared, was taken at first sight and left in doubt at 0.93."""
    assert believed(Weighed({"A1": 0.0, "A4": 30.0}, WEAK, 0.1)).p > SURE


def test_a_card_that_looks_as_much_like_a_back_as_like_a_face_is_likelier_a_back() -> None:
    cards, _ = seen_cards(table(here=[card(back=0.0, A4=0.0)]))  # type: ignore[arg-type]

    (seen,) = cards[HERE]
    assert seen.read == FACE_DOWN
    assert dict(seen.others)["A4"] < 0.2


def test_a_face_that_leads_a_back_plainly_is_sure_though_backs_lie_there_more_often() -> None:
    cards, _ = seen_cards(table(here=[card(A4=0.0, back=8.0)]))  # type: ignore[arg-type]

    (seen,) = cards[HERE]
    assert seen.read == "A4"
    assert seen.p > SURE


def test_a_back_that_leads_every_face_by_as_much_as_backs_in_glare_do_is_sure() -> None:
    """A back in a glossy sleeve led all seventeen faces by 6 nats, and was left in doubt at 0.94."""
    faces = {str(face): 6.1 for face in FACES if face != FACE_DOWN}

    cards, _ = seen_cards(table(here=[card(back=0.0, **faces)]))  # type: ignore[arg-type]

    assert cards[HERE][0].p > SURE


@pytest.mark.parametrize(("upright", "match", "told"), [("back", 0.59, False), ("back", 0.8, True), ("A4", 0.59, True)])
def test_a_back_whose_print_is_hardly_seen_is_not_said_to_lie_the_wrong_way_round(
    upright: str, match: float, told: bool
) -> None:
    """A strip of a dark back with next to no print, under a shine, went better with it turned round."""
    turned = card(match, **{upright: 0.0, "S1": 12.0})
    (first, nats), *others = turned.faces
    turned.faces = ((first + len(FACES), nats), *others)

    cards, _ = seen_cards(table(here=[turned]))  # type: ignore[arg-type]

    assert cards[HERE][0].wrong_way is told and cards[HERE][0].p > SURE


def test_a_warmer_judge_doubts_more() -> None:
    near = Weighed({"A1": 0.0, "L1": 2.0}, 0.9, 0.1)
    assert believed(near, replace(FITTED, temperature=3.0)).p < believed(near, replace(FITTED, temperature=0.5)).p


def test_a_card_of_another_colour_is_not_sure_though_its_figure_fits() -> None:
    faces: dict[Face, float] = {"A5": 0.0, "A6": 10.9}
    assert believed(Weighed(faces, 0.76, 0.1)).p > 0.97
    assert believed(Weighed(faces, 0.76, 4.0)).p < 0.97, "a lamp left its figure's edge and nothing of its colour"


def test_a_card_in_whose_strip_another_may_lie_is_not_sure() -> None:
    columns = table(here=[card(may_be_two=True, back=0.0, L2=31.0), card(S5=0.0, A1=40.0)])
    cards, _ = seen_cards(columns)  # type: ignore[arg-type]
    assert [seen.p > 0.97 for seen in cards[HERE]] == [False, True]


def test_other_things_beside_a_board_are_no_cards() -> None:
    stranger = [card(match=0.3, hue=3.0, L5=0.0, A1=3.0)]
    assert read(table(hidden=True, here=stranger)) == {HERE: []}
    assert read(table(hidden=True, here=[*stranger, card(L4=0.0, A1=30.0)])) == {HERE: ["L5", "L4"]}


def test_a_stranger_takes_no_face_from_a_card() -> None:
    columns = table(here=[card(match=0.3, hue=4.0, L4=0.0, A1=30.0)], there=[card(L4=0.0, S1=9.0)])
    assert read(columns)[THERE] == ["L4"]


def test_a_face_that_lies_elsewhere_for_certain_is_not_free() -> None:
    columns = table(here=[card(A3=0.0, S3=30.0)], there=[card(A3=0.0, S3=2.0)])
    assert read(columns) == {HERE: ["A3"], THERE: ["S3"]}


def test_a_card_whose_likeliest_face_lies_elsewhere_is_not_sure_to_be_the_next() -> None:
    # An A1 under a smeared shine went best as an A6, which lay elsewhere, and then as an L1.
    cards = table(here=[card(A6=0.0, L1=1.1, L6=6.7, A1=10.4)], there=[card(A6=0.0, L6=30.0)])
    seen, _ = seen_cards(cards)  # type: ignore[arg-type]
    assert seen[HERE][0].read == "L1" and seen[HERE][0].p < SURE


def test_a_card_whose_likeliest_face_lies_elsewhere_is_not_sure_to_lie_face_down() -> None:
    """Of an S3 a mirrored window left nothing: it went best as an A6, which lay elsewhere, and was a back at 0.97, for
    backs are played often."""
    cards = table(here=[card(A6=0.0, back=0.4, A3=2.9, S6=2.9, S3=3.4)], there=[card(A6=0.0, L6=30.0)])
    seen, _ = seen_cards(cards)  # type: ignore[arg-type]
    assert seen[HERE][0].read == FACE_DOWN and seen[HERE][0].p < SURE


def test_any_number_of_cards_lies_face_down() -> None:
    columns = table(here=[card(back=0.0, A1=30.0), card(back=0.0, A2=30.0)], there=[card(back=0.0, A1=9.0)])
    assert read(columns) == {HERE: [FACE_DOWN, FACE_DOWN], THERE: [FACE_DOWN]}


def test_a_card_that_is_plainly_seen_twice_is_told_with_both_places() -> None:
    _, twice = weigh(table(here=[card(A1=0.0, L4=40.0)], there=[card(L6=0.0, A2=9.0), card(A1=0.0, S5=30.0)]))  # type: ignore[arg-type]
    assert twice == ["A/near/0", "S/far/1"]


def test_a_face_that_another_card_only_seems_to_have_is_not_ruled_out() -> None:
    # Given two Maneuvers of equal print, of which one looks a little more like the Sea's than the other
    alike = {face: frozenset({"A3", "S3"} - {face}) for face in ("A3", "S3")}
    columns = table(here=[card(S3=0.0, A3=1.7, L1=60.0)], there=[card(A3=0.0, S3=0.2, L1=60.0)])
    # When the faces are given out
    cards, twice = seen_cards(columns, equal=alike)  # type: ignore[arg-type]
    # Then both are as likely, for one is the Sea's only if the other is not
    assert [cards[HERE][0].read, cards[THERE][0].read] == ["S3", "A3"] and not twice
    assert cards[HERE][0].p == pytest.approx(cards[THERE][0].p) and cards[HERE][0].p < 0.9


def test_a_face_that_is_seen_twice_among_faces_of_one_print_is_in_doubt() -> None:
    alike = {face: frozenset({"A3", "S3"} - {face}) for face in ("A3", "S3")}
    columns = table(here=[card(S3=0.0, A3=20.0, L1=60.0)], there=[card(S3=0.0, A3=20.0, L1=60.0)])
    cards, _ = seen_cards(columns, equal=alike)  # type: ignore[arg-type]
    assert max(cards[HERE][0].p, cards[THERE][0].p) < 0.6


def test_cards_that_were_told_apart_together_are_not_told_apart_once_more() -> None:
    """Their costs hold already that each face lies once: counted twice, nine to one would be eighty to one."""
    nine_to_one = FITTED.colour * math.log(9)
    one, other = card(A3=0.0, L3=nine_to_one), card(L3=0.0, A3=nine_to_one)
    one.together = other.together = True
    alike = {"A3": frozenset({"L3"}), "L3": frozenset({"A3"})}
    cards, twice = seen_cards(table(here=[one], there=[other]), equal=alike)  # type: ignore[arg-type]
    assert not twice
    assert [cards[place][0].p for place in (HERE, THERE)] == pytest.approx([0.9, 0.9], abs=0.01)


@pytest.mark.parametrize(("hue", "odd"), [(0.1, False), (0.8, False), (1.97, True)])
def test_a_card_of_another_hue_than_its_face_begs_for_another_explanation(hue: float, odd: bool) -> None:
    """An A6 was an L6 for certain at once, 8 nats before the next face: no right card had been so far off in hue."""
    seen = card(match=0.84, hue=hue, L6=0.0, A5=8.0, A6=14.0)
    assert (card_begs(seen, 19) > 0) == odd  # type: ignore[arg-type]
    assert is_plain(seen) != odd  # type: ignore[arg-type]
