"""Faces of equal print told apart in the light that lies around them.

The boards tell the light of the table as a whole, a few hundredths off in each channel: that is as much as the hues of
three Maneuvers may differ by. Cards that are known for certain lie nearer. What each tells of the light's tint is drawn
together by kriging (Matheron, 1963): one tint that all share, and one that changes slowly over the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.places import Place
from vision.cards.calibration import FITTED
from vision.cards.classify import Judged
from vision.cards.colour_errors import learnt
from vision.cards.colour_kriging import AlikeCard, ColourGroups, known_groups, ways_of
from vision.cards.column_reading import ColumnReading
from vision.cards.discontent import lead_of
from vision.cards.equal_print import (
    CELL,
    SCALE,
    UNKNOWN_TINT,
    CardLight,
    Colours,
    Tint,
    by_colour,
    common_parts,
    floor_of,
    hue_errors,
    light_as,
    lights_over,
)
from vision.cards.lead import less_apart
from vision.cards.outline import outline_of
from vision.geometry.rectify import TableArea
from vision.profile import FACES
from vision.types import Floats

SHARED: Final = 0.08
"""Standard deviation of the tint that all cards share: how far the boards' light is off."""
LOCAL: Final = 0.02
"""The same of what changes over the table."""
LENGTH: Final = 250.0
"""Distance over which that changes, mm."""
LEAST: Final = 0.02
"""Error of the tint that a card tells at best: it was learnt in a light of its own place."""
VEIL_FREE: Final = 0.03
"""Veil that says nothing against what a card tells, linear light;"""
VEIL_COSTS: Final = 0.3
"""and the error that each unit above it adds."""
OWN: Final = 0.015
"""Tint that a card has for itself, by its curl and shine."""
MOST_ERROR: Final = 0.04
"""Error of a known card's hue, root of light, beyond which it tells no more of the camera's: something lies on it."""
PARTS: Final = 12
"""Fewest parts of a card that tell a tint."""
AGREES: Final = 0.9
"""How likely a face must be by all cards together for the surer word of the card by itself to count. Of 3,868 Maneuvers
3,523 are then right and certain instead of 3,524, and the logarithmic loss is 0.045 instead of 0.046 nats. With 0.75 an
L3 through a webcam by lamplight was an S3 at 0.995, which it was at 0.85 by all cards; of 470 photographs and tables in
rooms no other one is told otherwise for certain."""
CONTRADICTED: Final = 0.5
"""What is left of the nats by which all cards together tell a face where the card by itself speaks for another one. Of
1,020 Maneuvers, 460 of them through cheap cameras, six were told so at 0.9 to 0.98, one of them wrongly, and two more
surely, rightly; another one was wrong at 0.975. On 544 photographs through such cameras none instead of one table is
wrong and certain then, and 499 instead of 501 are right and certain."""
HIDDEN_SIGN: Final = 0.6
"""What is left of the nats that tell faces apart which have a small sign, where it is hidden: the hues of such headers
differ by little. Of twelve such Maneuvers on 268 photographs seven are told by more than 7 nats, all rightly, and the
others by up to 4.3, one of them wrongly. With 0.5 one of the seven is in doubt."""
LAIN_ON: Final = (0.8, 1.0, 0.2)
"""Of a card whose print goes worse than the first with what is seen, and whose hue is off by more than the second,
squared and in spreads, something covers a part: what is left of the nats then that tell faces of equal print apart. A
finger over half of an L3's header made it an S3 at 0.997, at 0.6 and 1.8. Of 319 such cards on path-traced photographs
none is so."""
UNDER_VEIL: Final = (0.5, 0.6, 4.0)
"""Share of the light seen of a card from which a veil is most of it, what is left of the nats then that tell faces of
equal print apart, and the lead that is sure however. In a sleeve that shone all over a new deck's A3 was an S3 at
0.96, and at 0.81 to 0.92 on three more pictures that were made of that one; of 1,018 Maneuvers on photographs and
tables in rooms of eleven decks, three in four of them spoilt, 18 more are so, and right. Whatever the lead, a filmed
game's L3 by lamplight was told too late, and not that it lay in the wrong theater."""
LEAST_LIKELY: Final = 1e-12
"""No face is told to be less likely than this."""


def told_apart(
    columns: Mapping[Place, ColumnReading],
    frames: Mapping[Place, TableArea],
    certain: Collection[tuple[Place, int]],
    scale: float = SCALE,
) -> dict[Place, ColumnReading]:
    """The columns with faces of equal print told apart anew. `certain`: cards (place, index from the bottom) that are
    known; `frames`: where each column lies on the table; `scale`: pixels of the picture on each mm."""
    alike = {
        (place, k)
        for place, column in columns.items()
        for k, card in enumerate(column.cards)
        if card.colours is not None and len(card.colours.faces) > 1
    }
    out = dict(columns)
    if not alike:
        return out
    known, lights, groups = _known(columns, frames, [at for at in certain if at not in alike])
    tints = {(place, k): _tint_at(_middle(frames[place], columns[place].cards[k]), known) for place, k in sorted(alike)}
    parts = [light.parts for light in lights]
    for (place, k), tint in tints.items():
        card = columns[place].cards[k]
        if card.colours is not None and card.faces[0][0] in card.colours.faces:
            parts.append(common_parts(card.colours, card.faces[0][0], tint))
    errors = learnt(parts)
    floor = floor_of([min(error, MOST_ERROR**2) for error in hue_errors(lights, errors)])
    told: dict[tuple[Place, int], Judged] = {}
    for (place, k), tint in tints.items():
        card = columns[place].cards[k]
        if card.colours is not None:
            colours = replace(card.colours, scale=scale)
            told[place, k] = replace(card, colours=colours, faces=by_colour(card.faces, colours, tint, floor, errors))
    told |= _together(told, tints, frames, groups)
    told = {at: _told_though_lain_on(_told_without_sign(card)) for at, card in told.items()}
    told = {at: _told_under_veil(card, tints[at]) for at, card in told.items()}
    for place in {place for place, _ in alike}:
        cards = tuple(told.get((place, k), card) for k, card in enumerate(columns[place].cards))
        out[place] = replace(columns[place], cards=cards)
    return out


def _told_without_sign(card: Judged) -> Judged:
    """The card as surely told as it is where its sign is hidden; itself where that is seen or the deck prints none."""
    if card.colours is None or not card.colours.sign_hidden:
        return card
    return replace(card, faces=tuple(less_apart(card.faces, card.colours.faces, HIDDEN_SIGN)))


def _told_though_lain_on(card: Judged) -> Judged:
    """The card hardly told apart from those of its print where something seems to cover a part of it."""
    print_goes, hue_off, counts = LAIN_ON
    if card.colours is None or card.match >= print_goes or card.hue_error <= hue_off:
        return card
    return replace(card, faces=tuple(less_apart(card.faces, card.colours.faces, counts)))


def _told_under_veil(card: Judged, tint: Tint) -> Judged:
    """The card told less surely apart from those of its print where a veil is most of the light that is seen of it:
    what that has of a hue of its own is more than what the headers' hues differ by."""
    share, counts, surely = UNDER_VEIL
    colours, lead = card.colours, lead_of(card)
    if colours is None or lead >= surely or card.faces[0][0] not in colours.faces:
        return card
    veil = light_as(colours, tint)[colours.faces.index(card.faces[0][0])].veil
    seen = float(colours.weight @ colours.light.mean(1)) / float(colours.weight.sum())
    return replace(card, faces=tuple(less_apart(card.faces, colours.faces, counts if veil > share * seen else 1.0)))


def _together(
    told: Mapping[tuple[Place, int], Judged],
    tints: Mapping[tuple[Place, int], Tint],
    frames: Mapping[Place, TableArea],
    known: Sequence[ColourGroups],
) -> dict[tuple[Place, int], Judged]:
    """The cards of equal print that can be told apart together, with their faces so."""
    out: dict[tuple[Place, int], Judged] = {}
    for group in _of_one_print(told):
        cards: list[AlikeCard] = []
        for at in group:
            card, colours = told[at], told[at].colours
            if colours is not None:
                # Fine parts mix the edges of a small sign with the paper: it is told by its core, beside coarse parts.
                colours = colours if colours.coarse is None else _coarse(colours, colours.coarse)
                nats = dict(card.faces)
                costs = np.array([nats[face] for face in colours.faces]) / FITTED.colour
                read = min(colours.faces, key=nats.__getitem__)
                cards.append(AlikeCard(colours, _middle(frames[at[0]], card), tints[at], read, costs))
        small = any(card.colours.cell < CELL for card in cards)
        likely = None if small else ways_of(cards, known, len(FACES))
        if likely is None:
            continue
        for at, one, together in zip(group, cards, likely, strict=True):
            alone = np.exp(one.costs.min() - one.costs)
            alone /= alone.sum()
            # Where both are for one face, the surer counts: with few known cards the joint account knows little.
            agree = alone.argmax() == together.argmax()
            shares = alone if agree and AGREES <= together.max() < alone.max() else together
            trails = np.log(shares.max() / np.maximum(shares, LEAST_LIKELY)) * FITTED.colour
            trails *= 1.0 if agree else CONTRADICTED
            rest = [face for face in told[at].faces if face[0] not in one.colours.faces]
            rest += zip(one.colours.faces, trails.tolist(), strict=True)
            out[at] = replace(told[at], faces=tuple(sorted(rest, key=lambda t: t[1])), together=True)
    return out


def _coarse(colours: Colours, coarse: Colours) -> Colours:
    return replace(coarse, printed=colours.printed, scale=colours.scale, counts=colours.counts)


def _of_one_print(cards: Mapping[tuple[Place, int], Judged]) -> list[list[tuple[Place, int]]]:
    """Cards that share faces of equal print."""
    groups: list[tuple[set[int], list[tuple[Place, int]]]] = []
    for at, card in cards.items():
        faces = {face % len(FACES) for face in card.colours.faces} if card.colours is not None else set[int]()
        sharing = [group for group in groups if group[0] & faces]
        groups = [group for group in groups if not group[0] & faces]
        groups.append((faces.union(*(of for of, _ in sharing)), [*(one for _, ats in sharing for one in ats), at]))
    return [ats for _, ats in groups]


def _known(
    columns: Mapping[Place, ColumnReading], frames: Mapping[Place, TableArea], certain: Collection[tuple[Place, int]]
) -> tuple[list[tuple[Floats, Floats, float]], list[CardLight], list[ColourGroups]]:
    """What known cards tell of the light: where each lies, mm; its tint (3,); and that tint's standard deviation. And
    the light over each, and what its colours tell."""
    middles: list[Floats] = []
    telling: list[tuple[Colours, int]] = []
    for place, k in certain:
        card = columns[place].cards[k]
        colours, face = card.colours, card.faces[0][0]
        if colours is not None and len(colours.weight) >= PARTS and face in colours.faces:
            middles.append(_middle(frames[place], card))
            telling.append((colours, face))
    lights = lights_over(telling)
    known = [
        (middle, light.tint, LEAST + light.error + VEIL_COSTS * max(light.veil - VEIL_FREE, 0.0))
        for middle, light in zip(middles, lights, strict=True)
    ]
    groups = [
        known_groups(k, middle, colours, face, light)
        for k, (middle, (colours, face), light) in enumerate(zip(middles, telling, lights, strict=True))
    ]
    return known, lights, groups


def _tint_at(at: Floats, known: list[tuple[Floats, Floats, float]]) -> Tint:
    """The tint at a place of the table, mm, from what cards at other places tell: (place, tint, deviation) each."""
    if not known:
        return UNKNOWN_TINT
    places = np.array([place for place, _, _ in known])
    tints = np.array([tint for _, tint, _ in known])
    noise = np.array([deviation for _, _, deviation in known])
    between = _covariance(places, places) + np.diag(noise**2)
    here = _covariance(at[None], places)[0]
    share = np.linalg.solve(between, here)
    left = SHARED**2 + LOCAL**2 - float(share @ here)
    return Tint(share @ tints, float(np.sqrt(max(left, 0.0) + OWN**2)))


def _covariance(one: Floats, other: Floats) -> Floats:
    apart = ((one[:, None] - other[None]) ** 2).sum(-1)
    out: Floats = SHARED**2 + LOCAL**2 * np.exp(-apart / (2 * LENGTH**2))
    return out


def _middle(frame: TableArea, card: Judged) -> Floats:
    """Where a card's middle lies on the table, mm."""
    out: Floats = frame.to_table(outline_of(card.place)).mean(0)
    return out


__all__ = ["told_apart"]
