"""Texts and questions as tokens for a full-text index: words, and one or two characters at a time where
no spaces are; apart from any database, so that all of them find the same.

The tokens of a text, joined by spaces, are one string that any simple tokenizer cuts again at exactly
these places: what it might not take for a letter is spelled out. Indexes hold these tokens: whoever
changes what a text comes to adds a migration, after which they are made anew.
"""

from collections.abc import Iterator
from typing import Final

import regex

from huaben.domain.lore.fold import fold_key
from huaben.domain.lore.terms import Run, grams_of, query_terms, runs_of

WORD_CHARS: Final = 64
"""Of a longer word only its beginning is indexed and looked for, in characters."""
PASSAGE_CHARS: Final = 16_000
"""The length of the pieces in which long texts are indexed, in characters, so that the tokens of one
piece stay far below what a database takes (1 MB)."""
_OVERLAP: Final = 200
_PARTICLES: Final = 8

# Small letters that every tokenizer knows: digits, Latin, Greek, Cyrillic, kana, Han, Hangul.
_ODD: Final = regex.compile(
    r"[^0-9a-z\u00df-\u00f6\u00f8-\u00ff\u03b1-\u03c9\u0430-\u044f\u3041-\u3096\u30a1-\u30fa"
    r"\u4e00-\u9fa5\uac00-\ud7a3]"
)
_SPELLED, _IN_TITLE, _SCOPE = "zzq", "zzt", "zzs"
_ENDS_IN_HANGUL: Final = regex.compile(r"\p{sc=Hangul}\p{M}*\Z")


def text_tokens(text: str) -> tuple[str, ...]:
    """The distinct tokens under which a text is found, in its order."""
    terms = (term for run in runs_of(fold_key(text)) for term in _terms_of(run))
    return tuple(dict.fromkeys(map(spelled, terms)))


def query_tokens(query: str) -> tuple[str, ...]:
    """The tokens of any text that answers the whole question, at most 64. Two and more
    characters without spaces are looked for in pairs only, because single ones are everywhere."""
    return tuple(dict.fromkeys(spelled(term.text) for term in query_terms(query)))


def in_title(token: str) -> str:
    """The token as a title has it too, so that titles can be searched alone."""
    return _IN_TITLE + token


def scope_token(scope: str) -> str:
    """A token for what a text belongs to, such as an id; like no word that people use."""
    return _SCOPE + spelled(fold_key(scope))


def spelled(term: str) -> str:
    """A folded term as a token. What begins alike is spelled alike, so that words can be looked for
    by their beginning."""
    if term.isascii() and term.isalnum():
        return term[:WORD_CHARS]
    plain = term[:WORD_CHARS].replace("\u2019", "'")
    return _ODD.sub(lambda odd: f"{_SPELLED}{ord(odd.group()):06x}", plain)


def passages(text: str) -> Iterator[str]:
    """A text in the pieces in which it is indexed; each reaches a little into the one behind it."""
    for start in range(0, len(text), PASSAGE_CHARS):
        yield text[start : start + PASSAGE_CHARS + _OVERLAP]


def _terms_of(run: Run) -> Iterator[str]:
    """Everything that a question may call a part of the run."""
    if not run.word:
        yield from run.text
        yield from grams_of(run.text)
        for size in (1, 2):
            if run.before:
                yield run.before + run.text[:size]
            if run.after:
                yield run.text[-size:] + run.after
        return
    yield run.text
    for part in filter(None, run.text.replace("\u2019", "'").split("'")):
        yield part
        # Particles follow a Korean name without a space.
        if _ENDS_IN_HANGUL.search(part):
            yield from (part[:size] for size in range(1, min(len(part), _PARTICLES)))
