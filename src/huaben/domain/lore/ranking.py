"""How well texts answer a question, by the words that they share; apart from lorebooks because notes are
ranked by the same rule."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.fold import fold_key
from huaben.domain.lore.matching import KeyRule, key_matches, prepare_key
from huaben.domain.lore.terms import MAX_QUERY_CHARS, Term, count_terms, query_terms

_NAME_WEIGHT: Final = 4.0
_NAMED_BONUS: Final = 6.0
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.4


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
class _Counted:
    index: int
    leaf: Leaf
    counts: Mapping[int, float]


def rank(leaves: Iterable[Leaf], query: str) -> list[Ranked]:
    """The leaves that hold any term of a question, best first; equals keep their order.

    A rare term outweighs a common one, a name outweighs content, and a leaf whose name stands in
    the question comes before one that only speaks of it. Only the first `MAX_QUERY_CHARS` of the
    question count.
    """
    query = query[:MAX_QUERY_CHARS]
    wanted = query_terms(query)
    if not wanted:
        return []
    counted, total, mean_length = _count_all(leaves, wanted)
    seen = [sum(index in one.counts for one in counted) for index in range(len(wanted))]
    rarity = [math.log(1 + (total - n + 0.5) / (n + 0.5)) for n in seen]
    ranked = [
        Ranked(one.index, _score(one, rarity, mean_length, query), len(one.counts) == len(wanted))
        for one in counted
    ]
    ranked.sort(key=lambda one: -one.score)
    return ranked


def _count_all(leaves: Iterable[Leaf], wanted: Sequence[Term]) -> tuple[list[_Counted], int, float]:
    """The leaves that hold any term, the number of all leaves, their mean length."""
    automaton = AhoCorasick([term.text for term in wanted])
    found: list[_Counted] = []
    total = length = 0
    for index, leaf in enumerate(leaves):
        total += 1
        length += len(leaf.content)
        counts = _counts(leaf, automaton, wanted)
        if counts:
            found.append(_Counted(index, leaf, counts))
    return found, total, max(1.0, length / max(1, total))


def _counts(leaf: Leaf, automaton: AhoCorasick, wanted: Sequence[Term]) -> dict[int, float]:
    counts: dict[int, float] = {}
    # U+0001 keeps a term from reaching over from one name to the next.
    names = "\x01".join(leaf.names)
    for text, weight in ((names, _NAME_WEIGHT), (leaf.content, 1.0)):
        for index, count in count_terms(automaton, wanted, fold_key(text)).items():
            counts[index] = counts.get(index, 0.0) + count * weight
    return counts


def _score(one: _Counted, rarity: Sequence[float], mean_length: float, query: str) -> float:
    share = len(one.leaf.content) / mean_length
    damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * share)
    score = sum(rarity[index] * count / (count + damping) for index, count in one.counts.items())
    return score + max((_named(name, query) for name in one.leaf.names), default=0.0)


def _named(name: str, query: str) -> float:
    """A bonus if the query says this name; a longer name, being more certain, earns more."""
    if not key_matches(name, query):
        return 0.0
    size = len(prepare_key(name, KeyRule()))
    return _NAMED_BONUS * size / (size + 1)
