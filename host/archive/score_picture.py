"""The picture of a war to share: names, score and battles on one card, as SVG. Browsers make a PNG of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final
from xml.sax.saxutils import escape

from engine.names import SEATS
from host.messages import fill

WIDTH: Final = 1200
HEIGHT: Final = 630
"""The format in which messengers show a picture whole."""
ROWS_MOST: Final = 7
FIRST_ROW: Final = 372
NAME_MOST: Final = 18
WIDEST_LETTERS: Final = 1.3
"""A line of letters each as wide as 1 / 1.3 of its size is taken to fill its room."""

SERIF: Final = "Georgia, 'DejaVu Serif', serif"
SANS: Final = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def score_picture(war: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """The card of a war, from its row (`rows.war_row`) and the archive's texts."""
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#0f1518"/>',
        f'<rect x="24" y="24" width="{WIDTH - 48}" height="{HEIGHT - 48}" rx="28" fill="#161f23" stroke="#2e3c42"/>',
        _text(64, 88, "All Fronts", 30, fill="#e3bd6d", font=SERIF),
        _text(
            WIDTH - 64, 88, time.strftime("%Y-%m-%d", time.localtime(war["began"])), 26, fill="#a9b8bb", anchor="end"
        ),
    ]
    for seat, x, anchor in zip(SEATS, (64, WIDTH - 64), ("start", "end"), strict=True):
        won = war["winner"] == seat
        name = _cut(war["names"][seat])
        parts.append(_text(x, 170, name, 46, fill="#9ed3a4" if won else "#f0e9da", anchor=anchor, font=SERIF))
    score = f"{war['score']['near']} : {war['score']['far']}"
    parts.append(_text(WIDTH // 2, 262, score, 112, fill="#f0e9da", anchor="middle", font=SERIF))
    end = words["goes_on"]
    if war["conceded"]:
        end = fill("en", words["conceded"], {"who": _cut(war["conceded"]["who"])})
    elif war["winner"]:
        end = fill("en", words["won_by"], {"name": _cut(war["winner_name"])})
    code = "about_beginner" if war["beginner"] else "about"
    about = fill("en", words[code], {"edition": war["edition"], "target": war["target"]})
    parts.append(_text(WIDTH // 2, 306, f"{end} · {about}", 24, fill="#a9b8bb", anchor="middle"))
    battles = war["battles"]
    shown = battles[-ROWS_MOST:]
    height = min(56, (HEIGHT - 60 - FIRST_ROW) // max(1, len(shown) - 1)) if len(shown) > 1 else 0
    for number, battle in enumerate(shown):
        y = FIRST_ROW + number * height
        title = fill("en", words["battle"], {"n": battle["number"]})
        parts.append(_text(64, y, title, 26, fill="#a9b8bb"))
        if battle["winner"]:
            parts.append(_text(220, y, _cut(battle["winner_name"]), 26, fill="#f0e9da", weight=700, most=310))
            parts.append(_text(548, y, f"+{battle['points']}", 26, fill="#e3bd6d", weight=700))
        how = words["withdrawal"] if battle["withdrew"] else battle["how"]
        parts.append(_text(610, y, how, 26, fill="#a9b8bb"))
        so_far = f"{battle['score']['near']} : {battle['score']['far']}"
        parts.append(_text(WIDTH - 64, y, so_far, 26, fill="#f0e9da", anchor="end", weight=700))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        + "".join(parts)
        + "</svg>"
    )


def _cut(text: str) -> str:
    return text if len(text) <= NAME_MOST else text[: NAME_MOST - 1] + "…"


def _text(
    x: int,
    y: int,
    text: str,
    size: int,
    *,
    fill: str,
    anchor: str = "start",
    font: str = SANS,
    weight: int = 400,
    most: int | None = None,
) -> str:
    """A line of text; one that may come out wider than `most` is drawn narrower, for the fonts of viewers differ."""
    squeezed = most is not None and len(text) * size > WIDEST_LETTERS * most
    length = f' textLength="{most}" lengthAdjust="spacingAndGlyphs"' if squeezed else ""
    return (
        f'<text x="{x}" y="{y}" font-family="{font}" font-size="{size}" font-weight="{weight}" fill="{fill}"{length} '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
