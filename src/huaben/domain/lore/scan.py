"""What a selection looks at and by which settings, as values.

Separate from the result: callers build these, and only the selection reads them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from huaben.domain.lore.values import Trigger

Strategy: TypeAlias = Literal["evenly", "character_first", "global_first"]
Constants: TypeAlias = Literal["budgeted", "first", "resident"]
Overflow: TypeAlias = Literal["stop", "skip"]
SelectionKind: TypeAlias = Literal["keys", "hybrid"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the story and who speaks it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceTexts:
    """The texts beside the chat that an entry may ask to be scanned (`Entry.sources`)."""

    persona: str = ""
    description: str = ""
    personality: str = ""
    depth_prompt: str = ""
    scenario: str = ""
    creator_notes: str = ""


def as_typed(text: str) -> str:
    """Leaves a text as it is: what stands in for macros where there are none."""
    return text


def may_hold_macros(text: str) -> bool:
    """Whether expanding a text could change it: most keys and titles hold nothing to expand."""
    return "{{" in text or "<" in text


@dataclass(frozen=True, slots=True)
class Scan:
    """The moment that entries are chosen for.

    `messages` are the story's, newest last; `words` are this turn's, said by `user`. `length` is
    how many messages the whole chat has with these words and `replies` how many of them are not the
    user's (None: as many as are given); `greeting` which greeting it began with (0 the first).
    `speaker` is the character about to speak, `avatar` the name of its picture without ending.
    `injected` are other prompts that asked to be scanned, `external` entries that something else
    found, by `book_index/uid`, with a score. `expand` expands macros and must be pure. A dry run
    neither reads nor writes timed effects.
    """

    messages: tuple[Message, ...] = ()
    words: str = ""
    user: str = ""
    speaker: str = ""
    avatar: str = ""
    tags: tuple[str, ...] = ()
    trigger: str = Trigger.NORMAL
    sources: SourceTexts = SourceTexts()
    injected: tuple[str, ...] = ()
    external: Mapping[str, float] = field(default_factory=dict[str, float])
    length: int | None = None
    replies: int | None = None
    greeting: int | None = None
    dry_run: bool = False
    expand: Callable[[str], str] = as_typed

    @property
    def chat_length(self) -> int:
        """Messages in the whole chat, this turn's words among them."""
        if self.length is not None:
            return self.length
        return len(self.messages) + bool(self.words)

    @property
    def reply_count(self) -> int:
        """Messages of the whole chat that somebody else than the user speaks."""
        if self.replies is not None:
            return self.replies
        return sum(message.name != self.user for message in self.messages)


@dataclass(frozen=True, slots=True)
class LoreSettings:
    """How entries are chosen; the defaults are this program's, `sillytavern` gives that one's.

    `exact` takes SillyTavern's matching for every book. `scan_depth` is the number of story
    messages scanned beside this turn's words; with `exact` the words count as one of them, as they
    do in an entry's own depth. `budget` is in tokens and 0 means none, `max_entries` 0 means any
    number, `max_recursion_steps` counts the first pass and 0 means no limit.

    `constants` says how always-on entries meet the budget: like the others (`budgeted`, SillyTavern's
    behaviour), before the others (`first`, what its documentation says), or not at all where they
    live in the system prefix (`resident`). `overflow` says whether the first entry over the budget
    ends the filling (SillyTavern) or is passed over (RisuAI). `hybrid` adds what a ranked search for
    this turn's words finds, at most `hybrid_limit` entries.
    """

    exact: bool = False
    scan_depth: int = 4
    include_names: bool = True
    case_sensitive: bool = False
    whole_words: bool = True
    recursive: bool = True
    max_recursion_steps: int = 0
    min_activations: int = 0
    min_activations_depth: int = 0
    group_scoring: bool = False
    strategy: Strategy = "character_first"
    budget: int = 2400
    max_entries: int = 0
    constants: Constants = "budgeted"
    overflow: Overflow = "stop"
    selection: SelectionKind = "keys"
    hybrid_limit: int = 6


MAX_SCAN_DEPTH = 1000
"""The deepest window, in messages (formats §2.2)."""


def sillytavern_budget(percent: float, max_context: int, cap: int = 0) -> int:
    """SillyTavern's budget in tokens: a share of the context, at least 1, then the cap if there is one."""
    # JavaScript rounds halves up, Python to even.
    share = max(1, int(percent * max_context / 100 + 0.5))
    return min(share, cap) if cap > 0 else share


def sillytavern(max_context: int) -> LoreSettings:
    """The settings that a new user of SillyTavern has (formats §2.2), for a context in tokens."""
    return LoreSettings(exact=True, scan_depth=2, budget=sillytavern_budget(25, max_context))
