"""What cards and the entries of lorebooks look like in requests and answers; apart because the other files of
their kind are full."""

from __future__ import annotations

from typing import Literal

from huaben.web.bodies import Asked
from huaben.web.schemas import LibraryEntry, LibraryItem, Told


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
    """A card with its import report and its JSON; `fields` is null where it cannot be read."""

    tags: list[str]
    favourite: bool
    fields: CardFields | None


class TagTold(Told):
    tag: str
    cards: int


class TagsTold(Told):
    items: list[TagTold]


class FavouriteGiven(Asked):
    on: bool


class EntryTold(Told):
    """An entry of a lorebook. `uid` is its number in the book; `order`, `position`, `logic` and the
    rest as its program means them, the numbers as SillyTavern writes them."""

    uid: int
    title: str
    keys: list[str]
    secondary: list[str]
    logic: int
    content: str
    enabled: bool
    constant: bool
    order: float
    position: int
    depth: int
    probability: float
    scan_depth: int | None
    case_sensitive: bool | None
    whole_words: bool | None
    group: list[str]
    sticky: int
    cooldown: int
    delay: int
    resident: bool


class EntriesTold(Told):
    """A page of the entries of a book, in its own order; `total` is that of the book."""

    name: str
    dialect: str
    scan_depth: int | None
    token_budget: int | None
    recursive: bool | None
    total: int
    items: list[EntryTold]
    next: int | None


Sort = Literal["newest", "name"]
MAX_WORDS = 200
