"""How well texts answer a question, by the words that they share; apart from lorebooks because notes are
ranked by the same rule."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.fold import fold_key
from huaben.domain.lore.matching import KeyRule, key_matches, prepare_key
from huaben.domain.lore.terms import MAX_QUERY_CHARS, Term, query_terms, term_hits

_NAME_WEIGHT: Final = 4.0
_NAMED_BONUS: Final = 6.0
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.4
_PAGE_CHARS: Final = 20_000  # all hits of a page are held at once


@dataclass(frozen=True, slots=True)
class Leaf:
    """Something that can answer a question: what it is called, and what it says."""

    names: tuple[str, ...]
    content: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """The leaf at `index` holds some of the question's terms, or all. `score` is above 0 and only
    comparable within one ranking."""

    index: int
    score: float
    whole: bool


@dataclass(frozen=True, slots=True)
class _Page:
    """The folded texts of neighbouring leaves, one after another, and where each begins."""

    first: int
    starts: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Corpus:
    """Leaves made ready for any number of questions; nothing in it changes."""

    leaves: tuple[Leaf, ...]
    names: tuple[_Page, ...]
    contents: tuple[_Page, ...]
    mean_length: float


def gathered(leaves: Iterable[Leaf]) -> Corpus:
    """The leaves folded, to be asked more than once."""
    kept = tuple(leaves)
    length = sum(len(leaf.content) for leaf in kept)
    return Corpus(
        kept,
        # U+0001 keeps a term from reaching over from one name to the next.
        names=tuple(_pages("\x01".join(leaf.names) for leaf in kept)),
        contents=tuple(_pages(leaf.content for leaf in kept)),
        mean_length=max(1.0, length / max(1, len(kept))),
    )


def rank(leaves: Iterable[Leaf], query: str) -> list[Ranked]:
    """The leaves that hold any term of a question, best first; equals keep their order.

    A rare term outweighs a common one, a name outweighs content, and a leaf whose name stands in
    the question comes before one that only speaks of it. Only the first `MAX_QUERY_CHARS` of the
    question count.
    """
    return answers(gathered(leaves), query)


def answers(corpus: Corpus, query: str) -> list[Ranked]:
    """What `rank` finds among these leaves."""
    query = query[:MAX_QUERY_CHARS]
    wanted = query_terms(query)
    if not wanted:
        return []
    counted = _counted(corpus, wanted)
    total = len(corpus.leaves)
    seen = [sum(index in counts for counts in counted.values()) for index in range(len(wanted))]
    rarity = [math.log(1 + (total - n + 0.5) / (n + 0.5)) for n in seen]
    ranked: list[Ranked] = []
    for index, counts in sorted(counted.items()):
        leaf = corpus.leaves[index]
        score = _score(counts, rarity, len(leaf.content) / corpus.mean_length)
        score += max((_named(name, query) for name in leaf.names), default=0.0)
        ranked.append(Ranked(index, score, len(counts) == len(wanted)))
    ranked.sort(key=lambda one: -one.score)
    return ranked


def _pages(texts: Iterable[str]) -> Iterator[_Page]:
    first = size = 0
    starts: list[int] = []
    folded: list[str] = []
    for index, text in enumerate(texts):
        if size >= _PAGE_CHARS:
            yield _Page(first, tuple(starts), "\x01".join(folded))
            first, size, starts, folded = index, 0, [], []
        starts.append(size)
        folded.append(fold_key(text))
        size += len(folded[-1]) + 1
    if folded:
        yield _Page(first, tuple(starts), "\x01".join(folded))


def _counted(corpus: Corpus, wanted: Sequence[Term]) -> dict[int, dict[int, float]]:
    """By the index of each leaf that holds any term, how much it holds of which."""
    automaton = AhoCorasick([term.text for term in wanted])
    found: dict[int, dict[int, float]] = {}
    for pages, weight in ((corpus.names, _NAME_WEIGHT), (corpus.contents, 1.0)):
        for page in pages:
            for term, at in term_hits(automaton, wanted, page.text):
                leaf = page.first + bisect_right(page.starts, at) - 1
                counts = found.setdefault(leaf, {})
                counts[term] = counts.get(term, 0.0) + weight
    return found


def _score(counts: Mapping[int, float], rarity: Sequence[float], share: float) -> float:
    damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * share)
    return sum(rarity[index] * count / (count + damping) for index, count in counts.items())


def _named(name: str, query: str) -> float:
    """A bonus if the query says this name; a longer name, being more certain, earns more."""
    if not key_matches(name, query):
        return 0.0
    size = len(prepare_key(name, KeyRule()))
    return _NAMED_BONUS * size / (size + 1)
