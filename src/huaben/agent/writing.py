"""The performer of a writing project: a discussion in which the model looks at chapters and changes them
(`writing.md` §2). The reply is a report and never prose; there is no draft sheet and no seal.

As on the stage, first run, resume and the answer to an ask card are the same walk over the record.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from typing import TypeAlias

from huaben.agent.calling import CallStreamer
from huaben.agent.desk import Desk, Outcome
from huaben.agent.filedesk import ChangedByUser, FileDesk, FileEdit, NotWritten
from huaben.agent.log import TurnLog
from huaben.agent.stage import MAX_CALLS, Act, Done, Ended, Ending, Waiting
from huaben.agent.tools.arguments import parse
from huaben.agent.tools.files import FILE_TOOLS, FileOutcome, FileTool, file_specs
from huaben.agent.tools.paths import path_of
from huaben.agent.tools.spoken import as_json, refusal
from huaben.agent.tools.table import Tool, specs
from huaben.domain.events import Asked, Notice, ToolEnd, ToolStart
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Reply,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
)
from huaben.domain.project import Language
from huaben.domain.text import is_blank, utf16_len
from huaben.domain.turnview import ToolView
from huaben.prompt.texts import phrase, phrases

_Begun: TypeAlias = Outcome | FileOutcome
NOT_AT_THE_DESK = ("draft_", "previous_draft_", "save_", "turn_plan")
"""How the names of the stage's tools begin that a manuscript has no use for."""


@dataclass(slots=True)
class _Walk:
    """What the walk has come to; rebuilt from the record on every run."""

    messages: list[Message]
    rounds: int = 0
    output_tokens: int = 0
    retried_empty: bool = False
    answers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    failures: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])


def desk_tools(stage: Sequence[Tool]) -> tuple[Tool, ...]:
    """Those of the stage's tools that a writing project has too: lore, memory, card, world state, ask."""
    return tuple(tool for tool in stage if not tool.name.startswith(NOT_AT_THE_DESK))


def writing_specs(stage: Sequence[Tool], language: Language) -> tuple[ToolSpec, ...]:
    """The tool list of a writing project, in the order that the model sees."""
    return (*file_specs(language), *specs(desk_tools(stage), language))


async def perform(act: Act, files: FileDesk, log: TurnLog, caller: CallStreamer) -> Ending:
    """Walk the turn to its end. `act.tools` are those of `desk_tools`. Raises as `stage.perform` does."""
    walk = _Walk(list(act.prompt.messages))
    for n in count():
        if note := act.view.notes.get(n):
            # The user's Continue is a new grant of rounds and tokens.
            walk.messages.append(User(note))
            walk.rounds = walk.output_tokens = 0
            walk.retried_empty = False
        reply = await _hear(n, act, walk, log, caller)
        if reply.calls and walk.rounds < act.limits.rounds:
            walk.rounds += 1
            ending = await _carry_out(n, reply, act, files, walk, log)
        else:
            ending = await _last_word(n, reply, act, walk, log)
        if ending is None and not _went_beyond(act, n):
            ending = _over_budget(act, walk)
        if ending is not None:
            return ending
    raise AssertionError("unreachable")  # count() does not end


async def _hear(n: int, act: Act, walk: _Walk, log: TurnLog, caller: CallStreamer) -> Reply:
    if n < len(act.recorded):
        reply = act.recorded[n]
    else:
        request = ModelRequest(
            tuple(walk.messages),
            act.prompt.tools,
            "none" if walk.rounds >= act.limits.rounds else "auto",
            act.sampling,
            act.prompt.stable,
        )
        reply = await caller.call(n, request, Desk(), log)
        if len(reply.calls) > MAX_CALLS:
            dropped = len(reply.calls) - MAX_CALLS
            await log.commit([Notice("too_many_calls", f"{dropped} calls", call=n)])
    walk.output_tokens += reply.usage.completion or utf16_len(reply.text) // 2
    return replace(reply, calls=reply.calls[:MAX_CALLS])


def _went_beyond(act: Act, n: int) -> bool:
    """Whether the record shows that the turn went on after call `n`."""
    return n + 1 < len(act.recorded) or n + 1 in act.view.notes


# ---- tools -------------------------------------------------------------------------------------


async def _carry_out(
    n: int, reply: Reply, act: Act, files: FileDesk, walk: _Walk, log: TurnLog
) -> Ending | None:
    walk.messages.append(Assistant(reply.text, reply.calls, reply.thinking))
    recorded = {t.index: t for t in act.view.tools if t.call == n and t.ok is not None}
    for batch in _batches(act, reply.calls):
        for index, call in batch:
            if index in recorded:
                _replay(act, walk, call, recorded[index])
        fresh = [(index, call) for index, call in batch if index not in recorded]
        if fresh:
            ending = await _execute(n, fresh, act, files, walk, log)
            if ending is not None:
                return ending
    return None


def _batches(act: Act, calls: Sequence[ToolCall]) -> Iterator[list[tuple[int, ToolCall]]]:
    """Consecutive reads together, everything else one by one."""
    for reading, group in groupby(enumerate(calls), key=lambda one: _kind(act, one[1]) == "read"):
        items = list(group)
        if reading:
            yield items
        else:
            yield from ([item] for item in items)


def _kind(act: Act, call: ToolCall) -> str:
    tool = _file_tool(call.name) or _tool(act, call.name)
    return tool.kind if tool else "unknown"


def _file_tool(name: str) -> FileTool | None:
    return next((tool for tool in FILE_TOOLS if tool.name == name), None)


def _tool(act: Act, name: str) -> Tool | None:
    return next((tool for tool in act.tools if tool.name == name), None)


async def _execute(
    n: int,
    batch: list[tuple[int, ToolCall]],
    act: Act,
    files: FileDesk,
    walk: _Walk,
    log: TurnLog,
) -> Ending | None:
    begun = await asyncio.gather(*(_run(act, files, call) for _, call in batch))
    outcomes: list[Outcome] = []
    for (index, call), done in zip(batch, begun, strict=True):
        outcome = done.outcome if isinstance(done, FileOutcome) else done
        started = ToolStart(n, index, call.id, call.name, call.arguments)
        if outcome.question is not None:
            asked = outcome.question
            return Waiting((started, Asked(n, index, asked.question, asked.options)))
        if isinstance(done, FileOutcome) and done.edit is not None:
            outcome = await _make(act, files, log, started, done.outcome, done.edit)
        else:
            outcome = _short(act, walk, call, outcome)
            ended = ToolEnd(
                n, index, call.id, call.name, outcome.ok, outcome.result, outcome.effect
            )
            await log.commit([started, ended], outcome.rows)
        outcomes.append(outcome)
    for (_, call), outcome in zip(batch, outcomes, strict=True):
        _take(act, walk, call, outcome)
    return _stuck(act, walk, batch, outcomes)


async def _run(act: Act, files: FileDesk, call: ToolCall) -> _Begun:
    """Carry out one call, or prepare the change that it asks for; a refusal is an outcome."""
    language = act.sources.language
    tool = _file_tool(call.name) or _tool(act, call.name)
    if tool is None:
        return refusal(phrase(language, "unknown_tool", name=call.name))
    arguments = parse(language, tool.schema, call.arguments)
    if isinstance(arguments, str):
        return refusal(arguments)
    if isinstance(tool, FileTool):
        return await tool.run(files, language, arguments)
    done = await asyncio.to_thread(tool.run, act.sources, Desk(), arguments)
    return await done if isinstance(done, Awaitable) else done


async def _make(
    act: Act, files: FileDesk, log: TurnLog, started: ToolStart, outcome: Outcome, edit: FileEdit
) -> Outcome:
    """Make a change of chapters and record it together with its result."""

    def ended(result: Outcome, effect: Mapping[str, object] | None) -> ToolEnd:
        return ToolEnd(
            started.call, started.index, started.id, started.name, result.ok, result.result, effect
        )

    async def recorded(effect: Mapping[str, object]) -> None:
        await log.commit([started, ended(outcome, effect)])

    refused = await files.make(edit, recorded)
    if refused is None:
        return outcome
    result = refusal(_refused(act.sources.language, refused, edit))
    await log.commit([started, ended(result, None)])
    return result


def _refused(language: Language, refused: ChangedByUser | NotWritten, edit: FileEdit) -> str:
    texts = phrases(language, "writing_phrases")
    if isinstance(refused, ChangedByUser):
        return texts["changed_by_user"].format(path=", ".join(map(path_of, refused.names)))
    if refused.code == "read_only_file":
        return texts["read_only"].format(path=", ".join(map(path_of, edit.contents)))
    return texts["not_written"].format(detail=refused.message)


def _short(act: Act, walk: _Walk, call: ToolCall, outcome: Outcome) -> Outcome:
    """The same read with the same result again is not sent a second time."""
    if _kind(act, call) != "read" or not outcome.ok:
        return outcome
    if walk.answers.get(_key(call)) != outcome.result:
        return outcome
    return replace(outcome, result=_receipt(act.sources.language))


def _receipt(language: Language) -> str:
    return as_json({"ok": True, "note": phrases(language, "writing_phrases")["repeated_read"]})


def _key(call: ToolCall) -> tuple[str, str]:
    return (call.name, call.arguments.strip() or "{}")


def _take(act: Act, walk: _Walk, call: ToolCall, outcome: Outcome) -> None:
    """Take over what is durable now."""
    if not outcome.ok:
        walk.failures[_key(call)] = walk.failures.get(_key(call), 0) + 1
    elif outcome.result != _receipt(act.sources.language):
        walk.answers[_key(call)] = outcome.result
    walk.messages.append(ToolResult(call.id, call.name, outcome.result))


def _replay(act: Act, walk: _Walk, call: ToolCall, seen: ToolView) -> None:
    """Take a recorded result instead of doing the call again; what it did to files is done."""
    _take(act, walk, call, Outcome(seen.ok is True, seen.result))


def _stuck(
    act: Act, walk: _Walk, batch: list[tuple[int, ToolCall]], outcomes: Sequence[Outcome]
) -> Ending | None:
    """The same failing write again and again ends the loop, with the error shown."""
    for (_, call), outcome in zip(batch, outcomes, strict=True):
        times = walk.failures.get(_key(call), 0)
        if not outcome.ok and _kind(act, call) == "write" and times >= act.limits.same_failure:
            return Ended("repeated_failure", outcome.result)
    return None


# ---- the end -----------------------------------------------------------------------------------


async def _last_word(n: int, reply: Reply, act: Act, walk: _Walk, log: TurnLog) -> Ending | None:
    if _went_beyond(act, n):
        if is_blank(reply.text):
            walk.retried_empty = True
        else:
            walk.messages.append(Assistant(reply.text, (), reply.thinking))
        return None
    if not is_blank(reply.text):
        return Done(reply.text)
    # Silence after work is an end; after nothing at all it is asked once more.
    if reply.calls or walk.retried_empty or _has_worked(log):
        return Done("") if _has_worked(log) else Ended("no_reply", "")
    walk.retried_empty = True
    await log.commit([Notice("empty_reply", call=n)])
    return None


def _has_worked(log: TurnLog) -> bool:
    """Whether the turn has changed any chapter."""
    effects: list[Mapping[str, object]] = [tool.effect or {} for tool in log.view.tools]
    return any("files" in effect for effect in effects)


def _over_budget(act: Act, walk: _Walk) -> Ended | None:
    limit = act.limits.output_tokens
    if limit and walk.output_tokens > limit:
        return Ended("limit_output_tokens", f"{walk.output_tokens} > {limit}")
    return None


Performance: TypeAlias = Callable[[Act, TurnLog, CallStreamer], Awaitable[Ending]]


def at(files: FileDesk) -> Performance:
    """The performance at these files, as the company runs it."""

    async def performed(act: Act, log: TurnLog, caller: CallStreamer) -> Ending:
        return await perform(act, files, log, caller)

    return performed
