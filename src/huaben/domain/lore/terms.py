"""A question taken apart into search terms: words, and pairs of characters where no spaces are.

Separate from the ranking, so that what counts as the same word is decided in one place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex
from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.edges import bound_edges, closes
from huaben.domain.lore.fold import fold_key

_UNSPACED: Final = (
    r"\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}"
    r"\u3006\u30fc"
)
_RUNS: Final = regex.compile(
    rf"(?P<unspaced>(?:[{_UNSPACED}]\p{{M}}*)+)"
    rf"|(?P<word>(?:(?![{_UNSPACED}])[\p{{L}}\p{{Nd}}_]\p{{M}}*|(?<=\p{{L}})['\u2019](?=\p{{L}}))+)"
)
MAX_TERMS: Final = 64
MAX_QUERY_CHARS: Final = 1000


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for, folded. `numberless` means that no digit may stand beside it.

    A name that the question numbers (`地名7`) is looked for with its number, and without one only
    where the text has none either, so that `地名77` is another place.
    """

    text: str
    numberless: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a folded text without a gap: a `word`, or characters of a script that puts no
    spaces. `before` and `after` are the numbers that touch such characters; a number is `glued` to
    them when it touches."""

    text: str
    word: bool
    before: str = ""
    after: str = ""
    glued: bool = False


def runs_of(folded: str) -> Iterator[Run]:
    """A folded text (`fold_key`) taken apart, in its order; what is no letter, mark, digit or
    underscore is left out."""
    found = list(_RUNS.finditer(folded))
    for index, run in enumerate(found):
        if run.group("word") is not None:
            yield Run(run.group(), True, glued=_is_number_of_name(found, index))
        else:
            before, after = (_number_beside(found, index, step) for step in (-1, 1))
            yield Run(run.group(), False, before, after)


def query_terms(query: str) -> tuple[Term, ...]:
    """The distinct terms that a question asks for, at most `MAX_TERMS`, in its order. Only its first
    `MAX_QUERY_CHARS` count."""
    found: list[Term] = []
    for run in runs_of(fold_key(query[:MAX_QUERY_CHARS])):
        if run.word:
            if not run.glued:
                found.append(Term(run.text))
            continue
        grams = grams_of(run.text)
        if run.before:
            found.append(Term(run.before + run.text[:2]))
        if run.after:
            found.append(Term(run.text[-2:] + run.after))
        last = len(grams) - 1
        found.extend(
            Term(gram, (at == 0 and bool(run.before)) or (at == last and bool(run.after)))
            for at, gram in enumerate(grams)
        )
    return tuple(dict.fromkeys(found))[:MAX_TERMS]


def term_hits(
    automaton: AhoCorasick, terms: Sequence[Term], folded: str
) -> Iterator[tuple[int, int]]:
    """Where the terms stand in a folded text: the index of the term and its place, for each hit."""
    edges = [bound_edges(term.text) for term in terms]
    for index, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
        before, after = folded[max(0, start - 1) : start], folded[end : end + 1]
        left, right = edges[index]
        if (left and not closes(before)) or (right and not closes(after)):
            continue
        if terms[index].numberless and (before.isdecimal() or after.isdecimal()):
            continue
        yield index, start


def grams_of(run: str) -> list[str]:
    """Pairs of neighbours; a single character stands for itself."""
    if len(run) < 2:
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _number_beside(runs: Sequence[regex.Match[str]], index: int, step: int) -> str:
    """The number that touches an unspaced run on one side, empty if none does."""
    other = index + step
    if not 0 <= other < len(runs):
        return ""
    near, here = runs[other], runs[index]
    touches = near.end() == here.start() if step < 0 else here.end() == near.start()
    return near.group() if touches and near.group().isdecimal() else ""


def _is_number_of_name(runs: Sequence[regex.Match[str]], index: int) -> bool:
    """Whether a run is a number glued to a name, which is then looked for together with it."""
    here = runs[index]
    if not here.group().isdecimal():
        return False
    glued_left = index > 0 and runs[index - 1].end() == here.start()
    glued_right = index + 1 < len(runs) and runs[index + 1].start() == here.end()
    return glued_left or glued_right
