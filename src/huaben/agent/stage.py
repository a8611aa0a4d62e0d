"""The `stage` performer: the tools of a draft sheet (`turn.md`), and what a turn comes to that is written
on one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace

from huaben.agent.act import Act, Ended, Ending, Revised, Sealed, Unsealed, Waiting
from huaben.agent.calling import CallStreamer
from huaben.agent.capturing import capture, draft_change
from huaben.agent.desk import Desk, Outcome, Previous
from huaben.agent.log import TurnLog
from huaben.agent.rounds import Batch, Walk, key_of, play
from huaben.agent.tools.arguments import parse
from huaben.agent.tools.spoken import refusal
from huaben.agent.tools.table import Tool
from huaben.domain.draft import Draft
from huaben.domain.events import Asked, DraftChange, ToolEnd, ToolStart, TurnEvent
from huaben.domain.messages import Reply, ToolCall
from huaben.domain.story import Revision
from huaben.domain.text import is_blank
from huaben.domain.turnview import ToolView, TurnView
from huaben.prompt.texts import phrase


async def perform(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
    """Walk the turn to its ending. A `Performance`."""
    walk = Walk.of(act, log, caller)
    return await play(walk, _Sheet(walk))


@dataclass(slots=True)
class _Sheet:
    """The draft sheet under the model's hands. `reads` are the reads whose answers it has seen."""

    walk: Walk
    at: Desk = field(default_factory=Desk)
    reads: set[tuple[str, str, int]] = field(default_factory=set[tuple[str, str, int]])

    def desk(self) -> Desk:
        self.at = replace(self.at, draft=self.walk.log.view.draft)
        return self.at

    def kind(self, call: ToolCall) -> str:
        tool = self.walk.act.tool(call.name)
        return tool.kind if tool else "unknown"

    # ---- tools ---------------------------------------------------------------------------------

    def replay(self, call: ToolCall, seen: ToolView) -> None:
        desk = self.at.remembering(seen.effect or {})
        made = _made(seen)
        written = self.walk.act.view.version(made) if made else None
        if written is not None:
            desk = replace(desk, draft=Draft(written.version, written.text))
        self._take(call, Outcome(seen.ok is True, seen.result, desk))

    async def execute(self, n: int, reply: Reply, calls: Batch) -> Ending | None:
        self.desk()
        if self.kind(calls[0][1]) == "ask":
            await self._capture_before_ask(n, reply)
        desk, log = self.at, self.walk.log
        outcomes = await self._outcomes(calls)
        events: list[TurnEvent] = []
        for (index, call), outcome in zip(calls, outcomes, strict=True):
            events.append(ToolStart(n, index, call.id, call.name, call.arguments))
            if outcome.question is not None:
                question = outcome.question
                return Waiting((*events, Asked(n, index, question.question, question.options)))
            events += _change(n, desk, outcome, log.view)
            events.append(
                ToolEnd(n, index, call.id, call.name, outcome.ok, outcome.result, outcome.effect)
            )
        await log.commit(events, tuple(row for outcome in outcomes for row in outcome.rows))
        for (_, call), outcome in zip(calls, outcomes, strict=True):
            self._take(call, outcome)
        return self.walk.stuck(calls, outcomes, self.kind)

    async def _outcomes(self, calls: Batch) -> list[Outcome]:
        if len(calls) == 1:
            begun = [self._run(calls[0][1])]
        else:
            begun = await asyncio.gather(*(asyncio.to_thread(self._run, call) for _, call in calls))
        return await asyncio.gather(*map(_done, begun))

    def _run(self, call: ToolCall) -> Outcome | Awaitable[Outcome]:
        """Carry out one call on the desk, or begin to; a refusal is an outcome like any other."""
        sources = self.walk.act.sources
        tool = self.walk.act.tool(call.name)
        if tool is None:
            return refusal(phrase(sources.language, "unknown_tool", name=call.name))
        arguments = parse(sources.language, tool.schema, call.arguments)
        if isinstance(arguments, str):
            return refusal(arguments)
        barred = _barred(self.at, tool)
        if barred:
            return refusal(phrase(sources.language, barred))
        if tool.kind == "read" and self._read(call) in self.reads:
            return Outcome(ok=True, result=phrase(sources.language, "repeated_read"))
        return tool.run(sources, self.at, arguments)

    def _read(self, call: ToolCall) -> tuple[str, str, int]:
        return (*key_of(call), self.at.draft.version)

    def _take(self, call: ToolCall, outcome: Outcome) -> None:
        """Take over what is durable now."""
        if outcome.ok:
            self.reads.add(self._read(call))
        if outcome.desk is not None:
            self.at = outcome.desk
        self.walk.took(call, outcome)

    # ---- the end -------------------------------------------------------------------------------

    def finished(self) -> Ending | None:
        previous, revised = self.walk.act.sources.previous, self.at.revised
        if revised is not None and isinstance(previous, Previous):
            return Revised(Revision(previous.turn_id, revised.version, revised.text))
        return Sealed() if self.at.sealed else None

    async def last_word(self, n: int, reply: Reply) -> Ending | None:
        desk = self.desk()
        as_it_stands = Unsealed() if desk.draft.text else Ended("no_draft", "")
        if reply.calls:  # tools were forbidden and it still asks for them
            return as_it_stands
        if is_blank(reply.text):
            return as_it_stands if self.walk.retried_empty else await self.walk.ask_again(n)
        if desk.mode == "explore":
            return as_it_stands
        if not self._captured(n) and not await self._capture(n, reply.text, tail=desk.explicit):
            return as_it_stands
        return Unsealed() if desk.explicit else Sealed()

    # ---- spoken words --------------------------------------------------------------------------

    async def _capture_before_ask(self, n: int, reply: Reply) -> None:
        barred = self.at.mode == "explore" or self.at.explicit or self.at.over
        if not barred and not is_blank(reply.text) and not self._captured(n):
            await self._capture(n, reply.text, tail=False)

    def _captured(self, n: int) -> bool:
        return any(captured.call == n for captured in self.walk.log.view.captured)

    async def _capture(self, n: int, text: str, *, tail: bool) -> bool:
        """Take spoken text into the draft; False when the draft refuses it."""
        draft = await capture(n, text, self.at.draft, self.walk.log, tail=tail)
        if draft is None:
            return False
        self.at = replace(self.at, draft=draft)
        return True


async def _done(begun: Outcome | Awaitable[Outcome]) -> Outcome:
    return begun if isinstance(begun, Outcome) else await begun


def _barred(desk: Desk, tool: Tool) -> str:
    """The phrase that refuses a tool in the present state of the turn, or nothing."""
    if tool.kind == "read":
        return ""
    if desk.revised is not None:
        return "draft_after_previous"
    if desk.sealed:
        return "sealed_already"
    if tool.kind == "write" and desk.mode == "explore":
        return "explore_refused"
    return ""


def _change(n: int, desk: Desk, outcome: Outcome, view: TurnView) -> list[TurnEvent]:
    if outcome.applied is not None:
        return [draft_change(desk.draft, outcome.applied, n)]
    # A preview of this call is taken back when the call changed nothing.
    if view.preview is not None and view.preview.call == n and not outcome.ok:
        return [DraftChange(desk.draft.version, "retract", desk.draft.version, call=n)]
    return []


def _made(seen: ToolView) -> int | None:
    """The draft version that a recorded call left behind."""
    made = seen.effect.get("version") if seen.effect else None
    return made if isinstance(made, int) else None
