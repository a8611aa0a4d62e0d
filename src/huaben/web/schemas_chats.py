"""What imported chats look like in answers; apart from `schemas` by its size."""

from __future__ import annotations

from typing import Literal

from huaben.formats.chats.values import Dialect
from huaben.web.schemas import ImportReport, Told


class Spoken(Told):
    """A message of an old chat."""

    name: str
    role: Literal["user", "assistant"]
    text: str


class ChatTold(Told):
    """A chat that was brought into a project by the background job `n` of the project's chats, and how
    far that has come. `outcome` is empty until it is over. `quarantined` lines could not be read: they
    stand in the story as turns with that code, and leave with it again. `speakers` counts replies. `end` are the last messages of a long
    chat, to be read while its turns are still on their way; of a longer message its last part."""

    n: int
    state: Literal["waiting", "running", "done", "failed"]
    outcome: str
    made_at: str
    done: int
    total: int
    title: str
    file: str
    dialect: Dialect
    user: str
    character: str
    speakers: dict[str, int]
    messages: int
    variants: int
    hidden: int
    quarantined: int
    turns: int
    report: ImportReport
    end: list[Spoken]


class ChatBegun(ChatTold):
    """A chat on its way into a project. `founded`: the project was made for it. `already`: the same
    bytes were there before, and nothing was added."""

    project: str
    founded: bool
    already: bool


class ChatsBegun(Told):
    """All chats of a file."""

    items: list[ChatBegun]


class ChatsTold(Told):
    """The chats of a project in the order in which they came."""

    items: list[ChatTold]
