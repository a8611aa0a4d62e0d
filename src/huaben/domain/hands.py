"""Who wrote what of a chapter: apart from differences, as it follows one text through all its versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from huaben.domain.checkpoint import Checkpoint, CheckpointAuthor
from huaben.domain.text import utf16_len
from huaben.domain.worddiff import diff_words


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a chapter had, by the hash of its bytes, and who made it of the one before."""

    hash: str
    author: CheckpointAuthor


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text that one author wrote. `start` and `end` are UTF-16 code units, `end` exclusive."""

    start: int
    end: int
    author: CheckpointAuthor


def versions_of(checkpoints: Sequence[Checkpoint], name: str, limit: int) -> list[Version]:
    """Return the latest `limit` texts of a chapter, oldest first. `checkpoints` are all of a project, oldest
    first. A text belongs to whoever made it first, so that a rename, a restore or a redo, which bring it
    back, write nothing."""
    first: dict[str, tuple[str | None, CheckpointAuthor]] = {}
    now: str | None = None
    for one in checkpoints:
        for changed, step in one.delta.items():
            if step.after is not None:
                first.setdefault(step.after, (step.before, one.author))
            if changed == name:
                now = step.after
    found: list[Version] = []
    # What stood before the first making of a text was made earlier still: this comes to an end.
    while now is not None and now in first and len(found) < limit:
        before, author = first[now]
        found.append(Version(now, author))
        now = before
    return found[::-1]


def hands(texts: Iterable[tuple[str, CheckpointAuthor]]) -> tuple[Stretch, ...]:
    """Return who wrote what of the last of a chapter's texts, given oldest first with their authors. All of
    the first is its author's; later ones own what they inserted, by words. The stretches cover the text."""
    runs: list[tuple[int, CheckpointAuthor]] = []
    before: str | None = None
    for text, author in texts:
        runs = [(utf16_len(text), author)] if before is None else _next(runs, before, text, author)
        before = text
    return tuple(_joined(runs))


def _next(
    runs: Sequence[tuple[int, CheckpointAuthor]], before: str, text: str, author: CheckpointAuthor
) -> list[tuple[int, CheckpointAuthor]]:
    made: list[tuple[int, CheckpointAuthor]] = []
    stretches = _joined(runs)
    current = next(stretches, None)
    for span in diff_words(before, text):
        if span.kind == "inserted":
            made.append((span.new_end - span.new_start, author))
        elif span.kind == "kept":
            # Spans come in order, so that each stretch is passed once.
            while current is not None and current.start < span.end:
                length = min(current.end, span.end) - max(current.start, span.start)
                if length > 0:
                    made.append((length, current.author))
                if current.end > span.end:
                    break
                current = next(stretches, None)
    return made


def _joined(runs: Iterable[tuple[int, CheckpointAuthor]]) -> Iterator[Stretch]:
    """Neighbours of the same author as one."""
    start = end = 0
    now: CheckpointAuthor | None = None
    for length, author in runs:
        if now is not None and author != now and end > start:
            yield Stretch(start, end, now)
            start = end
        now = author
        end += length
    if now is not None and end > start:
        yield Stretch(start, end, now)
