"""How a scenario wants a planner to work; apart from the other sections because the planner's rooms read it
alone (`planner.md` §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from huaben.domain.plan.rules import FUNCTIONS, Function

PROMPT_FIELDS: Final[Mapping[str, str]] = {
    "orchestrator": "orchestrator_prompt",
    **{name: f"{name}_prompt" for name in FUNCTIONS},
}
"""The field that holds the own prompt of each role."""
VARIABLES: Final = frozenset(
    (
        "role",
        "reason",
        "focus",
        "character",
        "persona",
        "reader",
        "greeting",
        "summary",
        "history",
        "words",
        "plan",
        "notes",
        "lore",
        "memory",
        "advice",
        "headings",
        "limit",
    )
)
"""What an own prompt may name in braces."""
WRITERS_NOTES: Final = 2000
"""Characters that a writer is shown of notes, beside the longest state."""


@dataclass(frozen=True, slots=True)
class PlannerSection:
    """Whether and how a planner works beside the writer.

    `tools` are the functions that may be called. `routing`: with `auto`, a phase that asks for
    `escalate_at` functions or more is routed again by the escalation model. Of calls there are at most
    `max_calls`, `parallel` of them at a time, each within `call_s` seconds; a job works at most
    `deadline_s` seconds, and takes at most `job_tokens` tokens, all jobs of a day `day_tokens` (0: no
    limit). `lore_chars` bounds the lore texts that all are shown. `secrets` says whether a writer is
    shown what nobody knows whose eyes the scene is seen through, `placement` where the plan stands in
    the writer's prompt. When the plan has moved on meanwhile, a job gives up (`reject`) or its director
    writes again, `rebases` times (`rebase`). `graph` gives fixed steps instead of a route. A role's own
    prompt takes the place of its last message."""

    enabled: bool = False
    tools: tuple[Function, ...] = FUNCTIONS
    routing: Literal["manual", "auto"] = "manual"
    escalate_at: int = 3
    max_calls: int = 7
    parallel: int = 6
    call_s: int = 180
    deadline_s: int = 900
    job_tokens: int = 0
    day_tokens: int = 0
    max_state_chars: int = 8000
    see_lore: bool = True
    lore_chars: int = 4000
    see_memory: bool = True
    secrets: Literal["withhold", "show"] = "withhold"
    placement: Literal["tail", "system"] = "tail"
    on_conflict: Literal["reject", "rebase"] = "reject"
    rebases: int = 3
    cancel_with_turn: bool = False
    graph: str = ""
    orchestrator_prompt: str = ""
    analyze_plot_prompt: str = ""
    judge_npc_prompt: str = ""
    audit_knowledge_prompt: str = ""
    simulate_world_prompt: str = ""
    manage_callbacks_prompt: str = ""
    direct_scene_prompt: str = ""
    update_director_state_prompt: str = ""

    @property
    def offered(self) -> tuple[Function, ...]:
        """The functions that may be called, in their fixed order."""
        return tuple(sorted(self.tools, key=FUNCTIONS.index))

    @property
    def prompts(self) -> Mapping[str, str]:
        """The own prompts by role, as far as there are any."""
        given = {role: str(getattr(self, name)) for role, name in PROMPT_FIELDS.items()}
        return {role: text for role, text in given.items() if text.strip()}

    @property
    def writer_chars(self) -> int:
        """How much of a plan a writer is shown."""
        return self.max_state_chars + WRITERS_NOTES


NO_PLANNER: Final = PlannerSection()
