"""Draws the pictures that the rehearsal shows (`src/huaben/rehearsal/pictures`); apart from the program,
which only hands them out. Run it from anywhere: the same script always draws the same bytes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw

FOLDER = Path(__file__).parents[1] / "src" / "huaben" / "rehearsal" / "pictures"
SIZE = (480, 300)
_COLOURS = 24

Colour: TypeAlias = tuple[int, int, int]
Brush: TypeAlias = ImageDraw.ImageDraw


def sky(brush: Brush, top: Colour, bottom: Colour) -> None:
    """Bands from one colour to the other."""
    width, height = SIZE
    bands = 10
    for band in range(bands):
        share = band / (bands - 1)
        colour = tuple(round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
        y = height * band // bands
        brush.rectangle((0, y, width, height), fill=colour)


def rain(brush: Brush, drops: int, colour: Colour) -> None:
    chance = random.Random(7)
    for _ in range(drops):
        x, y = chance.randrange(SIZE[0]), chance.randrange(SIZE[1])
        length = chance.randrange(8, 20)
        brush.line((x, y, x - length // 3, y + length), fill=colour)


def umbrella(brush: Brush) -> None:
    sky(brush, (24, 30, 44), (62, 70, 84))
    rain(brush, 170, (96, 108, 126))
    brush.rectangle((0, 262, 480, 300), fill=(36, 38, 44))
    brush.pieslice((130, 70, 350, 290), 180, 360, fill=(150, 62, 48))
    for rib in range(1, 6):
        x = 130 + rib * 220 // 6
        brush.line((240, 70, x, 180), fill=(104, 40, 32), width=2)
    brush.line((240, 60, 240, 262), fill=(190, 160, 110), width=5)
    brush.arc((240, 240, 270, 276), 0, 180, fill=(190, 160, 110), width=5)


def lantern(brush: Brush) -> None:
    sky(brush, (18, 20, 32), (48, 40, 46))
    for ring in range(6, 0, -1):
        warm = 40 + (6 - ring) * 22
        brush.ellipse(
            (240 - ring * 26, 140 - ring * 24, 240 + ring * 26, 140 + ring * 24),
            fill=(warm + 30, warm, 38),
        )
    brush.line((240, 0, 240, 96), fill=(120, 96, 70), width=3)
    brush.ellipse((204, 96, 276, 186), fill=(226, 122, 58))
    brush.rectangle((222, 88, 258, 98), fill=(90, 60, 40))
    brush.rectangle((222, 184, 258, 194), fill=(90, 60, 40))
    brush.line((240, 194, 240, 226), fill=(200, 80, 52), width=3)


def river(brush: Brush) -> None:
    sky(brush, (188, 200, 206), (222, 216, 200))
    chance = random.Random(3)
    for depth, colour in enumerate(((150, 164, 170), (116, 132, 140), (88, 104, 112))):
        base = 130 + depth * 26
        hills = [
            (x, base - 30 * math.sin(x / 60 + depth * 2) - chance.randrange(6))
            for x in range(0, 490, 10)
        ]
        brush.polygon([(0, 220), *hills, (480, 220)], fill=colour)
    brush.rectangle((0, 200, 480, 300), fill=(132, 156, 164))
    for line in range(12):
        x, y = chance.randrange(400), 208 + line * 7
        brush.line((x, y, x + chance.randrange(30, 90), y), fill=(168, 188, 192))
    brush.polygon([(190, 236), (310, 236), (290, 254), (210, 254)], fill=(70, 52, 42))
    brush.pieslice((222, 206, 280, 266), 180, 360, fill=(120, 96, 70))


def inn(brush: Brush) -> None:
    sky(brush, (30, 34, 50), (74, 70, 78))
    brush.rectangle((90, 130, 390, 270), fill=(74, 54, 44))
    brush.polygon([(60, 136), (120, 84), (360, 84), (420, 136)], fill=(44, 46, 56))
    for x in (120, 300):
        brush.rectangle((x, 160, x + 60, 220), fill=(232, 176, 96))
        brush.line((x + 30, 160, x + 30, 220), fill=(96, 64, 44), width=3)
        brush.line((x, 190, x + 60, 190), fill=(96, 64, 44), width=3)
    brush.rectangle((214, 170, 266, 270), fill=(196, 132, 70))
    brush.rectangle((0, 268, 480, 300), fill=(40, 40, 46))
    rain(brush, 90, (112, 116, 130))


PICTURES: Mapping[str, Callable[[Brush], None]] = {
    "inn": inn,
    "lantern": lantern,
    "river": river,
    "umbrella": umbrella,
}


def main() -> None:
    """Draw them all."""
    for name, draw in PICTURES.items():
        picture = Image.new("RGB", SIZE)
        draw(ImageDraw.Draw(picture))
        picture.quantize(_COLOURS).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
