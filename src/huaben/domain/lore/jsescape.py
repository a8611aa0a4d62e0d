"""Backslash sequences of JavaScript patterns, apart because they are most of what differs.

They mean the same inside a class and outside, but for `\\b`, `\\B`, `\\k` and back-references, which
the grammar takes first.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex

from huaben.domain.lore.jsclass import Mode, Ranges, shorthand

FaultCode: TypeAlias = Literal["syntax", "flags", "unsupported", "too_large"]

_SYNTAX_CHARACTERS: Final = frozenset("^$\\.*+?()[]{}|/")
_CONTROL: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_PROPERTY: Final = regex.compile(r"\{(?:([A-Za-z_]+)=)?([A-Za-z0-9_]+)\}")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_SCRIPT_NAMES: Final = {"sc": "sc", "Script": "sc", "scx": "scx", "Script_Extensions": "scx"}
_CATEGORY_NAMES: Final = frozenset({"gc", "General_Category"})


class PatternFault(Exception):
    """A pattern has no translation; raised and caught inside the translator only."""

    def __init__(self, code: FaultCode, detail: str) -> None:
        super().__init__(detail)
        self.code: FaultCode = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Escape:
    """What a sequence stands for, one of the three, and where it ends."""

    end: int
    point: int | None = None
    ranges: Ranges = ()
    property: str = ""


def read_escape(source: str, at: int, mode: Mode, *, in_class: bool = False) -> Escape:
    """The sequence whose backslash is at `at`. Raises PatternFault where it has no meaning."""
    if at + 1 >= len(source):
        raise PatternFault("syntax", "a backslash at the end")
    char = source[at + 1]
    ranges = shorthand(char, mode)
    if ranges is not None:
        return Escape(at + 2, ranges=ranges)
    if char in "pP" and mode.unicode:
        return _property(source, at)
    if char in _CONTROL:
        return Escape(at + 2, _CONTROL[char])
    if char == "x":
        return _hex(source, at, 2, mode)
    if char == "u":
        return _unicode(source, at, mode)
    if char == "c":
        return _control_letter(source, at, mode, in_class)
    if char.isascii() and char.isdigit():
        return _octal(source, at, mode)
    if mode.unicode and char not in _SYNTAX_CHARACTERS and not (in_class and char == "-"):
        raise PatternFault("syntax", f"an unknown escape \\{char}")
    return Escape(at + 2, ord(char))


def _hex(source: str, at: int, digits: int, mode: Mode) -> Escape:
    start = at + 2
    text = source[start : start + digits]
    if len(text) == digits and _HEX.issuperset(text):
        return Escape(start + digits, int(text, 16))
    if mode.unicode:
        raise PatternFault("syntax", "a broken hexadecimal escape")
    return Escape(start, ord(source[at + 1]))


def _unicode(source: str, at: int, mode: Mode) -> Escape:
    if mode.unicode and source.startswith("{", at + 2):
        close = source.find("}", at)
        text = source[at + 3 : close] if close > 0 else ""
        if not text or len(text) > 8 or not _HEX.issuperset(text) or int(text, 16) > 0x10FFFF:
            raise PatternFault("syntax", "a broken code point escape")
        return Escape(close + 1, int(text, 16))
    high = _hex(source, at, 4, mode)
    if high.point is None or not 0xD800 <= high.point < 0xDC00:
        return high
    if source.startswith("\\u", high.end):
        low = _hex(source, high.end, 4, mode)
        if low.point is not None and 0xDC00 <= low.point < 0xE000:
            point = 0x10000 + ((high.point - 0xD800) << 10) + (low.point - 0xDC00)
            return Escape(low.end, point)
    return high


def _control_letter(source: str, at: int, mode: Mode, in_class: bool) -> Escape:
    letter = source[at + 2 : at + 3]
    usable = letter.isascii() and letter.isalpha()
    if in_class and not mode.unicode:
        usable = letter.isascii() and (letter.isalnum() or letter == "_")
    if usable and letter:
        return Escape(at + 3, ord(letter) % 32)
    if mode.unicode:
        raise PatternFault("syntax", "a broken control escape")
    # Annex B: the backslash stands for itself and the letter c comes next.
    return Escape(at + 1, ord("\\"))


def _octal(source: str, at: int, mode: Mode) -> Escape:
    """`\\0`, and without u the octal escapes; back-references have been taken before."""
    if mode.unicode:
        follows = source[at + 2 : at + 3]
        if source[at + 1] != "0" or (follows.isascii() and follows.isdigit()):
            raise PatternFault("syntax", "a back-reference to no group")
        return Escape(at + 2, 0)
    if source[at + 1] in "89":
        return Escape(at + 2, ord(source[at + 1]))
    end = at + 1
    most = 3 if source[at + 1] in "0123" else 2
    while end < min(len(source), at + 1 + most) and source[end] in "01234567":
        end += 1
    return Escape(end, int(source[at + 1 : end], 8))


def _property(source: str, at: int) -> Escape:
    found = _PROPERTY.match(source, at + 2)
    if found is None:
        raise PatternFault("syntax", "a broken property escape")
    kind, value = found.group(1), found.group(2)
    if kind in _SCRIPT_NAMES:
        value = f"{_SCRIPT_NAMES[kind]}={value}"
    elif kind is not None and kind not in _CATEGORY_NAMES:
        raise PatternFault("syntax", f"a property {kind}")
    written = f"\\{source[at + 1]}{{{value}}}"
    try:
        regex.compile(written)
    except regex.error as why:
        raise PatternFault("unsupported", f"the property {written}") from why
    return Escape(found.end(), property=written)
