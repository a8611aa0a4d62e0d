"""The amendments of a story as the API tells them; apart because the other bodies fill their file."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class FieldAmended(BaseModel):
    """A field of the card as it read and as it is to read."""

    field: Literal["description", "personality", "scenario", "mes_example", "system_prompt"]
    old: str
    new: str


class EntryAdded(BaseModel):
    """A lore entry that is added; without keys it is always in force."""

    title: str
    content: str
    keys: list[str]


class AmendmentTold(BaseModel):
    """A lasting change that was ordered in `turn`: `working` while it is being worked out, `proposed` waits for the reader's word, `applied` holds
    for all turns that begin from now on; `code` and `message` say why one `failed`."""

    turn: str
    request: str
    state: Literal["working", "proposed", "applied", "refused", "undone", "failed"]
    summary: str
    card: list[FieldAmended]
    lore: list[EntryAdded]
    style: list[str]
    code: str
    message: str


class AmendmentsTold(BaseModel):
    """All amendments of a story, in the order in which they came."""

    items: list[AmendmentTold]
