"""Our own deck to print and cut: 18 cards with backs, three boards, two commander cards, score counters.

The art is the simulated camera's; names, abilities and tables are set in any of the four languages over it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.editions import HAND_SIZE, WITHDRAW_FIRST, WITHDRAW_SECOND, Edition, edition_named
from engine.lexicon import TermName, term
from engine.names import CARDS, FACE_DOWN, THEATERS, Theater
from host.card_reference import CardEntry, reference
from host.messages import parse_language, say
from host.printing.page import Art, Disc, Page, Rectangle, Shape, Stroke, Text, fitted, width_of
from host.printing.words import words
from vision.geometry.table import BOARD, CARD
from vision.simulate.deck import LOOKS, PrintStyle, print_deck
from vision.simulate.ink import InkColour

PRINT_SCALE: Final = 12.0
"""px/mm of the pictures: about 300 dots an inch."""
COLUMNS: Final = 3
ROWS: Final = 3
BLEED: Final = 2.0
"""How far the cards' border is printed past the cut, mm, where there is no neighbour."""
COLOURS: Final[dict[str, str]] = {"red": "#b5342b", "blue": "#2b5fa8", "white": "#f2f0ea", "amber": "#d99a1c"}
COUNTERS: Final[tuple[tuple[int, int, str], ...]] = ((6, 2, "#e3b93c"), (3, 6, "#c9ccd2"), (1, 6, "#c98a52"))
"""Points of a counter, how many there are, and its colour."""
COUNTER: Final = 22.0
"""Diameter of a counter, mm."""
GAP: Final = 12.0
"""Between the two commander cards, mm."""


def deck_pages(
    size: tuple[float, float], edition: str, language: str, style: str = "bright", flip: str = "long"
) -> list[Page]:
    """The pages in the order in which they are printed on both sides: fronts, backs, and so on.

    `flip` is the edge that the printer turns the paper over. Raises `BadInput` (`unknown-edition`,
    `unknown-language`, `unknown-style`).
    """
    parse_language(language)
    rules = edition_named(edition)
    deck = print_deck(style, 0, PRINT_SCALE, lettered=False)
    look = LOOKS[style]
    texts = {entry.card: entry for entry in reference(language, rules.name).cards}
    turned = flip == "short"
    note = words(
        language, "deck-note", edition=words(language, f"edition-{rules.name}"),
        style=words(language, f"style-{style}"), flip=words(language, flip),
    )  # fmt: skip
    pages: list[Page] = []
    border = _hex(look.border)
    for first in (0, COLUMNS * ROWS):
        fronts, backs = _grid(size, border, note), _grid(size, border, "")
        for k, card in enumerate(CARDS[first : first + COLUMNS * ROWS]):
            x, y = place(size, k)
            fronts.append(Art(x, y, *CARD, deck.faces[card]))
            fronts += _lettering(texts[card], look, x, y)
            # The paper is turned over: what lies left on the front lies right on the back.
            bx, by = back_place(size, k, turned)
            backs.append(Art(bx, by, *CARD, deck.faces[FACE_DOWN], turned))
        pages += [Page(*size, tuple(fronts)), Page(*size, tuple(backs))]
    boards: list[Shape] = []
    for k, theater in enumerate(THEATERS):
        x, y = (size[0] - BOARD[0]) / 2, size[1] / 2 + (0.5 - k) * BOARD[1]
        boards.append(Art(x, y, *BOARD, deck.boards[theater]))
        boards.append(_board_name(theater, look, language, rules, x, y))
    boards += _marks(size, (BOARD[0],), (BOARD[1],) * 3)
    empty = Page(*size, (Text(size[0] / 2, size[1] / 2, 4, words(language, "empty"), "#b8b8b8"),))
    pages += [Page(*size, tuple(boards)), empty]
    pages += [Page(*size, tuple(_commanders_and_counters(size, rules, language))), empty]
    return pages


def place(size: tuple[float, float], k: int) -> tuple[float, float]:
    """Lower left corner of the k-th card on a page of fronts, mm."""
    row, column = divmod(k, COLUMNS)
    return (
        (size[0] - COLUMNS * CARD[0]) / 2 + column * CARD[0],
        (size[1] + ROWS * CARD[1]) / 2 - (row + 1) * CARD[1],
    )


def back_place(size: tuple[float, float], k: int, turned: bool) -> tuple[float, float]:
    """Where its back lies on the next page: mirrored at the edge that the paper is turned over (`turned`: the short
    one, and then the back stands on its head)."""
    x, y = place(size, k)
    return (x, size[1] - y - CARD[1]) if turned else (size[0] - x - CARD[0], y)


def _hex(colour: InkColour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _grid(size: tuple[float, float], border: str, note: str) -> list[Shape]:
    """What lies under nine cards: their border printed a little further, cut marks, a note in the margin."""
    wide, tall = COLUMNS * CARD[0], ROWS * CARD[1]
    left, low = (size[0] - wide) / 2, (size[1] - tall) / 2
    shapes = _marks(size, (CARD[0],) * COLUMNS, (CARD[1],) * ROWS)
    shapes.append(Rectangle(left - BLEED, low - BLEED, wide + 2 * BLEED, tall + 2 * BLEED, fill=border))
    for k, sentence in enumerate(re.split(r"(?<=\.) ", note) if note else ()):
        # One beside each row of cards, from below: none lies over a cut mark.
        height = min(2.2, (CARD[1] - 8) / width_of(sentence, 1.0))
        shapes.append(Text(left - 4.4, low + (k + 0.5) * CARD[1], height, sentence, "#777777", turn=90))
    return shapes


def _marks(size: tuple[float, float], columns: Sequence[float], rows: Sequence[float]) -> list[Shape]:
    """Ticks outside a centred grid, at each of its lines."""
    wide, tall = sum(columns), sum(rows)
    left, low = (size[0] - wide) / 2, (size[1] - tall) / 2
    shapes: list[Shape] = []
    near, far = BLEED + 0.5, BLEED + 4.0
    for k in range(len(columns) + 1):
        x = left + sum(columns[:k])
        shapes += [Stroke(x, low - far, x, low - near), Stroke(x, low + tall + near, x, low + tall + far)]
    for k in range(len(rows) + 1):
        y = low + sum(rows[:k])
        shapes += [Stroke(left - far, y, left - near, y), Stroke(left + wide + near, y, left + wide + far, y)]
    return shapes


def _lettering(entry: CardEntry, look: PrintStyle, x: float, y: float) -> list[Shape]:
    """A card's name with the sign of its kind, and its ability, right of the figure."""
    ink, top = _hex(look.ink), y + CARD[1]
    right, left = x + CARD[0] - 3.4, x + 19.6
    name = {"instant": "⚡ ", "ongoing": "∞ ", "none": ""}[entry.kind] + entry.name.upper()
    size = min(4.4, (right - left) / width_of(name, 1.0, bold=True))
    lines = [name]
    if size < 3.0:
        size, lines = fitted(name, right - left, 9.4, 4.4, 2.6, leading=1.05, bold=True)
    shapes: list[Shape] = []
    base = top - 2.6 - size * 0.78
    for k, line in enumerate(lines):
        shapes.append(Text(right, base - 1.05 * size * k, size, line, ink, "right", bold=True))
    if entry.kind == "none":
        return shapes
    below = base - 1.05 * size * (len(lines) - 1) - 0.32 * size
    foot = top - look.header_mm + 0.7
    small, text = fitted(entry.text, right - left, below - foot, 2.5, 1.5, leading=1.1)
    for k, line in enumerate(text):
        up = (len(text) - 1 - k) * 1.1 * small + 0.28 * small
        shapes.append(Text(right, foot + up, small, line, ink, "right"))
    return shapes


def _board_name(theater: Theater, look: PrintStyle, language: str, rules: Edition, x: float, y: float) -> Text:
    word: TermName = {"A": "air", "L": "land", "S": "sea"}[theater]  # type: ignore[assignment]
    own = term(word, language, rules.name).text
    # An edition with words of its own has them on its boards; else the page's words.
    name = (own if own != term(word, language).text else say(language, "theater", theater)).upper()
    size = 13.0
    while width_of(name, size, bold=True) > 44 and size > 6:
        size -= 0.25
    return Text(x + BOARD[0] / 2, y + BOARD[1] / 2 - size * 0.36, size, name, _hex(look.ink), bold=True)


def _commanders_and_counters(size: tuple[float, float], rules: Edition, language: str) -> list[Shape]:
    shapes: list[Shape] = []
    low = size[1] - 14.0 - CARD[1]
    for k, (player, ties, table) in enumerate(
        (("first-player", "wins-ties", WITHDRAW_FIRST), ("second-player", "loses-ties", WITHDRAW_SECOND))
    ):
        colour = COLOURS[rules.commander_colours[k]]
        left = size[0] / 2 + (GAP / 2 if k else -GAP / 2 - CARD[0])
        shapes += _corner_marks(left, low)
        shapes += _commander(left, low, colour, words(language, player), words(language, ties), table, language, rules)
    y = low - 20.0
    x0 = size[0] / 2 - 2.5 * (COUNTER + 6)
    k = 0
    for points, count, colour in COUNTERS:
        for _ in range(count):
            x, at = x0 + (k % 6) * (COUNTER + 6), y - (k // 6) * (COUNTER + 6)
            shapes += [
                Disc(x, at, COUNTER, fill=colour, stroke="#55555a", line=0.2),
                Disc(x, at, COUNTER - 4, stroke="#2c2c30", line=0.5),
                Text(x, at - 3.6, 10, str(points), "#2c2c30", bold=True),
            ]
            k += 1
    y -= ((k - 1) // 6) * (COUNTER + 6) + COUNTER / 2 + 14
    points_word = term("points", language, rules.name).text
    shapes += _track(size[0] / 2, y, points_word)
    return shapes


def _corner_marks(x: float, y: float) -> list[Shape]:
    """Cut marks at the corners of one card."""
    shapes: list[Shape] = []
    for a, out in ((x, -1), (x + CARD[0], 1)):
        for b, up in ((y, -1), (y + CARD[1], 1)):
            shapes += [Stroke(a + out, b, a + out * 4.5, b), Stroke(a, b + up, a, b + up * 4.5)]
    return shapes


def _commander(
    x: float, y: float, colour: str, player: str, ties: str, table: Sequence[int], language: str, rules: Edition
) -> list[Shape]:
    """A commander card: who is first, who wins ties, and what withdrawing costs."""
    wide, tall = CARD
    pale = colour in (COLOURS["white"], COLOURS["amber"])
    on_colour = "#26262a" if pale else "#ffffff"
    title = term("commander", language, rules.name).text
    middle, top = x + wide / 2, y + tall
    shapes: list[Shape] = [
        Rectangle(x, y, wide, tall, fill="#26262a", stroke="#26262a", line=0.2),
        Text(middle, top - 9, 3.6, title[:1].upper() + title[1:], "#d8d8d4"),
        Text(middle, top - 17, 8, player.upper(), "#ffffff", bold=True),
        Rectangle(x, top - 27, wide, 7, fill=colour),
    ]
    size, lines = fitted(ties, wide - 6, 6, 4.4, 2.4, bold=True)
    shapes.append(Text(middle, top - 24.6, size, lines[0], on_colour, bold=True))
    for left, code in ((x + 3, "cards-left"), (x + wide / 2 + 1, "points-given")):
        size, lines = fitted(words(language, code), wide / 2 - 4, 13, 3.2, 2.0)
        for k, line in enumerate(lines):
            shapes.append(Text(left + (wide / 2 - 4) / 2, top - 31.4 - k * 1.14 * size, size, line, "#d8d8d4"))
    for k, (cards, points) in enumerate(withdraw_rows(table, language)):
        base = top - 51.0 - k * 8.2
        shapes.append(Stroke(x + 3, base + 6.0, x + wide - 3, base + 6.0, "#5c5c62", 0.2))
        shapes.append(Text(x + wide / 4, base, 6, cards, "#ffffff", bold=True))
        shapes.append(Text(x + 3 * wide / 4, base, 6, str(points), "#ffffff", bold=True))
    return shapes


def withdraw_rows(table: Sequence[int], language: str) -> list[tuple[str, int]]:
    """A withdrawal table as a card prints it: cards left, most first, in ranges of equal points; and the points."""
    rows: list[tuple[int, int, int]] = []
    for cards in range(HAND_SIZE, -1, -1):
        if rows and rows[-1][2] == table[cards]:
            rows[-1] = (cards, rows[-1][1], table[cards])
        else:
            rows.append((cards, cards, table[cards]))
    return [
        (f"{low}+" if high == HAND_SIZE else str(low) if low == high else f"{low}–{high}", points)
        for low, high, points in rows
    ]


def _track(middle: float, y: float, label: str) -> list[Shape]:
    """A score track for both seats, 0 to 18, with 12 and 18 set off."""
    step = 9.6
    left = middle - 9.5 * step
    shapes: list[Shape] = [Text(middle, y + 9.5, 3.4, f"{label[:1].upper()}{label[1:]}: 12 / 18")]
    for row in range(2):
        for k in range(19):
            goal = k in (12, 18)
            x, at = left + k * step, y - row * step
            shapes.append(Rectangle(x, at - step / 2, step, step, "#ead9a0" if goal else "#f4f2ec", "#55555a", 0.25))
            shapes.append(Text(x + step / 2, at - 1.5, 4.2, str(k), "#2c2c30", bold=goal))
    return shapes
