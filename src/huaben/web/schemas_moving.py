"""What moving in asks and answers; apart from `schemas` by its size."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from huaben.services.moving_plan import MoveKind, Reason
from huaben.web.schemas import ImportReport, PageOf, Told

FolderPath = Annotated[str, Field(min_length=1, max_length=4096)]


class LookAt(BaseModel):
    """A folder of the machine that the program runs on."""

    model_config = ConfigDict(extra="forbid")

    path: FolderPath


class MoveIn(LookAt):
    """What is to move; without `kinds` all that is known."""

    kinds: list[MoveKind] | None = None


class MovePart(Told):
    """What is there of one kind, `size` in bytes."""

    kind: MoveKind
    files: int
    size: int


class MoveLeft(Told):
    """What stays behind of one folder, or one file, and why."""

    place: str
    reason: Reason
    files: int
    size: int


class MoveSurvey(Told):
    """What is in a folder; `links` leave it, or lead to folders, and are not followed."""

    root: str
    parts: list[MovePart]
    left: list[MoveLeft]
    links: list[str]


class MoveTold(Told):
    """A move."""

    id: str
    state: Literal["waiting", "running", "done", "failed"]
    outcome: str
    made_at: str
    done: int
    total: int


class MoveItem(Told):
    """What became of the file at `place`; as of an import's, of all kinds."""

    n: int
    place: str
    fate: Literal["imported", "already", "refused"]
    kind: str | None
    id: str | None
    name: str | None
    code: str | None
    message: str | None
    report: ImportReport | None


class MoveShown(MoveTold, PageOf[MoveItem]):
    """A move with the files that have met their fate so far, counted and page by page."""

    imported: int
    already: int
    refused: int
