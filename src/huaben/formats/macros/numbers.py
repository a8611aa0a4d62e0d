"""Numbers as JavaScript reads and writes them; apart because variables and comparisons must agree on them."""

from __future__ import annotations

import math
import re
from decimal import Decimal

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MAX_DIGITS = 400


def to_number(text: str) -> float | None:
    """The finite number that `text` writes in decimal, white space around it ignored, else None."""
    text = text.strip()
    if len(text) > _MAX_DIGITS or _NUMBER.fullmatch(text) is None:
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def number_text(number: float) -> str:
    """The shortest text that reads back as the same number: `22`, `0.5`, `1e+21`."""
    if number.is_integer() and abs(number) < 1e21:
        return str(int(number))
    text = repr(number)
    if "e" not in text:
        return text
    if 1e-6 <= abs(number) < 1:
        return format(Decimal(text), "f")
    mantissa, exponent = text.split("e")
    return f"{mantissa}e{int(exponent):+d}"
