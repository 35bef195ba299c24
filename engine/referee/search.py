"""The search for lines of play that end in the table that was seen.

A depth-first search over the rules themselves (`engine.battle.play`). A visible move is worth trying only if it
brings the table nearer to the target; silent moves (an optional effect declined, a card that Containment or Blockade
destroys at once) change nothing on the table and are counted. Both counts and the number of positions tried are
bounded, so a search always ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.battle import play
from engine.cards import AMBUSH, BLOCKADE, CONTAINMENT, DISRUPT, REDEPLOY, TRANSPORT
from engine.legality import is_optional
from engine.moves import Move
from engine.names import FACE_DOWN, SEATS, THEATERS, Card, Seat
from engine.referee.observation import EDIT, Fit, ReadTable, faces_of, fit
from engine.refusal import IllegalMove
from engine.state import PILE_INDEX, SEAT_INDEX, UP, Pile, State

VISIBLE_COST: Final = 0.5
DECLINE_COST: Final = 0.7
UNSEEN_COST: Final = 1.8
"""A card that was laid, destroyed and taken away between two still tables."""
SETUP_COST: Final = 4.0
"""An instant laid and turned over by its own effect between two still tables."""
REPLACED_COST: Final = 0.5
"""A card taken back and another laid where it lay, or laid face down and turned at once by an effect that waited."""
MARGIN: Final = 12.0
"""Lines whose readings and visible moves are this much dearer than the best are dropped. What left no trace is not
counted: however unlikely it is, nothing that is seen will ever speak against it."""
SILENT_MOST: Final = 16
"""More silent moves than two hands and their effects have."""
VISIBLE_MOST: Final = 4
BUDGET: Final = 2500
"""Positions tried at most; about 60 ms."""
LAYING: Final = (None, "play", "reinforce")
"""What is open while a seat has a card to lay."""

_CONTAINMENT: Final = UP[CONTAINMENT]
_BLOCKADE: Final = UP[BLOCKADE]
# Both may turn over themselves, so that they lie there as if they had been improvised. After Disrupt the other seat
# must turn a card, which then would look like a mistake; after Ambush nothing is different.
# May carry itself off, so that it lies there as if it had been laid in the wrong theater.
# May take a card from below itself, so that it lies there as if that card had been turned over.
_SELF_SERVING: Final = (AMBUSH, DISRUPT, TRANSPORT)

_MAKES_ROOM: Final[dict[str, float]] = {REDEPLOY: 3.2, TRANSPORT: 1.0}
"""Cards that may at once take another one from below themselves, and what that costs: Redeploy's table looks like a
card pushed under another."""

StepKind: TypeAlias = Literal["seen", "silent", "told", "set"]


class Step(NamedTuple):
    """One move of a line and the state after it."""

    move: Move | None
    """None where a person set the state (`set`)."""
    kind: StepKind
    """seen on the table; silent: it left no trace; told by a button or a person; set: a correction."""
    state: State


class Root(NamedTuple):
    """Where a search may begin. `tag` comes back with the lines."""

    state: State
    cost: float
    tag: int
    hidden: float = 0.0
    """The part of the cost that stands for what left no trace."""


class Line(NamedTuple):
    """A legal way from a root to the target."""

    tag: int
    cost: float
    """Of the root and the moves."""
    reading: float
    """Of the readings that the line takes for true."""
    steps: tuple[Step, ...]
    state: State
    hidden: float = 0.0
    """The part of the cost that stands for what left no trace, since the battle began."""

    @property
    def total(self) -> float:
        return self.cost + self.reading

    @property
    def plain(self) -> float:
        """What can still be told apart by looking."""
        return self.cost + self.reading - self.hidden

    @property
    def visible(self) -> int:
        return sum(step.kind == "seen" for step in self.steps)


class Node(NamedTuple):
    """A position that the search passed: where a violation may have happened."""

    tag: int
    cost: float
    steps: tuple[Step, ...]
    state: State
    edits: int


class SearchResult(NamedTuple):
    """What a search brought back. `complete` is False where the budget ended it."""

    lines: tuple[Line, ...]
    nodes: tuple[Node, ...]
    complete: bool


class _Search:
    def __init__(self, target: ReadTable, silent: int, visible: int, budget: int, setup: bool, hurried: float) -> None:
        self.target = target
        self.silent = silent
        self.visible = visible
        self.left = budget
        self.setup = setup
        self.hurried = hurried
        self.lines: dict[State, Line] = {}
        self.nodes: dict[State, Node] = {}
        self.best = 1e9
        """Of the lines found, without what left no trace."""
        self.seen: dict[State, list[tuple[float, int, int]]] = {}

    def fits(self, state: State) -> tuple[Fit, ...]:
        return tuple(fit(faces_of(pile), column) for pile, column in zip(state.piles, self.target, strict=True))

    def refit(self, before: State, fits: tuple[Fit, ...], after: State) -> tuple[Fit, ...]:
        if before.piles is after.piles:
            return fits
        return tuple(
            old if a is b else fit(faces_of(b), column)
            for old, a, b, column in zip(fits, before.piles, after.piles, self.target, strict=True)
        )

    def explore(
        self,
        root: Root,
        state: State,
        fits: tuple[Fit, ...],
        steps: tuple[Step, ...],
        cost: float,
        hidden: float,
        silent: int,
        visible: int,
    ) -> None:
        """Everything reachable from `state` with so many silent and visible moves left."""
        known = self.seen.setdefault(state, [])
        if any(c <= cost and s >= silent and v >= visible for c, s, v in known):
            return
        known.append((cost, silent, visible))
        edits = sum(f.edits for f in fits)
        reading = sum(f.reading for f in fits)
        node = self.nodes.get(state)
        if node is None or cost < node.cost:
            self.nodes[state] = Node(root.tag, cost, steps, state, edits)
        if edits == 0:
            line = self.lines.get(state)
            if line is None or cost + reading < line.total:
                found = Line(root.tag, cost, reading, steps, state, hidden)
                self.lines[state] = found
                self.best = min(self.best, found.plain)
            if reading < 0.5:
                return
        elif cost - hidden + VISIBLE_COST > self.best + MARGIN:
            return
        if state.turn is None:
            return
        if visible:
            weight = sum(f.weight for f in fits)
            for move, growing in self.visible_moves(state, fits):
                after = self.tried(state, move)
                if after is None or after.piles == state.piles:
                    continue
                now = self.refit(state, fits, after)
                dear = cost + VISIBLE_COST + (self.hurried if visible < self.visible else 0.0)
                if sum(f.weight for f in now) >= weight - 1e-9:
                    if growing is None:
                        continue
                    dear += growing
                self.explore(root, after, now, (*steps, Step(move, "seen", after)), dear, hidden, silent, visible - 1)
        if silent and edits:
            for move, price in silent_moves(state):
                after = self.tried(state, move)
                if after is not None and after.piles == state.piles:
                    more = (*steps, Step(move, "silent", after))
                    self.explore(root, after, fits, more, cost + price, hidden + price, silent - 1, visible)

    def tried(self, state: State, move: Move) -> State | None:
        if self.left <= 0:
            return None
        self.left -= 1
        try:
            return play(state, move)
        except IllegalMove:
            return None

    def visible_moves(self, state: State, fits: Sequence[Fit]) -> Iterator[tuple[Move, float | None]]:
        """Moves that could bring a stack nearer to the target; with what it costs to lead away from it first, where
        that may be."""
        turn, pending = state.turn, state.pending
        assert turn is not None
        if pending is None or pending == "play":
            yield from self.plays(state, fits, turn)
        elif pending in ("maneuver", "ambush", "disrupt"):
            yield from self.flips(state, fits, turn)
        elif pending == "reinforce":
            for theater in THEATERS:
                if fits[PILE_INDEX[theater] + SEAT_INDEX[turn]].edits:
                    yield Move("reinforce", turn, to=theater), None
        else:
            side = SEAT_INDEX[turn]
            for theater in THEATERS:
                at = PILE_INDEX[theater] + side
                if fits[at].weight < EDIT:
                    continue
                for nth, slot in enumerate(state.piles[at]):
                    if pending == "redeploy":
                        if not slot.up:
                            # Another card may come to lie where this one lay.
                            yield Move("return", turn, at=theater, nth=nth), REPLACED_COST
                        continue
                    for to in THEATERS:
                        if to != theater and fits[PILE_INDEX[to] + side].edits:
                            yield Move("move", turn, origin=theater, nth=nth, to=to), None

    def plays(self, state: State, fits: Sequence[Fit], turn: Seat) -> Iterator[tuple[Move, float | None]]:
        side = SEAT_INDEX[turn]
        for theater in THEATERS:
            at = PILE_INDEX[theater] + side
            if fits[at].weight < EDIT:
                continue
            height, column = len(state.piles[at]), self.target[at]
            wanted: set[str] = set()
            for nth in range(max(height - 2, 0), min(height, len(column) - 1) + 1):
                wanted.update(column[nth].costs)
            if not fits[at].edits:
                # As many cards as before and one of them another: only a card that takes one away explains that.
                wanted &= _MAKES_ROOM.keys()
            for face in sorted(wanted):
                if face == FACE_DOWN:
                    yield Move("improvise", turn, None, theater), None
                    yield Move("deploy", turn, DISRUPT, theater), SETUP_COST
                    if self.setup or destroyers_lie(state.piles):
                        yield Move("deploy", turn, AMBUSH, theater), SETUP_COST
                else:
                    yield Move("deploy", turn, Card(face), theater), _MAKES_ROOM.get(face)
                    if len(state.queue) > 1:
                        # Laid face down, and turned by an effect that was waiting.
                        yield Move("improvise", turn, None, theater), REPLACED_COST
                    if face == TRANSPORT:
                        for elsewhere in THEATERS:
                            if elsewhere != theater:
                                yield Move("deploy", turn, TRANSPORT, elsewhere), SETUP_COST

    def flips(self, state: State, fits: Sequence[Fit], turn: Seat) -> Iterator[tuple[Move, float | None]]:
        for theater in THEATERS:
            for seat in SEATS:
                at = PILE_INDEX[theater] + SEAT_INDEX[seat]
                pile, column = state.piles[at], self.target[at]
                if not pile:
                    continue
                top = pile[-1]
                unknown = not top.up and top.card is None
                if self.setup and unknown:
                    # What comes to light may turn over itself, or carry itself off.
                    for card in _SELF_SERVING:
                        yield Move("flip", turn, side=seat, at=theater, reveals=card), SETUP_COST
                if fits[at].weight < 0.1:
                    continue
                if not unknown:
                    yield Move("flip", turn, side=seat, at=theater), None
                    continue
                wanted: set[str] = set()
                for nth in range(max(len(pile) - 2, 0), min(len(pile), len(column))):
                    wanted.update(column[nth].costs)
                for face in sorted(wanted - {FACE_DOWN}):
                    yield Move("flip", turn, side=seat, at=theater, reveals=Card(face)), None


def silent_moves(state: State) -> list[tuple[Move, float]]:
    """Moves that may leave the table as it is, with their costs. Whether they do, playing them shows.

    A card destroyed at once was not seen, so it stands in the line as one laid face down in the first theater where
    that would destroy it: which card and which theater make no difference to the state.
    """
    turn, pending = state.turn, state.pending
    if turn is None:
        return []
    moves: list[tuple[Move, float]] = []
    if is_optional(state):
        moves.append((Move("decline", turn), DECLINE_COST))
    lost = None
    if pending in LAYING and destroyers_lie(state.piles):
        do: Literal["improvise", "reinforce"] = "reinforce" if pending == "reinforce" else "improvise"
        for theater in THEATERS:
            move = Move(do, turn, None, theater)
            try:
                after = play(state, move)
            except IllegalMove:
                continue
            if after.piles == state.piles:
                lost = move
                break
    if lost is not None:
        moves.append((lost, unseen_cost(lost)))
    return moves


def destroyers_lie(piles: Sequence[Pile]) -> bool:
    """Whether Containment or Blockade lies face up."""
    return any(_CONTAINMENT in pile or _BLOCKADE in pile for pile in piles)


def closure(state: State, most: int = SILENT_MOST) -> Iterator[tuple[tuple[Step, ...], State]]:
    """`state` and everything up to `most` silent moves later, each state once, with the fewest moves to it."""
    met = {state}
    edge: list[tuple[tuple[Step, ...], State]] = [((), state)]
    yield edge[0]
    for _ in range(most):
        further: list[tuple[tuple[Step, ...], State]] = []
        for steps, last in edge:
            for move, _price in silent_moves(last):
                after = play(last, move)
                if after.piles == last.piles and after not in met:
                    met.add(after)
                    further.append(((*steps, Step(move, "silent", after)), after))
        yield from further
        edge = further


def unseen_cost(move: Move) -> float:
    """What it costs that a card was destroyed unseen: Reinforce's goes face down whatever its owner may think of it."""
    return DECLINE_COST if move.do == "reinforce" else UNSEEN_COST


def hidden_cost(steps: Sequence[Step]) -> float:
    """What the silent moves of a line cost."""
    return sum(
        DECLINE_COST if step.move is None or step.move.do == "decline" else unseen_cost(step.move)
        for step in steps
        if step.kind == "silent"
    )


def search(
    roots: Sequence[Root],
    target: ReadTable,
    *,
    silent: int = SILENT_MOST,
    visible: int = VISIBLE_MOST,
    budget: int = BUDGET,
    setup: bool = False,
    hurried: float = 0.0,
) -> SearchResult:
    """Legal lines from the roots to the target, cheapest first, and the positions passed.

    `setup` also tries whatever turns over itself or carries itself off as soon as it lies face up. `hurried` is what
    each visible move costs beyond the first.
    """
    run = _Search(target, silent, visible, budget, setup, hurried)
    for root in sorted(roots, key=lambda root: root.cost):
        run.explore(root, root.state, run.fits(root.state), (), root.cost, root.hidden, silent, visible)
    lines = sorted(
        (line for line in run.lines.values() if line.plain <= run.best + MARGIN), key=lambda line: line.total
    )
    nodes = sorted(run.nodes.values(), key=lambda node: node.cost)
    return SearchResult(tuple(lines), tuple(nodes), run.left > 0)
