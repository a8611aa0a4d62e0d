"""What requests and answers about memory look like; apart from `schemas` by its size."""

from __future__ import annotations

from pydantic import Field

from huaben.domain.notes import NoteAuthor, NoteKind, NoteSource
from huaben.domain.remembering import SourceState
from huaben.web.bodies import Asked, Id, Text
from huaben.web.schemas import Told
from huaben.web.schemas_writing import WordSpanTold

MAX_TITLE = 1_000
MAX_TEXT = 100_000
"""The service says more exactly how long a note may be."""


# ---- asked -------------------------------------------------------------------------------------


class NoteWanted(Asked):
    """A note of your own. It is seen from the turn `at` on; without it, from where the story
    stands."""

    text: Text = Field(max_length=MAX_TEXT)
    title: Text = Field(default="", max_length=MAX_TITLE)
    at: Id | None = None


class NoteChanged(Asked):
    """What is not named stays as it is. `removed: false` brings a removed note back."""

    title: Text | None = Field(default=None, max_length=MAX_TITLE)
    text: Text | None = Field(default=None, max_length=MAX_TEXT)
    locked: bool | None = None
    removed: bool | None = None


class ProposalAnswered(Asked):
    """Whether the note becomes what is proposed, or stays as it is."""

    agree: bool


# ---- told --------------------------------------------------------------------------------------


class NoteTold(Told):
    """A version of a note. `turn` is the node that it belongs to and is seen from on, null where it is
    seen from everywhere; `project` is null for what belongs to a card alone."""

    id: str
    source: NoteSource
    kind: NoteKind
    title: str
    text: str
    author: NoteAuthor
    written_at: str
    turn: str | None
    project: str | None
    version: int
    locked: bool
    removed: bool


class NoteItem(NoteTold):
    """`score` is there in the answer to a question; it compares only within one."""

    score: float | None = None


class ProposalTold(Told):
    """What a model would make of a note and may not without you: it would leave less than half of it.
    `version` is the one to answer; `now` is the note as it is in force."""

    note: str
    version: int
    turn: str | None
    written_at: str
    title: str
    text: str
    now: NoteTold


class SourcesTold(Told):
    """How each source answers a turn: it does, the scenario has it switched off, there is none here
    (no card), or reading it failed."""

    diary: SourceState
    tables: SourceState
    store: SourceState
    card: SourceState


class MemoryTold(Told):
    """Notes as they are in force at the node `at`, the newest first or, for a question, the best
    first. `proposed` is told on the first page of a list."""

    at: str
    items: list[NoteItem]
    next: str | None
    sources: SourcesTold
    proposed: list[ProposalTold]


class NoteHeld(NoteTold):
    """A note with what is proposed of it. The `ETag` is its version: send it back as `If-Match`."""

    proposed: ProposalTold | None


class NoteVersionTold(NoteTold):
    """`base` is the version that it was made from, 0 for none; `spans` lead from the text of that one to
    this. `on_branch`: it is seen from where it was looked. `proposed`: it waits for your answer, or
    waited in vain."""

    base: int
    proposed: bool
    on_branch: bool
    spans: list[WordSpanTold] | None
