"""Character classes of JavaScript patterns as ranges, apart from the grammar that they stand in.

Every class is written out range by range, so that nothing in it can mean something else to Python.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

Ranges: TypeAlias = tuple[tuple[int, int], ...]

LAST_POINT: Final = 0x10FFFF
_LAST_ASCII: Final = 0x7F
DIGITS: Final[Ranges] = ((0x30, 0x39),)
WORD: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACES: Final[Ranges] = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_UNICODE_WORD_FOLDS: Final[Ranges] = ((0x17F, 0x17F), (0x212A, 0x212A))
_FOLD_TRAPS: Final = (
    # (character, its ASCII partner, whether the partner is its equal under the flag u as well)
    (0x130, "i", False),
    (0x131, "i", False),
    (0x17F, "s", True),
    (0x212A, "k", True),
)


@dataclass(frozen=True, slots=True)
class Mode:
    """Which flags are on at a place in a pattern."""

    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    unicode: bool = False


def shorthand(letter: str, mode: Mode) -> Ranges | None:
    """The ranges of `\\d \\D \\s \\S \\w \\W`, which are ASCII in JavaScript; None for other letters."""
    word = WORD + _UNICODE_WORD_FOLDS if mode.unicode and mode.ignore_case else WORD
    ranges = {"d": DIGITS, "s": SPACES, "w": word}.get(letter.lower())
    if ranges is None:
        return None
    return complement(ranges) if letter.isupper() else ranges


def complement(ranges: Ranges) -> Ranges:
    """Every code point outside the ranges."""
    gaps: list[tuple[int, int]] = []
    at = 0
    for low, high in sorted(ranges):
        if low > at:
            gaps.append((at, low - 1))
        at = max(at, high + 1)
    if at <= LAST_POINT:
        gaps.append((at, LAST_POINT))
    return tuple(gaps)


def literal(point: int, mode: Mode) -> str:
    """A pattern for one code point.

    Python's case folding equates `İ`, `ſ` and the Kelvin sign with ASCII letters, which JavaScript
    does not (ECMA-262, Canonicalize), so the three letters are spelled out.
    """
    letter = chr(point).lower() if point < 0x80 else ""
    traps = _traps_of(letter) if mode.ignore_case else ()
    if traps:
        equal = [trap for trap, _, under_u in traps if under_u and mode.unicode]
        members = "".join(escape(each) for each in (ord(letter), ord(letter.upper()), *equal))
        return f"(?-i:[{members}])"
    if mode.ignore_case and any(point == trap for trap, _, _ in _FOLD_TRAPS):
        return _lone_trap(point, mode)
    return escape(point)


def char_class(ranges: Ranges, properties: tuple[str, ...], negated: bool, mode: Mode) -> str:
    """A pattern for a class of ranges and `\\p` properties, `[]` and `[^]` included."""
    if not ranges and not properties:
        return "(?s:.)" if negated else "(?!)"
    ranges = _joined(ranges)
    if ranges == ((0, LAST_POINT),):
        return "(?!)" if negated else "(?s:.)"
    if not mode.ignore_case:
        return f"[{'^' if negated else ''}{_members(ranges)}{''.join(properties)}]"
    parts = _folded_parts(ranges, properties, mode)
    if negated:
        return f"(?:(?!{'|'.join(parts)})(?s:.))"
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


def escape(point: int) -> str:
    """A code point that means only itself to Python's engine, in a class or outside."""
    char = chr(point)
    if char.isascii() and char.isalnum():
        return char
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _members(ranges: Ranges) -> str:
    return "".join(
        escape(low) if low == high else f"{escape(low)}-{escape(high)}" for low, high in ranges
    )


def _folded_parts(ranges: Ranges, properties: tuple[str, ...], mode: Mode) -> list[str]:
    """A class under the flag i in parts: ASCII spelled out, the rest kept from folding into it."""
    ascii_points = {
        point for low, high in ranges for point in range(low, min(high, _LAST_ASCII) + 1)
    }
    kelvin: set[int] = set()
    for trap, letter, under_u in _FOLD_TRAPS:
        pair = {ord(letter), ord(letter.upper())}
        if under_u and mode.unicode and (ascii_points & pair or _covers(ranges, trap)):
            ascii_points |= pair
            kelvin.add(trap)
    ascii_points |= {ord(chr(point).swapcase()) for point in ascii_points if chr(point).isalpha()}
    beyond = tuple((max(low, _LAST_ASCII + 1), high) for low, high in ranges if high > _LAST_ASCII)
    spelled = tuple((point, point) for point in ascii_points | kelvin)
    parts: list[str] = []
    if spelled:
        parts.append(f"(?-i:[{_members(_joined(spelled))}])")
    if beyond:
        parts.append(rf"(?:(?!(?-i:[\x00-\x7f]))[{_members(beyond)}])")
    if properties:
        parts.append(f"[{''.join(properties)}]")
    return parts


def _joined(ranges: Ranges) -> Ranges:
    """The same points in order, as few ranges as they can be."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def _traps_of(letter: str) -> tuple[tuple[int, str, bool], ...]:
    return tuple(trap for trap in _FOLD_TRAPS if trap[1] == letter) if letter else ()


def _lone_trap(point: int, mode: Mode) -> str:
    for trap, letter, under_u in _FOLD_TRAPS:
        if trap == point and under_u and mode.unicode:
            return f"(?-i:[{letter}{letter.upper()}{escape(point)}])"
    return f"(?-i:{escape(point)})"


def _covers(ranges: Ranges, point: int) -> bool:
    return any(low <= point <= high for low, high in ranges)
