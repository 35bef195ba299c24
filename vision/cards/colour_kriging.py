"""Faces of equal print told apart on all cards of a table at once.

What the light leaves unexplained of a colour is nearly the same for nearly the same colour, and on cards that lie near:
a header of an L4 tells how that of an L3 would look. So the hues of all known cards are drawn together by kriging
(Matheron, 1963) over place and colour, which says for each face that a card may have what hue its header would show,
how exactly that is known, and how the errors of several such cards go together. All ways of giving out the faces are
then compared: the light they share is marginalised, and each card's likelihood is that of all ways which give it that
face. How well the known cards are explained tells how large errors are on this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.names import CARDS, FACE_DOWN, THEATERS, Card, theater_of
from vision.cards.equal_print import CELL, COMMON, FAR, SCALE, VEIL_TINT, CardLight, Colours, Tint, light_as
from vision.cards.signs import SignColours
from vision.profile import FACES
from vision.types import Floats

GROUPS: Final = 6
"""Groups of like colour into which a card's parts are put at most."""
LIKE: Final = 0.12
"""Roots of light within which colours are alike."""
LEAST_SIZE: Final = 0.2
"""Parts that a group must have to tell of the light."""
SHARED: Final = 0.4
"""Standard deviation of the hue that all cards share, logarithm of a channel's light: what the boards' light is off is
told by the cards alone. The constants of this module were fitted to the logarithmic loss of 1,809 Maneuvers: of 19
drawn decks in rooms and through cheap webcams, and of seven path-traced ones, most of them spoilt."""
LOCAL: Final = 0.02
"""The same of what changes over the table."""
LENGTH: Final = 250.0
"""Distance over which that changes, mm."""
OWN: Final = 0.01
"""The same of what one card has for itself."""
COLOUR: Final = 0.0675
"""The same of what like colours share."""
COLOUR_LENGTH: Final = 0.105
"""By how much such colours differ, root of light."""
LINEAR: Final = 0.765
"""The same of what goes with each channel's root of light: thin colour, and curves of tone."""
ERROR: Final = 0.0183
"""Error of a group's hue that no number of parts makes less, logarithm of light."""
HEADER: Final = 0.03
"""The same of what the pale headers of one theater share: its six cards are learnt from one photograph, with the light
and the clipping of that. Of 127 Maneuvers of two white decks that were learnt overexposed, half of them on spoilt
pictures, 51 instead of 38 are told at 0.95 or more, none wrongly; of 1,192 of sixteen other decks 1,136 instead of
1,135. With 0.05 it is 52 and 1,135, with 0.08 51 and 1,133."""
HEADER_MM: Final = 22.0
"""How much of a card counts as that header, mm."""
PALE: Final = (0.75, 0.9)
"""Root of light of a header's paper from which it is pale, and from which it is as white. With headers of any lightness
it is as many, but an L3 of grey-green ones in a filmed game by lamplight fell from 0.97 to 0.73."""
LIGHTEST: Final = 0.9
"""Share of a header's parts than which its paper is lighter."""
NOISE: Final = 0.02
"""Error of each part's, root of light."""
SCATTER: Final = 0.67
"""Share of the scatter of a group's parts that counts as their error: it is measured on the card itself."""
FULL_COSTS: Final = 0.06
"""Error of a header of which a channel is full: it is the same all over the card."""
PRIOR_GROUPS: Final = 20.0
"""Groups by which the size of errors is weighed at what is usual."""
GROUPS_COUNT: Final = 0.44
"""What each group of a known card counts against that."""
FREEDOM: Final = 10.0
"""Degrees of freedom of Student's t: how much a hue that no face explains takes from what it tells between them."""
SIGN_ERROR: Final = 0.03
"""Error of the hue in a small sign's place, logarithm of light. This and the next three constants were chosen on 401
Maneuvers of seven path-traced decks with such a sign, 263 of them put through cheap cameras; 0.02 to 0.05 serve as
well."""
SIGN_LIGHTNESS: Final = (0.1, 0.2)
"""The same of its lightness beside that of its card, of one card and of what all share. Told by hue alone, 374 of those
Maneuvers are right and certain instead of 386; with 0.08 to 0.15 and 0.1 to 0.2 it is 381 to 387."""
SMEAR: Final = 0.3
"""Standard deviation of the share of the hue around a sign that is seen in it: 0.2 to 0.5 make no difference, with none
one more is wrong."""
SIGN_LIT: Final = 0.4
"""Root of light below which a sign's hue is known that much less well."""
SIGN_VEIL: Final = 0.1
"""Standard deviation of the veil over a sign beside that over its card, linear light. With 0.05 an S3 under a wide
shine is one at 0.64 instead of 0.73; nothing else of 2,297 cards changes by 0.02 or more."""
DARKEST: Final = (0.12, 0.1)
"""Root of light, of one channel and of all, below which a part is taken to be no darker."""
MOST_WAYS: Final = 64
"""Ways of giving out the faces from which each card is told by itself."""

_HUE: Final = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]]).T / np.sqrt([2.0, 6.0])


@dataclass(frozen=True, slots=True, eq=False)
class ColourGroups:
    """Groups of parts of like colour, of one or several cards."""

    card: NDArray[np.intp]
    """(N,)."""
    at: Floats
    """Where that card lies, mm, (N, 2)."""
    colour: Floats
    """Root of light as enrolled, (N, 3)."""
    hue: Floats
    """By how much it is seen of another hue than grey light would leave it, logarithm of light, (N, 2)."""
    error2: Floats
    """Squared error of that by chance, (N,)."""
    full: Floats
    """Share of it of which a channel is full, (N,)."""
    around: Floats
    """By how much what lies around a small sign is of another hue, (N, 2); 0 of all others."""
    lighter: Floats
    """By how much a small sign is seen lighter beside its card, logarithm of light, (N,); NaN of all others."""
    veiled: Floats
    """The veil over the card by their own light, (N,)."""
    header: Floats
    """Share of each that lies in the header of a card of each theater, (N, 3): less where that is not pale."""


@dataclass(frozen=True, slots=True, eq=False)
class AlikeCard:
    """A card whose faces of equal print are to be told apart."""

    colours: Colours
    at: Floats
    """Where it lies, mm."""
    tint: Tint
    """What is known of the light there."""
    read: int
    """The likeliest of its faces so far."""
    costs: Floats
    """Nats that each of its faces costs by the card alone, divided by their temperature."""


def known_groups(card: int, at: Floats, colours: Colours, face: int, light: CardLight) -> ColourGroups:
    """What a card tells that is known to be one of its faces."""
    groups = _told(card, at, colours, light, colours.weight, face)
    return _joined([groups, *_sign(card, at, colours, colours.faces.index(face), light)])


def ways_of(cards: Sequence[AlikeCard], known: Sequence[ColourGroups], count: int) -> list[Floats] | None:
    """The likelihood of each face of each card, (F,), by all cards of the table; None where there are too many ways of
    giving the faces out. `known`: of the known cards; `count`: faces of a deck, those that lie the wrong way round have
    their numbers from there on."""
    if np.prod([len(card.colours.faces) for card in cards]) > MOST_WAYS:
        return None
    headers: list[list[ColourGroups]] = []
    told = list(known)
    for k, card in enumerate(cards, 1 + max((int(of.card[0]) for of in known if len(of.card)), default=0)):
        lights = light_as(card.colours, card.tint)
        differ = np.stack([np.sqrt(face) for face in card.colours.known]).var(0).sum(1)
        same = differ < COMMON * differ.max()
        headers.append(_headers(k, card, lights, ~same & (card.colours.weight > 0), differ))
        common = lights[card.colours.faces.index(card.read)]
        told.append(_told(k, card.at, card.colours, common, card.colours.weight * same))
    return _weighed(cards, headers, _joined(told), count)


def _weighed(
    cards: Sequence[AlikeCard], headers: Sequence[Sequence[ColourGroups]], told: ColourGroups, count: int
) -> list[Floats] | None:
    every = _joined([of for faces in headers for of in faces])
    ends = np.cumsum([len(of.card) for faces in headers for of in faces])
    rows = np.split(np.arange(ends[-1]), ends[:-1])
    first = np.cumsum([0, *(len(faces) for faces in headers)])
    off, between = _expected(every, told)
    lighter, spread = _lighter(every, told)
    # A camera that shows fewer pixels smears colours further: its hues err alike.
    counts = min(card.colours.counts * min(1.0, card.colours.scale / SCALE) ** 0.5 for card in cards)
    ways: list[tuple[int, ...]] = []
    nats: list[float] = []
    for way in product(*(range(len(card.colours.faces)) for card in cards)):
        if len({card.colours.faces[f] % count for card, f in zip(cards, way, strict=True)}) < len(cards):
            continue
        of = np.concatenate([rows[first[k] + f] for k, f in enumerate(way)])
        root = np.linalg.cholesky(between[np.ix_(of, of)])
        unlike = np.linalg.solve(root, off[of])
        signs = of[~np.isnan(lighter[of])]
        firm = np.linalg.cholesky(spread[np.ix_(signs, signs)])
        less = np.linalg.solve(firm, lighter[signs])
        size = 2 * len(of) + len(signs)
        by_hue = (FREEDOM + size) / 2 * np.log1p(float((unlike * unlike).sum() + less @ less) / FREEDOM)
        by_hue += 2 * float(np.log(np.diag(root)).sum()) + float(np.log(np.diag(firm)).sum())
        printed = sum(card.colours.printed[f] for card, f in zip(cards, way, strict=True) if card.colours.printed)
        alone = sum(float(card.costs[f]) for card, f in zip(cards, way, strict=True))
        ways.append(way)
        # Both accounts go by the same hues and err in different ways: where they disagree, neither is sure.
        nats.append((counts * (by_hue + printed) + alone) / 2)
    if not ways:
        return None
    share = np.exp(min(nats) - np.array(nats))
    share /= share.sum()
    out = [np.zeros(len(card.colours.faces)) for card in cards]
    for way, likely in zip(ways, share.tolist(), strict=True):
        for k, f in enumerate(way):
            out[k][f] += likely
    return out


def _expected(headers: ColourGroups, told: ColourGroups) -> tuple[Floats, Floats]:
    """By how much the headers' hues are off from what is expected of them, (N, 2), and the covariance of that."""
    full = FULL_COSTS * headers.full
    between = _covariance(headers, headers) + np.diag(headers.error2)
    between += np.outer(full, full) * (headers.card[:, None] == headers.card)
    if not len(told.card):
        return headers.hue, between
    among = _covariance(told, told) + np.diag(told.error2)
    return _kriged(headers.hue, between, told.hue, among, _covariance(told, headers))


def _lighter(headers: ColourGroups, told: ColourGroups) -> tuple[Floats, Floats]:
    """The same of how light the headers' signs are, (N,)."""
    own, shared = SIGN_LIGHTNESS[0] ** 2, SIGN_LIGHTNESS[1] ** 2
    between = shared + own * np.eye(len(headers.card))
    known = told.lighter[~np.isnan(told.lighter)]
    if not len(known):
        return headers.lighter, between
    among = shared + own * np.eye(len(known))
    across = np.full((len(known), len(headers.card)), shared)
    off, left = _kriged(headers.lighter[:, None], between, known[:, None], among, across)
    return off[:, 0], left


def _kriged(off: Floats, between: Floats, known: Floats, among: Floats, across: Floats) -> tuple[Floats, Floats]:
    """What is `off` of some groups, (N, D), less what `known` ones make expected, (M, D), and its covariance. Before:
    `between` the groups, `among` the known ones, and `across`, (M, N)."""
    root = np.linalg.cholesky(among)
    solved = np.linalg.solve(root, np.hstack([across, known]))
    share, unlike = solved[:, : len(off)], solved[:, len(off) :]
    counts = GROUPS_COUNT * len(known)
    large = (PRIOR_GROUPS + counts * float((unlike * unlike).mean())) / (PRIOR_GROUPS + counts)
    return off - share.T @ unlike, large * (between - share.T @ share)


def _covariance(one: ColourGroups, other: ColourGroups) -> Floats:
    apart = ((one.at[:, None] - other.at) ** 2).sum(-1)
    unlike = ((one.colour[:, None] - other.colour) ** 2).sum(-1)
    out: Floats = SHARED**2 + LOCAL**2 * np.exp(-apart / (2 * LENGTH**2))
    out += OWN**2 * (one.card[:, None] == other.card)
    out += COLOUR**2 * np.exp(-unlike / (2 * COLOUR_LENGTH**2))
    out += LINEAR**2 * (one.colour - 0.5) @ (other.colour - 0.5).T
    out += VEIL_TINT**2 * np.outer(one.veiled, other.veiled) * (one.card[:, None] == other.card)
    out += SMEAR**2 * one.around @ other.around.T
    out += HEADER**2 * one.header @ other.header.T
    return out


def _sign(card: int, at: Floats, colours: Colours, face: int, light: CardLight) -> list[ColourGroups]:
    """What is seen in the place of a small sign, as the card would show it that has face number `face`; none if it is
    not seen."""
    sign = colours.sign
    if sign is None:
        return []
    known = sign.known[face]
    own = light.gain * known
    veil, veil_error2 = _veil_over(sign, face, light)
    root = np.sqrt(np.maximum(own + veil, 1e-3))
    share = np.maximum(own / root, DARKEST[0])
    off = np.sqrt(np.maximum(sign.light, 0.0)) - np.minimum(root, np.sqrt(colours.most))
    around = 2 * sign.around[face] / np.maximum(np.sqrt(known), DARKEST[0])
    error = SIGN_ERROR / min(1.0, max(float(share.mean()), DARKEST[1]) / SIGN_LIT)
    by_veil = (1 / np.maximum(own, DARKEST[0] ** 2)) @ _HUE
    error2 = error**2 + veil_error2 * float(by_veil @ by_veil) / 2
    return [
        ColourGroups(
            np.array([card]),
            at[None],
            np.sqrt(known)[None],
            ((2 * off / share) @ _HUE)[None],
            np.array([error2]),
            np.array([sign.full]),
            (around @ _HUE)[None],
            np.array([(2 * off / share).sum() / np.sqrt(3)]),
            np.array([veil / max(float(own.mean()), DARKEST[1] ** 2)]),
            np.zeros((1, len(THEATERS))),
        )
    ]


def _veil_over(sign: SignColours, face: int, light: CardLight) -> tuple[float, float]:
    """The veil over a sign, linear light, and its squared error: what shines over one end of a card is not the same all
    over it."""
    beside = sign.beside[face]
    more = beside.light - float((light.gain * beside.known).mean()) - light.veil
    firm = beside.firm + 1 / SIGN_VEIL**2
    return light.veil + more * beside.firm / firm, 1 / firm


def _told(
    card: int, at: Floats, colours: Colours, light: CardLight, weight: Floats, face: int | None = None
) -> ColourGroups:
    """What a card tells by those of its parts whose `weight` is above 0; `face`: its own, if that is known."""
    grey = light.gain * light.parts.known[: len(weight)] + light.veil
    full = np.any(colours.full & (grey >= colours.light), axis=1)
    use = (weight > 0) & ~full
    off = light.parts.off[: len(weight)]
    trusted = weight / (1 + (off * off).sum(1) / (3 * FAR**2)) * (colours.cell / CELL) ** 2
    groups = _alike(np.sqrt(light.parts.known[: len(weight)][use]), weight[use])
    return _grouped(card, at, colours, light, use, groups, trusted, full, face=face)


def _headers(
    card: int, alike: AlikeCard, lights: Sequence[CardLight], use: NDArray[np.bool_], differ: Floats
) -> list[ColourGroups]:
    """What of a card differs between its faces, as each of them."""
    colours = alike.colours
    roots = np.hstack([np.sqrt(face[use]) for face in colours.known])
    groups = _alike(roots, (colours.weight * differ)[use])
    full = np.any(colours.full, axis=1)
    weight = colours.weight * (colours.cell / CELL) ** 2
    return [
        _joined(
            [
                _grouped(card, alike.at, colours, light, use, groups, weight, full, 0.0, colours.faces[face]),
                *_sign(card, alike.at, colours, face, light),
            ]
        )
        for face, light in enumerate(lights)
    ]


def _alike(colour: Floats, weight: Floats) -> NDArray[np.intp]:
    """The group of each part: the weightiest that has none yet leads those of like `colour`."""
    group = np.full(len(colour), -1, np.intp)
    for k in range(GROUPS):
        free = group < 0
        if not free.any():
            break
        first = colour[int(np.argmax(np.where(free, weight, -1.0)))]
        group[free & ((np.abs(colour - first).max(1) < LIKE) | (k == GROUPS - 1))] = k
    return group


def _grouped(
    card: int,
    at: Floats,
    colours: Colours,
    light: CardLight,
    use: NDArray[np.bool_],
    groups: NDArray[np.intp],
    weight: Floats,
    full: NDArray[np.bool_],
    least: float = LEAST_SIZE,
    face: int | None = None,
) -> ColourGroups:
    known = light.parts.known[: len(use)][use]
    own = light.gain * known
    shown = np.maximum(own + light.veil, 1e-3)
    root = np.sqrt(shown)
    share = own / root
    seen = np.sqrt(np.maximum(colours.light[use], 0.0))
    off = 2 * (seen - np.minimum(root, np.sqrt(colours.most))) / np.maximum(share, DARKEST[0])
    # Of a channel that is full only the least is known: it is as far off as the others are.
    untold = colours.full[use] & (root >= seen)
    others = np.where(untold, 0.0, off).sum(1) / np.maximum((~untold).sum(1), 1)
    hue = np.where(untold, others[:, None], off) @ _HUE
    bright = share.mean(1)
    count = int(groups.max()) + 1 if len(groups) else 0
    in_header = np.zeros(len(known)) if colours.down is None else _pale_header(colours.down[use], known)
    # Each row has a group's share of each part.
    parts = (groups == np.arange(count)[:, None]) * weight[use]
    size = parts.sum(1)
    parts *= np.maximum(bright, DARKEST[1]) ** 2
    parts /= np.maximum(parts.sum(1, keepdims=True), 1e-12)
    mean = parts @ hue
    scatter = ((parts @ (hue * hue)) - mean * mean).sum(1) / 2
    noise = NOISE**2 / np.maximum(parts @ bright, DARKEST[1]) ** 2 + SCATTER * np.maximum(scatter, 0.0)
    error2 = ERROR**2 + noise / np.maximum(size, 0.3)
    keep = size > least if least else size >= 0
    return ColourGroups(
        np.full(int(keep.sum()), card),
        np.broadcast_to(at, (int(keep.sum()), 2)),
        (parts @ np.sqrt(known))[keep],
        mean[keep],
        error2[keep],
        (parts @ full[use].astype(np.float64))[keep],
        np.zeros((int(keep.sum()), 2)),
        np.full(int(keep.sum()), np.nan),
        (parts @ (light.veil / np.maximum(own.mean(1), DARKEST[1] ** 2)))[keep],
        np.outer(parts @ in_header, _of_theater(face))[keep],
    )


def _pale_header(down: Floats, known: Floats) -> Floats:
    """Which parts, so many mm `down` a card and of linear light (n, 3) as enrolled, lie in a header that is pale: 0 of
    what does not, 1 where its paper is as light as white."""
    here = down < HEADER_MM
    if not here.any():
        return np.zeros(len(down))
    paper = float(np.quantile(np.sqrt(known[here]).max(1), LIGHTEST))
    return np.asarray(here * np.clip((paper - PALE[0]) / (PALE[1] - PALE[0]), 0, 1), dtype=np.float64)


def _of_theater(face: int | None) -> Floats:
    """1 for the theater of a face among `THEATERS`, (3,), and 0 for all others; None if it is not known."""
    name = FACE_DOWN if face is None else FACES[face % len(FACES)]
    return np.array([name in CARDS and theater_of(Card(name)) == theater for theater in THEATERS], dtype=np.float64)


def _joined(groups: Sequence[ColourGroups]) -> ColourGroups:
    return ColourGroups(
        np.concatenate([of.card for of in groups]),
        np.concatenate([of.at for of in groups]),
        np.concatenate([of.colour for of in groups]),
        np.concatenate([of.hue for of in groups]),
        np.concatenate([of.error2 for of in groups]),
        np.concatenate([of.full for of in groups]),
        np.concatenate([of.around for of in groups]),
        np.concatenate([of.lighter for of in groups]),
        np.concatenate([of.veiled for of in groups]),
        np.concatenate([of.header for of in groups]),
    )


__all__ = ["AlikeCard", "ColourGroups", "known_groups", "ways_of"]
