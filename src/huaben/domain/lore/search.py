"""Ranked search over lorebooks: what a writer finds when it asks by name or topic.

Separate from activation: here words are weighed, there keys are matched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from huaben.domain.lore.ranking import Corpus, Leaf, answers, gathered
from huaben.domain.lore.values import Book, Entry


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that a search found; `score` is above 0 and only comparable within one search.

    `ref` is `book_index/uid`, stable while the books and their order stay the same.
    """

    title: str
    score: float
    content: str
    ref: str


def entry_title(entry: Entry) -> str:
    """What an entry is called: its title, else its first key, else its number."""
    return entry.title.strip() or next((key for key in entry.keys if key.strip()), f"#{entry.uid}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Searchable:
    """The enabled entries of books with their refs, and what they say, to be searched many times."""

    entries: tuple[tuple[str, Entry], ...]
    corpus: Corpus


def searchable(books: Sequence[Book]) -> Searchable:
    """The books made ready for searching; title and keys are an entry's names (`ranking`)."""
    entries = tuple(
        (f"{index}/{entry.uid}", entry)
        for index, book in enumerate(books)
        for entry in book.entries
        if entry.enabled
    )
    leaves = (Leaf((entry.title, *entry.keys), entry.content) for _, entry in entries)
    return Searchable(entries, gathered(leaves))


def search(books: Sequence[Book], query: str, limit: int = 3) -> tuple[Hit, ...]:
    """The best enabled entries for a query in any script, best first, at most `limit`. Equal scores
    keep the order of the books."""
    return searched(searchable(books), query, limit) if limit > 0 else ()


def searched(books: Searchable, query: str, limit: int) -> tuple[Hit, ...]:
    """What `search` finds in these books."""
    best = answers(books.corpus, query)[: max(0, limit)]
    return tuple(_hit(*books.entries[one.index], one.score) for one in best)


def _hit(ref: str, entry: Entry, score: float) -> Hit:
    return Hit(title=entry_title(entry), score=round(score, 4), content=entry.content, ref=ref)
