"""How far the likelihoods that the reader says come true: the curve, its mean error, the logarithmic loss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from host.bench.scores import Row

EDGES: Final = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
LEAST: Final = 1e-4
"""Likelihoods are held above this in the logarithmic loss."""


def said_and_true(rows: Iterable[Row]) -> list[tuple[float, bool]]:
    """Of each card that was read: how likely it was said to be, and whether that very card lay in its place."""
    found: list[tuple[float, bool]] = []
    for row in rows:
        for at, seen in (row["seen"] or {}).items():
            lies = row["truth"][at]
            found += [(p, k < len(lies) and lies[k] == face) for k, (face, p) in enumerate(seen)]
    return found


def points(doubts: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int]]:
    """Mean said, share that was right and count of each bin of `EDGES` that holds any card."""
    curve: list[tuple[float, float, int]] = []
    for low, high in itertools.pairwise(EDGES):
        inside = [(p, right) for p, right in doubts if low <= p < high or (high == 1.0 and p >= high)]
        if inside:
            n = len(inside)
            curve.append((sum(p for p, _ in inside) / n, sum(right for _, right in inside) / n, n))
    return curve


def calibration_error(doubts: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over `EDGES`, 0..1."""
    return sum(abs(said - true) * n for said, true, n in points(doubts)) / max(1, len(doubts))


def log_loss(doubts: Iterable[tuple[float, bool]]) -> float:
    """Mean nats of surprise at whether the card that was read was right."""
    lost = [-math.log(max(LEAST, p if right else 1 - min(p, 1 - LEAST))) for p, right in doubts]
    return sum(lost) / max(1, len(lost))


def summary(rows: Iterable[Row]) -> dict[str, float]:
    """The figures of the doubts by name."""
    doubts = said_and_true(rows)
    return {
        "cards": float(len(doubts)),
        "expected-calibration-error-%": 100 * calibration_error(doubts),
        "log-loss-nats": log_loss(doubts),
        "wrong-at-0.97-or-more": float(sum(not right for p, right in doubts if p >= 0.97)),
    }


def interval(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share that was counted on `n`."""
    middle = (share + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / 4 / n / n)
    return max(0.0, middle - half), min(1.0, middle + half)


_W, _H, _LEFT, _TOP = 560, 560, 84, 70
_INK, _SOFT, _LINE = (60, 60, 60), (230, 230, 230), (150, 90, 20)


def draw_curve(rows: Iterable[Row], path: Path) -> None:
    """The curve as a picture: all of it, and beside it what lies above 0.9; each point with its count and interval."""
    import cv2
    import numpy as np

    doubts = said_and_true(rows)
    image = np.full((_H + 170, 2 * (_W + _LEFT) + 60, 3), 255, np.uint8)
    for left, low in ((_LEFT, 0.0), (2 * _LEFT + _W + 30, 0.9)):
        _panel(image, points(doubts), left, low)
    title = (
        f"{len(doubts)} cards read on simulated tables; expected calibration error "
        f"{100 * calibration_error(doubts):.2f} %, logarithmic loss {log_loss(doubts):.4f} nats"
    )
    cv2.putText(image, title, (_LEFT, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.62, (20, 20, 20), 1, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(cv2.imencode(".png", image)[1]))


def _panel(image: Any, curve: Sequence[tuple[float, float, int]], left: int, low: float) -> None:
    import cv2
    import numpy as np

    def at(x: float, y: float) -> tuple[int, int]:
        span = 1 - low
        return (round(left + (x - low) / span * _W), round(_TOP + (1 - (max(y, low) - low) / span) * _H))

    def words(text: str, x: int, y: int, size: float = 0.48) -> None:
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 1, cv2.LINE_AA)

    for k in range(11):
        v = low + (1 - low) * k / 10
        cv2.line(image, at(v, low), at(v, 1), _SOFT, 1)
        cv2.line(image, at(low, v), at(1, v), _SOFT, 1)
        if k % 2 == 0:
            words(f"{v:.2f}", at(v, low)[0] - 18, _TOP + _H + 24)
            words(f"{v:.2f}", left - 50, at(low, v)[1] + 5)
    cv2.line(image, at(low, low), at(1, 1), (170, 170, 170), 1, cv2.LINE_AA)
    inside = [(x, y, n) for x, y, n in curve if x >= low]
    if len(inside) > 1:
        cv2.polylines(image, [np.array([at(x, y) for x, y, _ in inside], np.int32)], False, _LINE, 2, cv2.LINE_AA)
    for k, (x, y, n) in enumerate(inside):
        bottom, top = interval(y, n)
        cv2.line(image, at(x, bottom), at(x, top), _LINE, 1, cv2.LINE_AA)
        cv2.circle(image, at(x, y), 5, _LINE, -1, cv2.LINE_AA)
        if low > 0 or x < 0.93:
            words(str(n), at(x, y)[0] - 40, at(x, y)[1] + (22 if k % 2 else -10), 0.45)
    words("likelihood that was said", left + 170, _TOP + _H + 52, 0.58)
    words("share that was right" + (", above 0.9" if low > 0 else ""), left, _TOP - 12, 0.58)
