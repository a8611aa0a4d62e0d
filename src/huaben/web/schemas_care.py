"""What answers about after-edit care and the continuity check look like, and what their requests may hold; apart
from `schemas` because each room of the interface is read alone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from huaben.web.bodies import Asked, Id, Text
from huaben.web.schemas import Told


class DoubtTold(Told):
    """A fact to be checked: its dotted path in the ledger, and the words that it rests on, which stand no more
    in their chapter."""

    path: str
    chapter: str
    quotation: str


class DoubtedNoteTold(Told):
    """A note of a passage that stands in no chapter any more."""

    id: str
    title: str
    chapter: str


class CareTold(Told):
    """How the ledger stands to the chapters at the head. It was read up to `checkpoint` (null: not at all);
    `reading`: a job is due. `unread` chapters, or the ends of them, were not read, `changed` ones have changed
    since. `restored`: an earlier text was brought back since. `may_differ`: the ledger may not be what the text
    says. `facts` and `notes` are to be checked; they stay as they are until the user says something."""

    checkpoint: str | None
    reading: bool
    unread: list[str]
    changed: list[str]
    restored: bool
    may_differ: bool
    facts: list[DoubtTold]
    notes: list[DoubtedNoteTold]


class CareWanted(Asked):
    """Chapters that the scribe is to read whole; none: all that were not read or have changed since."""

    chapters: list[Text] = Field(default_factory=list, max_length=10_000)


class HoldWanted(Asked):
    """Dotted paths of facts, and ids of notes, that hold whatever the chapters say."""

    facts: list[Text] = Field(default_factory=list, max_length=1000)
    notes: list[Id] = Field(default_factory=list, max_length=1000)


class JobBegun(Told):
    job: str


class SpotTold(Told):
    """Where words stand in a chapter as it is now, in UTF-16 units, the end exclusive."""

    chapter: str
    start: int
    end: int


class FindingTold(Told):
    """A conflict that an expert reports. `quote` stands in `chapter`, `against` in `against_chapter` or, where
    that is empty, in the ledger; `at` and `against_at` are null where the words stand no more. `advisory`: no
    words of the text bear it out."""

    number: int
    expert: str
    text: str
    quote: str
    chapter: str
    against: str
    against_chapter: str
    advisory: bool
    state: Literal["open", "accepted", "dismissed"]
    at: SpotTold | None
    against_at: SpotTold | None


class ContinuityTold(Told):
    """The newest check as seen from the head. The next one begins from checkpoint `since` (null: from the
    beginning). It looked at the changes of `chapters`; `left_out` ones were too many; `failed` names experts
    that gave no answer, with a code."""

    state: Literal["none", "running", "done", "failed"]
    message: str
    since: str | None
    checkpoint: str | None
    chapters: list[str]
    left_out: list[str]
    failed: list[str]
    findings: list[FindingTold]


class CheckWanted(Asked):
    """Which chapters to check, whole; none: what changed since the checkpoint `since`, without one since the
    last check."""

    chapters: list[Text] = Field(default_factory=list, max_length=10_000)
    since: Id | None = None


class FindingSettled(Asked):
    state: Literal["open", "accepted", "dismissed"]
