"""What cards and the entries of lorebooks look like in requests and answers; apart because the other files of
their kind are full."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from huaben.web.bodies import Asked, Text
from huaben.web.schemas import LibraryEntry, LibraryItem, Told

Line = Annotated[Text, Field(max_length=1000)]
Long = Annotated[Text, Field(max_length=1_000_000)]


class CardItem(LibraryItem):
    """A card as the shelf shows it."""

    tags: list[str]
    favourite: bool


class CardFields(Told):
    """What a card says, as it is played. `greetings` in order, the first message first; `own_entries`
    counts the entries of its own lorebook. Nothing of it is markup to be obeyed."""

    name: str
    nickname: str
    description: str
    personality: str
    scenario: str
    example: str
    creator: str
    creator_notes: str
    version: str
    system_prompt: str
    post_history: str
    greetings: list[str]
    own_entries: int


class CardEntry(LibraryEntry):
    """A card with its import report and its JSON; `fields` is null where it cannot be read. Send
    `revision` back to change it. A `past` one is a version that another took the place of."""

    tags: list[str]
    favourite: bool
    fields: CardFields | None
    revision: int
    past: bool


class CardWritten(Asked):
    """`revision` is the one that was seen. `content` is the whole JSON of the card; of the fields
    what is not named stays as it is. `greetings`: the first message, then its alternates."""

    revision: int = Field(ge=0)
    content: dict[str, JsonValue] | None = None
    name: Line | None = None
    nickname: Line | None = None
    description: Long | None = None
    personality: Long | None = None
    scenario: Long | None = None
    example: Long | None = None
    creator_notes: Long | None = None
    system_prompt: Long | None = None
    post_history: Long | None = None
    greetings: list[Long] | None = Field(default=None, min_length=1, max_length=500)
    tags: list[Line] | None = Field(default=None, max_length=500)


class CardVersion(Told):
    id: str
    name: str
    created_at: str
    revision: int


class TagTold(Told):
    tag: str
    cards: int


class TagsTold(Told):
    items: list[TagTold]


class FavouriteGiven(Asked):
    on: bool


Sort = Literal["newest", "name"]
MAX_WORDS = 200
