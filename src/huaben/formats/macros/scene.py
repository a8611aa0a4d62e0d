"""What an expansion is given and what it gives back, as plain values; apart so that no macro reads a clock or a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from types import MappingProxyType
from typing import Literal, TypeAlias

Generation: TypeAlias = Literal["legacy", "two"]
Scope: TypeAlias = Literal["local", "global"]
Language: TypeAlias = Literal["en", "zh"]

WarningCode: TypeAlias = Literal[
    "unknown_macro",  # no such name: left as typed
    "wrong_arguments",  # too few or too many: left as typed
    "invalid_argument",  # an argument that says nothing (`{{roll:abc}}`): left as typed
    "unclosed",  # `{{name` that never ends: left as typed
    "nested",  # legacy only: a macro that still held another when its turn came
    "cycle",  # a card text that contains itself: left as typed
    "no_value",  # the scene does not know (no clock, no default prompt): left as typed
    "too_deep",
    "too_large",
    "too_many_steps",
]


def _no_texts() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Variables:
    """Macro variables, strings by name: `local` to the chat, `globals` to all chats. Read only."""

    local: Mapping[str, str] = field(default_factory=_no_texts)
    globals: Mapping[str, str] = field(default_factory=_no_texts)


@dataclass(frozen=True, slots=True)
class CardTexts:
    """Texts of the card. They are templates: their own macros are expanded where they arrive.

    `greetings[0]` is the first message, the others are the alternates in the card's order."""

    description: str = ""
    personality: str = ""
    scenario: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    depth_prompt: str = ""
    creator_notes: str = ""
    version: str = ""
    mes_example: str = ""
    greetings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """Facts of the chat. Texts written by the user or a model are never templates.

    Message ids are 0-based, swipe numbers 1-based; None where there is no such message.
    """

    last_message: str = ""
    last_user_message: str = ""
    last_char_message: str = ""
    last_message_id: int | None = None
    first_included_id: int | None = None
    first_displayed_id: int | None = None
    last_swipe: int | None = None
    current_swipe: int | None = None
    summary: str = ""
    input: str = ""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Facts of the model and the call. Sizes are tokens; `kind` is the kind of generation
    (normal, continue, swipe, quiet …)."""

    name: str = ""
    max_prompt: int | None = None
    max_context: int | None = None
    max_response: int | None = None
    kind: str = ""
    mobile: bool = False
    extensions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a macro may speak of, resolved by the caller beforehand.

    `char` is the nickname where the card has one. `group` lists the members, empty in a solo chat.
    `persona`, the card's texts, `original` and `texts` are templates; `outlets` were expanded when
    their entries were activated and are not expanded again. `original` is the default that an
    override replaces, None outside of overrides. `texts` holds prompt settings by macro name in
    lower case (`authorsnote`, `instructuserprefix` …). `now` without a zone is local time; `tz`
    is the zone of local time. `idle` is the time since the last user message, None if there is
    none. `seed` decides `random` and `roll`, `pick_seed` decides `pick`: give the session's seed
    for the prefix and a turn's own for what belongs to the turn.
    """

    char: str = ""
    user: str = ""
    group: tuple[str, ...] = ()
    group_not_muted: tuple[str, ...] = ()
    persona: str = ""
    card: CardTexts = CardTexts()
    chat: ChatFacts = ChatFacts()
    model: ModelFacts = ModelFacts()
    original: str | None = None
    texts: Mapping[str, str] = field(default_factory=_no_texts)
    outlets: Mapping[str, str] = field(default_factory=_no_texts)
    variables: Variables = field(default_factory=Variables)
    now: datetime | None = None
    tz: tzinfo | None = None
    idle: timedelta | None = None
    language: Language = "en"
    seed: int = 0
    pick_seed: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one expansion.

    `depth` counts macros inside macros, card texts inside texts included, 64 at most. `max_bytes` (UTF-8)
    bounds the result, each value on the way and all variables together; a template that alone
    fills more than half of it may grow to twice its size. `steps` counts macros read, dice thrown
    and kilobytes produced, so it bounds time on any machine.
    """

    depth: int = 32
    max_bytes: int = 1 << 20
    steps: int = 50_000


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class MacroWarning:
    """Why something was left as typed; `detail` quotes the macro, at most 80 characters."""

    code: WarningCode
    detail: str


@dataclass(frozen=True, slots=True)
class Expansion:
    """The text, and what the expansion did beside it.

    `volatile` names the macros in use whose value changes between builds, in order of first use:
    in the static prefix they would break the prompt cache. `variables` is the state afterwards,
    the same object if nothing was written. `hidden_keys` are lore keys that are scanned on
    recursion and never shown.
    """

    text: str
    variables: Variables
    volatile: tuple[str, ...] = ()
    warnings: tuple[MacroWarning, ...] = ()
    hidden_keys: tuple[str, ...] = ()
