"""A scenario: the validated settings that a project's turns run with, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from huaben.domain.notes import NoteSource
from huaben.domain.plan.settings import NO_PLANNER, PlannerSection

Delivery: TypeAlias = Literal["auto", "text", "titles"]


@dataclass(frozen=True, slots=True)
class PerformerSettings:
    """How a turn's prose is produced: on a draft sheet with tools, by one generation, or by several that
    a control model directs."""

    kind: Literal["stage", "actor", "showrunner"] = "stage"


@dataclass(frozen=True, slots=True)
class ModelRoles:
    """Which connection each role uses; empty means the default one, which for all roles but `story`
    and `image` is the storyteller's."""

    story: str = ""
    control: str = ""
    scribe: str = ""
    planner: str = ""
    escalation: str = ""
    image: str = ""


@dataclass(frozen=True, slots=True)
class SamplingSettings:
    """Sampler settings of the story model. What changes nothing is not sent: a negative temperature,
    `top_p`, `max_tokens` and `seed`, a penalty of 0 (of repetition: 1), a `top_k` and `min_p` of 0, an
    empty `reasoning_effort`."""

    temperature: float = -1.0
    top_p: float = -1.0
    top_k: int = 0
    min_p: float = 0.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = -1
    max_tokens: int = -1
    reasoning_effort: str = ""


@dataclass(frozen=True, slots=True)
class LoreSection:
    """How lore is chosen and delivered.

    `matching` is the program's corrected rule or SillyTavern's own for every book. `selection`
    adds to the hits of keys what a ranked search for the turn's words finds, at most
    `hybrid_limit` entries. `scan_depth` counts story messages, `budget` tokens, `index_chars`
    characters; 0 recursion steps or entries mean no limit. `overflow` says whether the first entry
    over the budget ends the filling or is passed over. `constants` that are on nothing but always
    on live in the system text (`resident`), or are chosen every turn within the budget: before all
    others (`first`), or in line with them as SillyTavern does (`budgeted`). `placement` puts what was
    chosen into one block before all others (`tail`), or each entry by itself at the reader's words
    (`decorate`)."""

    delivery: Delivery = "auto"
    matching: Literal["corrected", "sillytavern"] = "corrected"
    selection: Literal["keys", "hybrid"] = "keys"
    hybrid_limit: int = 6
    scan_depth: int = 4
    max_entries: int = 24
    budget: int = 2400
    index_chars: int = 2000
    case_sensitive: bool = False
    whole_words: bool = True
    recursive: bool = True
    max_recursion_steps: int = 0
    min_activations: int = 0
    min_activations_depth: int = 0
    group_scoring: bool = False
    strategy: Literal["evenly", "character_first", "global_first"] = "character_first"
    overflow: Literal["stop", "skip"] = "stop"
    constants: Literal["resident", "first", "budgeted"] = "resident"
    placement: Literal["tail", "decorate"] = "tail"


@dataclass(frozen=True, slots=True)
class LedgerSection:
    """With `require_evidence` what a scribe claims without a quotation of the turn is refused."""

    require_evidence: bool = False


@dataclass(frozen=True, slots=True)
class ScribeSection:
    """Whether the ledger is kept, and for how many seconds the next turn waits for it."""

    enabled: bool = False
    wait_s: int = 20


@dataclass(frozen=True, slots=True)
class MemorySection:
    """Where what happened is remembered: none, or any of the note sources. `recall_s` bounds the
    looking up before a turn (0: nothing is looked up), `max_chars` what of it is sent."""

    sources: tuple[NoteSource, ...] = ()
    recall_s: int = 5
    max_chars: int = 2400


@dataclass(frozen=True, slots=True)
class CompactionSection:
    """When a summary takes the place of old turns: at `keep` + `every` live ones (`every` 0: never)
    of `min_chars` characters, or when the next request would pass `window_percent` of the model's
    window. The last `keep` stay word for word."""

    every: int = 0
    keep: int = 6
    min_chars: int = 2000
    window_percent: int = 75


@dataclass(frozen=True, slots=True)
class ShowrunnerSection:
    """What the control model sees of a turn, how many functions it may call (one more where amendments
    are on), and how many tokens all segments of the turn may have together (0: no limit)."""

    sees: Literal["words", "words+plan"] = "words"
    max_steps: int = 12
    output_tokens: int = 6000


@dataclass(frozen=True, slots=True)
class AmendmentsSection:
    """Whether the showrunner may order a lasting change of character, world or style, and whether the
    proposal waits for the user's word (`review`) or is applied at once (`auto`)."""

    apply: Literal["off", "review", "auto"] = "review"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one turn: `rounds` of tool calls, `output_tokens` over all its model calls (0: no
    limit), `wall_s` of work in seconds (waiting for the user does not count; 0: no limit)."""

    rounds: int = 20
    output_tokens: int = 60_000
    wall_s: int = 1800
    same_failure: int = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """How words come in: `closed_loop` means that Huaben assembles everything, `precompiled` that a caller
    sends finished messages, which are passed on untouched."""

    kind: Literal["closed_loop", "precompiled"] = "closed_loop"


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str = "stage"
    performer: PerformerSettings = PerformerSettings()
    models: ModelRoles = ModelRoles()
    sampling: SamplingSettings = SamplingSettings()
    lore: LoreSection = LoreSection()
    ledger: LedgerSection = LedgerSection()
    scribe: ScribeSection = ScribeSection()
    memory: MemorySection = MemorySection()
    compaction: CompactionSection = CompactionSection()
    governance: Literal["off", "shadow", "enforce"] = "off"
    planner: PlannerSection = NO_PLANNER
    showrunner: ShowrunnerSection = ShowrunnerSection()
    amendments: AmendmentsSection = AmendmentsSection()
    limits: Limits = Limits()
    entry: Entry = Entry()
