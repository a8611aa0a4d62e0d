"""What answers about manuscripts and differences look like; apart from `schemas` because each room of the
interface is read alone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from huaben.web.schemas import ImportReport, PageOf, Told


class WordSpanTold(Told):
    """A stretch that both texts have (`kept`) or only one of them. `from` and `to` are its start and end
    in each, in UTF-16 units, the end exclusive; in a text that does not have it the two are equal."""

    kind: Literal["kept", "deleted", "inserted"]
    in_old: tuple[int, int] = Field(alias="from")
    in_new: tuple[int, int] = Field(alias="to")


class ComparedText(Told):
    ref: str
    text: str


class FileDiffTold(Told):
    """A file that differs between two checkpoints. `was` is its name in the first (null: it is new), `name`
    in the second (null: it is gone); spans are null for what is no text."""

    was: str | None
    name: str | None
    old: str | None = Field(alias="from")
    new: str | None = Field(alias="to")
    spans: list[WordSpanTold] | None


class DiffTold(Told):
    """Two texts, and spans that cover both in order; of two checkpoints each file that differs."""

    old: ComparedText = Field(alias="from")
    new: ComparedText = Field(alias="to")
    spans: list[WordSpanTold]
    files: list[FileDiffTold] | None = None


class ChapterItem(Told):
    """`title` is the name without number and ending. `chars` counts characters (code points) and is null
    for bytes that are not UTF-8."""

    name: str
    title: str
    hash: str
    bytes: int
    chars: int | None
    changed_at: str


class LeftOutTold(Told):
    name: str
    reason: Literal["symlink", "folder", "special", "too_large"]


class ChapterList(Told):
    """All chapters in order, Markdown files of the folder that are none, and the latest checkpoint."""

    items: list[ChapterItem]
    left_out: list[LeftOutTold]
    checkpoint: str | None


class ChapterTold(Told):
    """A chapter. Its `ETag` is the hash: send it back as `If-Match` to change it."""

    name: str
    text: str
    hash: str


class HandTold(Told):
    """A stretch that one author wrote; `start` and `end` are UTF-16 units, `end` exclusive."""

    start: int
    end: int
    author: Literal["agent", "user"]


class HandsTold(Told):
    """Who wrote what of the chapter whose text has this hash; the stretches cover it."""

    hash: str
    stretches: list[HandTold]


class ChangedTold(Told):
    """`renamed` are pairs of the old and the new name."""

    added: list[str]
    modified: list[str]
    renamed: list[tuple[str, str]]
    removed: list[str]


class CheckpointTold(Told):
    """A state of the manuscript. `files` are SHA-256 hashes by file name. `turn` made it, or nobody but the
    user; `message` are the user's words of that turn; `aborted`: the turn was stopped or failed. `cause`
    is what made it: `found` is an edit that was found on the disk, `moved` an undo or redo; null where it
    was not written down."""

    id: str
    number: int
    time: str
    author: Literal["agent", "user"]
    turn: str | None
    message: str
    aborted: bool
    restored_from: str | None
    cause: (
        Literal[
            "turn", "saved", "found", "imported", "replaced", "restored", "moved", "asked", "begun"
        ]
        | None
    )
    name: str
    files: dict[str, str]
    changed: ChangedTold


class Restored(Told):
    """The checkpoint that holds the manuscript as it is now, where the discussion stands, and words that go
    back to the box."""

    checkpoint: CheckpointTold | None
    head: str
    text: str


class Comparison(Told):
    """What leads from one checkpoint to the other."""

    old: str = Field(alias="from")
    new: str = Field(alias="to")
    changed: ChangedTold


class CheckpointPage(PageOf[CheckpointTold]):
    """One page of the timeline, newest first."""


class PlaceTold(Told):
    """`start` and `end` are UTF-16 units of the chapter; `before` and `after` are an excerpt of the line, in
    which the place begins at `at`; `put` is what comes there."""

    line: int
    start: int
    end: int
    before: str
    after: str
    at: int
    put: str


class ReplaceFile(Told):
    """A chapter that holds the words: `count` places, the first of them one by one. Send `hash` back to have
    them replaced."""

    name: str
    hash: str
    count: int
    places: list[PlaceTold]


class Replacing(Told):
    """What would be replaced, or was: then `checkpoint` holds it."""

    files: list[ReplaceFile]
    count: int
    checkpoint: str | None


class ChaptersImported(Told):
    """The chapters that an import made, and what it did to the files."""

    names: list[str]
    checkpoint: str
    report: ImportReport
