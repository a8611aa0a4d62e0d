"""The rules that join draft and tail: apart from reading markup, as these are the product's choices.

They are the numbered rules of the final text; the ninth, storing a version, is the caller's.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from huaben.domain.finaltext.backstage import (
    Speech,
    backstage,
    comments,
    holds_backstage,
    remaining,
    without,
)
from huaben.domain.finaltext.markup import Block, Span, scan_blocks, tag_end
from huaben.domain.text import is_blank

_BLANK_LINE: Final = "\n\n"
_MANY_NEWLINES: Final = re.compile(r"(\r?\n)(?:\r?\n){2,}")
_SPACE: Final = " \t\r\n"  # not the ideographic space, which indents a Chinese paragraph

_INLINE: Final = frozenset(
    {"b", "br", "code", "del", "em", "font", "i", "ins", "mark", "q", "ruby", "s", "small"}
    | {"span", "strong", "sub", "sup", "u"}
)


def final_text(draft: str, spoken: Sequence[str]) -> str:
    """Return the draft, untouched, with the format blocks that were spoken after it.

    `spoken` are the uncaptured texts of the replies since the draft first existed, in order. Of
    them only format blocks are kept, behind a blank line each: no free prose, no comments, nothing
    of thinking or prompt tags, no block twice, none that the draft has. With a blank draft the
    spoken words themselves are the text. Linear in the length of both.
    """
    speech = Speech.of(spoken)
    if is_blank(draft):
        told = dedupe_blocks(_told(speech))
        return draft if is_blank(told) else told
    said = _without_comments_and_backstage(speech)
    if said.strip() in draft:
        return draft
    tail = _tail(draft, said)
    return draft + _gap_after(draft) + _BLANK_LINE.join(tail) if tail else draft


def format_blocks(text: str) -> tuple[Block, ...]:
    """Return the format blocks of `text`: the outermost ones, in order.

    Those are closed paired tags with all that they hold, self-closing tags, and closed code fences
    at the start of a line. Comments and the stretches of thinking- and prompt-class tags are passed
    over as if they were absent: no block's `text` has them, though its offsets may span them.
    """
    hidden = comments(text)
    cuts = [*hidden, *backstage(Speech(text, (0,)), hidden)]
    if not cuts:
        return tuple(scan_blocks(text))
    shown = remaining(text, cuts)
    begins = list(accumulate((span.end - span.start for span in shown[:-1]), initial=0))

    def place(at: int) -> int:
        index = bisect_right(begins, at) - 1
        return shown[index].start + at - begins[index]

    visible = "".join(text[span.start : span.end] for span in shown)
    return tuple(
        replace(block, start=place(block.start), end=place(block.end - 1) + 1)
        for block in scan_blocks(visible)
    )


def dedupe_blocks(text: str) -> str:
    """Return `text` with byte-identical format blocks once, the first; 3 newlines or more become 2.

    Emphasis within a line of prose is prose: a second `<i>…</i>` or `<br/>` in it stays.
    """
    squeezed = _squeezed(text)
    blocks = format_blocks(squeezed)
    seen: set[str] = set()
    again: list[Span] = []
    for index, block in enumerate(blocks):
        words = squeezed[block.start : block.end]
        if words in seen and not _is_emphasis(squeezed, blocks, index):
            again.append(Span(block.start, block.end))
        seen.add(words)
    return _squeezed(without(squeezed, again)).strip("\r\n") if again else squeezed


def _told(speech: Speech) -> str:
    """Return the speech as prose: comments stay, unless they hold what must not be shown."""
    hidden = comments(speech.text)
    unfit = [span for span in hidden if holds_backstage(speech.text, span)]
    cuts = [*unfit, *backstage(speech, hidden)]
    return without(speech.text, cuts).strip("\r\n") if cuts else speech.text


def _without_comments_and_backstage(speech: Speech) -> str:
    hidden = comments(speech.text)
    return without(speech.text, [*hidden, *backstage(speech, hidden)])


def _tail(draft: str, said: str) -> list[str]:
    body = draft.rstrip()
    seen = {_squeezed(block.text) for block in format_blocks(draft)}
    tail: list[str] = []
    for block in scan_blocks(said, _end_of_repetition(draft, said)):
        text = _squeezed(_unrepeated(body, block))
        if text and text not in seen:
            seen.add(text)
            tail.append(text)
    return tail


def _end_of_repetition(draft: str, said: str) -> int:
    """Return where `said` goes on if it starts with the draft, else 0."""
    body = _without_comments_and_backstage(Speech(draft, (0,))).strip()
    start = len(said) - len(said.lstrip())
    return start + len(body) if said.startswith(body, start) else 0


def _unrepeated(body: str, block: Block) -> str:
    """Return the block; a `<content>` block without what repeats the end of `body`, or nothing."""
    if block.kind != "pair" or block.name != "content":
        return block.text
    opened = tag_end(block.text, len("<content"), {}) or 0
    closing = block.text.rfind("</")
    inner = block.text[opened:closing]
    words = inner.lstrip()
    shared = _overlap(body, words)
    rest = words[shared:]
    if is_blank(rest):
        return ""
    # A quotation mark or an asterisk that ends one text and begins the other repeats nothing.
    if not any(char.isalnum() for char in words[:shared]):
        return block.text
    lead = inner[: len(inner) - len(inner.lstrip(_SPACE))]
    return block.text[:opened] + lead + rest.lstrip(_SPACE) + block.text[closing:]


def _overlap(left: str, right: str) -> int:
    """Return the length of the longest end of `left` that is a start of `right`.

    By the prefix function (Knuth, Morris, Pratt): linear in the shorter of the two.
    """
    size = min(len(left), len(right))
    start, end = right[:size], left[len(left) - size :]
    borders = [0] * size
    shared = 0
    for at in range(1, size):
        while shared and start[at] != start[shared]:
            shared = borders[shared - 1]
        shared += start[at] == start[shared]
        borders[at] = shared
    shared = 0
    for char in end:
        while shared and char != start[shared]:
            shared = borders[shared - 1]
        shared += char == start[shared]
    return shared


def _is_emphasis(text: str, blocks: Sequence[Block], index: int) -> bool:
    block = blocks[index]
    if block.name not in _INLINE:
        return False
    before = blocks[index - 1].end if index else 0
    after = blocks[index + 1].start if index + 1 < len(blocks) else len(text)
    left = text[before : block.start].rpartition("\n")[2]
    right = text[block.end : after].partition("\n")[0]
    return not (is_blank(left) and is_blank(right))


def _gap_after(draft: str) -> str:
    newlines = draft[len(draft.rstrip("\r\n")) :].count("\n")
    return "\n" * max(0, len(_BLANK_LINE) - newlines)


def _squeezed(text: str) -> str:
    return _MANY_NEWLINES.sub(r"\1\1", text)
