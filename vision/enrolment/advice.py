"""What may be wrong with a photograph from which a deck is to be learnt, and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.failure import Failure

AdviceCode: TypeAlias = Literal[
    "no-mat",
    "mirrored",
    "mat-cut-off",
    "too-dark",
    "too-bright",
    "blurred",
    "too-far",
    "card-missing",
    "board-missing",
    "outline-unclear",
    "glare",
    "covered",
]

REMEDIES: Final[Mapping[AdviceCode, str]] = {
    "no-mat": "Lay the mat so that its four corner tags are in the picture.",
    "mirrored": "Turn mirroring off in the settings of the camera, of the phone or of the program that shows it.",
    "mat-cut-off": "Take away what covers a corner tag, or move the camera until all four are in the picture.",
    "too-dark": "Give it more light.",
    "too-bright": "Lower the camera's exposure or move the lamp.",
    "blurred": "Hold the camera still and let it focus on the table.",
    "too-far": "Bring the camera nearer, or set it to 1280 x 720 or more.",
    "card-missing": "Lay one card there, its top edge towards the board.",
    "board-missing": "Lay the boards air, land, sea from left to right.",
    "outline-unclear": "Lay the card a centimetre from its board, or lay all on a cloth of another colour.",
    "glare": "Move the lamp or the camera until nothing shines there.",
    "covered": "Take your hand and all else off the card and a hand's width away from it.",
}

PROBLEMS: Final[Mapping[AdviceCode, str]] = {
    "no-mat": "the mat's corner tags are not seen",
    "mirrored": "it is mirrored",
    "mat-cut-off": "corner tags are hidden or cut off",
    "too-dark": "it is too dark",
    "too-bright": "it is too bright",
    "blurred": "it is blurred",
    "too-far": "the cards are too small in it",
    "card-missing": "a card is not seen",
    "board-missing": "a board is not seen",
    "outline-unclear": "a card's edges cannot be told from what it lies on",
    "glare": "a card's header is blown out by glare",
    "covered": "something lies over a card or touches it",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to mend before a photograph will do. `at` names the place, such as `left/near`, or is empty."""

    code: AdviceCode
    at: str = ""
    hard: bool = True
    """The photograph cannot be used as it is; otherwise it could be better."""

    @property
    def remedy(self) -> str:
        return REMEDIES[self.code]


class PhotographFailure(Failure):
    """A photograph from which no deck can be learnt, or photographs that do not make one deck.

    `photograph` is its name (`air`, `land`, `sea`, `back`), `at` the place, such as `left/near` or `left`; either is
    empty where the failure concerns more than one.
    """

    def __init__(self, code: str, message: str, remedy: str, photograph: str = "", at: str = "") -> None:
        super().__init__(code, message, remedy)
        self.photograph, self.at = photograph, at


def spot_name(at: str) -> str:
    """A place in words: `left/near` is the near side of the left board, `left` the left board."""
    spot, _, seat = at.partition("/")
    return f"{seat} side of the {spot} board" if seat else f"{spot} board"


__all__ = ["PROBLEMS", "REMEDIES", "Advice", "AdviceCode", "PhotographFailure", "spot_name"]
