"""Tells the cards of a chain apart: each face is held against what is seen of the card, and gets a likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.cards import appearance as explain
from vision.cards.comparison import CLEAR_EDGE, FAR_VEILED, ODD_HUE, RIVALS, CardComparison
from vision.cards.equal_print import Colours, with_own_print, with_print
from vision.cards.headers import header_costs
from vision.cards.lead import (
    CLEAR_RHO,
    FAR_CLEAR,
    LED_BY_HEADER,
    HeldFace,
    contradicted,
    counts_under_glare,
    either,
    lead,
    led_by_first,
    match_by_hue,
    trails_in_print,
)
from vision.cards.outline import lower_edge
from vision.cards.plain_back import BELIEVED, told_by_darkness
from vision.cards.plain_header import by_plain_header, header_goes, told_by_header
from vision.cards.strips import PLAINLY_ALL, covered_unseen, may_be_two
from vision.cards.templates import HEAD_MM, Bank
from vision.geometry.align import Placed

FAR: Final = 25.0
"""Nats by which a header may trail and still be held against the card in full."""
HELD_AFTER_ALL: Final = 2
"""Faces that are held in full though they trail so, where the lead or the best face's match is not plain."""
NEXT_HEADERS: Final = 4
"""Of so many headers that go best all are laid by themselves, too, where the best face's match is not plain: an L4's
trailed by 27 nats where an A4 lay best, and it was an A4 for certain."""
FAINT_PRINT: Final = 0.62
"""Correlation below which something is wrong with a card that seems to lie clear, unless it is little that is seen."""
NO_OUTLINE: Final = 2.0
"""What such a card's match loses for each part of a clear outline that it lacks. On the photographs those that lie
there have 0.82 or more, those that do not 0.65 or less."""
PLAIN: Final = 0.85
"""Correlation of a face with what a shine spares of a card from which it is told by that, as if nothing shone."""
PLAINLY_LED: Final = 12.0
"""Nats by which it must then lead all faces of another print. Of 1,222 cards on which something shone (112 white decks'
photographs and rooms, and the public ones, as they are and spoilt) 754 are told so, each as the same face as with a
veil taken to lie on it; 19 faces need not be held against them in three places each."""
THINNEST: Final = 8.0
"""Of a covered card less than this shows, mm, only where there may be none: on 360 photographs none showed less."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One card of a chain. `faces`: numbers in the bank, likeliest first, with their distance from the first, nats."""

    faces: tuple[tuple[int, float], ...]
    place: Placed
    visible: float
    """How much of it shows, mm of rows."""
    match: float
    """Correlation of detail with the best face, -1..1."""
    hue_error: float
    """Squared error of hue with the best face, in spreads."""
    colours: Colours | None = None
    """Its colours beside those of the faces of its print; None where the deck has no faces of equal print."""
    may_be_two: bool = False
    """So much shows of it that another card may lie in it unseen (`strips`), or so little that it may be none."""
    together: bool = False
    """Its faces of equal print were told apart together with the table's other cards of that print."""
    spared: float = 0.0
    """By how much `match` is more than its print alone makes it, for how well what glare spares goes with the face."""


def but_for_colour(bank: Bank, card: Judged) -> Judged:
    """A card, without the faces that share its print: those are told apart by their hue alone."""
    face = card.faces[0][0]
    alike = bank.of_one_print(face, covered=True)
    return replace(card, faces=tuple(one for one in card.faces if one[0] == face or one[0] not in alike))


def _as_plain(case: CardComparison, best: HeldFace, others: Sequence[int]) -> list[int]:
    """Those of some faces that trail where the best one lies whose headers go as well with the card where each is laid
    by itself."""
    if case.veiled or best.match >= LED_BY_HEADER[0] or not others:
        return []
    goes = {face: header_goes(case.bank, case.column, face, best, case.strip) for face in (best.face, *others)}
    return [face for face in others if goes[face] >= goes[best.face]]


@dataclass(frozen=True, slots=True)
class _Header:
    """What a card's header tells of the faces."""

    ranked: list[int]
    """The face first whose header goes best with it."""
    rivals: list[int]
    """Those that are to be held against the card."""
    apart: list[tuple[int, float]]
    """Those that trail too far, with the nats by which they do."""


def _by_header(case: CardComparison, faces: int) -> _Header:
    """What the header of a card tells of the first `faces` faces."""
    bank, card, strip = case.bank, case.card, case.strip
    known = card.header if strip > HEAD_MM and faces == bank.count else None
    rows = min(max(strip - 1, 8.0), 20.0)
    first = header_costs(case.column, bank, slice(0, faces), card.place, rows) if known is None else known
    ranked = np.argsort(first).tolist()
    far = first[ranked[0]] + FAR
    rivals = [f for n, f in enumerate(ranked[:RIVALS]) if n < 2 or first[f] < far]
    # The back is the face most often covered and the one a veil disguises best.
    rivals += [f for f in dict.fromkeys((card.face, bank.back)) if f not in rivals]
    apart: list[tuple[int, float]] = []
    if card.face == ranked[0]:
        # A header that trails far is held against the card no more.
        clear = first[ranked[0]] + FAR_CLEAR
        apart = [(f, float(first[f] - first[ranked[0]])) for f in rivals if first[f] >= clear]
        rivals = [f for f in rivals if first[f] < clear]
    return _Header(ranked, rivals, apart)


def judged(case: CardComparison, faces: int) -> Judged:
    """Hold the first `faces` faces against a card."""
    header = _by_header(case, faces)
    plain = case.unveiled
    told = None if plain is None else _told_plainly(case, plain, faces, header)
    if told is not None:
        return told
    if case.veiled:
        # A veil over the header leaves its ranking to chance.
        rivals, apart = case.likeliest(faces, [case.card.face, case.bank.back])
        header = replace(header, rivals=rivals, apart=apart)
    return _judged(case, faces, header)


def _told_plainly(case: CardComparison, plain: CardComparison, faces: int, header: _Header) -> Judged | None:
    """A card on which something shines, judged by what that spares as if nothing did, `plain`; None unless it then goes
    with one face, or those of one print, as plainly as a card does on which nothing shines, and with no other nearly
    so."""
    tried = plain.all_held(header.rivals)
    best = tried[0]
    if best.rho < PLAIN or best.hue_error > ODD_HUE:
        return None
    alike = plain.of_one_print(best)
    if len(alike) > 1:
        # A veil may have a hue of its own: faces of one print are told apart with it.
        trails = [(held.face, lead(best, held, False)) for held in tried] + header.apart
        others = [one for one in trails if one[0] not in alike]
        return _judged(case, faces, replace(header, rivals=list(alike), apart=others)) if _led_plainly(others) else None
    told = _judged(plain, faces, header)
    return told if _led_plainly(told.faces[1:]) and told.match >= PLAIN and not told.may_be_two else None


def _led_plainly(others: Sequence[tuple[int, float]]) -> bool:
    return all(trails >= PLAINLY_LED for _, trails in others)


def _judged(case: CardComparison, faces: int, header: _Header) -> Judged:
    """The same with what is taken to lie on the card, by the faces that its header leaves."""
    bank, column, card, above, strip = case.bank, case.column, case.card, case.above, case.strip
    unveiled = not case.veiled
    ranked, apart = header.ranked, header.apart
    tried = case.all_held(header.rivals)
    whole: list[tuple[int, float]] = []
    if tried[0].rho < FAINT_PRINT and not case.glaring:
        # The edge of a faint veil outweighs print that is fainter still.
        case = case.suspected
        rivals, less = case.likeliest(faces, [card.face, bank.back, tried[0].face])
        again = case.all_held(rivals)
        if again[0].rho > tried[0].rho + 0.04:
            tried, apart = again, less
        elif again[0].face != tried[0].face:
            whole = led_by_first(again)
    # Others were ruled out where the best face lies best, and the card's may be cut a millimetre otherwise: none counts
    # as led by so little, or by a face that goes less well with the card than its own would, before it was held.
    unsure = tried[0].match < CLEAR_RHO
    if not case.veiled:
        # Of a back, print tells less than its size does, and no header is like it.
        unsure = (unsure and tried[0].face != bank.back) or tried[0].hue_error > ODD_HUE
    close = 2 * FAR_VEILED if case.veiled else LED_BY_HEADER[1] if tried[0].match < LED_BY_HEADER[0] else 0.0
    after_all = [face for face, by in apart[:HELD_AFTER_ALL] if unsure or by < close]
    # A face that shares the best one's print elsewhere in its cut was compared where it goes badly with its own card.
    way, held = tried[0].face - tried[0].face % bank.count, {one.face for one in tried}
    elsewhere = [way + face for face in bank.cut_elsewhere[tried[0].face % bank.count]]
    # So was one of its own print, even where its cut differs by half a millimetre: that is no print of its own.
    elsewhere += [face for face, _ in apart if bank.same_header(tried[0].face, face)]
    # And one whose header goes as well where it is laid by itself.
    elsewhere += _as_plain(case, tried[0], [face for face in ranked[1:NEXT_HEADERS] if face not in held])
    after_all += [face for face in dict.fromkeys(elsewhere) if face not in {*held, *after_all} and face < faces]
    if after_all:
        apart = [one for one in apart if one[0] not in after_all]
        tried += case.all_held(after_all)
        tried.sort(key=lambda held: held.nats)
    best = tried[0]
    counts = counts_under_glare(best, best.face == bank.back) if case.glaring else 1.0
    led = [(held.face, counts * lead(best, held, case.veiled)) for held in tried]
    led += [(face, counts * trails) for face, trails in apart]
    led.sort(key=lambda t: t[1])
    if above and not case.veiled:
        led, best = contradicted(bank, column, led, tried, strip)
    if whole:
        # A header goes best with one face, all of the card with another: a line that shines is no title.
        led = list(either(led, whole))
    led, best, goes = by_plain_header(bank, column, led, tried, strip) if case.veiled else (led, best, 0.0)
    led = told_by_header(bank, led, best, goes, shone_on=not (above or unveiled))
    colours = case.colours(best)
    if colours is not None:
        colours = replace(colours, counts=counts)
        if not (case.veiled or case.spared_alone):
            colours = with_print(colours, trails_in_print(tried))
        if bank.own_print(colours.faces):
            colours = with_own_print(colours, case.own_print(colours.faces, tried))
    led, best = case.told_by_colour(led, best, colours)
    match = match_by_hue(max(best.match, goes), best)
    dark: tuple[list[tuple[int, float]], float] | None = None
    if bank.plain_back and best.face == bank.back and match < BELIEVED:
        dark = told_by_darkness(column, led, tried, case.brightness, bool(above))
    if dark is not None:
        led, match = dark
    elif match < FAINT_PRINT and best.rho < CLEAR_RHO:
        # Under a veil some print goes with what lies elsewhere; but a card that lies there has an outline, if only at
        # its lower end: the upper one may lie on a card of the same colour.
        clear = explain.outline_seen(bank, column, best.face, best.place)
        if not above:
            clear = max(clear, lower_edge(column.tones, best.place))
        match -= NO_OUTLINE * max(0.0, CLEAR_EDGE - clear)
    # What seems to shine on a card may be another one on it, whose print is not this one's however plain the rest is.
    if above:
        asked_of = replace(best, match=min(best.match, PLAIN)) if case.spared_alone else best
        two = best.visible < THINNEST or may_be_two(bank, column, asked_of, above)
    else:
        # The print of a back is often too fine to be seen.
        asked = (best.match < PLAINLY_ALL or case.spared_alone) and not case.glaring
        asked = asked and best.face % bank.count != bank.back
        two = asked and covered_unseen(bank, column, best.place, best.face)
    spared = max(0.0, best.match - max(best.rho, 0.0))
    return Judged(tuple(led), best.place, best.visible, match, best.hue_error, colours, two, spared=spared)
