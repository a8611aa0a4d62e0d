"""Finding a reader's words in prose, as a browser's own search does; apart from ranked search because here
the words must stand there, in their order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex

from huaben.domain.lore.edges import bound_edges, closes
from huaben.domain.lore.fold import Folded, fold, fold_key
from huaben.domain.lore.terms import MAX_QUERY_CHARS, MAX_TERMS, grams_of, runs_of
from huaben.domain.story import Exchange, Turn
from huaben.domain.terms import spelled
from huaben.domain.text import to_utf16_each

StoryPart: TypeAlias = Literal["words", "asked", "text"]
PARTS: Final[tuple[StoryPart, ...]] = ("words", "asked", "text")
"""What of a turn is looked through, in the order in which it was written."""
BEFORE_CHARS: Final = 30
AFTER_CHARS: Final = 90
_JOINED: Final = regex.compile(r"[\p{M}\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")


@dataclass(frozen=True, slots=True)
class Begun:
    """A token of the index; `open`: others that begin with it will do too."""

    token: str
    open: bool


@dataclass(frozen=True, slots=True)
class Sought:
    """What a reader looks for: pieces, parted by white space, each of which must stand in a text as
    it is, a word from its beginning on. `tokens` narrow it down in an index; without any, nothing
    is found."""

    pieces: tuple[str, ...]
    tokens: tuple[Begun, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The surroundings of the first place: `text` begins at `start` of the whole, and `spans` are
    the places within it, counted from its own beginning. All offsets are UTF-16 units."""

    start: int
    text: str
    spans: tuple[tuple[int, int], ...]


def parts_of(turn: Turn) -> Mapping[StoryPart, str]:
    """What a turn adds to the story: the user's words, each question and answer on lines of their
    own, and its final text or, of a revision, the new text of the turn that it revises."""
    text = turn.final_text if turn.revises is None else turn.revises.text
    return parts(turn.user_text, turn.asked, text)


def parts(words: str, asked: Sequence[Exchange], text: str) -> Mapping[StoryPart, str]:
    """The same of words that are not in a turn."""
    lines = (line for one in asked for line in (one.question, one.answer))
    return {"words": words, "asked": "\n".join(lines), "text": text}


def sought(query: str) -> Sought:
    """Read a question. Case and width do not matter; only its first `MAX_QUERY_CHARS` count."""
    pieces = tuple(dict.fromkeys(fold_key(query[:MAX_QUERY_CHARS]).split()))
    tokens = (token for piece in pieces for token in _tokens(piece))
    return Sought(pieces, tuple(dict.fromkeys(tokens))[:MAX_TERMS])


def among(wanted: Sought, tokens: Collection[str]) -> bool:
    """Whether a text with these tokens (`text_tokens`) may hold what is sought."""
    return bool(wanted.tokens) and all(
        one.token in tokens or (one.open and any(token.startswith(one.token) for token in tokens))
        for one in wanted.tokens
    )


def places(text: str, wanted: Sought) -> list[tuple[int, int]]:
    """Where the pieces stand, in code points and in order, none overlapping another; empty unless
    all of them do."""
    if not wanted.tokens:
        return []
    folded = fold(text)
    found: list[tuple[int, int]] = []
    for piece in wanted.pieces:
        of_piece = _places_of(folded, piece)
        if not of_piece:
            return []
        found += of_piece
    return _apart(sorted(found))


def excerpt(text: str, found: Sequence[tuple[int, int]]) -> Excerpt:
    """What stands around the first place; no character is cut in two."""
    first, last = found[0]
    start = max(0, first - BEFORE_CHARS)
    while start > 0 and _is_inside(text, start):
        start -= 1
    end = min(len(text), max(last, first + AFTER_CHARS))
    while end < len(text) and _is_inside(text, end):
        end += 1
    within = [(a - start, b - start) for a, b in found if b <= end]
    shown = text[start:end]
    offsets = to_utf16_each(shown, [at for span in within for at in span])
    spans = tuple(zip(offsets[::2], offsets[1::2], strict=True))
    return Excerpt(to_utf16_each(text, (start,))[0], shown, spans)


def _tokens(piece: str) -> list[Begun]:
    tokens: list[Begun] = []
    for run in runs_of(piece):
        if run.word:
            tokens.append(Begun(spelled(run.text), True))
        else:
            tokens += [Begun(spelled(gram), False) for gram in grams_of(run.text)]
    return tokens


def _places_of(folded: Folded, piece: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    from_word, _ = bound_edges(piece)
    at = folded.text.find(piece)
    while at >= 0:
        end = at + len(piece)
        begins = not from_word or closes(folded.text[at - 1 : at])
        if begins and folded.whole(at, end):
            found.append(folded.span(at, end))
            at = end - 1
        at = folded.text.find(piece, at + 1)
    return found


def _apart(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _is_inside(text: str, at: int) -> bool:
    """Whether a visible character reaches over this place."""
    return _JOINED.match(text, at) is not None or text[at - 1] == "\u200d"
