"""What the referee says about the table: codes and parts, no sentence, so that every language is a matter of the host.

One class an event of `watch` (contracts.md 3.4). Nothing here names a card that the seats could not all know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.moves import Move
from engine.names import Card, Seat, Theater
from engine.places import Board, Spot
from engine.state import State

Parts: TypeAlias = Mapping[str, str | int]
"""What a sentence needs: `card`, `seat`, `at`, `to`, `effect`, `expected`, … always names of contracts.md 1."""

ViolationCode: TypeAlias = Literal[
    "wrong-theater",
    "out-of-turn",
    "second-card",
    "covered-flip",
    "flip-without-effect",
    "flip-out-of-reach",
    "move-without-effect",
    "return-without-effect",
    "effect-left-out",
    "should-be-destroyed",
    "not-your-card",
    "wrong-place-in-stack",
    "wrong-way-round",
    "wrong-reinforcement",
    "boards-moved",
    "too-many-cards",
    "beside-columns",
    "on-board",
    "askew",
]
"""Everything the referee calls a mistake of the players. `docs/referee.md` says each in full.

wrong-theater: face up in a theater that does not match and that nothing permits.
out-of-turn: a seat laid a card, or carried out an effect, that was the other seat's to decide.
second-card: a seat laid another card although it had laid its card of this turn.
covered-flip: a card that lies under another was turned over.
flip-without-effect, move-without-effect, return-without-effect: turned, moved or taken back with no effect that
allows it. flip-out-of-reach: an effect is open, but not for that card (Maneuver: adjacent theaters only).
effect-left-out: the next move was made while a mandatory effect was open.
should-be-destroyed: a card that Containment or Blockade destroys was left lying.
not-your-card: an effect was used on a card of the other seat that only takes one's own.
wrong-place-in-stack: a new card was pushed under older ones.
wrong-way-round: a card lies with its top edge towards its owner.
wrong-reinforcement: the card that Reinforce draws was laid face up, or in a theater that is not adjacent.
boards-moved: the boards lie in another order than at the start of the battle; nobody knows who moved them.
too-many-cards: a card was laid although that seat has played all its cards: somebody was dealt one too many.
beside-columns, on-board, askew: a card lies between or beside the columns, over a board, or too much askew to be read:
no move until it lies right.
"""

MendCode: TypeAlias = Literal[
    "move-card",
    "take-back",
    "turn-over",
    "put-back",
    "carry-out",
    "destroy",
    "put-on-top",
    "turn-round",
    "put-boards-back",
    "exchange-commanders",
    "slide-under",
]
"""What puts the table right: lay `card` of `seat` from `at` to `to` (any of several: `to` lists them, such as `"AS"`);
take it back to the hand; turn it over again; put the card that was taken away back; carry out `effect`; destroy it;
put it on top; turn it round; lay the boards in the order `expected` again; give `first` the first player's commander
card; slide `card` of `seat` into the column of `to`. `at` is a place such as `"A/near/1"`."""

# which-card: how one card reads (keys: faces, not-ours: no card of this deck, none: none of these). which-line: lines
# that differ in turn or hands. who-withdrew: keys near, far (or near-3 and the like, a seat and the points, where its
# cards in hand are not certain), played-out, nobody (it goes on). undo: the table lies as it did before, and something
# was revealed since (keys yes, no). lines-dropped: more may have happened unseen than was followed: the state is unsure
# (keys yes: it is as shown, no). different-card: a card that lies there reads as another one now (keys: faces).
# seen-twice, cards-missing, unexplained: look at the table (keys let-stand, new-battle: another battle has begun, none:
# it will be put right).
UnsureCode: TypeAlias = Literal[
    "which-card",
    "which-line",
    "who-withdrew",
    "undo",
    "seen-twice",
    "cards-missing",
    "unexplained",
    "no-order",
    "different-card",
    "lines-dropped",
]

# boards-not-rotated: `order`, `expected` (R14). order-changed: `order`, `expected`. first-assumed: `seat`.
# destroyed-unseen: `seat` laid a card that was destroyed before anyone saw it lie (`remove`: discard or destroy, as the
# edition has it). effect-open: a mandatory `effect`
# of `seat` was still open when the source ended. new-battle: `number`, `first`. war-over: `seat`. seen-twice: `card`,
# `at`: a wrong reading. not-now: `seat` pressed or asked for something that cannot be done now. card-lifted: `at`: a
# card has been in a hand for long. effect-ignored: `effect` of `seat` has nothing to do and is left out. header-hidden:
# `at`, `card`: covered so that it does not show. let-stand: `mistake`, `seat`: nobody put it right while play went on.
# cards-left: `at`: cards of the last battle seem to lie there still. effect-cut-off: `card` of `seat` was turned face
# down before its ability was done (first edition, R3). counts-again: `moves`: so many moves that were taken back by
# word hold again, for their cards still lie there and play goes on from them. moves-unseen: more moves were made than
# could be followed, and play goes on from the table as it lies.
NoticeCode: TypeAlias = Literal[
    "boards-not-rotated",
    "order-changed",
    "first-assumed",
    "destroyed-unseen",
    "effect-open",
    "new-battle",
    "war-over",
    "let-stand",
    "seen-twice",
    "not-now",
    "card-lifted",
    "cards-left",
    "header-hidden",
    "effect-ignored",
    "effect-cut-off",
    "counts-again",
    "moves-unseen",
]


@dataclass(frozen=True, slots=True)
class Reading:
    """A stable table that differs from the one before."""

    board: Board
    order: tuple[Theater, Theater, Theater] | None


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move became certain enough to be told. `state` is the one after it; equal face-down cards: the lowest index."""

    move: Move
    state: State
    destroyed: bool = False
    """The card was destroyed at once and does not lie on the table."""
    by_card: Card | None = None
    """The card that destroyed it."""


@dataclass(frozen=True, slots=True)
class Mend:
    """One step that puts the table right."""

    code: MendCode
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Violation:
    """A table that no legal line explains and one illegal step does."""

    code: ViolationCode
    rule: str
    """Where the rule stands: a ruling (`R13`) or an edition and page."""
    who: Seat
    mend: tuple[Mend, ...]
    move: Move | None = None
    """The move that was tried, if one says it."""
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mended:
    """The table is legal again after the violation `code`."""

    code: ViolationCode


@dataclass(frozen=True, slots=True)
class Undone:
    """The last `moves` told moves no longer hold: the players took them back, or a person asked for it."""

    moves: int
    state: State


@dataclass(frozen=True, slots=True)
class Revised:
    """The last `moves` told moves were wrong; the right ones follow."""

    moves: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person set the state, or let an illegal table stand."""

    state: State
    code: Literal["set", "let-stand"] = "set"
    score: Mapping[Seat, int] | None = None
    """The war's points, where the person set them."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Worth knowing, needs nobody."""

    code: NoticeCode
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question. `key` goes back in `Answer`."""

    key: str
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unsure:
    """A question to the players. Asked once; `id` is unique within a war."""

    id: int
    question: UnsureCode
    options: tuple[Option, ...] = ()
    parts: Parts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BattleOver:
    """A battle ended. `score` includes its points."""

    winner: Seat
    points: int
    why: Literal["played-out", "withdrew"]
    score: Mapping[Seat, int]


Event: TypeAlias = Reading | MoveMade | Violation | Mended | Undone | Revised | Corrected | Notice | Unsure | BattleOver


# --- what a person, a button or the host tells the referee -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed and nothing else. Call it several times a second: patience runs on it."""


@dataclass(frozen=True, slots=True)
class Done:
    """The short press: `by` is done with, or declines, the effect that is open."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Withdraw:
    """`by` withdraws from the battle."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Concede:
    """`by` gives the battle up, at any moment and by agreement; the points are those of a withdrawal."""

    by: Seat
    war: bool = False
    """The whole war with it: the other seat's score is set to the target. An undo sets it back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer `key` to the question `id`."""

    id: int
    key: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last `moves` moves. The table is expected to follow."""

    moves: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """Make the moves of the last undo again."""


@dataclass(frozen=True, slots=True)
class LetStand:
    """The table as it lies is the state, although the rules forbid it. There has to be a violation."""


@dataclass(frozen=True, slots=True)
class Correct:
    """A person sets parts of the state; what is None stays.

    `board` names every place; `"-"` where the card is face down.
    """

    board: Board | None = None
    hands: Mapping[Seat, int] | None = None
    order: tuple[Theater, Theater, Theater] | None = None
    first: Seat | None = None
    turn: Seat | None = None
    score: Mapping[Seat, int] | None = None
    effect: Card | None = None
    """The card lying face up whose effect is open now."""
    permits: Mapping[Seat, bool] | None = None
    """Who has Air Drop's permission."""
    extra: Mapping[Seat, int] | None = None
    """Extra turns that are owed (first edition)."""
    hidden: Mapping[Spot, Card] | None = None
    """Cards that lie face down and are known to everybody."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The source has ended: no further sight will come."""


Input: TypeAlias = Tick | Done | Withdraw | Concede | Answer | Undo | Redo | LetStand | Correct | Closed


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something silent that the likeliest line takes for granted and no sight has shown yet."""

    code: Literal["declined", "destroyed-unseen", "withdrew", "first", "unsure"]
    who: Seat
    parts: Parts = field(default_factory=dict)
