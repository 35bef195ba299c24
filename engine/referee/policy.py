"""The referee's patience, in one place. All times are seconds that a table lies still and without a hand over it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """How long the referee waits before it speaks. Every time can be set."""

    wrong_move: float = 0.3
    """A finished wrong move: a card in the wrong theater, out of turn, turned without an effect. Told at once, which
    is one more glance at the same table."""
    second_glance: float = 1.0
    """A mistake is told when another look at the table shows it too; where none comes, after this time."""
    unfinished: float = 1.0
    """A wrong table that people are often about to put right: a card that must be destroyed, a card just taken up."""
    gone: float = 4.4
    """A card is gone that no effect lets anybody take: perhaps it is being read, or the first that is gathered in. Also
    a hidden one that is gone beside a legal move."""
    gone_beside: float = 3.4
    """A card that lay face up is gone and a legal move was made beside it."""
    gone_face_down: float = 8.0
    """The same with a card that lay face down: its owner may look at it at any time."""
    misplaced: float = 2.5
    """A card lies beside the columns, over a board or askew, and nothing else is played."""
    misplaced_early: float = 8.0
    """The same with a face-up card of the seat whose turn it is not: perhaps it is only shown to the other."""
    hint: float = 1.5
    """A card lies so that the one below it does not show."""
    dealing: float = 20.0
    """A hidden card of each seat, seen at once on empty boards and gone again in this time: the hands, dealt there."""
    ignored: float = 6.0
    """Play goes on from a mistake that was told: after this time, or with the next move, it is let stand."""
    given_up: float = 20.0
    """A card that is gone, or lies there although it was destroyed, while two further moves are made: it is let
    stand."""
    mending: float = 1.8
    """Another wrong table after one that was told: people put things right one card at a time."""
    lifted: float = 20.0
    """A card is gone that an open effect lets its owner hold: a thinking player. After this time a notice says
    where."""
    undo: float = 2.5
    """The table lies as it did before the last move: perhaps a card was only taken up to be read, to be laid elsewhere,
    or as the first of all."""
    undo_several: float = 5.0
    """The same, with more than one move taken back."""
    undo_shown: float = 8.0
    """The same where a card had been turned up and lies hidden again: mostly another one is turned instead."""
    peek: float = 3.4
    """The same where the card lay face down: its owner may look at it at any time."""
    last_word: float = 5.0
    """The end of a battle is told so long after its last card, for that card may still be laid elsewhere."""
    gathering: float = 12.0
    """An undo is taken back if another card is taken up within this time and then the rest; it is asked about if that
    was later than `gathering_soon`."""
    gathering_soon: float = 4.4
    """A pause no longer than this between the first card taken up and the next: nobody changed his mind in between."""
    undo_in_effect: float = 4.0
    """The same while an open effect would let one hold that card."""
    first_card_gone: float = 12.0
    """The only card on the table was taken up: a change of mind before this time, a withdrawal after it."""
    cleared: float = 0.4
    """An empty table after a battle has begun."""
    clearing: float = 15.0
    """Several cards are gone and some lie there still: people are tidying up, or have changed something else."""
    tidying: float = 8.0
    """After the end of a battle: before this time a table that lies as it did before is being tidied, after it an
    undo."""
    doubt: float = 2.5
    """A doubtful reading is looked at again until this time; then the players are asked."""
    overlooked: float = 12.0
    """Where the reader does not know how many cards a stack has, and what was played rests on that: mostly another look
    or the next move tells. Then the players are asked."""
    unexplained: float = 4.0
    """A table that neither the rules nor a single mistake explain."""
    unseen_moves: float = 2.0
    """A table to which more moves led than can be followed: the battle goes on from there."""
    rearranged: float = 9.0
    """The same with no other cards than lay there before: somebody counts a stack, or tidies."""
