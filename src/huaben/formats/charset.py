"""Which East Asian encoding a text is in; apart because it is a guess, and its rule is one of likelihood."""

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, TypeAlias

EastAsian: TypeAlias = Literal["gb18030", "big5", "shift_jis"]

_SAMPLE: Final = 20_000
_ENOUGH: Final = 0.7
_CODECS: Final[tuple[tuple[EastAsian, str], ...]] = (
    ("gb18030", "gb18030"),
    ("big5", "cp950"),
    ("shift_jis", "cp932"),
)
_MARKS: Final = "，。！？、：；“”‘’（）《》〈〉「」『』【】〔〕…—～·　―ー‥・々○●"


def east_asian(data: bytes) -> tuple[str, EastAsian] | None:
    """The text and its encoding, or None when no encoding yields a likely text.

    Every byte must be valid, and at least 7 of 10 characters beyond ASCII be everyday ones: kana,
    marks, and the characters that GB 2312 or Big5 put on their first level for being common. Of two
    likely encodings the likelier wins, of equal ones the first. Japanese is believed only with kana.
    """
    found: tuple[str, EastAsian] | None = None
    most = 0.0
    for name, codec in _CODECS:
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        score = _likelihood(text, needs_kana=name == "shift_jis")
        if score >= _ENOUGH and score > most:
            most = score
            found = text, name
    return found


def _likelihood(text: str, *, needs_kana: bool) -> float:
    """The share of everyday characters among those beyond ASCII."""
    sample = list(islice((char for char in text if not char.isascii()), _SAMPLE))
    if not sample or (needs_kana and _KANA.isdisjoint(sample)):
        return 0.0
    return sum(char in _EVERYDAY for char in sample) / len(sample)


def _first_level() -> Iterator[str]:
    """Simplified characters by sound (GB 2312 rows 16 to 55), traditional ones by strokes (Big5)."""
    yield from _square("gb2312", range(0xB0, 0xD8))
    yield from _square("big5", range(0xA4, 0xC7))


def _square(codec: str, leads: range) -> Iterator[str]:
    for lead in leads:
        for trail in range(0x40, 0xFF):
            char = bytes((lead, trail)).decode(codec, errors="ignore")
            if len(char) == 1 and not char.isascii():
                yield char


_KANA: Final = frozenset(chr(code) for code in (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB)))
_EVERYDAY: Final = frozenset((*_first_level(), *_KANA, *_MARKS))
