"""A reading of the table as JSON: the fields of `look` and of a line of readings (contracts.md 3.3 and 3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, cast, get_args

from engine.failure import BadInput
from engine.names import SEATS, THEATERS, parse_face, parse_order
from engine.places import MOST_CARDS, PLACES, parse_spot
from engine.records.json_codec import Json
from engine.sight import Note, NoteCode, SeenCard, Sight

CERTAIN: Final = 0.9995
"""A card read with this likelihood or more is not listed among the doubts."""
REMEDY: Final = "docs/contracts.md, section 3.4, says what a line of readings holds."


def sight_to_json(sight: Sight) -> Json:
    """The reading with every likelihood that it has. `sight_from_json` gives the same reading back."""
    data: Json = {
        "order": None if sight.order is None else "".join(sight.order),
        "stacks": {t: {s: [c.read for c in sight.stacks.get((t, s), ())] for s in SEATS} for t in THEATERS},
        "sure": sight.sure,
        "doubts": [],
        "notes": [{"at": note.at, "code": note.code} for note in sight.notes],
    }
    for (theater, seat), cards in sight.stacks.items():
        for index, card in enumerate(cards):
            if card.p != 1.0 or card.others or card.wrong_way:
                doubt: Json = {"at": f"{theater}/{seat}/{index}", "read": card.read, "p": card.p}
                if card.others:
                    doubt["or"] = card.others[0][0]
                    doubt["others"] = [list(other) for other in card.others]
                if card.wrong_way:
                    doubt["wrong_way"] = True
                data["doubts"].append(doubt)
    return data


def sight_from_json(data: object) -> Sight:
    """The reading of a line; fields that nobody knows are skipped. Raises `BadInput` (`bad-reading`)."""
    try:
        return _sight(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadInput("bad-reading", f"This is no reading of a table: {error!r}.", REMEDY) from error
    except BadInput as bad:
        raise BadInput("bad-reading", f"This is no reading of a table: {bad.message}", REMEDY) from bad


def _sight(data: Any) -> Sight:
    stacks = {place: [SeenCard(parse_face(f)) for f in data["stacks"][place[0]][place[1]]] for place in PLACES}
    if sum(map(len, stacks.values())) > 2 * MOST_CARDS:
        raise ValueError("more cards than any table holds")
    for doubt in data.get("doubts") or ():
        spot = parse_spot(doubt["at"])
        p = _share(doubt["p"])
        if doubt.get("others"):
            others = tuple((parse_face(face), _share(q)) for face, q in doubt["others"])
        elif doubt.get("or") is not None:
            others = ((parse_face(doubt["or"]), 1.0 - p),)
        else:
            others = ()
        stacks[spot.place][spot.index] = SeenCard(parse_face(doubt["read"]), p, others, doubt.get("wrong_way") is True)
    notes = tuple(_note(note) for note in data.get("notes") or ())
    for note in notes:
        # A reading may say so in its notes alone (contracts.md 3.3).
        if note.code == "wrong-way-round" and note.at.count("/") == 2:
            spot = parse_spot(note.at)
            stacks[spot.place][spot.index] = replace(stacks[spot.place][spot.index], wrong_way=True)
    order = None if data.get("order") is None else parse_order(data["order"])
    sure = data.get("sure", True)
    if not isinstance(sure, bool):
        raise ValueError("sure is true or false")
    return Sight(order, MappingProxyType({place: tuple(cards) for place, cards in stacks.items()}), sure, notes)


def _share(value: Any) -> float:
    if isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise ValueError("a likelihood lies between 0 and 1")
    return float(value)


def _note(data: Mapping[str, Any]) -> Note:
    if data["code"] not in get_args(NoteCode):
        raise ValueError(f"{data['code']!r} is no note")
    return Note(cast(NoteCode, data["code"]), str(data.get("at", ""))[:16])
