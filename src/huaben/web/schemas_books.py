"""What lorebooks and their entries look like in requests and answers, read and written; apart because an entry
has more fields than all else together."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from huaben.web.bodies import Asked, Id, Text
from huaben.web.schemas import LibraryEntry, Told

Line = Annotated[Text, Field(max_length=2000)]
Words = Annotated[list[Line], Field(max_length=1000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Percent = Annotated[float, Field(ge=0, le=100)]
Weight = Annotated[float, Field(ge=-1e9, le=1e9)]
Uid = Annotated[int, Field(ge=0, le=2**53)]


class FilterTold(Told):
    """Whose turns an entry belongs to: file names of pictures without ending, or names."""

    isExclude: bool  # noqa: N815 - as the files have it
    names: list[str]
    tags: list[str]


class EntryTold(Told):
    """An entry of a lorebook. `uid` is its number in the book; the numbers of `logic`, `position` and
    `role` as SillyTavern writes them. Null means: as the settings say, or none. A `resident` one lives
    in the system text."""

    uid: int
    title: str
    keys: list[str]
    secondary: list[str]
    required: list[str]
    forbidden: list[str]
    logic: int
    selective: bool
    content: str
    enabled: bool
    constant: bool
    vectorized: bool
    order: float
    priority: float | None
    position: int
    depth: int
    role: int
    outlet: str
    probability: float
    use_probability: bool
    ignore_budget: bool
    scan_depth: int | None
    case_sensitive: bool | None
    whole_words: bool | None
    wildcards: bool
    group: list[str]
    group_override: bool
    group_weight: float
    group_scoring: bool | None
    exclude_recursion: bool
    prevent_recursion: bool
    delay_until_recursion: int
    match_persona: bool
    match_description: bool
    match_personality: bool
    match_depth_prompt: bool
    match_scenario: bool
    match_creator_notes: bool
    sticky: int
    cooldown: int
    delay: int
    triggers: list[str]
    filter: FilterTold
    automation_id: str
    display_index: int | None
    resident: bool


class EntriesTold(Told):
    """A page of the entries of a book, in its own order; `total` is that of the book. Send `revision`
    back to change it: that of the card, where the book is inside one. A `past` one is a version that
    another took the place of, `latest` the id of the newest."""

    name: str
    dialect: str
    scan_depth: int | None
    token_budget: int | None
    recursive: bool | None
    total: int
    items: list[EntryTold]
    next: int | None
    revision: int
    past: bool
    latest: str


class RawEntry(Told):
    """An entry as its file has it, unknown fields included."""

    content: dict[str, JsonValue]


class FilterGiven(Asked):
    isExclude: bool = False  # noqa: N815 - as the files have it
    names: Words = Field(default_factory=list[str])
    tags: Words = Field(default_factory=list[str])


class EntryGiven(Asked):
    """Fields as in `EntryTold`; what is not named is the template's, or stays as it is."""

    title: Line = ""
    keys: Words = Field(default_factory=list[str])
    secondary: Words = Field(default_factory=list[str])
    required: Words = Field(default_factory=list[str])
    forbidden: Words = Field(default_factory=list[str])
    logic: int = Field(default=0, ge=0, le=3)
    selective: bool = True
    content: Text = Field(default="", max_length=1_000_000)
    enabled: bool = True
    constant: bool = False
    vectorized: bool = False
    order: Weight = 100
    priority: Weight | None = None
    position: int = Field(default=0, ge=0, le=7)
    depth: Count = 4
    role: int = Field(default=0, ge=0, le=2)
    outlet: Line = ""
    probability: Percent = 100
    use_probability: bool = True
    ignore_budget: bool = False
    scan_depth: Count | None = None
    case_sensitive: bool | None = None
    whole_words: bool | None = None
    wildcards: bool = False
    group: Words = Field(default_factory=list[str])
    group_override: bool = False
    group_weight: float = Field(default=100, ge=0, le=1e9)
    group_scoring: bool | None = None
    exclude_recursion: bool = False
    prevent_recursion: bool = False
    delay_until_recursion: Count = 0
    match_persona: bool = False
    match_description: bool = False
    match_personality: bool = False
    match_depth_prompt: bool = False
    match_scenario: bool = False
    match_creator_notes: bool = False
    sticky: Count = 0
    cooldown: Count = 0
    delay: Count = 0
    triggers: Words = Field(default_factory=list[str])
    filter: FilterGiven = FilterGiven()
    automation_id: Line = ""
    display_index: Count | None = None


class EntryChanged(EntryGiven):
    uid: Uid


class EntryRewritten(Asked):
    """The whole JSON of an entry, in the dialect of its book."""

    uid: Uid
    content: dict[str, JsonValue]


class EntriesWritten(Asked):
    """`revision` is the one that was seen. `changed` names the fields that change, `rewritten` whole
    entries; `added` come behind all others."""

    revision: int = Field(ge=0)
    changed: list[EntryChanged] = Field(default_factory=list[EntryChanged], max_length=100_000)
    rewritten: list[EntryRewritten] = Field(default_factory=list[EntryRewritten], max_length=1000)
    added: list[EntryGiven] = Field(default_factory=list[EntryGiven], max_length=10_000)
    removed: list[Uid] = Field(default_factory=list[int], max_length=100_000)


class BookWritten(EntriesWritten):
    """The same of a lorebook of the library. `content` is its whole JSON, under all else."""

    name: Text | None = Field(default=None, min_length=1, max_length=500)
    content: dict[str, JsonValue] | None = None


class EntriesMoved(Asked):
    """`revision` and `to_revision` are those that were seen."""

    revision: int = Field(ge=0)
    uids: list[Uid] = Field(min_length=1, max_length=100_000)
    to: Id
    to_revision: int = Field(ge=0)


class BookEntry(LibraryEntry):
    """Send `revision` back to change it. A `past` one is a version that another took the place of."""

    revision: int
    past: bool


class BookPlace(Told):
    """A version of a lorebook, or of a card for the book inside it."""

    id: str
    name: str
    revision: int


class MovedTold(Told):
    source: BookPlace
    target: BookPlace


class BookVersion(BookPlace):
    created_at: str


class NewerVersionTold(Told):
    """`id` is the latest version of what a story has at `pinned`."""

    kind: Literal["card", "lorebook"]
    pinned: str
    id: str
    name: str


class NewerList(Told):
    items: list[NewerVersionTold]
