"""Lorebooks as values: what an entry says and when it may speak.

Separate from activation, so that formats, services and the page can hold a book without the
rules that choose from it.
"""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject

BookDialect: TypeAlias = Literal[
    "sillytavern",
    "character_book",
    "lorebook_v3",
    "novelai",
    "agnai",
    "risu",
    "kobold_lite",
    "kobold_united",
    "ai_dungeon",
]
"""Which program's file a book came from; decides how it is written back."""


class Logic(IntEnum):
    """How secondary keys narrow the primary ones; numbers as in SillyTavern's files."""

    AND_ANY = 0
    NOT_ALL = 1
    NOT_ANY = 2
    AND_ALL = 3


class Position(IntEnum):
    """Where a chosen entry is placed; numbers as in SillyTavern's files."""

    BEFORE_CHAR = 0
    AFTER_CHAR = 1
    NOTE_TOP = 2
    NOTE_BOTTOM = 3
    AT_DEPTH = 4
    EXAMPLES_TOP = 5
    EXAMPLES_BOTTOM = 6
    OUTLET = 7


class Role(IntEnum):
    """Who speaks an entry placed at a depth; numbers as in SillyTavern's files."""

    SYSTEM = 0
    USER = 1
    ASSISTANT = 2


class Trigger(StrEnum):
    """The kinds of generation that an entry may be limited to."""

    NORMAL = "normal"
    CONTINUE = "continue"
    IMPERSONATE = "impersonate"
    SWIPE = "swipe"
    REGENERATE = "regenerate"
    QUIET = "quiet"


class Place(StrEnum):
    """Where a book hangs; the same book in two places is read once (formats §2.3)."""

    CHAT = "chat"
    PERSONA = "persona"
    CHARACTER = "character"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class Group:
    """Membership in inclusion groups: of each group one member at most is chosen.

    `weight` is a share, not a percentage; `scoring` of None follows the settings.
    """

    names: tuple[str, ...] = ()
    prioritised: bool = False
    weight: float = 100
    scoring: bool | None = None


@dataclass(frozen=True, slots=True)
class Recursion:
    """How an entry takes part in recursion; `delay_level` 0 means no delay."""

    excluded: bool = False
    prevents: bool = False
    delay_level: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """How long an entry stays, rests and waits, in messages; 0 means not at all."""

    sticky: int = 0
    cooldown: int = 0
    delay: int = 0


@dataclass(frozen=True, slots=True)
class Sources:
    """Which texts beside the chat an entry's keys are looked for in."""

    persona: bool = False
    description: bool = False
    personality: bool = False
    depth_prompt: bool = False
    scenario: bool = False
    creator_notes: bool = False


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """Whose turns an entry belongs to.

    `names` are file names of avatars without their ending, as in SillyTavern, or display names.
    """

    exclude: bool = False
    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One piece of keyed background knowledge.

    A setting of None follows the settings of the evaluation. `probability` is a percentage,
    `depth` and `scan_depth` count messages. A larger `order` comes later in the prompt and is
    considered earlier for the budget. `required` keys must all be found and `forbidden` ones not,
    beside what `secondary` asks (SillyTavern has neither). `wildcards` lets `*` and `?` stand in keys.
    `raw` is the entry as its file had it, `slot` its key or index there (None for a new one) and
    `dialect` that file's; they exist so that writing loses nothing. Source: formats §2.1.
    """

    uid: int
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    title: str = ""
    content: str = ""
    constant: bool = False
    selective: bool = True
    logic: Logic = Logic.AND_ANY
    order: float = 100
    position: Position = Position.BEFORE_CHAR
    enabled: bool = True
    depth: int = 4
    role: Role = Role.SYSTEM
    outlet: str = ""
    probability: float = 100
    use_probability: bool = True
    ignore_budget: bool = False
    group: Group = Group()
    recursion: Recursion = Recursion()
    timing: Timing = Timing()
    sources: Sources = Sources()
    scan_depth: int | None = None
    case_sensitive: bool | None = None
    whole_words: bool | None = None
    triggers: tuple[str, ...] = ()
    filter: CharacterFilter = CharacterFilter()
    vectorized: bool = False
    automation_id: str = ""
    display_index: int | None = None
    priority: float | None = None
    wildcards: bool = False
    raw: JsonObject = field(default_factory=dict[str, Json], hash=False)
    slot: str | None = None
    dialect: BookDialect = "sillytavern"

    @property
    def resident(self) -> bool:
        """Whether the entry can live in the system prefix: always on, and on nothing else."""
        certain = not self.use_probability or self.probability >= 100
        return (
            self.enabled
            and self.constant
            and certain
            and self.timing == Timing()
            and not self.group.names
            and not self.triggers
            and self.filter == CharacterFilter()
            and self.recursion.delay_level == 0
            # A decorator may bind it to a place or a time.
            and not self.content.lstrip().startswith("@@")
        )


@dataclass(frozen=True, slots=True)
class Book:
    """A named set of entries, in the order its own program reads them.

    `exact` asks for SillyTavern's matching instead of the corrected one. `owner` is the character
    a character book belongs to. `scan_depth` (messages), `token_budget` (tokens) and `recursive`
    are the book's own limits, None when it sets none. `raw` is the whole file, entries included,
    and `indent` how it was laid out (None: on one line).
    """

    name: str
    entries: tuple[Entry, ...] = ()
    raw: JsonObject = field(default_factory=dict[str, Json], hash=False)
    dialect: BookDialect = "sillytavern"
    exact: bool = False
    place: Place = Place.GLOBAL
    owner: str = ""
    id: str = ""
    description: str = ""
    scan_depth: int | None = None
    token_budget: int | None = None
    recursive: bool | None = None
    indent: int | None = 4

    @property
    def identity(self) -> str:
        """What names this book from turn to turn: its id, else its name."""
        return self.id or self.name


DEFAULT_ENTRY: Final = Entry(uid=0)
"""The template of a new entry (SillyTavern 1.18.0)."""
