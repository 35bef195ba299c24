"""Where a rule stands: a section of the edition's own rulebook, or a ruling of this project (R1 to R16).

A citation is a short text: `first: turn` is the section on a player's turn in the first edition's rulebook, `R13` a
ruling (docs/engine-rulings.md), `form` no rule of the game at all. What is written once for all editions says
`every edition: turn` until `cited` names the edition. The sections' titles stand in the lexicon
(`engine.lexicon.section`).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from engine.names import EditionName

Section: TypeAlias = Literal["setup", "theaters", "cards", "turn", "abilities", "terms", "end", "next-battle"]
"""A section that every rulebook has."""

SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
_EVERY: Final = "every edition: "


def cited(rule: str, edition: EditionName) -> str:
    """`rule` as it stands in that edition's rulebook."""
    return f"{edition}: {rule.removeprefix(_EVERY)}" if rule.startswith(_EVERY) else rule
