"""Strength of both sides of a battle as sums of named parts (memo, counting battle strength)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from engine.fog.board import need_sectors, need_terrain, need_winter
from engine.fog.names import LANDING_BONUS, WINTER_BONUS, Side, other
from engine.fog.state import Battle, Game, sector_of

FogPartName: TypeAlias = Literal[
    "card", "fort", "neutral", "landing", "winter-sun", "winter-snow", "winter-other", "wheel", "token"
]
CardKind: TypeAlias = Literal["battle", "fort", "unsuitable"]


@dataclass(frozen=True, slots=True)
class FogCard:
    """A card that was turned up, as the players type it in. Which battle cards suit where the box says."""

    value: int
    kind: CardKind = "battle"


class FogStrengthPart(NamedTuple):
    """One summand and the memo's paragraph for it."""

    name: FogPartName
    value: int
    paragraph: str


class Sum(NamedTuple):
    total: int
    parts: tuple[FogStrengthPart, ...]


class Strengths(NamedTuple):
    attack: Sum
    defence: Sum


def suits(card: FogCard, *, defending: bool) -> bool:
    """Whether a card stays in the battle: zeros and unsuitable cards go, forts count for the defender (act.5.7)."""
    return card.value > 0 and (card.kind == "battle" or (card.kind == "fort" and defending))


def strengths(
    game: Game,
    battle: Battle,
    attack: tuple[FogCard, ...],
    defence: tuple[FogCard, ...],
    neutral: tuple[int, ...],
    token: Side | None,
) -> Strengths:
    """Both sums; cards that do not suit are left out. `token` is the side that uses its +1.

    Raises `FromYourBox` for a terrain, a winter symbol or the wheel where one is needed and not known.
    """
    mine = [FogStrengthPart("card", card.value, "str.1") for card in attack if suits(card, defending=False)]
    theirs = [
        FogStrengthPart("fort" if card.kind == "fort" else "card", card.value, "str.1")
        for card in defence
        if suits(card, defending=True)
    ]
    theirs += [FogStrengthPart("neutral", value, "str.2") for value in neutral]
    if is_landing(game, battle):
        theirs.append(FogStrengthPart("landing", LANDING_BONUS, "str.3"))
    if game.state.winter:
        symbol = need_winter(game.board, battle.target)
        names: dict[str, FogPartName] = {"sun": "winter-sun", "snow": "winter-snow", "other": "winter-other"}
        theirs.append(FogStrengthPart(names[symbol], WINTER_BONUS[symbol], "str.4"))
    if battle.slot is not None:
        sector = need_sectors(game.board)[sector_of(game.state.camp(battle.by), battle.slot)]
        if sector.attack:
            mine.append(FogStrengthPart("wheel", sector.attack, "str.5"))
        if sector.defence:
            theirs.append(FogStrengthPart("wheel", sector.defence, "str.5"))
    if token is not None:
        (mine if token == battle.by else theirs).append(FogStrengthPart("token", 1, "str.6"))
    return Strengths(_sum(mine), _sum(theirs))


def is_landing(game: Game, battle: Battle) -> bool:
    """An attack on land from the sea; never in a quagmire (str.3)."""
    if battle.origin is None:
        return False
    return need_terrain(game.board, battle.target) == "land" and need_terrain(game.board, battle.origin) == "sea"


def defender(battle: Battle) -> Side:
    return other(battle.by)


def _sum(parts: list[FogStrengthPart]) -> Sum:
    return Sum(sum(part.value for part in parts), tuple(parts))
