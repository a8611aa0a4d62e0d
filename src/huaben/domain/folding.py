"""How the log of an ended turn is made small: which rows go and what the others become.

Apart from the reducer because it plans and changes nothing, and from the stores because all of them
fold alike. The promise: replaying the folded log, from its start or from any number that a client
has seen, gives the same view as replaying the whole one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from huaben.domain.events import DraftChange, TextPiece, ThinkingPiece, TurnEvent, is_delta
from huaben.domain.text import from_utf16, utf16_len

Piece: TypeAlias = ThinkingPiece | TextPiece | DraftChange


@dataclass(frozen=True, slots=True)
class Folded:
    """The numbers of rows that go, and the events that stay under their number but changed."""

    gone: tuple[int, ...]
    joined: Mapping[int, TurnEvent]


def fold(log: Sequence[tuple[int, TurnEvent]]) -> Folded:
    """Plan the folding of a turn's whole log, given in the order of its numbers.

    Pieces of one stream that follow each other become one piece under the last one's number, which
    begins where the earliest of them began; previews go when a later change of the draft (or their
    retraction) has settled them."""
    settled_before = max((seq for seq, event in log if _settles(event)), default=0)
    settled = [seq for seq, event in log if seq < settled_before and _is_preview(event)]
    left = [(seq, event) for seq, event in log if seq >= settled_before or not _is_preview(event)]
    runs = [run for run in _runs(left) if len(run.seqs) > 1]
    joined: dict[int, TurnEvent] = {run.seqs[-1]: run.whole() for run in runs}
    gone = sorted(settled + [seq for run in runs for seq in run.seqs[:-1]])
    return Folded(tuple(gone), joined)


def _is_preview(event: TurnEvent) -> bool:
    return isinstance(event, DraftChange) and is_delta(event)


def _settles(event: TurnEvent) -> bool:
    return isinstance(event, DraftChange) and not is_delta(event)


class _Run:
    """Pieces of one stream that follow each other: each replaces what there is from its offset."""

    def __init__(self, seq: int, piece: Piece) -> None:
        self.seqs = [seq]
        self._first = piece
        self._start = piece.offset
        self._end = piece.offset + utf16_len(piece.text)
        self._texts = [piece.text]

    def take(self, seq: int, piece: Piece) -> bool:
        """Add the piece if it belongs to this run; a gap before it, or a cut within a character,
        is nothing that we wrote, and ends the run instead of guessing."""
        if _stream(piece) != _stream(self._first) or not self._replace_from(piece.offset):
            return False
        self.seqs.append(seq)
        self._texts.append(piece.text)
        self._end += utf16_len(piece.text)
        return True

    def whole(self) -> Piece:
        return replace(self._first, offset=self._start, text="".join(self._texts))

    def _replace_from(self, offset: int) -> bool:
        if offset == self._end:  # the usual piece just continues
            return True
        if offset <= self._start:
            self._start = self._end = offset
            self._texts = []
            return True
        text = "".join(self._texts)
        cut = from_utf16(text, offset - self._start)
        if not isinstance(cut, int):
            return False
        self._end, self._texts = offset, [text[:cut]]
        return True


def _runs(log: Iterable[tuple[int, TurnEvent]]) -> list[_Run]:
    found: list[_Run] = []
    last: _Run | None = None
    for seq, event in log:
        match event:
            case ThinkingPiece() | TextPiece():
                piece: Piece | None = event
            case DraftChange() if is_delta(event):
                piece = event
            case _:
                piece = None
        if piece is None:
            last = None
        elif last is None or not last.take(seq, piece):
            last = _Run(seq, piece)
            found.append(last)
    return found


def _stream(piece: Piece) -> tuple[object, ...]:
    """What continues what: speech and thought by their model call, previews by what they write."""
    match piece:
        case ThinkingPiece() | TextPiece():
            return (piece.kind, piece.call)
        case DraftChange():
            return (piece.kind, piece.op, piece.base)
