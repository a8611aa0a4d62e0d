"""A chat-completion preset as one value: prompts in their order, texts, samplers; apart from formats because
play reads it, not files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast, get_args

from huaben.domain.card import CardRole
from huaben.domain.messages import Sampling

Marker: TypeAlias = Literal[
    "worldInfoBefore",
    "personaDescription",
    "charDescription",
    "charPersonality",
    "scenario",
    "worldInfoAfter",
    "dialogueExamples",
    "chatHistory",
]
MARKERS: Final = cast("tuple[Marker, ...]", get_args(Marker))  # the literal's own values
MAIN: Final = "main"
POST_HISTORY: Final = "jailbreak"
DEFAULT_DEPTH: Final = 4
DEFAULT_ORDER: Final = 100
NORMAL: Final = "normal"


@dataclass(frozen=True, slots=True)
class PresetPrompt:
    """One prompt of a preset. `depth` and `order` count only for one that is put into the chat
    (`in_chat`): so many messages before its end, the higher order nearer to the end. `triggers` are
    the kinds of generation that it is for; none means all."""

    identifier: str
    name: str = ""
    role: CardRole = "system"
    content: str = ""
    in_chat: bool = False
    depth: int = DEFAULT_DEPTH
    order: int = DEFAULT_ORDER
    triggers: tuple[str, ...] = ()
    forbid_overrides: bool = False

    @property
    def marker(self) -> Marker | None:
        """The slot that it stands for; its own text then counts for nothing."""
        return next((one for one in MARKERS if one == self.identifier), None)

    def is_for(self, trigger: str) -> bool:
        return not self.triggers or trigger in self.triggers


@dataclass(frozen=True, slots=True)
class Listed:
    """A prompt at its place in the order."""

    prompt: PresetPrompt
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class PresetTexts:
    """Texts round the prompts. The formats hold `{0}`, `{{scenario}}` and `{{personality}}`; an
    empty one leaves its text as it is. `prefill` begins the reply where a model takes that;
    `continue_postfix` stands between a text and its continuation."""

    lore_format: str = ""
    scenario_format: str = ""
    personality_format: str = ""
    new_chat: str = ""
    new_example: str = ""
    prefill: str = ""
    continue_postfix: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset as play reads it. `order` holds each prompt once; `unlisted` names prompts that no
    order holds and `missing` places in the order without a prompt: neither is sent. `not_applied`
    names what is kept and has no counterpart here."""

    name: str
    order: tuple[Listed, ...] = ()
    unlisted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    texts: PresetTexts = PresetTexts()
    not_applied: tuple[str, ...] = ()

    def prompt(self, identifier: str) -> Listed | None:
        return next((one for one in self.order if one.prompt.identifier == identifier), None)

    @property
    def has_history(self) -> bool:
        """Whether the order says where the chat stands."""
        found = self.prompt("chatHistory")
        return found is not None and found.enabled
