"""Finding the one passage that a quotation means: apart, as drafts and chapters share the ladder."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from huaben.domain.text import clip, is_blank, shared_start, shorten

Level: TypeAlias = Literal["exact", "trimmed", "punctuation"]

FOLDS: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys("“”„「」『』", '"')
    | dict.fromkeys("‘’‚", "'")
    | dict.fromkeys("–—―−－", "-")
    | {"⋯": "…", "\N{NO-BREAK SPACE}": " ", "\N{IDEOGRAPHIC SPACE}": " "}
)
"""What the level `punctuation` holds to be the same; one character to one, so offsets survive."""

CLAIM_CHARS: Final = 60
PASSAGE_CHARS: Final = 160

_PROBE_CHARS: Final = 64  # one machine word: up to here the fuzzy search is linear and quick
_LEAD_CHARS: Final = 48
_NEAR_SCORE: Final = 60.0  # unrelated prose of one language scores up to about 50
_SENTENCE_END: Final = re.compile(r"[。！？!?…]+[”’」』）)\"']*\s*|\.[”’)\"']*\s+|\n\s*")


@dataclass(frozen=True, slots=True)
class Found:
    """The only passage that matches, in code points, `end` exclusive, and how it was found."""

    start: int
    end: int
    level: Level


@dataclass(frozen=True, slots=True)
class Repeated:
    """The quotation occurs `count` times (2 or more) at the first level where it occurs."""

    level: Level
    count: int


@dataclass(frozen=True, slots=True)
class Missing:
    """The quotation occurs at no level.

    `claimed` is its start, shortened. `nearest` is the passage of the text that comes nearest,
    exactly as it stands there, or None if nothing is near.
    """

    claimed: str
    nearest: str | None


@dataclass(frozen=True, slots=True)
class BlankQuotation:
    """The quotation shows nothing, so it can name no place."""


Location: TypeAlias = Found | Repeated | Missing | BlankQuotation


def locate(text: str, quotation: str) -> Location:
    """Return the one place that `quotation` names in `text`, or why it names none.

    The levels are tried in order: exact, trimmed, punctuation. The first level at which the
    quotation occurs decides; if it occurs there more than once the place is not guessed and no
    later level is tried. Letter case, full-width commas, line ends and three dots never fold.
    """
    if is_blank(quotation):
        return BlankQuotation()
    for level, page, wanted in _rungs(text, quotation):
        start = page.find(wanted)
        if start < 0:
            continue
        if page.find(wanted, start + 1) < 0:
            return Found(start, start + len(wanted), level)
        return Repeated(level, count_overlapping(page, wanted))
    trimmed = quotation.strip()
    return Missing(shorten(trimmed, CLAIM_CHARS), nearest_passage(text, trimmed))


def fold(s: str) -> str:
    """Return `s` with every character of `FOLDS` replaced; the length never changes."""
    # By table this would be `str.translate`, which is some 25 times slower on Chinese text.
    for source, target in FOLDS.items():
        s = s.replace(source, target)
    return s


def count_overlapping(text: str, needle: str) -> int:
    """Count the occurrences of `needle`, overlapping ones too: "aa" occurs twice in "aaa".

    Linear in `text`. Two occurrences are at least one period of the needle apart, and in a run of
    them each next one adds only a period's worth of new characters, which alone are compared.
    An empty needle counts 0.
    """
    if not needle:
        return 0
    at, count = text.find(needle), 0
    if at < 0:
        return 0
    period = _period(needle)
    addition = needle[-period:]
    while at >= 0:
        count += 1
        if text.startswith(addition, at + len(needle)):
            at += period
        else:
            at = text.find(needle, at + period)
    return count


def nearest_passage(text: str, quotation: str) -> str | None:
    """Return the passage of `text` that comes nearest to `quotation`, or None if nothing does.

    At most `PASSAGE_CHARS` code points, widened to sentence or line ends where these are close,
    exactly as in the text, so that it can be quoted. Only short probes of the quotation are
    searched for, which bounds the time. A quotation that begins rightly and goes astray later
    yields the place where it leaves the text. Letter case is ignored here, unlike in `locate`.
    """
    folded, wanted = fold(text), fold(quotation.strip())
    page, claim = _lowered(folded), _lowered(wanted)
    if not claim:
        return None
    if claim[:_PROBE_CHARS] in page:
        start, agreed = _longest_start(page, claim)
        if agreed == len(claim):  # then only letter case keeps the two apart
            agreed = shared_start(folded[start : start + agreed], wanted)
        return _passage(text, *_parting(start, agreed, len(claim)))
    last = max(0, len(claim) - _PROBE_CHARS)
    for start in sorted({0, last // 2, last}):
        window = _similar(page, claim[start : start + _PROBE_CHARS])
        if window is not None:
            return _passage(text, *window)
    return None


def _rungs(text: str, quotation: str) -> Iterator[tuple[Level, str, str]]:
    """Yield each level with the text and the quotation as it compares them."""
    trimmed = quotation.strip()
    yield "exact", text, quotation
    yield "trimmed", text, trimmed
    yield "punctuation", fold(text), fold(trimmed)


def _period(needle: str) -> int:
    """Return the smallest shift at which `needle` agrees with itself (Knuth-Morris-Pratt)."""
    borders = [0] * len(needle)
    border = 0
    for index in range(1, len(needle)):
        while border and needle[index] != needle[border]:
            border = borders[border - 1]
        if needle[index] == needle[border]:
            border += 1
        borders[index] = border
    return len(needle) - border


def _lowered(s: str) -> str:
    lowered = s.lower()
    # A few capitals grow in lower case (İ); then case is kept, as offsets matter more.
    return lowered if len(lowered) == len(s) else s


def _longest_start(page: str, claim: str) -> tuple[int, int]:
    """Return where the longest start of `claim` that occurs in `page` does, and its length."""
    lengths = range(1, len(claim) + 1)
    # If a start occurs then every shorter one does, so the longest can be bisected.
    agreed = bisect_left(lengths, True, key=lambda length: claim[:length] not in page)
    return page.find(claim[:agreed]), agreed


def _parting(start: int, agreed: int, claimed: int) -> tuple[int, int]:
    """Return a window over the end of the agreement and, if it ends early, what follows it."""
    parting = start + agreed
    return max(start, parting - _PROBE_CHARS // 2), parting + (agreed < claimed)


def _similar(page: str, probe: str) -> tuple[int, int] | None:
    """Return the window of `page` most like `probe`, without what merely fills its length."""
    found = fuzz.partial_ratio_alignment(probe, page, score_cutoff=_NEAR_SCORE)
    if found is None:
        return None
    window = page[found.dest_start : found.dest_end]
    # A tiny page is contained in many a probe without being near to it.
    if 2 * len(window) < len(probe):
        return None
    equal = [op for op in LCSseq.opcodes(probe, window) if op.tag == "equal"]
    return found.dest_start + equal[0].dest_start, found.dest_start + equal[-1].dest_end


def _passage(text: str, start: int, end: int) -> str:
    """Return the text about a window of at most `_PROBE_CHARS`, snapped to sentence ends."""
    begin = _sentence_start(text, start)
    limit = min(len(text), begin + PASSAGE_CHARS)
    close = _SENTENCE_END.search(text, max(begin, end - 1), limit)
    if close is not None:
        return text[begin : close.end()].strip()
    piece = clip(text[begin : limit + 1], PASSAGE_CHARS)
    if limit < len(text):
        space = piece.rfind(" ", end - begin)
        piece = piece[:space] if space > 0 else piece
    return piece.strip()


def _sentence_start(text: str, start: int) -> int:
    """Return where the sentence about `start` begins, or a close place that cuts no word."""
    reach = max(0, start - _LEAD_CHARS)
    ends = [found.end() for found in _SENTENCE_END.finditer(text, reach, start)]
    if ends:
        return ends[-1]
    if reach == 0:
        return 0
    space = text.rfind(" ", reach, start)
    return start if space < 0 else space + 1
