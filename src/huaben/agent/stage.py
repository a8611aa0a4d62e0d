"""The `stage` performer: the loop of model calls and tools on a draft sheet (`turn.md`).

A function from a scene to an ending. First run, resume, retry and the answer to an ask card are the
same walk: what is recorded is taken from the record, the rest is done. What has happened is in the
log; nothing else is remembered between runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from typing import TypeAlias

from huaben.agent.calling import CallStreamer
from huaben.agent.capturing import capture, draft_change
from huaben.agent.desk import Desk, Outcome, Previous, Sources
from huaben.agent.log import TurnLog
from huaben.agent.tools.arguments import parse
from huaben.agent.tools.spoken import refusal
from huaben.agent.tools.table import Tool
from huaben.domain.draft import Draft
from huaben.domain.events import (
    Asked,
    DraftChange,
    Notice,
    ToolEnd,
    ToolStart,
    TurnEvent,
)
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Reply,
    Sampling,
    ToolCall,
    ToolResult,
    User,
)
from huaben.domain.scenario import Limits
from huaben.domain.story import Revision
from huaben.domain.text import is_blank, utf16_len
from huaben.domain.turnview import ToolView, TurnView
from huaben.prompt.segments import Prompt
from huaben.prompt.texts import phrase

MAX_CALLS = 128
"""Calls of one reply that are carried out; the rest are dropped, and said to be."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The draft is to become the final text."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The previous turn was changed; that was this turn's work."""

    revision: Revision


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The model stopped without sealing what it wrote."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An ask card is to be shown; `events` belong into the commit that lets the turn wait."""

    events: tuple[TurnEvent, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing was produced, or a limit was reached: `code` and what is shown."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """A discussion about a manuscript has been answered: `text` is what the model reports."""

    text: str


Ending: TypeAlias = Sealed | Revised | Unsealed | Waiting | Ended | Done


@dataclass(frozen=True, slots=True)
class Act:
    """Everything that one performance needs. `recorded` are the replies already paid for, in
    order; `view` is the turn's log as it stands. `usual` and `prefill` are a preset's: the samplers
    that all others go before, and how a reply is to begin."""

    prompt: Prompt
    tools: tuple[Tool, ...]
    sources: Sources
    limits: Limits
    sampling: Sampling
    view: TurnView
    recorded: tuple[Reply, ...] = ()
    usual: Sampling = field(default_factory=Sampling)
    prefill: str = ""


@dataclass(slots=True)
class _Progress:
    """What the walk has come to; rebuilt from the record on every run."""

    messages: list[Message]
    desk: Desk = field(default_factory=Desk)
    rounds: int = 0
    output_tokens: int = 0
    retried_empty: bool = False
    reads: set[tuple[str, str, int]] = field(default_factory=set[tuple[str, str, int]])
    failures: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])


async def perform(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
    """Walk the turn to its ending. Raises `ProviderFailed` when a call fails for good and
    `Superseded` when another run took over; what was produced until then is in the log."""
    walk = _Progress(list(act.prompt.messages))
    for n in count():
        if note := act.view.notes.get(n):
            # The user's Continue is a new grant of rounds and tokens.
            walk.messages.append(User(note))
            walk.rounds = walk.output_tokens = 0
            walk.retried_empty = False
        if n >= len(act.recorded):
            walk.desk = replace(walk.desk, draft=log.view.draft)
        reply = await _hear(n, act, walk, log, caller)
        if reply.calls and walk.rounds < act.limits.rounds:
            walk.rounds += 1
            ending = await _carry_out(n, reply, act, walk, log)
        else:
            ending = await _last_word(n, reply, act, walk, log)
        if ending is None and not _went_beyond(act, n):
            ending = _over_budget(act, walk)
        if ending is not None:
            return ending
    raise AssertionError("unreachable")  # count() does not end


async def _hear(n: int, act: Act, walk: _Progress, log: TurnLog, caller: CallStreamer) -> Reply:
    if n < len(act.recorded):
        reply = act.recorded[n]
    else:
        request = ModelRequest(
            tuple(walk.messages),
            act.prompt.tools,
            "none" if walk.rounds >= act.limits.rounds else "auto",
            act.sampling,
            act.prompt.stable,
            usual=act.usual,
        )
        reply = await caller.call(n, request, walk.desk, log)
        if len(reply.calls) > MAX_CALLS:
            dropped = len(reply.calls) - MAX_CALLS
            await log.commit([Notice("too_many_calls", f"{dropped} calls", call=n)])
    walk.output_tokens += reply.usage.completion or utf16_len(reply.text) // 2
    return replace(reply, calls=reply.calls[:MAX_CALLS])


def _went_beyond(act: Act, n: int) -> bool:
    """Whether the record shows that the turn went on after call `n`, by itself or at the user's
    word; what would have ended it there has been decided."""
    return n + 1 < len(act.recorded) or n + 1 in act.view.notes


async def _carry_out(
    n: int, reply: Reply, act: Act, walk: _Progress, log: TurnLog
) -> Ending | None:
    walk.messages.append(Assistant(reply.text, reply.calls, reply.thinking))
    recorded = {t.index: t for t in act.view.tools if t.call == n and t.ok is not None}
    for batch in _batches(act, reply.calls):
        for index, call in batch:
            if index in recorded:
                _replay(act, walk, call, recorded[index])
        fresh = [(index, call) for index, call in batch if index not in recorded]
        if not fresh:
            continue
        walk.desk = replace(walk.desk, draft=log.view.draft)
        if _kind(act, fresh[0][1]) == "ask":
            await _capture_before_ask(n, reply, walk, log)
        ending = await _execute(n, fresh, act, walk, log)
        if ending is not None:
            return ending
    return _finished(act, walk.desk)


def _finished(act: Act, desk: Desk) -> Ending | None:
    previous = act.sources.previous
    if desk.revised is not None and isinstance(previous, Previous):
        return Revised(Revision(previous.turn_id, desk.revised.version, desk.revised.text))
    return Sealed() if desk.sealed else None


def _batches(act: Act, calls: Sequence[ToolCall]) -> Iterator[list[tuple[int, ToolCall]]]:
    """Consecutive reads together, everything else one by one."""
    numbered = enumerate(calls)
    for reading, group in groupby(numbered, key=lambda item: _kind(act, item[1]) == "read"):
        items = list(group)
        if reading:
            yield items
        else:
            yield from ([item] for item in items)


def _kind(act: Act, call: ToolCall) -> str:
    tool = _tool(act, call.name)
    return tool.kind if tool else "unknown"


def _tool(act: Act, name: str) -> Tool | None:
    return next((tool for tool in act.tools if tool.name == name), None)


async def _execute(
    n: int, batch: list[tuple[int, ToolCall]], act: Act, walk: _Progress, log: TurnLog
) -> Ending | None:
    desk = walk.desk
    if len(batch) == 1:
        begun = [_run(act, walk, batch[0][1])]
    else:
        begun = await asyncio.gather(
            *(asyncio.to_thread(_run, act, walk, call) for _, call in batch)
        )
    outcomes = await asyncio.gather(*map(_done, begun))
    events: list[TurnEvent] = []
    for (index, call), outcome in zip(batch, outcomes, strict=True):
        events.append(ToolStart(n, index, call.id, call.name, call.arguments))
        if outcome.question is not None:
            question = outcome.question
            return Waiting((*events, Asked(n, index, question.question, question.options)))
        events += _change(n, desk, outcome, log.view)
        events.append(
            ToolEnd(n, index, call.id, call.name, outcome.ok, outcome.result, outcome.effect)
        )
    await log.commit(events, tuple(row for outcome in outcomes for row in outcome.rows))
    for (_, call), outcome in zip(batch, outcomes, strict=True):
        _take(walk, call, outcome)
    return _stuck(act, walk, batch, outcomes)


async def _done(begun: Outcome | Awaitable[Outcome]) -> Outcome:
    return begun if isinstance(begun, Outcome) else await begun


def _run(act: Act, walk: _Progress, call: ToolCall) -> Outcome | Awaitable[Outcome]:
    """Carry out one call on the desk, or begin to; a refusal is an outcome like any other."""
    language = act.sources.language
    tool = _tool(act, call.name)
    if tool is None:
        return refusal(phrase(language, "unknown_tool", name=call.name))
    arguments = parse(language, tool.schema, call.arguments)
    if isinstance(arguments, str):
        return refusal(arguments)
    barred = _barred(act, walk.desk, tool)
    if barred:
        return refusal(phrase(language, barred))
    if tool.kind == "read" and _read_key(walk.desk, call) in walk.reads:
        return Outcome(ok=True, result=phrase(language, "repeated_read"))
    return tool.run(act.sources, walk.desk, arguments)


def _barred(act: Act, desk: Desk, tool: Tool) -> str:
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


def _read_key(desk: Desk, call: ToolCall) -> tuple[str, str, int]:
    return (call.name, call.arguments.strip() or "{}", desk.draft.version)


def _change(n: int, desk: Desk, outcome: Outcome, view: TurnView) -> list[TurnEvent]:
    if outcome.applied is not None:
        return [draft_change(desk.draft, outcome.applied, n)]
    # A preview of this call is taken back when the call changed nothing.
    if view.preview is not None and view.preview.call == n and not outcome.ok:
        return [DraftChange(desk.draft.version, "retract", desk.draft.version, call=n)]
    return []


def _take(walk: _Progress, call: ToolCall, outcome: Outcome) -> None:
    """Take over what is durable now."""
    if outcome.ok:
        walk.reads.add(_read_key(walk.desk, call))
    else:
        key = (call.name, call.arguments)
        walk.failures[key] = walk.failures.get(key, 0) + 1
    if outcome.desk is not None:
        walk.desk = outcome.desk
    walk.messages.append(ToolResult(call.id, call.name, outcome.result))


def _replay(act: Act, walk: _Progress, call: ToolCall, seen: ToolView) -> None:
    """Take a recorded result instead of doing the call again."""
    desk = walk.desk.remembering(seen.effect or {})
    written = act.view.version(desk_version) if (desk_version := _made(seen)) else None
    if written is not None:
        desk = replace(desk, draft=Draft(written.version, written.text))
    _take(walk, call, Outcome(seen.ok is True, seen.result, desk))


def _made(seen: ToolView) -> int | None:
    """The draft version that a recorded call left behind."""
    made = seen.effect.get("version") if seen.effect else None
    return made if isinstance(made, int) else None


def _stuck(
    act: Act, walk: _Progress, batch: list[tuple[int, ToolCall]], outcomes: Sequence[Outcome]
) -> Ending | None:
    """The same failing write again and again ends the loop, with the error shown."""
    for (_, call), outcome in zip(batch, outcomes, strict=True):
        times = walk.failures.get((call.name, call.arguments), 0)
        if not outcome.ok and _kind(act, call) == "write" and times >= act.limits.same_failure:
            return Ended("repeated_failure", outcome.result)
    return None


async def _capture_before_ask(n: int, reply: Reply, walk: _Progress, log: TurnLog) -> None:
    taken = any(captured.call == n for captured in log.view.captured)
    barred = walk.desk.mode == "explore" or walk.desk.explicit or walk.desk.over
    if not taken and not barred and not is_blank(reply.text):
        await _capture(n, reply.text, walk, log, tail=False)


async def _last_word(
    n: int, reply: Reply, act: Act, walk: _Progress, log: TurnLog
) -> Ending | None:
    desk = walk.desk = replace(walk.desk, draft=log.view.draft)
    nothing = Ended("no_draft", "")
    if _went_beyond(act, n):
        return _went_on(reply, walk)
    if reply.calls:  # tools were forbidden and it still asks for them: the turn ends as it stands
        return Unsealed() if desk.draft.text else nothing
    if is_blank(reply.text):
        if walk.retried_empty:
            return Unsealed() if desk.draft.text else nothing
        walk.retried_empty = True
        await log.commit([Notice("empty_reply", call=n)])
        return None
    if desk.mode == "explore":
        return Unsealed() if desk.draft.text else nothing
    taken = any(captured.call == n for captured in log.view.captured)
    if not taken and not await _capture(n, reply.text, walk, log, tail=desk.explicit):
        return Unsealed() if desk.draft.text else nothing
    return Unsealed() if desk.explicit else Sealed()


def _went_on(reply: Reply, walk: _Progress) -> None:
    """A recorded last word after which the turn went on: the empty one was simply asked again, any
    other stands before the note that the user's Continue added."""
    if is_blank(reply.text):
        walk.retried_empty = True
    else:
        walk.messages.append(Assistant(reply.text, (), reply.thinking))


async def _capture(n: int, text: str, walk: _Progress, log: TurnLog, *, tail: bool) -> bool:
    """Take spoken text into the draft; False when the draft refuses it."""
    draft = await capture(n, text, walk.desk.draft, log, tail=tail)
    if draft is None:
        return False
    walk.desk = replace(walk.desk, draft=draft)
    return True


def _over_budget(act: Act, walk: _Progress) -> Ended | None:
    limit = act.limits.output_tokens
    if limit and walk.output_tokens > limit:
        return Ended("limit_output_tokens", f"{walk.output_tokens} > {limit}")
    return None
