"""Live enrolment, step by step: what to lay where, what is wrong with the picture, when the photograph is taken.

The same examination as for photographs from files decides; this only says when to look and what comes next. A place
that still shows the card of the photograph before is told, so that a half-changed table is never learnt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from vision.enrolment.advice import spot_name
from vision.enrolment.enrol import (
    LAYOUT,
    PHOTOS,
    REMEDIES,
    Advice,
    AdviceCode,
    Examined,
    Photo,
    apart,
    compared_backs,
    examine,
    of_one_print,
)
from vision.enrolment.proof import Learnt, Progress, learn
from vision.enrolment.strengths import PLACES
from vision.geometry.pose import Lens
from vision.tracking.motion_gate import MotionGate
from vision.types import Picture

INSTRUCTIONS: Final[Mapping[Photo, str]] = MappingProxyType(
    {
        "air": (
            "Lay the boards air, land, sea from left to right and the six air cards face up: 1, 2, 3 on the near side "
            "of the left, middle and right board, 4, 5, 6 on the far side, each with its top edge towards the board."
        ),
        "land": "Now the six land cards in the same places: 1, 2, 3 near, 4, 5, 6 far.",
        "sea": "Now the six sea cards in the same places: 1, 2, 3 near, 4, 5, 6 far.",
        "back": "Now any six cards face down in the same places.",
    }
)
SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{str(step): text for step, text in INSTRUCTIONS.items()},
        "taken": "All four photographs are taken.",
        "same": "Change the cards that still lie from the photograph before: {places}.",
        "face-down": "These six cards look the same, as they do face down. Turn them face up.",
        "all-face-up": "These six cards lie face up. Turn them face down.",
        "face-up": "These cards lie face up: {places}. Turn them face down.",
        "unseen": "Not seen yet: {places}. A card's top edge points to its board and lies within a centimetre of it.",
    }
)
"""Everything that live enrolment says of itself, in English."""
ABSENT: Final = ("card-missing", "board-missing")
FEW: Final = 3
"""So many places without a card may have been forgotten; with more the table is still being laid."""

SETTLE: Final = 1.2
"""Seconds that a good table has to lie still before its photograph is taken: time to notice a wrong card."""
STUBBORN: Final = 8.0
"""Seconds that a still table may show cards like the ones before, until they are taken for other cards."""
SAME: Final = 0.018
"""Headers nearer than this are one and the same card, photographed twice in one place."""
AGAIN: Final = 0.8
"""Seconds between examinations of a table that will not do yet."""


@dataclass(frozen=True, slots=True)
class EnrolmentSentence:
    """A sentence of live enrolment: a key of `SENTENCES` with the places that it names, or `mend` with a remedy."""

    code: str
    places: tuple[str, ...] = ()
    mend: AdviceCode | None = None


@dataclass(frozen=True, slots=True)
class Guidance:
    """Where live enrolment stands after a frame."""

    step: Photo | None
    """The photograph that is wanted now; None when all four are taken."""
    taken: tuple[Photo, ...]
    instruction: str
    advice: tuple[Advice, ...] = ()
    same: tuple[str, ...] = ()
    """Places, such as `left/near`, that still show the card of the photograph before."""
    turned: tuple[str, ...] = ()
    """Places whose cards lie face down for a photograph of faces, or face up for that of backs."""
    just_taken: Photo | None = None
    """Set in the one frame in which a photograph was taken."""

    @property
    def said(self) -> EnrolmentSentence:
        """What to tell a person now: the first thing to mend, else what to lay."""
        if self.step is None:
            return EnrolmentSentence("taken")
        if self.same and len(self.same) < len(LAYOUT):
            return EnrolmentSentence("same", self.same)
        if self.turned:
            if self.step != "back":
                return EnrolmentSentence("face-down")
            # Six places in a row are no sentence that anybody reads.
            every = len(self.turned) == len(LAYOUT)
            return EnrolmentSentence("all-face-up") if every else EnrolmentSentence("face-up", self.turned)
        hard = [a for a in self.advice if a.hard]
        absent = [a for a in hard if a.code in ABSENT]
        if self.same or not hard:
            return EnrolmentSentence(self.step)
        if len(hard) > len(absent):
            first = next(a for a in hard if a.code not in ABSENT)
            return EnrolmentSentence("mend", (first.at,) if first.at else (), first.code)
        # A table that is only being laid needs the instruction; one that seems laid needs what is missing on it.
        return (
            EnrolmentSentence("unseen", tuple(a.at for a in absent))
            if len(absent) <= FEW
            else EnrolmentSentence(self.step)
        )

    @property
    def says(self) -> str:
        """`said` as a sentence, in English; another language is made from its code and places."""
        said = self.said
        places = ", ".join(spot_name(at) for at in said.places)
        if said.mend is not None:
            return f"{REMEDIES[said.mend]} ({places})" if places else REMEDIES[said.mend]
        return SENTENCES[said.code].format(places=places)

    @property
    def wrong(self) -> frozenset[str]:
        """Places, such as `left/near`, that keep the photograph from being taken."""
        return frozenset(self.same) | frozenset(self.turned) | {a.at for a in self.advice if a.hard and a.at}


class Guide:
    """Takes the four photographs from live frames. Give `see` every frame; time is passed in."""

    def __init__(self, lens: Lens | None = None) -> None:
        """`lens`: the camera's, where it was calibrated."""
        self._lens = lens
        self._gate = MotionGate()
        self._photos: dict[Photo, Examined] = {}
        self._lay: tuple[Photo, Examined] | None = None
        """The photograph that was taken last, whose cards may still lie there."""
        self._good_since: float | None = None
        self._same_since: float | None = None
        self._next = 0.0
        self._last = Guidance("air", (), INSTRUCTIONS["air"])

    @property
    def step(self) -> Photo | None:
        """The photograph that is wanted now."""
        return next((p for p in PHOTOS if p not in self._photos), None)

    def see(self, image: Picture, t: float) -> Guidance:
        """One frame at `t` seconds. Examines it when the table lies still, and not oftener than worth while."""
        step = self.step
        state = self._gate.see(image, t)
        if state.fresh or not state.still:
            self._good_since = self._same_since = None
            self._next = min(self._next, t)
        if step is None or not state.still or t < self._next:
            return self._say(step, self._last.advice, self._last.same, self._last.turned)
        self._next = t + AGAIN
        examined = examine(image, step, self._lens)
        same = self._unchanged(examined)
        if not same:
            self._same_since = None
        elif self._same_since is None:
            self._same_since = t
        elif t - self._same_since > STUBBORN and len(same) < len(LAYOUT):
            # Perhaps they only look alike: the finished deck is examined for that, with a reason. All six alike are
            # the cards of the photograph before, however long they lie.
            same = ()
        turned: tuple[str, ...] = ()
        if examined.usable and not same:
            turned, shone_on = _wrong_with_cards(step, examined)
            examined = replace(examined, advice=(*examined.advice, *shone_on))
        if not examined.usable or same or turned:
            self._good_since = None
            return self._say(step, examined.advice, same, turned)
        if self._good_since is None:
            self._good_since = t
            self._next = t + SETTLE
            return self._say(step, examined.advice, same)
        self._photos[step] = examined
        self._lay = step, examined
        self._good_since = None
        self._next = t + AGAIN
        return self._say(self.step, (), just=step)

    def learn(self, progress: Progress | None = None) -> Learnt:
        """The deck, once all four photographs are taken: read back with it and rehearsed, which takes 10 s and more.

        Raises `Failure`: those of `assemble` and `not-read-back`.
        """
        # A copy: another thread may ask to take a photograph again meanwhile.
        return learn(dict(self._photos), progress)

    def retake(self, photo: Photo, alone: bool = False) -> None:
        """Forgets a photograph, and those after it unless it is to be taken again `alone`."""
        for later in (photo,) if alone else PHOTOS[PHOTOS.index(photo) :]:
            self._photos.pop(later, None)
        self._good_since, self._next = None, 0.0

    def _unchanged(self, examined: Examined) -> tuple[str, ...]:
        """The places that still show the cards of the photograph before, which may be any where one is taken again."""
        if self._lay is None or self._lay[0] == self.step or len(examined.cards) < len(LAYOUT):
            return ()
        before = self._lay[1]
        cards = zip(PLACES, examined.cards, before.cards, strict=True)
        return tuple(place for place, now, then in cards if apart(now, then) < SAME)

    def _say(
        self,
        step: Photo | None,
        advice: tuple[Advice, ...],
        same: tuple[str, ...] = (),
        turned: tuple[str, ...] = (),
        just: Photo | None = None,
    ) -> Guidance:
        text = SENTENCES[step or "taken"]
        self._last = Guidance(step, tuple(self._photos), text, advice, same, turned, just)
        return self._last


def _wrong_with_cards(step: Photo, examined: Examined) -> tuple[tuple[str, ...], tuple[Advice, ...]]:
    """The places whose cards lie the other way up than the photograph needs; and advice on backs that a shine hides,
    which comes first."""
    if step != "back":
        return (PLACES if of_one_print(examined.cards) else ()), ()
    compared = compared_backs(examined.cards)
    if compared.hidden:
        return (), tuple(Advice("glare", PLACES[n]) for n in compared.hidden)
    return tuple(PLACES[n] for n in compared.odd), ()
