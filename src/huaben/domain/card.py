"""The character card, versions 1 to 3 as one value; apart from formats because play reads it, not files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject

Spec: TypeAlias = Literal["v1", "v2", "v3"]
CardRole: TypeAlias = Literal["system", "user", "assistant"]

DEFAULT_NOTE_DEPTH = 4
DEFAULT_TALKATIVENESS = 0.5
PRIVATE_KEYS = ("fav", "chat")

_ROLES: tuple[CardRole, ...] = ("system", "user", "assistant")
_EXAMPLE_START = re.compile("<START>", re.IGNORECASE)
_NUMBER = re.compile(r"\s*[-+]?\d{1,15}(\.\d{1,15})?\s*")


def _no_json() -> JsonObject:
    return {}


@dataclass(frozen=True, slots=True)
class DepthPrompt:
    """The character's note: text put `depth` messages before the end of the history (0 = after the last)."""

    prompt: str
    depth: int = DEFAULT_NOTE_DEPTH
    role: CardRole = "system"


@dataclass(frozen=True, slots=True)
class Asset:
    """One declared asset (card V3). `kind` is the JSON field `type`; `extra` holds unknown fields.

    Kinds of the specification: icon, background, user_icon, emotion; others start with `x_`. `ext` is
    lower case without a dot, `unknown` when it is not known. `uri` is `ccdefault:`, `embeded://path`
    (spelled so), `__asset:path`, an http address or a data URI; nothing is ever fetched for it.
    """

    kind: str
    uri: str
    name: str = "main"
    ext: str = "unknown"
    extra: Mapping[str, Json] = field(default_factory=_no_json)


DEFAULT_ASSET = Asset("icon", "ccdefault:", "main", "png")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A character card: its fields as the program reads them, and the JSON they came from.

    Texts are kept as typed, macros included. `raw` is the whole original object except the private
    fields named in `PRIVATE_KEYS`; a card made here has an empty one. A field that still equals what
    `raw` says is exported as `raw` has it, so change a card with `dataclasses.replace` and leave `raw`
    alone. Dates are seconds since 1970 UTC, 0 = unknown. JSON values are shared with `raw`: read only.
    """

    name: str
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_mes: str = ""
    mes_example: str = ""
    creator_notes: str = ""
    creator_notes_multilingual: Mapping[str, str] = field(default_factory=dict[str, str])
    system_prompt: str = ""
    post_history_instructions: str = ""
    alternate_greetings: tuple[str, ...] = ()
    group_only_greetings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    creator: str = ""
    character_version: str = ""
    assets: tuple[Asset, ...] = ()
    source: tuple[str, ...] = ()
    creation_date: int = 0
    modification_date: int = 0
    book: Mapping[str, Json] | None = None
    extensions: Mapping[str, Json] = field(default_factory=_no_json)
    spec: Spec = "v2"
    raw: Mapping[str, Json] = field(default_factory=_no_json)

    @property
    def called(self) -> str:
        """What `{{char}}` stands for: the nickname if there is one, else the name."""
        return self.nickname or self.name

    @property
    def greetings(self) -> tuple[str, ...]:
        """The first message and its alternates, in order; an empty first message is still the first."""
        return (self.first_mes, *self.alternate_greetings)

    @property
    def example_blocks(self) -> tuple[str, ...]:
        """`mes_example` split at `<START>` in any case; a field of only `<START>` has no blocks."""
        blocks = (block.strip() for block in _EXAMPLE_START.split(self.mes_example))
        return tuple(block for block in blocks if block)

    @property
    def depth_prompt(self) -> DepthPrompt | None:
        """The character's note of `extensions.depth_prompt`, normalised; None without text."""
        return depth_prompt_of(self.extensions)

    @property
    def talkativeness(self) -> float:
        """How readily the character speaks up in a group, 0 to 1; 0.5 when not said."""
        found = number_of(self.extensions.get("talkativeness"))
        return DEFAULT_TALKATIVENESS if found is None else min(1.0, max(0.0, found))

    @property
    def linked_world(self) -> str:
        """Name of the lorebook file the card was linked to in its former home; "" when none."""
        world = self.extensions.get("world")
        return world if isinstance(world, str) else ""

    @property
    def regex_scripts(self) -> tuple[Mapping[str, Json], ...]:
        """The card's own regex scripts, raw; they run only with the user's permission."""
        scripts = self.extensions.get("regex_scripts")
        if not isinstance(scripts, list):
            return ()
        return tuple(script for script in scripts if isinstance(script, dict))

    @property
    def main_icon(self) -> Asset:
        """The asset to show as portrait: the icon named main, else the first, else the card's picture."""
        return self._main("icon") or DEFAULT_ASSET

    @property
    def main_background(self) -> Asset | None:
        """The background named main, else the first one, else None."""
        return self._main("background")

    def _main(self, kind: str) -> Asset | None:
        same = [asset for asset in self.assets if asset.kind == kind]
        named = [asset for asset in same if asset.name == "main"]
        return next(iter(named or same), None)

    def notes_in(self, language: str) -> str:
        """The creator's notes in a language (ISO 639-1, region ignored), else in English, else any."""
        texts = dict(self.creator_notes_multilingual)
        if self.creator_notes:
            texts.setdefault("en", self.creator_notes)
        wanted = language.lower().partition("-")[0]
        return texts.get(wanted) or texts.get("en") or next(iter(texts.values()), "")


def depth_prompt_of(extensions: Mapping[str, Json]) -> DepthPrompt | None:
    """Reads `depth_prompt {prompt, depth, role}`, whose parts real files write as other types.

    Depth may be a numeric string; anything else, "" too, is 4; negative is 0. Role may be a number
    (0 system, 1 user, 2 assistant); anything else is system.
    """
    found = extensions.get("depth_prompt")
    if not isinstance(found, dict):
        return None
    prompt = found.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        return None
    depth = number_of(found.get("depth"))
    return DepthPrompt(
        prompt=prompt,
        depth=DEFAULT_NOTE_DEPTH if depth is None else max(0, int(depth)),
        role=role_of(found.get("role")),
    )


def role_of(value: Json) -> CardRole:
    """A role by name in any case or by number; system when it is neither."""
    if isinstance(value, str) and not value.strip().isdecimal():
        named: list[CardRole] = [role for role in _ROLES if role == value.strip().lower()]
        return named[0] if named else "system"
    index = number_of(value)
    return _ROLES[int(index)] if index is not None and 0 <= index < len(_ROLES) else "system"


def number_of(value: Json) -> float | None:
    """A JSON number or decimal string as a float; None for anything else, booleans too."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    if isinstance(value, int | float) and abs(value) < 1e15:
        return float(value)
    return None
