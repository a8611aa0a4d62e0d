"""What a planning job works with: the world outside as a few small promises, so that a job can be run against
scripts; apart from the work because the work needs nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from huaben.domain.messages import ToolCall
from huaben.domain.plan.notes import PlanNote
from huaben.domain.plan.revision import Plan
from huaben.domain.plan.trace import Outcome, TraceNode
from huaben.ports import Clock, Step
from huaben.prompt.segments import Prompt


@dataclass(frozen=True, slots=True)
class Errand:
    """One model call. `node` names it within its job; `escalated`: by the escalation model."""

    node: str
    kind: Literal["route", "expert", "director"]
    prompt: Prompt
    escalated: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """What a call came to. `call` is the id under which it is recorded; tokens are None where the
    provider said nothing."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    call: str = ""
    prompt: int | None = None
    completion: int | None = None
    cached: int | None = None
    cost_micros: int | None = None
    currency: str = ""


class Voices(Protocol):
    """The models of a job."""

    def calls_tools(self, *, escalated: bool) -> bool:
        """Whether the planner's model, or the escalation model, calls functions. Raises
        `NoConnection`."""
        ...

    async def call(self, errand: Errand) -> Heard:
        """Make the call, or give back what it came to in an earlier run of the job. Raises
        `ProviderFailed`, `NoConnection`."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A revision to be: the plan whole, the functions that were called, and the source turn."""

    plan: Plan
    tools: tuple[str, ...]
    turn: int


class Plans(Protocol):
    """The plan that the job's turn sees, and the one way to change it. Answers are JSON objects."""

    async def commit(self, base: int, candidate: Candidate) -> Mapping[str, object]:
        """Make the candidate the plan in force unless somebody else has changed the plan of this
        branch since the revision `base`: `{"serial": n}`, or `{"moved": true}`. A candidate that
        stands already, because an earlier attempt's answer was lost, is not written again."""
        ...

    async def latest(self) -> Mapping[str, object]:
        """The plan in force: `{"base": serial, "plan": …}`."""
        ...


@dataclass(frozen=True, slots=True)
class Desk:
    """What one run of a job works with.

    `open` takes the snapshot, or says why there is nothing to do: `{"outcome": …}`. `quoted`
    says of each quotation whether it stands in the history. `told` shows how far the job has come and
    never fails. `cancelled` is set when somebody wants the job to end."""

    step: Step
    clock: Clock
    voices: Voices
    plans: Plans
    open: Callable[[], Awaitable[Mapping[str, object]]]
    quoted: Callable[[Sequence[str]], Awaitable[Sequence[bool]]]
    told: Callable[[Sequence[TraceNode]], Awaitable[None]]
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job: `serial` numbers the revision that it made, 0 if none. `base` is the one it
    started from."""

    outcome: Outcome
    detail: str = ""
    base: int = 0
    serial: int = 0
    turn: int = 0
    nodes: tuple[TraceNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Counsel:
    """What the experts of a job have said: their notes, numbered, and which functions were called."""

    notes: tuple[PlanNote, ...] = ()
    tools: tuple[str, ...] = ()


class Over(Exception):
    """Carries the end of a job up from wherever it was met."""

    def __init__(self, outcome: Outcome, detail: str = "") -> None:
        super().__init__(outcome, detail)
        self.outcome: Outcome = outcome
        self.detail = detail
