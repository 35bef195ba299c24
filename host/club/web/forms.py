"""What the organiser's forms do. Each takes the desk, the companions, the form's fields and the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias, cast

from host.club.desk import Desk
from host.club.tournament.events import (
    TIE_BREAKS,
    Announced,
    Changed,
    CheckedIn,
    ClockSet,
    Dropped,
    EventUndone,
    Finished,
    How,
    Opened,
    Pair,
    Renamed,
    Repaired,
    Reported,
    Returned,
    System,
    TieBreak,
    Withdrawn,
)
from host.club.tournament.state import Round, TournamentRefused
from host.club.web.companions import Companions

Fields: TypeAlias = Mapping[str, str]
Form: TypeAlias = "Callable[[Desk, Companions, Fields, float], None]"

NAMES_AT_ONCE: Final = 500


def _number(fields: Fields, name: str) -> int:
    text = fields.get(name, "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise TournamentRefused("bad-request")
    return int(text)


def _current(desk: Desk) -> Round:
    if desk.state is None or desk.state.current is None:
        raise TournamentRefused("other-round")
    return desk.state.current


def _tie_breaks(fields: Fields) -> tuple[TieBreak, ...]:
    chosen = [fields.get(f"tie{n}", "") for n in range(1, len(TIE_BREAKS) + 1)]
    return tuple(cast(TieBreak, tie) for tie in chosen if tie)


def _open(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Opened(fields.get("name", ""), **_settings(fields)))  # type: ignore[arg-type]


def _change(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Changed(fields.get("name", ""), **_settings(fields)))  # type: ignore[arg-type]


def _settings(fields: Fields) -> dict[str, object]:
    return {
        "system": cast(System, fields.get("system", "swiss")),
        "rounds": _number(fields, "rounds"),
        "target": _number(fields, "target"),
        "minutes": _number(fields, "minutes"),
        "delay": _number(fields, "delay"),
        "tie_breaks": _tie_breaks(fields),
    }


def _enter(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    names = [line.strip() for line in fields.get("names", "").splitlines() if line.strip()]
    if not names or len(names) > NAMES_AT_ONCE:
        raise TournamentRefused("bad-name")
    with desk.together():
        desk.enter_all(names, checked_in=fields.get("here") == "yes")


def _check_in(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(CheckedIn(_number(fields, "player")))


def _drop(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Dropped(_number(fields, "player")))


def _return(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Returned(_number(fields, "player")))


def _rename(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Renamed(_number(fields, "player"), fields.get("name", "")))


def _pair(desk: Desk, _: Companions, __: Fields, ___: float) -> None:
    desk.pair()


def _finish(desk: Desk, _: Companions, __: Fields, ___: float) -> None:
    desk.act(Finished())


def _undo(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    if fields.get("sequence"):
        desk.act(EventUndone(_number(fields, "sequence")))
    else:
        desk.undo()


def _report(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    how = fields.get("how", "played")
    if how not in ("played", "walkover", "double-walkover"):
        raise TournamentRefused("bad-request")
    neither = how == "double-walkover"
    desk.act(
        Reported(
            _number(fields, "round"),
            _number(fields, "table"),
            0 if neither else _number(fields, "near"),
            0 if neither else _number(fields, "far"),
            cast(How, how),
            fields.get("reason", "")[:200],
        )
    )


def _clear(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Withdrawn(_number(fields, "round"), _number(fields, "table"), fields.get("reason", "")[:200]))


def _swap(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    """Two players of the round change places; the one with the bye is a place like any other."""
    current, one, two = _current(desk), _number(fields, "one"), _number(fields, "two")

    def swapped(number: int) -> int:
        return two if number == one else one if number == two else number

    if one == two:
        raise TournamentRefused("bad-request")
    pairs = tuple(replace(pair, near=swapped(pair.near), far=swapped(pair.far)) for pair in current.pairs)
    bye = None if current.bye is None else swapped(current.bye)
    desk.act(Repaired(current.number, pairs, bye, fields.get("reason", "")[:200]))


def _add_match(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    """Two who have no match in this round, because of a bye or of coming late, play each other."""
    current, one, two = _current(desk), _number(fields, "one"), _number(fields, "two")
    table = max((pair.table for pair in current.pairs), default=0) + 1
    bye = None if current.bye in (one, two) else current.bye
    pairs = (*current.pairs, Pair(table, one, two))
    desk.act(Repaired(current.number, pairs, bye, fields.get("reason", "")[:200]))


def _clock(desk: Desk, _: Companions, fields: Fields, now: float) -> None:
    minutes = desk.state.settings.minutes if desk.state else 0
    desk.act(ClockSet(None if fields.get("stop") == "yes" or not minutes else now + 60 * minutes))


def _announce(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.act(Announced(fields.get("text", "")))


def _place(desk: Desk, _: Companions, fields: Fields, __: float) -> None:
    desk.place(_number(fields, "table"), fields.get("account", ""))


def _more(_: Desk, companions: Companions, __: Fields, ___: float) -> None:
    if companions.more is None:
        raise TournamentRefused("no-account")
    companions.more()


def _renew(_: Desk, companions: Companions, fields: Fields, __: float) -> None:
    if companions.renew is None or fields.get("account", "") not in companions.codes():
        raise TournamentRefused("no-account")
    companions.renew(fields["account"])


FORMS: Final[Mapping[str, Form]] = {
    "open": _open,
    "change": _change,
    "enter": _enter,
    "check-in": _check_in,
    "drop": _drop,
    "return": _return,
    "rename": _rename,
    "pair": _pair,
    "finish": _finish,
    "undo": _undo,
    "report": _report,
    "clear": _clear,
    "swap": _swap,
    "add-match": _add_match,
    "clock": _clock,
    "announce": _announce,
    "place": _place,
    "more": _more,
    "renew": _renew,
}
"""Every form by the name in its address."""
