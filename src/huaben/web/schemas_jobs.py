"""What imports, jobs and the trash look like in answers; apart from `schemas` by its size."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from huaben.web.bodies import Asked
from huaben.web.schemas import ImportReport, PageOf, Told


class JobTold(Told):
    """A background job. `outcome` is empty until it is over, and then its own word or
    `failed: code: message`; `done` counts its parts, `total` is there where their number is known."""

    id: str
    kind: str
    state: Literal["waiting", "running", "done", "failed"]
    outcome: str
    made_at: str
    done: int
    total: int | None


class ImportTold(Told):
    """An import of many files."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    outcome: str
    made_at: str
    done: int
    total: int


class ImportItem(Told):
    """What became of one file: `imported`, `already` there by its bytes, or `refused` for the reason
    in `code` and `message`. `kind`, `id` and `name` are those of what it held, of a chat the `id` of
    its project, whose turns come in a job of their own; the lists of `report` are cut at 50 notes."""

    n: int
    file: str
    fate: Literal["imported", "already", "refused"]
    kind: str | None
    id: str | None
    name: str | None
    code: str | None
    message: str | None
    report: ImportReport | None


class ImportShown(ImportTold, PageOf[ImportItem]):
    """An import with the files that have met their fate so far, counted and page by page."""

    imported: int
    already: int
    refused: int


TrashedKind: TypeAlias = Literal[
    "card", "lorebook", "project", "save", "preset", "persona", "scripts", "quick_replies"
]


class TrashContents(Told):
    """What goes with a project."""

    turns: int
    saves: int


class EmptyWanted(Asked):
    """`seen` is the `deleted_at` of the latest thing that was seen: what was deleted since stays."""

    seen: str = Field(min_length=1, max_length=40)


class Emptied(Told):
    gone: int


class TrashItem(Told):
    """A thing in the trash; after `until` it goes for good."""

    kind: TrashedKind
    id: str
    name: str
    deleted_at: str
    until: str


class Restored(Told):
    """A thing that is back in its place."""

    kind: TrashedKind
    id: str
    name: str
