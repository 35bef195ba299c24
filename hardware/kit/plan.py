"""The table from above and the console in section, drawn to scale as SVG with their dimensions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kit import dimensions as d
from kit.camera import CAMERAS, ROUND_THE_MAT

FOLDER: Final = Path(__file__).resolve().parents[1] / "pictures"
SCALE: Final = 0.4
"""Millimetres on the sheet for a millimetre on the table: 1 : 2.5."""
INK: Final = "#28282c"


class _Sheet:
    """Shapes in table millimetres, +y up."""

    def __init__(self, left: float, low: float, right: float, high: float, scale: float) -> None:
        self.left, self.high, self.scale = left, high, scale
        self.size = ((right - left) * scale, (high - low) * scale)
        self.out: list[str] = []

    def _xy(self, x: float, y: float) -> tuple[float, float]:
        return round((x - self.left) * self.scale, 3), round((self.high - y) * self.scale, 3)

    def box(
        self, left: float, low: float, right: float, high: float, fill: str, line: str = INK, dash: str = ""
    ) -> None:
        x, y = self._xy(left, high)
        wide, tall = round((right - left) * self.scale, 3), round((high - low) * self.scale, 3)
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}" fill="{fill}" stroke="{line}" '
            f'stroke-width="0.25"{extra}/>'
        )

    def disc(self, x: float, y: float, diameter: float, fill: str) -> None:
        cx, cy = self._xy(x, y)
        self.out.append(f'<circle cx="{cx:g}" cy="{cy:g}" r="{diameter / 2 * self.scale:g}" fill="{fill}"/>')

    def line(self, x0: float, y0: float, x1: float, y1: float, dash: str = "") -> None:
        (a, b), (c, e) = self._xy(x0, y0), self._xy(x1, y1)
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(
            f'<line x1="{a:g}" y1="{b:g}" x2="{c:g}" y2="{e:g}" stroke="{INK}" stroke-width="0.25"{extra}/>'
        )

    def words(self, x: float, y: float, text: str, size: float = 3.2, anchor: str = "middle", turn: float = 0) -> None:
        a, b = self._xy(x, y)
        turned = f' transform="rotate({turn:g} {a:g} {b:g})"' if turn else ""
        self.out.append(
            f'<text x="{a:g}" y="{b:g}" font-size="{size:g}" font-family="sans-serif" fill="{INK}" '
            f'text-anchor="{anchor}"{turned}>{text}</text>'
        )

    def across(self, x0: float, x1: float, y: float, text: str = "") -> None:
        """A dimension from left to right."""
        tick = 1.6 / self.scale
        self.line(x0, y, x1, y)
        self.line(x0, y - tick, x0, y + tick)
        self.line(x1, y - tick, x1, y + tick)
        self.words((x0 + x1) / 2, y + 1.0 / self.scale, text or f"{x1 - x0:g}")

    def along(self, x: float, y0: float, y1: float, text: str = "") -> None:
        """A dimension from near to far."""
        tick = 1.6 / self.scale
        self.line(x, y0, x, y1)
        self.line(x - tick, y0, x + tick, y0)
        self.line(x - tick, y1, x + tick, y1)
        self.words(x - 1.0 / self.scale, (y0 + y1) / 2, text or f"{y1 - y0:g}", turn=-90)

    def svg(self) -> str:
        wide, tall = self.size
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{tall:g}mm" '
            f'viewBox="0 0 {wide:g} {tall:g}">',
            f'<rect width="{wide:g}" height="{tall:g}" fill="#ffffff"/>', *self.out, "</svg>", "",
        ])  # fmt: skip


def table_plan() -> str:
    """The table from above, 1 : 2.5."""
    s = _Sheet(-285, -365, 370, 345, SCALE)
    wide, long = d.MAT
    watched = d.mat(d.WATCHED)
    s.box(watched.left, watched.near, watched.right, watched.far, "none", "#b06a2c", "2 1.2")
    s.box(-wide / 2, -long / 2, wide / 2, long / 2, "#ece8dc")
    for x, y in ((-185.0, 272.0), (185.0, 272.0), (185.0, -272.0), (-185.0, -272.0)):
        s.box(x - 15, y - 15, x + 15, y + 15, "#28282c")
    for lane, x in enumerate(d.BOARD_X):
        s.box(x - d.BOARD[0] / 2, -d.BOARD[1] / 2, x + d.BOARD[0] / 2, d.BOARD[1] / 2, "#d4dce2")
        s.words(x, -2, ("left", "middle", "right")[lane] + " board", 3.6)
        for side in (-1, 1):
            for dot in range(lane + 1):
                away = d.MAT_LANE_MARK[0] - dot * d.MAT_LANE_MARK_PITCH
                s.disc(x - side * away, side * d.MAT_LANE_MARK[1], d.MAT_LANE_MARK_DOT, INK)
            y = side * (d.BOARD[1] / 2 + 6)
            s.box(x - d.CARD[0] / 2, min(y, y + side * d.CARD[1]), x + d.CARD[0] / 2, max(y, y + side * d.CARD[1]),
                  "#ffffff", "#9a9a9e")  # fmt: skip
    console = d.console()
    s.box(d.CONSOLE_AT[0] - d.CONSOLE_GAP, -d.TONGUE[0] / 2, console.left, d.TONGUE[0] / 2, "#c8ccd2")
    s.box(console.left, console.near, console.right, console.far, "#aab0ba")
    for lane, bar in enumerate(d.bars()):
        s.box(bar.left, bar.near, bar.right, bar.far, "#fdf7dc")
        for k in range(d.LIGHTS):
            s.disc((bar.left + bar.right) / 2, bar.near + (k + 0.5) * d.LIGHT_PITCH, 4, "#e0a030")
        for y in (console.near + 4.5, console.far - 4.5):
            for dot in range(lane + 1):
                s.disc((bar.left + bar.right) / 2 + (dot - lane / 2) * d.LANE_MARK_PITCH, y, d.LANE_MARK, INK)
    for side in (-1, 1):
        s.box(234, side * 250 - 21, 276, side * 250 + 21, "#aab0ba")
        s.disc(255, side * 250, 16, "#ce3e36")
    s.line(-wide / 2 - 20, 0, console.right + 8, 0, "4 1.5 1 1.5")
    s.across(-wide / 2, wide / 2, 320)
    s.across(wide / 2, console.left, 110, f"{d.CONSOLE_GAP:g}")
    s.across(console.left, console.right, -112)
    s.along(-238, -long / 2, long / 2)
    s.along(346, console.near, console.far)
    s.along(332, d.bars()[0].near, d.bars()[0].far)
    s.words(0, -318, "near seat", 4)
    s.words(0, 333, "far seat", 4)
    s.words(-280, -345, "dashed: what the camera's reader watches, 12 mm around the mat", 3, "start")
    s.words(285, 255, "buttons", 3.2, "start")
    s.words(
        -280,
        -358,
        f"All Fronts hardware {d.VERSION}: the table from above, 1 : {1 / SCALE:g}, millimetres",
        3.4,
        "start",
    )
    return s.svg()


def console_section() -> str:
    """The console cut across, seen from the near seat, 2 : 1."""
    s = _Sheet(-24, -16, 106, 36, 2.0)
    s.box(-d.CONSOLE_GAP, 0, 0, d.TONGUE[1], "#aab0ba")
    s.box(0, 0, d.CONSOLE_WIDTH, d.CONSOLE_HEIGHT, "#aab0ba")
    for lane in range(3):
        x = d.channel_x(lane)
        half, top = d.CHANNEL / 2, d.CONSOLE_HEIGHT - d.DIFFUSER_THICK
        s.box(x - half, d.FLOOR, x + half, top, "#ffffff")
        inner = half - d.FIT
        for side in (-1, 1):
            a, b = sorted((x + side * inner, x + side * (inner - d.RAIL)))
            s.box(a, d.FLOOR, b, top, "#34343a")
        s.box(x - d.STRIP_WIDTH / 2, d.FLOOR, x + d.STRIP_WIDTH / 2, d.FLOOR + 0.5, "#e8e8e2")
        s.box(x - 2.5, d.FLOOR + 0.5, x + 2.5, d.FLOOR + d.STRIP_THICK, "#e0a030")
        wide = half + d.LEDGE - d.FIT
        s.box(x - wide, top, x + wide, d.CONSOLE_HEIGHT, "#fdf7dc")
        s.words(x, 8, ("left", "middle", "right")[lane], 3.2)
    bay = d.CHANNELS_WIDTH
    s.box(bay, d.FLOOR, bay + d.BAY_WIDTH, d.CONSOLE_HEIGHT, "#ffffff")
    s.box(bay + d.FIT, d.CONSOLE_HEIGHT - d.LID_THICK, bay + d.BAY_WIDTH - d.FIT, d.CONSOLE_HEIGHT, "#c4c8d0")
    middle = bay + d.BAY_WIDTH / 2
    s.box(middle - d.NANO[0] / 2, d.FLOOR + 1, middle + d.NANO[0] / 2, d.FLOOR + 2.6, "#3e68b0")
    s.words(middle, 8, "board", 3.2)
    s.across(-d.CONSOLE_GAP, 0, 26)
    s.across(0, d.CONSOLE_WIDTH, 31)
    s.across(d.channel_x(0), d.channel_x(1), 24)
    s.across(d.channel_x(1) - d.CHANNEL / 2, d.channel_x(1) + d.CHANNEL / 2, -3.6)
    s.across(bay, bay + d.BAY_WIDTH, -3.6)
    s.along(-18, 0, d.CONSOLE_HEIGHT)
    s.words(
        -22,
        -13,
        f"All Fronts hardware {d.VERSION}: the console cut across, seen from the near seat, 2 : 1",
        3.4,
        "start",
    )
    return s.svg()


def camera_side() -> str:
    """The table from the near seat with a camera at two heights, 1 : 5."""
    s = _Sheet(-400, -130, 420, 1010, 0.2)
    s.box(-330, -25, 390, 0, "#b08e6a")
    s.box(-d.MAT[0] / 2, 0, d.MAT[0] / 2, 3, "#ece8dc")
    console = d.console()
    s.box(console.left, 0, console.right, d.CONSOLE_HEIGHT, "#aab0ba")
    for name, side in (("Logitech C920, C922", 1), ("Logitech C270", -1)):
        camera = next(c for c in CAMERAS if c.name == name)
        high = camera.height()
        seen = d.MAT[0] / 2 + ROUND_THE_MAT
        for x in (-seen, seen):
            s.line(0, high, x, 0, "3 1.2")
        s.box(-28, high, 28, high + 24, "#46464c")
        s.along(-355 if side < 0 else 370, 0, high, f"{high / 10:.0f} cm")
        s.line(-355 if side < 0 else 28, high, -28 if side < 0 else 370, high, "1 1")
        s.words(40 if side > 0 else -40, high + 32, name, 3.0, "start" if side > 0 else "end")
    s.box(-300, -60, -280, 930, "#46464c")
    s.box(-320, -60, -260, -26, "#46464c")
    s.box(-300, 930, 20, 946, "#46464c")
    s.words(-250, 952, "arm: reaches 30 cm inwards", 3.0, "start")
    s.words(-330, -85, "clamp at the table's left edge", 3.0, "start")
    s.across(-d.MAT[0] / 2, d.MAT[0] / 2, -45)
    s.words(console.left, 34, "console", 3.0, "start")
    title = f"All Fronts hardware {d.VERSION}: the camera's height, seen from the near seat, 1 : 5"
    s.words(-395, -122, title, 3.4, "start")
    return s.svg()


DRAWINGS: Final = {"plan.svg": table_plan, "section.svg": console_section, "camera.svg": camera_side}


def write_all(folder: Path = FOLDER) -> None:
    """Writes both drawings anew."""
    folder.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / name).write_text(draw(), encoding="utf-8")
