"""The editions as data: one frozen record of switches each, and the constants that all of them share.

Every switch names the ruling (R1 to R16, docs/engine-rulings.md) that it carries. The rules ask the switch, never the
name of an edition, so another edition is another record.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from engine.names import EditionName, parse_edition

HAND_SIZE: Final = 6
DECK_SIZE: Final = 6
FACE_DOWN_STRENGTH: Final = 2
SET_STRENGTH: Final = 4
"""What Cover Fire and Escalation make of a card; both set it, so they do not add up."""
SUPPORT_STRENGTH: Final = 3
AERODROME_LIMIT: Final = 3
BLOCKADE_LIMIT: Final = 3
"""R13: cards of both seats in the target theater before the new one."""
BATTLE_POINTS: Final = 6
WAR_TARGETS: Final = (12, 18)
BEGINNER_TARGET: Final = 3

WITHDRAW_FIRST: Final = (6, 4, 3, 3, 2, 2, 2)
"""Points for the other seat when the 1st player withdraws, by the cards left in hand, 0 to 6."""
WITHDRAW_SECOND: Final = (6, 6, 4, 3, 3, 2, 2)


@dataclass(frozen=True, eq=False)
class Edition:
    """The switches of one edition. There is one object an edition, so two are equal when they are the same."""

    name: EditionName
    year: int
    nested_instants: bool
    """R1: an instant that a flip triggers goes before the one that caused it; otherwise they queue."""
    cut_off_when_turned_down: bool
    """R3: an instant whose card is turned face down stops there, and Air Drop's permission ends; otherwise R2."""
    disrupt_owner_first: bool
    """R6: who flips first for Disrupt."""
    redeploy_plays: bool
    """R7: Redeploy asks for a play at once; otherwise it gives an extra turn."""
    redeploy_optional: bool
    """R7."""
    reinforce_optional: bool
    """R8."""
    skips_empty_hand: bool
    """R11: whether one hand can run out alone, so that its seat is passed over. Play passes over an empty hand in every
    edition; where this is False it never meets one, because the hands shrink in step."""
    remove_word: Literal["discard", "destroy"]
    commander_colours: tuple[str, str]
    """Of the 1st and the 2nd player's card. The critters' second colour is this project's choice."""
    book: str
    """The rulebook that citations point into."""

    def __repr__(self) -> str:
        return f"EDITIONS[{self.name!r}]"

    def __reduce__(self) -> tuple[object, ...]:
        # Copies and pickles give back the one object of that name, so that `is` keeps holding.
        return (edition_named, (self.name,))


_FIRST: Final = Edition(
    name="first",
    year=2019,
    nested_instants=True,
    cut_off_when_turned_down=True,
    disrupt_owner_first=False,
    redeploy_plays=False,
    redeploy_optional=False,
    reinforce_optional=True,
    skips_empty_hand=True,
    remove_word="discard",
    commander_colours=("red", "blue"),
    book="first edition, 2019",
)
_REVISED: Final = Edition(
    name="revised",
    year=2020,
    nested_instants=False,
    cut_off_when_turned_down=False,
    disrupt_owner_first=True,
    redeploy_plays=True,
    redeploy_optional=True,
    reinforce_optional=False,
    skips_empty_hand=False,
    remove_word="destroy",
    commander_colours=("red", "blue"),
    book="revised edition, 2020",
)
_CRITTERS: Final = Edition(
    name="critters",
    year=2022,
    nested_instants=False,
    cut_off_when_turned_down=False,
    disrupt_owner_first=True,
    redeploy_plays=True,
    redeploy_optional=True,
    reinforce_optional=False,
    skips_empty_hand=False,
    remove_word="destroy",
    commander_colours=("white", "amber"),
    book="Critters at War",
)

EDITIONS: Final = MappingProxyType({e.name: e for e in (_FIRST, _REVISED, _CRITTERS)})
"""Every edition by its name."""


def edition_named(name: object) -> Edition:
    """The edition of that name; raises `BadInput` (`unknown-edition`)."""
    return EDITIONS[parse_edition(name)]


def withdraw_points(cards_left: int, is_first_player: bool) -> int:
    """What the other seat scores when this one withdraws with `cards_left` (0 to 6) in hand (commander cards)."""
    # A hand may pass six only by Redeploy in an odd record; the card's top row reads "or more". It falls below none
    # only where more cards were laid, by corrections and new tables, than it ever held.
    return (WITHDRAW_FIRST if is_first_player else WITHDRAW_SECOND)[max(0, min(cards_left, HAND_SIZE))]
