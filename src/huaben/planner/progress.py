"""How far a job has come: the time and tokens it has used, and the nodes of its trace; apart from the steps
because all of them draw on the same budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from huaben.domain.budget import estimate_tokens
from huaben.domain.plan.material import Material
from huaben.domain.plan.settings import PlannerSection
from huaben.domain.plan.trace import NodeStatus, TraceNode
from huaben.errors import HuabenError
from huaben.planner.asking import CANCELLED, Answer, answered, ask
from huaben.planner.desk import Desk, Errand, Over
from huaben.prompt.planning import PlanScene
from huaben.prompt.segments import sized

NO_DEADLINE_S: Final = 10**9


@dataclass(slots=True)
class Progress:
    """One run of a job. It is a function of what its steps gave: a run that begins again comes by the
    same numbers, so that the deadline counts time at work and not time between two processes.

    `day_tokens` were used by other jobs of the day; `shadow` is what the history would have come to
    under `enforce`, in tokens, where that is to be compared."""

    desk: Desk
    section: PlannerSection
    material: Material
    base: int
    day_tokens: int
    shadow: int | None = None
    seconds: float = 0.0
    tokens: int = 0
    calls: int = 0
    nodes: list[TraceNode] = field(default_factory=list[TraceNode])

    @property
    def scene(self) -> PlanScene:
        return PlanScene(self.material, self.section.max_state_chars, self.section.prompts)

    @property
    def left_s(self) -> float:
        limit = self.section.deadline_s or NO_DEADLINE_S
        return limit - self.seconds

    @property
    def calls_left(self) -> int:
        """How many more functions may be called."""
        return self.section.max_calls - self.calls

    def refusal(self, errand: Errand) -> str:
        """Why a call may not be made now; empty if it may."""
        if self.left_s <= 0:
            return "over_deadline"
        wanted = sum(estimate_tokens(text) for _, text in sized(errand.prompt))
        if self.section.job_tokens and self.tokens + wanted > self.section.job_tokens:
            return "over_job_tokens"
        used = self.day_tokens + self.tokens + wanted
        if self.section.day_tokens and used > self.section.day_tokens:
            return "over_day_tokens"
        return ""

    async def ask(self, errand: Errand) -> Answer:
        """Make a call as a step of its own. Nothing is counted yet: `take` does that, in a fixed
        order."""
        action = partial(ask, self.desk, errand, self.section.call_s, self.left_s)
        try:
            return answered(await self.desk.step(errand.node, action))
        except HuabenError as fault:  # after the last attempt at the step
            return Answer(None, fault.code, fault.message)

    def take(self, errands: Sequence[Errand], answers: Sequence[Answer]) -> None:
        """Count what calls that were made side by side have used. Raises `Over` when the job was
        cancelled in one of them."""
        self.tokens += sum(answer.tokens for answer in answers)
        self.seconds += max((answer.seconds for answer in answers), default=0.0)
        if any(answer.code == CANCELLED for answer in answers):
            for errand, answer in zip(errands, answers, strict=True):
                self.nodes.append(node_of(errand, answer))
            raise Over("cancelled")

    async def add(self, *nodes: TraceNode) -> None:
        """Enter nodes into the trace and show it."""
        self.nodes += nodes
        await self.desk.told(tuple(self.nodes))


def node_of(
    errand: Errand,
    answer: Answer,
    *,
    under: str = "",
    status: NodeStatus | None = None,
    detail: str = "",
    left_out: Mapping[str, int] | None = None,
) -> TraceNode:
    """The trace of a call: what went in, what it took, what came of it."""
    sizes: dict[str, int] = {}
    for source, text in sized(errand.prompt):
        sizes[source] = sizes.get(source, 0) + len(text)
    name = errand.node.partition(":")[2] if errand.kind == "expert" else errand.kind
    node = TraceNode(
        errand.node,
        errand.kind,
        name,
        status or ("done" if answer.heard else "failed"),
        under,
        detail or (f"{answer.code}: {answer.message}" if answer.code else ""),
        attempts=answer.attempts,
        seconds=answer.seconds,
        sizes=sizes,
        left_out=left_out or _left_out(errand),
    )
    heard = answer.heard
    if heard is None:
        return node
    return replace(
        node,
        model=heard.model,
        call=heard.call,
        prompt=heard.prompt,
        completion=heard.completion,
        cached=heard.cached,
        cost_micros=heard.cost_micros,
        currency=heard.currency,
    )


def refused_node(errand: Errand, why: str, under: str = "") -> TraceNode:
    """The trace of a call that was not made."""
    return node_of(errand, Answer(None, attempts=0), under=under, status="refused", detail=why)


def _left_out(errand: Errand) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in errand.prompt.left_out:
        count, _, what = item.reason.partition(" ")
        if item.source == "plan" and count.isdigit():
            found[what] = int(count)
        else:
            found["lore texts"] = found.get("lore texts", 0) + 1
    return found
