"""What each event makes of a tournament, and which events are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from host.club.tournament.events import (
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_POINTS,
    SYSTEMS,
    TIE_BREAKS,
    Announced,
    Changed,
    CheckedIn,
    ClockSet,
    Dropped,
    Entered,
    EventUndone,
    Finished,
    Opened,
    Pair,
    Paired,
    Renamed,
    Repaired,
    Reported,
    Returned,
    TablePlaced,
    TournamentEvent,
    Withdrawn,
)
from host.club.tournament.state import MatchResult, Player, Round, Tournament, TournamentRefused
from host.player_name import NAME_LONGEST

MOST_ROUNDS: Final = 99
LONGEST_DELAY: Final = 3600
DESK: Final = "desk"
"""Who caused what the desk does of itself: it is written down right after the pairing that it follows from."""


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event with its place in the desk's records. `by` is `organiser`, `player`, `desk` or a table's account."""

    sequence: int
    at: float
    by: str
    event: TournamentEvent


def state_after(records: Sequence[RecordedEvent]) -> Tournament | None:
    """The tournament that the records make; None before it is opened.

    Raises `TournamentRefused` for records that do not fit.
    """
    undone = undone_in(records)
    state: Tournament | None = None
    for happened in records:
        if happened.sequence not in undone and not isinstance(happened.event, EventUndone):
            state = apply(state, happened)
    return state


def undone_in(records: Sequence[RecordedEvent]) -> frozenset[int]:
    """Sequence numbers of the events that do not count: undone, unless the undoing was undone.

    With a pairing goes what the desk did because of it: the walkovers of those who meet a player who has left.
    """
    gone: set[int] = set()
    for happened in reversed(records):
        if isinstance(happened.event, EventUndone) and happened.sequence not in gone:
            gone.add(happened.event.sequence)
    paired_is_gone = False
    for happened in records:
        if happened.by != DESK:
            paired_is_gone = isinstance(happened.event, Paired) and happened.sequence in gone
        elif paired_is_gone:
            gone.add(happened.sequence)
    return frozenset(gone)


def after_undo(records: Sequence[RecordedEvent], undo: RecordedEvent) -> Tournament | None:
    """The tournament once `undo` is added.

    Raises `TournamentRefused`: `undo-blocked` where later events build on the one, `undo-unknown` where there is none.
    """
    event = undo.event
    assert isinstance(event, EventUndone)
    target = next((h for h in records if h.sequence == event.sequence), None)
    if target is None or target.sequence in undone_in(records) or isinstance(target.event, Opened):
        raise TournamentRefused("undo-unknown")
    try:
        return state_after([*records, undo])
    except TournamentRefused as refused:
        raise TournamentRefused("undo-blocked") from refused


def apply(state: Tournament | None, happened: RecordedEvent) -> Tournament:
    """The tournament after an event; raises `TournamentRefused` with a code."""
    event = happened.event
    if isinstance(event, Opened):
        if state is not None:
            raise TournamentRefused("opened-already")
        _check_settings(event)
        return Tournament(event)
    if state is None:
        raise TournamentRefused("not-opened")
    return _APPLY[type(event)](state, event, happened)


def _check_settings(settings: Opened) -> None:
    if not 1 <= len(settings.name.strip()) <= LONGEST_NAME:
        raise TournamentRefused("bad-name")
    if settings.system not in SYSTEMS or not 1 <= settings.rounds <= MOST_ROUNDS:
        raise TournamentRefused("bad-rounds")
    if not 1 <= settings.target <= MOST_POINTS:
        raise TournamentRefused("bad-target")
    if not 0 <= settings.minutes <= 600 or not 0 <= settings.delay <= LONGEST_DELAY:
        raise TournamentRefused("bad-time")
    breaks = settings.tie_breaks
    if not breaks or len(set(breaks)) != len(breaks) or any(b not in TIE_BREAKS for b in breaks):
        raise TournamentRefused("bad-tie-breaks")


def _changed(state: Tournament, event: Changed, _: RecordedEvent) -> Tournament:
    given = {f.name: getattr(event, f.name) for f in fields(event) if getattr(event, f.name) is not None}
    settings = replace(state.settings, **given)
    _check_settings(settings)
    if state.rounds and settings.system != state.settings.system:
        raise TournamentRefused("system-fixed")
    if settings.system == "swiss" and settings.rounds < len(state.rounds):
        raise TournamentRefused("bad-rounds")
    late = bool(state.rounds) and settings.tie_breaks != state.settings.tie_breaks
    return replace(state, settings=settings, tie_breaks_changed=state.tie_breaks_changed or late)


def _entered(state: Tournament, event: Entered, _: RecordedEvent) -> Tournament:
    name = _name(state, event.name, None)
    if event.player in state.players:
        raise TournamentRefused("entered-already", name=name)
    player = Player(event.player, name, event.token)
    return replace(state, players={**state.players, event.player: player})


def _name(state: Tournament, given: str, own: int | None) -> str:
    name = " ".join(given.split())
    if not 1 <= len(name) <= NAME_LONGEST or not name.isprintable():
        raise TournamentRefused("bad-name")
    if any(p.name.casefold() == name.casefold() and p.number != own for p in state.players.values()):
        raise TournamentRefused("name-taken", name=name)
    return name


def _renamed(state: Tournament, event: Renamed, _: RecordedEvent) -> Tournament:
    return _with(state, _player(state, event.player), name=_name(state, event.name, event.player))


def _checked_in(state: Tournament, event: CheckedIn, _: RecordedEvent) -> Tournament:
    player = _player(state, event.player)
    if player.checked_in:
        raise TournamentRefused("checked-in-already", name=player.name)
    return _joined(state, player, checked_in=True)


def _dropped(state: Tournament, event: Dropped, _: RecordedEvent) -> Tournament:
    player = _player(state, event.player)
    if player.dropped:
        raise TournamentRefused("dropped-already", name=player.name)
    return _with(state, player, dropped=True)


def _returned(state: Tournament, event: Returned, _: RecordedEvent) -> Tournament:
    player = _player(state, event.player)
    if not player.dropped:
        raise TournamentRefused("not-dropped", name=player.name)
    return _joined(state, player, dropped=False)


def _joined(state: Tournament, player: Player, **changes: Any) -> Tournament:
    """One more who plays. A round robin that has begun takes a late player where it has a free place."""
    after = _with(state, player, **changes)
    begun = state.settings.system == "round-robin" and state.rounds
    if begun and len(after.robin_order) > len(state.robin_order) and len(state.robin_order) % 2 == 0:
        # An odd field has a free place in every round of the table; an even one would need a new table.
        raise TournamentRefused("late-round-robin")
    return after


def _player(state: Tournament, number: int) -> Player:
    if number not in state.players:
        raise TournamentRefused("no-player")
    return state.players[number]


def _with(state: Tournament, player: Player, **changes: Any) -> Tournament:
    return replace(state, players={**state.players, player.number: replace(player, **changes)})


def _paired(state: Tournament, event: Paired, happened: RecordedEvent) -> Tournament:
    _open_for_pairing(state)
    if event.round != len(state.rounds) + 1:
        raise TournamentRefused("other-round")
    _check_pairing(state, event.pairs, event.bye)
    round_ = Round(event.round, event.pairs, event.bye, {}, happened.sequence, _resting(state, event.pairs, event.bye))
    return replace(state, rounds=(*state.rounds, round_), clock=None)


def _open_for_pairing(state: Tournament) -> None:
    if state.finished:
        raise TournamentRefused("finished")
    if state.current is not None and not state.current.complete:
        raise TournamentRefused("round-on", n=sum(p.table not in state.current.results for p in state.current.pairs))
    if len(state.rounds) >= state.rounds_planned and state.rounds:
        raise TournamentRefused("all-rounds")


def _resting(state: Tournament, pairs: Sequence[Pair], bye: int | None) -> frozenset[int]:
    paired = {n for pair in pairs for n in (pair.near, pair.far)} | {bye}
    return frozenset(n for n, player in state.players.items() if player.plays and n not in paired)


def _check_pairing(state: Tournament, pairs: Sequence[Pair], bye: int | None) -> None:
    """Nobody is paired twice, and each pair has a table of its own."""
    paired = [n for pair in pairs for n in (pair.near, pair.far)] + ([bye] if bye is not None else [])
    tables = [pair.table for pair in pairs]
    for number in paired:
        _player(state, number)
    if len(set(paired)) != len(paired):
        raise TournamentRefused("paired-twice")
    if len(set(tables)) != len(tables) or any(not 1 <= table <= 10_000 for table in tables):
        raise TournamentRefused("bad-tables")
    if not pairs:
        raise TournamentRefused("too-few")


def _repaired(state: Tournament, event: Repaired, happened: RecordedEvent) -> Tournament:
    current = state.current
    if current is None or event.round != current.number:
        raise TournamentRefused("other-round")
    if state.finished:
        raise TournamentRefused("finished")
    _check_pairing(state, event.pairs, event.bye)
    kept: dict[int, MatchResult] = {}
    for pair in current.pairs:
        if pair.table not in current.results:
            continue
        same = next((p for p in event.pairs if (p.near, p.far) == (pair.near, pair.far)), None)
        if same is None:
            raise TournamentRefused("repair-result", table=pair.table)
        kept[same.table] = current.results[pair.table]
    resting = _resting(state, event.pairs, event.bye)
    mended = Round(current.number, event.pairs, event.bye, kept, happened.sequence, resting)
    return replace(state, rounds=(*state.rounds[:-1], mended))


def _reported(state: Tournament, event: Reported, happened: RecordedEvent) -> Tournament:
    round_, pair = _match(state, event.round, event.table)
    if not (0 <= event.near <= MOST_POINTS and 0 <= event.far <= MOST_POINTS):
        raise TournamentRefused("bad-points")
    if event.how == "walkover" and event.near == event.far:
        raise TournamentRefused("bad-points")
    before = round_.results.get(pair.table)
    by_hand = not event.log
    if before is not None and before.by_hand and not by_hand:
        # What the organiser decided is not overruled by a table that was away.
        raise TournamentRefused("decided-by-hand", table=pair.table)
    result = MatchResult(event.near, event.far, event.how, by_hand)
    return _with_results(state, round_, {**round_.results, pair.table: result})


def _withdrawn(state: Tournament, event: Withdrawn, happened: RecordedEvent) -> Tournament:
    round_, pair = _match(state, event.round, event.table)
    before = round_.results.get(pair.table)
    if before is None:
        raise TournamentRefused("no-result", table=pair.table)
    if round_ is not state.current:
        # The next round was paired from it: it can be corrected, but not left open.
        raise TournamentRefused("later-round")
    if before.by_hand and happened.by != "organiser":
        raise TournamentRefused("decided-by-hand", table=pair.table)
    return _with_results(state, round_, {t: r for t, r in round_.results.items() if t != pair.table})


def _match(state: Tournament, number: int, table: int) -> tuple[Round, Pair]:
    if not 1 <= number <= len(state.rounds):
        raise TournamentRefused("other-round")
    round_ = state.rounds[number - 1]
    pair = round_.pair_at(table)
    if pair is None:
        raise TournamentRefused("no-match", table=table)
    return round_, pair


def _with_results(state: Tournament, round_: Round, results: Mapping[int, MatchResult]) -> Tournament:
    at = round_.number - 1
    mended = replace(round_, results=results)
    return replace(state, rounds=(*state.rounds[:at], mended, *state.rounds[at + 1 :]))


def _placed(state: Tournament, event: TablePlaced, _: RecordedEvent) -> Tournament:
    # A companion serves one table: where it goes, the table that it served before is left without.
    others = {table: account for table, account in state.places.items() if account != event.account}
    return replace(state, places={**others, event.table: event.account})


def _clock_set(state: Tournament, event: ClockSet, _: RecordedEvent) -> Tournament:
    return replace(state, clock=event.until)


def _announced(state: Tournament, event: Announced, _: RecordedEvent) -> Tournament:
    text = event.text.strip()
    if len(text) > LONGEST_NOTE:
        raise TournamentRefused("long-text")
    return replace(state, announcement=text)


def _finished(state: Tournament, _: Finished, __: RecordedEvent) -> Tournament:
    if state.current is not None and not state.current.complete:
        raise TournamentRefused("round-on", n=sum(p.table not in state.current.results for p in state.current.pairs))
    return replace(state, finished=True, clock=None)


_APPLY: Final[Mapping[type[Any], Callable[[Tournament, Any, RecordedEvent], Tournament]]] = {
    Changed: _changed,
    Entered: _entered,
    Renamed: _renamed,
    CheckedIn: _checked_in,
    Dropped: _dropped,
    Returned: _returned,
    Paired: _paired,
    Repaired: _repaired,
    Reported: _reported,
    Withdrawn: _withdrawn,
    TablePlaced: _placed,
    ClockSet: _clock_set,
    Announced: _announced,
    Finished: _finished,
}
