"""Ranked search over lorebooks: what a writer finds when it asks by name or topic.

Separate from activation: here words are weighed, there keys are matched.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.fold import fold_key
from huaben.domain.lore.matching import KeyRule, key_matches, prepare_key
from huaben.domain.lore.terms import Term, count_terms, query_terms
from huaben.domain.lore.values import Book, Entry

_NAME_WEIGHT: Final = 4.0
_NAMED_BONUS: Final = 6.0
MAX_QUERY_CHARS: Final = 1000
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that a search found; `score` is above 0 and only comparable within one search.

    `ref` is `book_index/uid`, stable while the books and their order stay the same.
    """

    title: str
    score: float
    content: str
    ref: str


@dataclass(frozen=True, slots=True)
class _Page:
    book_index: int
    entry: Entry
    counts: Mapping[int, float]
    length: int


def entry_title(entry: Entry) -> str:
    """What an entry is called: its title, else its first key, else its number."""
    return entry.title.strip() or next((key for key in entry.keys if key.strip()), f"#{entry.uid}")


def search(books: Sequence[Book], query: str, limit: int = 3) -> tuple[Hit, ...]:
    """The best enabled entries for a query in any script, best first, at most `limit`.

    A rare term outweighs a common one, a title or key outweighs content, and an entry whose title
    or key stands in the query comes before one that only speaks of it. Only the first
    `MAX_QUERY_CHARS` of a query count.
    """
    query = query[:MAX_QUERY_CHARS]
    wanted = query_terms(query)
    if not wanted or limit <= 0:
        return ()
    pages, total, mean_length = _pages(books, wanted)
    seen = [sum(index in page.counts for page in pages) for index in range(len(wanted))]
    rarity = [math.log(1 + (total - n + 0.5) / (n + 0.5)) for n in seen]
    scored = [(_score(page, rarity, mean_length, query), page) for page in pages]
    # Sorting is stable: equal scores keep the order of the books.
    scored.sort(key=lambda found: -found[0])
    return tuple(
        Hit(
            title=entry_title(page.entry),
            score=round(score, 4),
            content=page.entry.content,
            ref=f"{page.book_index}/{page.entry.uid}",
        )
        for score, page in scored[:limit]
    )


def _pages(books: Sequence[Book], wanted: Sequence[Term]) -> tuple[list[_Page], int, float]:
    """The entries that hold any term, the number of all enabled ones, their mean length."""
    automaton = AhoCorasick([term.text for term in wanted])
    pages: list[_Page] = []
    total = length = 0
    for book_index, book in enumerate(books):
        for entry in book.entries:
            if not entry.enabled:
                continue
            total += 1
            length += len(entry.content)
            counts = _counts(entry, automaton, wanted)
            if counts:
                pages.append(_Page(book_index, entry, counts, len(entry.content)))
    return pages, total, max(1.0, length / max(1, total))


def _counts(entry: Entry, automaton: AhoCorasick, wanted: Sequence[Term]) -> dict[int, float]:
    counts: dict[int, float] = {}
    # U+0001 keeps a term from reaching over from one key to the next.
    names = "\x01".join((entry.title, *entry.keys))
    for text, weight in ((names, _NAME_WEIGHT), (entry.content, 1.0)):
        for index, count in count_terms(automaton, wanted, fold_key(text)).items():
            counts[index] = counts.get(index, 0.0) + count * weight
    return counts


def _score(page: _Page, rarity: Sequence[float], mean_length: float, query: str) -> float:
    damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * page.length / mean_length)
    score = sum(rarity[index] * count / (count + damping) for index, count in page.counts.items())
    named = max((_named(name, query) for name in (page.entry.title, *page.entry.keys)), default=0.0)
    return score + named


def _named(name: str, query: str) -> float:
    """A bonus if the query says this name; a longer name, being more certain, earns more."""
    if not key_matches(name, query):
        return 0.0
    size = len(prepare_key(name, KeyRule()))
    return _NAMED_BONUS * size / (size + 1)
