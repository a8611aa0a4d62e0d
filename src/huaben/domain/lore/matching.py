"""Whether one key stands in a text, by the corrected rule or SillyTavern's.

Separate from the scan of whole books: this is the rule, the automaton only finds candidates.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from huaben.domain.lore.edges import EXACT_WORD, bound_edges, closes
from huaben.domain.lore.fold import Folded, fold, fold_key

JS_SPACES = frozenset("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | frozenset(
    chr(point) for point in range(0x2000, 0x200B)
)
"""What `\\s` and `trim` mean in JavaScript, which is not what Python's `isspace` means."""


@dataclass(frozen=True, slots=True)
class KeyRule:
    """How the keys of an entry are compared; `exact` is SillyTavern's way."""

    case_sensitive: bool = False
    whole_words: bool = True
    exact: bool = False


def key_matches(
    key: str,
    text: str,
    *,
    case_sensitive: bool = False,
    whole_words: bool = True,
    exact: bool = False,
) -> bool:
    """Whether a literal key stands in the text.

    Corrected (formats §2.7): compared after NFKC and case folding, boundaries by script. Exact
    (formats §2.5): lower-cased, a key with white space is a plain substring, a single word needs
    ASCII non-word characters beside it. A key that is blank never matches.
    """
    rule = KeyRule(case_sensitive=case_sensitive, whole_words=whole_words, exact=exact)
    wanted = prepare_key(key, rule)
    if not wanted:
        return False
    page = prepare_text(text, rule)
    return any(stands(page, wanted, at, rule) for at in _occurrences(page.text, wanted))


def trim_js(text: str) -> str:
    """The text without JavaScript's white space at its ends."""
    start, end = 0, len(text)
    while start < end and text[start] in JS_SPACES:
        start += 1
    while end > start and text[end - 1] in JS_SPACES:
        end -= 1
    return text[start:end]


def prepare_key(key: str, rule: KeyRule) -> str:
    """The key as it is searched for; empty if it can never match."""
    trimmed = trim_js(key)
    if not rule.exact:
        return fold_key(trimmed, case_sensitive=rule.case_sensitive)
    return trimmed if rule.case_sensitive else trimmed.lower()


def prepare_text(text: str, rule: KeyRule) -> Folded:
    """The text as keys of this rule are searched in it."""
    if not rule.exact:
        return fold(text, case_sensitive=rule.case_sensitive)
    return Folded(text if rule.case_sensitive else text.lower(), text)


def stands(page: Folded, wanted: str, at: int, rule: KeyRule) -> bool:
    """Whether a hit of `wanted` at `at` in the prepared text satisfies the rule's boundaries."""
    if not rule.whole_words:
        return True
    end = at + len(wanted)
    return _exact_word(page.text, at, end) if rule.exact else _whole_word(page, at, end)


def _whole_word(page: Folded, at: int, end: int) -> bool:
    left, right = bound_edges(page.text[at:end])
    if not (left or right):
        return True
    if not page.whole(at, end):
        return False
    start, stop = page.span(at, end)
    return (not left or closes(page.original[max(0, start - 1) : start])) and (
        not right or closes(page.original[stop : stop + 1])
    )


def _exact_word(lowered: str, at: int, end: int) -> bool:
    if not JS_SPACES.isdisjoint(lowered[at:end]):
        return True
    before, after = lowered[max(0, at - 1) : at], lowered[end : end + 1]
    return before not in EXACT_WORD and after not in EXACT_WORD


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)
