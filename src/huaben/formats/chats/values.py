"""What a chat is once it is read, whatever program wrote it; apart so that readers, writers and the staging
of turns share the words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.report import Findings, Report

Dialect: TypeAlias = Literal[
    "sillytavern",
    "cai_tools",
    "ooba",
    "agnai",
    "risu",
    "kobold_lite",
    "kobold_united",
    "novelai",
    "ai_dungeon",
    "llamacpp",
    "librechat",
    "open_webui",
    "chatgpt",
    "plain_text",
    "huaben",
]
"""Which program a chat came from. `sillytavern` is every file of its lines: Chub's, CAI Tools' too."""

Role: TypeAlias = Literal["user", "assistant", "system"]

RefusalCode: TypeAlias = Literal[
    "not_a_chat", "corrupt", "too_deep", "too_large", "unsupported", "encrypted_archive"
]

MAX_BYTES = 256 * 1024 * 1024
MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_JSON_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a file is not taken as a chat; `detail` is a technical fact in English."""

    code: RefusalCode
    detail: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as a file has it: `raw` always, `at` (ISO-8601 UTC, empty where it cannot be told).

    A date that was written without its zone has `zoned` false, and `at` reads it as UTC: right to
    within a day, for showing alone.
    """

    raw: Json
    at: str = ""
    zoned: bool = True


def _nothing() -> JsonObject:
    return {}


@dataclass(frozen=True, slots=True)
class Variant:
    """One telling of a message. `written` is its text as the file has it, where that is not `text`
    (thought within the text); `info` is what the file keeps of this telling alone."""

    text: str
    reasoning: str = ""
    model: str = ""
    moment: Moment | None = None
    written: str | None = None
    info: JsonObject = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Message:
    """One message, with at least one variant, of which `active` is in force.

    `parent` is the entry that it follows, None at a beginning. `hidden` is seen and never sent.
    `place` orders the entries of a chat: the number of the line in a file of lines, else their count,
    from 1; 0 for what no file holds. `raw` is the message as the file has it, empty where none does.
    """

    id: str
    parent: str | None
    role: Role
    name: str
    variants: tuple[Variant, ...]
    active: int = 0
    hidden: bool = False
    place: int = 0
    raw: JsonObject = field(default_factory=_nothing)

    @property
    def variant(self) -> Variant:
        return self.variants[self.active]

    @property
    def text(self) -> str:
        return self.variant.text


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A part of the file that is no message: kept in its place as it stands, never thrown away.

    `content` are its bytes without the line's end, `code` and `detail` say what is wrong with it.
    """

    id: str
    parent: str | None
    place: int
    content: bytes
    code: str
    detail: str


Entry: TypeAlias = Message | Quarantined


class Entries(Protocol):
    """The entries of a chat in their order, parents before children; may be read more than once."""

    def read(self, findings: Findings) -> Iterator[Entry]:
        """Each entry as soon as it is read; what there is to say of it goes to `findings`."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """Entries that were read already, with what was found on the way."""

    entries: tuple[Entry, ...]

    def read(self, findings: Findings) -> Iterator[Entry]:
        """The entries; there is nothing more to find."""
        del findings
        return iter(self.entries)


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat. `header` is all that the file says beside the messages, `headed` tells that it says it
    in a line of its own. `user` and `character` are the names that the file gives, empty where it
    gives none. `stands` is the message at which the story stands, None for the last one."""

    dialect: Dialect
    entries: Entries
    title: str = ""
    header: JsonObject = field(default_factory=_nothing)
    headed: bool = False
    user: str = ""
    character: str = ""
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class ChatFile:
    """The chats of one file, at least one, and what opening it decided."""

    chats: tuple[Chat, ...]
    report: Report
