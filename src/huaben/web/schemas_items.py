"""What presets, personas, scripts and notes look like in requests and answers; apart because the other files
of their kind are full."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from huaben.domain.dressing import MAX_CHARS, MAX_DEPTH, MAX_INTERVAL
from huaben.domain.persona import MAX_CHARS as PERSONA_CHARS
from huaben.domain.persona import MAX_NAME
from huaben.web.bodies import Asked, Id, Text
from huaben.web.schemas import ImportReport, LibraryItem, Told

Role = Literal["system", "user", "assistant"]
Place = Literal["in_prompt", "note_top", "note_bottom", "at_depth", "none"]
NotePlace = Literal["in_chat", "after_main", "before_main"]
Depth = Annotated[int, Field(ge=0, le=MAX_DEPTH)]


class ItemEntry(LibraryItem):
    """An item with its import report. `content` is its JSON, unknown fields included; send
    `revision` back to change it."""

    revision: int
    report: ImportReport
    content: dict[str, JsonValue]


class ItemVersionTold(Told):
    version: int
    name: str
    content: dict[str, JsonValue]


# ---- presets -----------------------------------------------------------------------------------


class PresetPromptTold(Told):
    """A prompt at its place. `marker` ones are slots; `depth` is there for those inside the chat."""

    identifier: str
    name: str
    role: Role
    enabled: bool
    marker: bool
    in_chat: bool
    depth: int | None
    chars: int


class PresetEntry(ItemEntry):
    """`played` is false for a template that is only kept. `connection_fields` names what the file said
    of a connection: shown, never applied, never exported."""

    form: str
    played: bool
    prompts: list[PresetPromptTold]
    sampling: dict[str, JsonValue]
    not_applied: list[str]
    connection_fields: list[str]


class PresetChanged(Asked):
    """`revision` is the one that was seen; what is not named stays as it is."""

    revision: int = Field(ge=0)
    name: Text | None = Field(default=None, max_length=200)
    content: dict[str, JsonValue] | None = None


# ---- personas ----------------------------------------------------------------------------------


class LinkGiven(Asked):
    kind: Literal["character", "group", "project"]
    id: Id


class PersonaKept(Asked):
    """A persona of the library. `place` says where its description stands; `lorebook` is the name of
    one that goes with it."""

    name: Text = Field(min_length=1, max_length=MAX_NAME)
    description: Text = Field(default="", max_length=PERSONA_CHARS)
    title: Text = Field(default="", max_length=MAX_NAME)
    place: Place = "in_prompt"
    depth: Depth = 2
    role: Role = "system"
    lorebook: Text = Field(default="", max_length=500)
    links: list[LinkGiven] = Field(default_factory=list[LinkGiven], max_length=1000)
    avatar: Text = Field(default="", max_length=500)
    default: bool = False


class PersonaReplaced(PersonaKept):
    revision: int = Field(ge=0)


class LinkTold(Told):
    kind: str
    id: str


class PersonaItem(LibraryItem):
    """`picture` is the address of its picture made small; null where it has none."""

    description: str
    title: str
    place: Place
    depth: int
    role: Role
    lorebook: str
    links: list[LinkTold]
    avatar: str
    picture: str | None
    default: bool
    revision: int


# ---- scripts -----------------------------------------------------------------------------------


class ScriptTold(Told):
    """One script: where and when it acts. With neither `display` nor `prompt` it changes what is
    stored. `unsupported` says why it cannot run, where it cannot."""

    name: str
    pattern: str
    flags: str
    replacement: str
    placements: list[str]
    display: bool
    prompt: bool
    disabled: bool
    run_on_edit: bool
    min_depth: int | None
    max_depth: int | None
    unsupported: str | None


class ScriptSetTold(Told):
    """The scripts of a file (`global`), a preset or a card. `waiting` ones run once their `digest` has
    been consented to; `off` ones were switched off."""

    scope: Literal["global", "preset", "card"]
    owner: str
    name: str
    state: Literal["running", "waiting", "off"]
    digest: str
    revision: int
    scripts: list[ScriptTold]


class ScriptSets(Told):
    items: list[ScriptSetTold]


class ConsentGiven(Asked):
    """`digest` is that of the scripts that were seen; null takes the word back."""

    digest: str | None = Field(max_length=100)


class SwitchGiven(Asked):
    """`revision` is the one that was seen."""

    on: bool
    revision: int = Field(ge=0)


class Sample(Asked):
    """A text to try scripts on."""

    text: Text = Field(max_length=200_000)
    placement: Literal["user", "reply", "lore"] = "reply"
    moment: Literal["stored", "display", "prompt"] = "display"


class SampleTold(Told):
    text: str
    changed: list[str]
    off: list[dict[str, str]]


# ---- what a story wears ------------------------------------------------------------------------


class NoteGiven(Asked):
    """`revision` is the one that was seen; an empty text takes the note away. It is due with every
    `interval`-th message of the user's, never with 0."""

    text: Text = Field(max_length=MAX_CHARS)
    interval: Annotated[int, Field(ge=0, le=MAX_INTERVAL)] = 1
    depth: Depth = 4
    place: NotePlace = "in_chat"
    role: Role = "system"
    revision: int = Field(ge=0)


class NoteTold(Told):
    text: str
    interval: int
    depth: int
    place: NotePlace
    role: Role
    revision: int


class DressingGiven(Asked):
    """What is not named stays as it is; null takes it off."""

    preset_id: Id | None = None
    persona_id: Id | None = None
    revision: int = Field(ge=0)


class DressingTold(Told):
    """`lorebook` is the id of one that came along with the persona, `lorebook_missing` the name of one
    that is not in the library."""

    preset_id: str | None
    persona_id: str | None
    revision: int
    lorebook: str | None = None
    lorebook_missing: str | None = None
