"""What a planner reads of the story so far, by the scenario's governance (`context.md` §5); apart from what the
writer is sent, which compaction always applies to.

`off` and `shadow` give the same: the turns whole. `shadow` also counts what `enforce` would have given,
for comparison, and never stops anything by it. Under `enforce` no turn that a summary stands for is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from huaben.domain.budget import Estimator
from huaben.domain.project import Project
from huaben.domain.scenario import Scenario
from huaben.prompt.stage import PastTurn, words_with_answers
from huaben.services.house import House
from huaben.services.past import Past, load_past, read_covered


@dataclass(frozen=True, slots=True)
class PlannerHistory:
    """What a planner reads. `greeting` opens the story, `summary` is empty unless it stands for turns
    that are not among `turns`. `tokens` is what this comes to; `shadow` what summary and retained turns
    would have come to, None unless that is to be compared."""

    greeting: str
    summary: str
    turns: tuple[PastTurn, ...]
    tokens: int
    shadow: int | None = None


@dataclass(frozen=True, slots=True)
class TooLarge:
    """What must be read does not fit: tokens needed, and the room that there is."""

    needed: int
    room: int


async def history_for_planner(
    house: House,
    project: Project,
    scenario: Scenario,
    node: str,
    *,
    latest: int,
    estimator: Estimator,
) -> PlannerHistory:
    """The story on the way to `node`, at most the `latest` turns of it whole. Under `enforce` those
    are the turns that are still live, however many, and the summary stands for all others."""
    past = await load_past(house, project, node)
    if scenario.governance == "enforce":
        return _counted(project, past, _summary(past), past.turns, estimator)
    near = past.turns[-latest:] if latest else ()
    lacking = min(max(latest - len(near), 0), len(past.covered))
    far = await read_covered(house, past, past.covered[len(past.covered) - lacking :])
    whole = _counted(project, past, "", (*far, *near), estimator)
    if scenario.governance == "off":
        return whole
    compacted = _counted(project, past, _summary(past), past.turns, estimator)
    return replace(whole, shadow=compacted.tokens)


def fitting(
    history: PlannerHistory, mandatory: int, window: int | None, reserved: int
) -> TooLarge | None:
    """Whether history and what else must be in the request (`mandatory` tokens: the plan state, once,
    persona, words) leave `reserved` tokens of the window for the answer; None when they do."""
    if window is None:
        return None
    needed = history.tokens + mandatory + reserved
    return TooLarge(needed, window) if needed > window else None


def _summary(past: Past) -> str:
    return past.summary.text if past.summary else ""


def _counted(
    project: Project, past: Past, summary: str, turns: Sequence[PastTurn], estimator: Estimator
) -> PlannerHistory:
    greeting = past.greeting.final_text
    texts = [greeting, summary]
    for turn in turns:
        texts += [words_with_answers(project.language, turn.user_text, turn.asked), turn.final_text]
    return PlannerHistory(greeting, summary, tuple(turns), sum(map(estimator.tokens, texts)))
