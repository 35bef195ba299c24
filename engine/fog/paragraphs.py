"""Every paragraph of the memo, and what becomes of it here. A test holds the list against the memo and the code.

The memo numbers its sections 1 to 3. What it does not number is named here: `goal`, `supply`, `cards`; its numbered
actions are `act.1` to `act.12` with their steps; the list of battle strength is `str.1` to `str.6`; the four outcomes
are `win.1` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

ParagraphKind: TypeAlias = Literal["computed", "tracked", "reminded", "asked"]
"""`computed`: worked out and explained. `tracked`: its numbers and markers are kept. `reminded`: said when it is due.
`asked`: the memo leaves it out, so the players' box says it."""

_COMPUTED: Final = (
    *("goal", "supply", "2.1", "2.4.5", "2.5", "2.6", "2.7", "2.8", "2.10.1", "2.10.2", "2.11"),
    *("3.1", "3.2", "3.4", "3.5.5", "3.7", "3.9", "3.11.1", "3.11.2"),
    *("act.5.1", "act.5.3", "act.5.4", "act.5.8", "act.5.9", "act.5.10"),
    *("str.1", "str.2", "str.3", "str.4", "str.5", "str.6"),
    *("win.3", "win.7", "quagmire.1", "quagmire.2", "rout.2"),
)
_TRACKED: Final = (
    *("cards", "1.1", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"),
    *("2.2", "2.3", "2.4", "2.4.1", "2.4.2", "2.4.3", "2.4.7", "2.9", "2.10"),
    *("3.3", "3.5", "3.5.1", "3.5.2", "3.5.3", "3.5.4", "3.6", "3.8", "3.10", "3.11", "3.12"),
    *("act.1", "act.2", "act.3", "act.4", "act.5.5", "act.5.7", "act.12"),
    *("win.1", "win.4", "win.6", "quagmire.3", "quagmire.4", "defeat.1", "defeat.2", "rout.1", "rout.3"),
)
_REMINDED: Final = (
    *("1.2", "1.3", "1.4", "1.13", "2.4.4", "2.4.6", "act.5.2", "act.5.6"),
    *("win.2", "win.5", "defeat.3", "rout.4"),
)
_ASKED: Final = ("1.5", "act.5.11")

_BY_KIND: Final[Mapping[ParagraphKind, tuple[str, ...]]] = MappingProxyType(
    {"computed": _COMPUTED, "tracked": _TRACKED, "reminded": _REMINDED, "asked": _ASKED}
)
PARAGRAPHS: Final[Mapping[str, ParagraphKind]] = MappingProxyType(
    {paragraph: kind for kind, paragraphs in _BY_KIND.items() for paragraph in paragraphs}
)
