"""Whoever reads: a language, and who the seats are to that reader. Everything that a page says goes through here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.names import SEATS, Seat
from host.messages import People, Person, cached_text, say
from host.messages.message import Message, MessagePart


@dataclass(frozen=True, slots=True)
class MessageReader:
    """A language and the people at the seats."""

    language: str
    people: People = field(default_factory=dict)

    def say(self, group: str, code: str, parts: Mapping[str, MessagePart] | None = None) -> str:
        return cached_text(self.language, group, code, tuple((parts or {}).items()), tuple(self.people.items()))

    def view(self, code: str, **parts: MessagePart) -> str:
        """A text of the group `view`."""
        return self.say("view", code, parts)

    def text(self, message: Message) -> str:
        return message.text(self.language, self.people)


def reader_of(language: str, names: tuple[str, str], seat: Seat | None = None) -> MessageReader:
    """The reader who sits at `seat`, or at none, of a table where `names` play at near and far.

    Where both have the same name they are told apart by their seats.
    """
    near, far = names
    if near and near == far:
        near, far = (f"{near} ({say(language, 'seat', s)})" for s in SEATS)
    people = {s: Person(name, s == seat) for s, name in zip(SEATS, (near, far), strict=True)}
    return MessageReader(language, {s: person for s, person in people.items() if person.name or person.you})
