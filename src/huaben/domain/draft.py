"""The draft sheet: apart, so that versions and all-or-nothing edits are rules without any storage."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final, Literal, TypeAlias, assert_never

from huaben.domain import matching
from huaben.domain.matching import Level
from huaben.domain.text import (
    BadOffset,
    from_utf16_each,
    is_blank,
    scrub,
    shared_start,
    shorten,
    to_utf16_each,
    utf16_len,
)

RECEIPT_CHARS: Final = 60

_CONTEXT_CHARS: Final = 12
_RESTORED: Final = re.compile(r"restore:v(0|[1-9][0-9]{0,9})")


@dataclass(frozen=True, slots=True)
class Draft:
    """The prose of a turn in progress at one version. Version 0 is the empty draft."""

    version: int
    text: str

    EMPTY: ClassVar["Draft"]


EMPTY: Final = Draft(0, "")
Draft.EMPTY = EMPTY


@dataclass(frozen=True, slots=True)
class Restored:
    """The reason of a version that puts an earlier one back; written `restore:vN`."""

    version: int

    def __str__(self) -> str:
        return f"restore:v{self.version}"


WrittenReason: TypeAlias = Literal["capture", "partial", "finalize", "user"]
Reason: TypeAlias = Literal["write", "append", "edit"] | WrittenReason | Restored
"""Why a version exists; `str(reason)` is its stored form and `read_reason` the way back."""


@dataclass(frozen=True, slots=True)
class Write:
    """The model writes the whole draft, made against version `base`."""

    base: int
    content: str


@dataclass(frozen=True, slots=True)
class Append:
    """Words are added at the end, after `separator`, which an empty draft ignores.

    `reason` tells a call of the model's (`append`) from its spoken words that were taken
    (`capture`) and from the cut stream of a stopped call (`partial`).
    """

    base: int
    content: str
    separator: str = "\n\n"
    reason: Literal["append", "capture", "partial"] = "append"


@dataclass(frozen=True, slots=True)
class Pair:
    """One edit: the quotation `old` gives way to `new`, taken literally."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Several passages change at once; each is located in version `base`, all or none change."""

    base: int
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """The program or the user puts a whole text in place, for the reason given."""

    base: int
    content: str
    reason: WrittenReason | Restored


Change: TypeAlias = Write | Append | Edit | Replace


@dataclass(frozen=True, slots=True)
class Span:
    """A passage of the base text and what it became.

    `start` and `end` are UTF-16 code units of the base text, 0-based, `end` exclusive.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """How an edit found its place, and its passage before and after, shortened about the change."""

    level: Level
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The draft after a change that was accepted.

    A change that changes nothing gives back the same draft and no spans. `spans` are in order
    and do not overlap; a whole write has none, an append has one, an edit those that differ.
    `receipts` has one for each pair of an edit, in the order of the call.
    """

    draft: Draft
    reason: Reason
    spans: tuple[Span, ...] = ()
    receipts: tuple[Receipt, ...] = ()


@dataclass(frozen=True, slots=True)
class StaleVersion:
    """The change was made against a version that is not the current one."""

    given: int
    current: int


@dataclass(frozen=True, slots=True)
class BlankContent:
    """There is nothing to see in the content that should be written."""


@dataclass(frozen=True, slots=True)
class NoEdits:
    """An edit names no pair."""


@dataclass(frozen=True, slots=True)
class BlankQuotation:
    """The quotation of pair `index` (0-based) shows nothing, so it names no place."""

    index: int


@dataclass(frozen=True, slots=True)
class NoMatch:
    """The quotation of pair `index` (0-based) is not in the draft.

    `claimed` is its start, `nearest` a passage of the draft that may have been meant.
    """

    index: int
    claimed: str
    nearest: str | None


@dataclass(frozen=True, slots=True)
class ManyMatches:
    """The quotation of pair `index` (0-based) names `count` places at the level of matching."""

    index: int
    count: int
    level: Level


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two pairs (0-based, `first` < `second`) name ranges that share at least one character."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class BlankResult:
    """The edits would leave nothing to see."""


Rejection: TypeAlias = (
    StaleVersion
    | BlankContent
    | NoEdits
    | BlankQuotation
    | NoMatch
    | ManyMatches
    | Overlap
    | BlankResult
)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A located pair, in code points of the base text."""

    index: int
    start: int
    end: int
    level: Level
    new: str


def apply(draft: Draft, change: Change) -> Applied | Rejection:
    """Return the draft after `change`, or why it is refused; a refusal changes nothing.

    A change made against any other version is refused. Each change adds one to the version,
    unless the text stays as it is. Lone surrogates, which no store can keep, become U+FFFD.
    """
    if change.base != draft.version:
        return StaleVersion(given=change.base, current=draft.version)
    match change:
        case Write(content=content):
            return _write(draft, scrub(content), "write")
        case Append():
            return _append(draft, change)
        case Edit(pairs=pairs):
            return _edit(draft, pairs)
        case Replace(content=content, reason=reason):
            return _write(draft, scrub(content), reason)
        case _:
            assert_never(change)


def apply_spans(text: str, spans: Iterable[Span]) -> str:
    """Return `text` with `spans` put in, as they were recorded by `apply`.

    Raises ValueError for spans that overlap, run backwards or lie outside the text: a record
    that does not fit its base is damaged.
    """
    pieces: list[str] = []
    at = 0
    for start, end, span in _places(text, tuple(spans)):
        pieces += (text[at:start], span.text)
        at = end
    return "".join((*pieces, text[at:]))


def invert(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans that lead back to `text` from what `spans` make of it.

    Raises ValueError like `apply_spans`.
    """
    inverse: list[Span] = []
    shift = 0
    for start, end, span in _places(text, tuple(spans)):
        begin, length = span.start + shift, utf16_len(span.text)
        inverse.append(Span(begin, begin + length, text[start:end]))
        shift += length - (span.end - span.start)
    return tuple(inverse)


def read_reason(stored: str) -> Reason | None:
    """Return the reason whose `str` is `stored`, or None if there is none such."""
    match stored:
        case "write" | "append" | "edit" | "capture" | "partial" | "finalize" | "user":
            return stored
        case _:
            found = _RESTORED.fullmatch(stored)
            return None if found is None else Restored(int(found[1]))


def _write(draft: Draft, content: str, reason: Reason) -> Applied | BlankContent:
    # Only a restore may empty the sheet: version 0 is a version like any other.
    if is_blank(content) and not isinstance(reason, Restored):
        return BlankContent()
    return Applied(_next(draft, content), reason)


def _append(draft: Draft, change: Append) -> Applied | BlankContent:
    content = scrub(change.content)
    if is_blank(content):
        return BlankContent()
    added = scrub(change.separator) + content if draft.text else content
    end = utf16_len(draft.text)
    return Applied(_next(draft, draft.text + added), change.reason, (Span(end, end, added),))


def _edit(draft: Draft, pairs: Sequence[Pair]) -> Applied | Rejection:
    if not pairs:
        return NoEdits()
    cuts: list[_Cut] = []
    for index, pair in enumerate(pairs):
        cut = _locate(draft.text, index, pair)
        if not isinstance(cut, _Cut):
            return cut
        cuts.append(cut)
    in_order = sorted(cuts, key=lambda cut: cut.start)
    overlap = _overlap(in_order)
    if overlap is not None:
        return overlap
    spans = _spans(draft.text, in_order)
    # The text is made from what is recorded, so that a replay cannot come out differently.
    text = apply_spans(draft.text, spans)
    if is_blank(text):
        return BlankResult()
    receipts = tuple(_receipt(draft.text, cut) for cut in cuts)
    return Applied(_next(draft, text), "edit", spans, receipts)


def _next(draft: Draft, text: str) -> Draft:
    return draft if text == draft.text else Draft(draft.version + 1, text)


def _locate(text: str, index: int, pair: Pair) -> _Cut | BlankQuotation | NoMatch | ManyMatches:
    found = matching.locate(text, scrub(pair.old))
    match found:
        case matching.Found(start, end, level):
            return _Cut(index, start, end, level, scrub(pair.new))
        case matching.Repeated(level, count):
            return ManyMatches(index, count, level)
        case matching.Missing(claimed, nearest):
            return NoMatch(index, claimed, nearest)
        case matching.BlankQuotation():
            return BlankQuotation(index)
        case _:
            assert_never(found)


def _overlap(in_order: Sequence[_Cut]) -> Overlap | None:
    for left, right in pairwise(in_order):
        if right.start < left.end:
            first, second = sorted((left.index, right.index))
            return Overlap(first, second)
    return None


def _spans(text: str, in_order: Sequence[_Cut]) -> tuple[Span, ...]:
    changed = [cut for cut in in_order if text[cut.start : cut.end] != cut.new]
    bounds = to_utf16_each(text, (bound for cut in changed for bound in (cut.start, cut.end)))
    return tuple(
        Span(start, end, cut.new)
        for start, end, cut in zip(bounds[::2], bounds[1::2], changed, strict=True)
    )


def _places(text: str, spans: Sequence[Span]) -> list[tuple[int, int, Span]]:
    """Return each span with its code-point bounds in `text`."""
    bounds = from_utf16_each(text, [bound for span in spans for bound in (span.start, span.end)])
    if isinstance(bounds, BadOffset):
        raise ValueError(f"recorded spans do not fit a text of {bounds.length}: {bounds.reason}")
    return list(zip(bounds[::2], bounds[1::2], spans, strict=True))


def _receipt(text: str, cut: _Cut) -> Receipt:
    before, after = text[cut.start : cut.end], cut.new
    # Two long passages often begin alike; then their first words would not show what changed.
    shared = shared_start(before, after)
    skip = shared - _CONTEXT_CHARS if max(len(before), len(after)) > RECEIPT_CHARS else 0
    return Receipt(cut.level, _excerpt(before, skip), _excerpt(after, skip))


def _excerpt(s: str, skip: int) -> str:
    return shorten(s, RECEIPT_CHARS) if skip <= 1 else shorten("…" + s[skip:], RECEIPT_CHARS)
