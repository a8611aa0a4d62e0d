"""Proper names that a story has brought in and a plan does not know yet, in Chinese, English, Japanese and
Korean; apart from the rules because it only ever guesses (`planner.md` §3).

A name that is overlooked costs nothing: a model looks at every turn anyway. One that is none costs a
call. So a word is taken for a name only when something beside it says so: a title, a verb of speech,
a naming phrase, a capital within a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import regex

from huaben.domain.plan.names_chinese import chinese_names
from huaben.domain.plan.names_japanese import japanese_names
from huaben.domain.plan.names_korean import korean_names
from huaben.domain.plan.names_words import NO_NAMES, TITLES

_KANA: Final = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HANGUL: Final = regex.compile(r"\p{Hangul}")
_HAN: Final = regex.compile(r"\p{Han}")
_KANA_SHARE: Final = 8
"""One kana among so many Han characters makes a sentence Japanese."""


def new_names(texts: Iterable[str], known: str) -> tuple[str, ...]:
    """The proper names in these texts of which `known` (the plan state, and names that need no plan)
    says nothing, each once, in the order of their coming."""
    whole = known.casefold()
    found: dict[str, None] = {}
    for text in texts:
        for name in names_in(text):
            if not _is_known(name, whole) and not any(_same(name, other) for other in found):
                found[name] = None
    return tuple(found)


def names_in(text: str) -> Iterator[str]:
    """The names in one text, line by line in the line's own language; some of them twice."""
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            continue  # a heading has capitals of its own
        if _HANGUL.search(line):
            yield from korean_names(line)
        elif _is_japanese(line):
            yield from japanese_names(line)
        elif _HAN.search(line):
            yield from chinese_names(line)
        yield from _latin_names(line)


def _is_japanese(line: str) -> bool:
    kana = len(_KANA.findall(line))
    return kana > 0 and kana * _KANA_SHARE >= len(_HAN.findall(line))


def _is_known(name: str, known: str) -> bool:
    """Whether the name, or a part of it that is a name by itself, is known."""
    return any(_stands(part, known) for part in (name.casefold(), *_parts(name)))


def _parts(name: str) -> list[str]:
    return [part for part in regex.split(r"[\s·・]+", name.casefold()) if len(part) > 1]


def _same(name: str, other: str) -> bool:
    return _is_known(name, other.casefold()) or _is_known(other, name.casefold())


def _stands(name: str, known: str) -> bool:
    if not name.isascii():
        return name in known
    return regex.search(rf"(?<![\w]){regex.escape(name)}(?![\w])", known) is not None


# ---- Latin script ------------------------------------------------------------------------------

_WORD: Final = r"\p{Lu}[\p{Ll}\p{M}'’-]*\p{Ll}(?:\p{Lu}\p{Ll}+)?"
_RUN: Final = regex.compile(
    rf"(?<![\p{{L}}\p{{N}}])({_WORD}(?:(?:\s+(?:van|von|de|da|del|of)(?:\s+(?:der|den|la|the))?)?\s+{_WORD})*)"
    r"(?![\p{L}])"
)
_INITIAL: Final = regex.compile(r"(?:^|[.!?…:;—–―\"“”«»‘(\[*_>~|-])[\s'’\"“‘*_(]*$")
"""What stands before the first word of a sentence, of a speech or of a list."""
_ABBREVIATED: Final = regex.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Sgt|Col|Lt)\.\s$")
_SPEAKS: Final = regex.compile(
    r"(?:'s\s+(?:voice|eyes|face|hand|hands)|\s+(?:\w+ly\s+)?(?:said|says|asked|asks|whispered|"
    r"whispers|replied|replies|answered|answers|nodded|nods|shrugged|shrugs|smiled|smiles|grinned|"
    r"grins|laughed|laughs|sighed|sighs|muttered|mutters|murmured|murmurs|frowned|frowns|shouted|"
    r"shouts|gasped|gasps|growled|growls|hissed|hisses))\b"
)


def _latin_names(line: str) -> Iterator[str]:
    if _is_title_line(line):
        return
    for found in _RUN.finditer(line):
        words = found[1].replace("’", "'").split()
        start = found.start(1)
        initial = _INITIAL.search(line[:start]) is not None
        while words and _is_no_name(words[0]):
            words, initial = words[1:], False
        while words and _is_no_name(words[-1]):
            words = words[:-1]
        name = " ".join(words).removesuffix("'s")
        titled = bool(words) and words[0].casefold().rstrip(".") in TITLES
        if titled:
            words, initial = words[1:], False
            name = " ".join(words).removesuffix("'s")
        if not words or len(name) < 2:
            continue
        certain = not initial or len(words) > 1 or _ABBREVIATED.search(line[:start]) is not None
        if certain or _SPEAKS.match(line, found.end(1)):
            yield name


def _is_no_name(word: str) -> bool:
    return word.casefold().removesuffix("'s") in NO_NAMES


def _is_title_line(line: str) -> bool:
    """Whether the line is a title, in which most words have capitals."""
    words = regex.findall(r"[\p{Lu}\p{Ll}]{2,}", line)
    capital = sum(word[0].isupper() for word in words)
    ended = line.rstrip(" \"'”’*_").endswith((".", "!", "?", "…", ","))
    return not ended and len(words) > 2 and capital * 3 > len(words) * 2
